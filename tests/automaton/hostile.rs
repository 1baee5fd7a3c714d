//! Hostile inputs: files, strings, and unexpected answers.

use automaton::machine::actions::Step;
use automaton::machine::grammar::{read_call, read_numbered};
use automaton::machine::states::{Automaton, Prompt};
use automaton::machine::{
    Action, AutomatonRun, ChainFailure, Input, Limits, Looked, NoticeKind, Outcome,
};
use domain::chat::ChatReply;
use domain::page::{ActionFailure, BrowserGone, Done, Signals};
use domain::{Failure, FailureKind};
use kernel::{Answer, CommandId, LostCall, Millis};
use serde_json::json;

use super::drift::element;
use super::scene::{CLICK, KEY, Scene, answer, at, showing, state};
use crate::random::XorShift64;

const PIECES: [&str; 40] = [
    "click",
    "type",
    "press_key",
    "wait",
    "scroll",
    "navigate_to",
    "parameters",
    "True",
    "None",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    "+",
    "-",
    ".",
    "'",
    "\"",
    "\\",
    "\\x",
    "\\u",
    "\\N{",
    "0x",
    "1e",
    "_",
    "9",
    "css selector",
    "selector",
    "by",
    "\n",
    " ",
    "#",
    "\u{1f642}",
    "\0",
    "http://a",
    "\\\n",
];

fn patchwork(chance: &mut XorShift64, length: usize) -> String {
    (0..chance.below(length))
        .map(|_| PIECES[chance.below(PIECES.len())])
        .collect()
}

#[test]
fn no_string_makes_the_grammar_panic_and_errors_lie_within_it() {
    let mut chance = XorShift64(0xF0_02);
    let mut read = 0;
    for _ in 0..200_000 {
        let source = match chance.below(3) {
            0 => patchwork(&mut chance, 12),
            1 => format!("press_key({})", patchwork(&mut chance, 6)),
            _ => format!("wait(seconds={})", patchwork(&mut chance, 4)),
        };
        match read_call(&source) {
            Ok(call) => {
                read += 1;
                let _ = Step::of(&call);
                assert_eq!(read_call(&call.to_string()), Ok(call), "{source:?}");
            }
            Err(error) => {
                assert!(error.byte <= source.len(), "{source:?}");
                assert!(source.is_char_boundary(error.byte), "{source:?}");
            }
        }
    }
    assert!(read > 500, "{read}");
}

#[test]
fn every_text_is_read_back_as_it_was() {
    let mut chance = XorShift64(0xF0_03);
    for _ in 0..20_000 {
        let characters = (0..chance.below(12)).map(|_| {
            let code = u32::try_from(chance.below(0x0003_0000)).unwrap();
            let low = u32::try_from(chance.below(0x80)).unwrap();
            let code = if chance.below(2) == 0 { low } else { code };
            char::from_u32(code).unwrap_or('\u{fffd}')
        });
        let text: String = characters.collect();
        let written = automaton::machine::grammar::Text::literal(&*text);
        let call = read_call(&format!("press_key({written})")).unwrap();
        let read = call
            .argument("key")
            .and_then(|value| value.as_text())
            .unwrap();
        assert_eq!(read.as_literal(), Some(text.as_str()));
    }
}

#[test]
fn no_file_makes_the_reader_panic() {
    let whole = r#"[{"name":"A","checks":[{"type":"url","value":"u"},{"type":"element","params":{"by":"css selector","selector":"a","timeout":5}}],"actions":["click('css selector', '#a')",{"type":"click","params":{"x":1}}],"end_state":"","config":{"continous":true},"executed":[]}]"#;
    let mut chance = XorShift64(0xF0_04);
    let mut read = 0;
    for _ in 0..50_000 {
        let mut text = whole.as_bytes().to_vec();
        for _ in 0..chance.below(4) {
            let from = chance.below(text.len());
            let to = (from + chance.below(20)).min(text.len());
            let new = patchwork(&mut chance, 4);
            text.splice(from..to, new.bytes());
        }
        match Automaton::parse(&text) {
            Ok(_) => read += 1,
            Err(error) => assert!(error.byte.unwrap_or(0) <= text.len()),
        }
    }
    assert!(read > 5_000, "{read}");
}

/// An outcome that may or may not fit the command.
fn some_outcome(chance: &mut XorShift64) -> Outcome {
    match chance.below(9) {
        0 => Outcome::Waited,
        1 => Outcome::Acted(Ok(Done::default())),
        2 => Outcome::Acted(Err(ActionFailure::Failed("x".into()))),
        3 => Outcome::Acted(Err(ActionFailure::UnknownOutcome("x".into()))),
        4 => Outcome::Looked(Err(BrowserGone("x".into()))),
        5 => Outcome::Looked(Ok(Signals::default().into())),
        6 => Outcome::Looked(Ok(at("v").into())),
        _ => Outcome::Looked(Ok(at("u").into())),
    }
}

#[test]
fn no_string_makes_the_reader_of_models_calls_panic() {
    let mut chance = XorShift64(0xF0_07);
    let mut read = 0;
    for _ in 0..100_000 {
        let name = ["click", "type", "scroll", "wait", "terminate"][chance.below(5)];
        let source = match chance.below(3) {
            0 => patchwork(&mut chance, 12),
            1 => format!("{name}({})", patchwork(&mut chance, 4)),
            _ => format!("{name}(9{})", patchwork(&mut chance, 4)),
        };
        match read_numbered(&source) {
            Ok(_) => read += 1,
            Err(error) => assert!(source.is_char_boundary(error.byte), "{source:?}"),
        }
    }
    assert!(read > 500, "{read}");
}

/// A model's answer, good or bad, to any question.
fn some_reply(chance: &mut XorShift64) -> Outcome {
    let text = match chance.below(8) {
        0 => patchwork(chance, 12),
        1 => "terminate()".to_owned(),
        2 => format!("click({})", chance.below(4)),
        3 => "scroll('down')".to_owned(),
        4 | 5 => format!("{{\"prompt\": {}}}", chance.below(4)),
        _ => format!("{{\"triggers\": [{}]}}", chance.below(5)),
    };
    let reply = ChatReply {
        text,
        ..ChatReply::default()
    };
    match chance.below(30) {
        0 => Outcome::Asked(Err(Failure::new(FailureKind::Down, "x"))),
        _ => Outcome::Asked(Ok(reply)),
    }
}

/// An outcome that mostly fits the command, with pages, answers and failures at random.
fn some_fitting(chance: &mut XorShift64, action: &Action) -> Outcome {
    match action {
        Action::Look { .. } => {
            let texts = ["A", "B", "C"].map(|text| (text, "p"));
            let shown = &texts[..chance.below(4)];
            let mut looked: Looked = showing(["u", "v"][chance.below(2)], shown).into();
            looked.view.elements = vec![element("#a", "a"), element("#b", "b")];
            Outcome::Looked(Ok(looked))
        }
        Action::Ask(_) => some_reply(chance),
        Action::Reload => Outcome::Reloaded(Ok(())),
        Action::Investigate(_) => Outcome::Investigated(Err(ChainFailure {
            run: None,
            message: "Nobody investigates here.".to_owned(),
        })),
        Action::Wait { .. } => Outcome::Waited,
        Action::Act { .. } if chance.below(3) > 0 => Outcome::Acted(Ok(Done::default())),
        Action::Act { .. } => some_outcome(chance),
    }
}

#[test]
fn no_answer_makes_the_making_of_states_panic_and_every_run_ends() {
    let mut chance = XorShift64(0xF0_08);
    let states = [state("A", "u", &["click('id', 'x')", "scroll()"], "")];
    let prompts = json!([
        {"name": "A", "actions": ["a"]},
        {"name": "B", "actions": ["b"], "end_state": "done"},
        {"name": "C"},
    ]);
    let mut kept = 0;
    for _ in 0..5_000 {
        let mut scene = Scene::new(&states[..chance.below(2)], &[]);
        scene.order.prompts = Prompt::read_all(&prompts).unwrap();
        scene.order.regenerates = chance.below(2) == 0;
        scene.order.settings.no_states_timeout_ms = 0;
        scene.order.settings.state_timeout_ms = 500;
        scene.order.limits.looks_max = 100;
        let mut run = AutomatonRun::new(scene.order).unwrap();
        run.handle(Input::Start, Millis(0));
        let mut now = 0;
        while let Some(command) = run.next_command() {
            now += 100;
            let lost = LostCall {
                attempts: 1,
                ..LostCall::unsent(command.id)
            };
            let input = match chance.below(60) {
                0 => Input::Resumed { lost: vec![lost] },
                1 => Input::Stop { lost: vec![lost] },
                _ => answer(&command, some_fitting(&mut chance, &command.action)),
            };
            run.handle(input, Millis(now));
        }
        assert!(run.is_ended());
        let written = run.automaton().to_json();
        assert!(Automaton::from_json(&written).unwrap() == *run.automaton());
        let notices = std::iter::from_fn(|| run.next_notice());
        let is_kept = |kind: &NoticeKind| matches!(kind, NoticeKind::StateKept { .. });
        kept += notices.filter(|notice| is_kept(&notice.kind)).count();
    }
    assert!(kept > 50, "{kept}");
}

#[test]
fn no_input_makes_the_machine_panic_and_every_run_ends() {
    let mut chance = XorShift64(0xF0_05);
    let states = [
        state("A", "u", &[CLICK, "wait(1)", "scroll()"], ""),
        state("B", "v", &[KEY], "done"),
    ];
    for _ in 0..20_000 {
        let mut scene = Scene::new(&states, &[]);
        scene.order.limits = Limits {
            looks_max: 20,
            actions_max: 5,
            ..Limits::default()
        };
        let mut run = AutomatonRun::new(scene.order).unwrap();
        let mut now = 0u64;
        let mut lasts = 0;
        let mut under_way = CommandId(0);
        for _ in 0..400 {
            while let Some(command) = run.next_command() {
                assert!(command.id >= under_way);
                under_way = command.id;
            }
            now = (now + chance.below(4_000) as u64).saturating_sub(chance.below(500) as u64);
            let lost = LostCall {
                attempts: u32::try_from(chance.below(3)).unwrap(),
                ..LostCall::unsent(under_way)
            };
            let input = match chance.below(40) {
                0 => Input::Resumed { lost: vec![lost] },
                1 => Input::Stop { lost: vec![lost] },
                2 => Input::Withdrawn { lost: vec![lost] },
                3 => Input::Remark("r".into()),
                4..7 => Input::Start,
                _ => Input::Answer(Answer {
                    command: CommandId(under_way.0 + u32::from(chance.below(9) == 0)),
                    attempts: u32::try_from(chance.below(4)).unwrap(),
                    throttled: 0,
                    nano_usd: u64::MAX / 3,
                    outcome: some_outcome(&mut chance),
                    remarks: Vec::new(),
                }),
            };
            run.handle(input, Millis(now));
            lasts += std::iter::from_fn(|| run.next_notice())
                .filter(|notice| notice.kind.is_last())
                .count();
        }
        assert!(run.is_ended());
        assert_eq!((lasts, run.next_command()), (1, None));
    }
}
