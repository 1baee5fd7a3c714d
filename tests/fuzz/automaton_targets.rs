//! The parsers of automata: files of states, executed if valid, and action strings.

use automaton::machine::actions::Step;
use automaton::machine::grammar::{ACTION_BYTES_MAX, read_call};
use automaton::machine::states::{Automaton, FILE_BYTES_MAX, FILE_WEIGHT_MAX, Prompt};
use automaton::machine::{
    Action, Answer, AutomatonRun, ChainFailure, Input, Limits, OnUnknown, Order, Outcome,
    Parameters, Settings,
};
use domain::chat::ChatReply;
use domain::page::{ActionFailure, Done, Item, Signals};
use domain::{Failure, FailureKind};
use json::weight;
use kernel::Millis;

use super::corpus::texts;
use super::runner::Target;

const STATE_WORDS: [&str; 22] = [
    "\"type\":\"url\",\"value\":\"u\"",
    "\"type\":\"text\",\"value\":\"t\"",
    "\"type\":\"title\"",
    "\"type\":\"element\",\"params\":{\"by\":\"css selector\",\"selector\":\"a\"}",
    "\"check_visibility\":false",
    "\"timeout\":1e9",
    "\"config\":{\"continous\":true}",
    "\"continuous\":null",
    "\"end_state\":\" \"",
    "\"actions\":[\"wait(1)\"]",
    "\"checks\":[]",
    "{\"state_repository\":",
    "\"executed\":[",
    "{\"type\":\"navigate\",\"params\":{\"url\":\"https://a\"}}",
    "{\"type\":\"terminate\"}",
    "\"pixels\":1e308",
    "\"x\":-1,\"y\":1e308",
    "press_key('a')",
    "terminate('x')",
    "null",
    "\\ud800",
    "[[",
];
const CALL_WORDS: [&str; 25] = [
    "navigate_to(",
    "click(",
    "type(",
    "scroll(",
    "scroll_to(",
    "press_key(",
    "wait(",
    "by='css selector'",
    "selector=",
    "fallback_x=1e308",
    "fallback='always'",
    "parameters['A']",
    "True",
    "None",
    " + ",
    "0x_1f",
    "1_0.5e-3",
    "\\x41",
    "\\u00e9",
    "\\U0001F642",
    "\\N{",
    "\\\r\n",
    "'''",
    ")",
    "https://a",
];

const STATES: &str = r#"[{"name":"A","description":"","checks":[{"type":"url","value":"u"},{"type":"text","value":"t"}],"actions":["click('css selector', '#a')","wait(seconds=0.5)","fly()"],"end_state":"","config":{"continous":true}},{"name":"B","checks":[{"type":"element","value":"e"}],"actions":["terminate('x')"],"end_state":"done"}]"#;
const LATER: &str = r#"{"state_repository":[{"name":"A","checks":[{"type":"element","params":{"by":"css selector","selector":"e","check_visibility":false,"timeout":5}}],"actions":[{"type":"click","params":{"by":"css selector","selector":"e","x":1.5,"y":2}},{"type":"wait","params":{"seconds":1}}],"end_state":"","executed":[{"name":"B"}]}]}"#;

const PROMPT_WORDS: [&str; 12] = [
    "\"name\":\"A\"",
    "\"description\":\"d\"",
    "\"triggers\":[\"The title \\\"t\\\" is shown.\"]",
    "\"actions\":[\"Click \\\"t\\\"\"]",
    "\"end_state\":\" \"",
    "\"end_state\":null",
    "\"triggers\":[]",
    "\"actions\":null",
    "{\"name\":\"A\"},",
    "null",
    "\\ud800",
    "[[",
];
const PROMPTS: &str = r#"[{"name":"A","description":"d","triggers":["The title \"t\" is shown.","x"],"actions":["Click \"t\"","Type [A]"],"end_state":"done"},{"name":"B","triggers":["t"],"actions":[]}]"#;

pub fn all() -> Vec<Target> {
    vec![
        Target {
            name: "automaton",
            // The most memory of the parsed values.
            bound_bytes: FILE_WEIGHT_MAX,
            bulky_bytes: 262_144,
            seeds: texts(&[STATES, LATER]),
            dictionary: &STATE_WORDS,
            read: Box::new(|bytes| {
                if let Ok(automaton) = Automaton::parse(&bytes) {
                    run(automaton, Vec::new());
                }
            }),
        },
        Target {
            name: "automaton-prompts",
            bound_bytes: FILE_WEIGHT_MAX,
            bulky_bytes: 262_144,
            seeds: texts(&[PROMPTS]),
            dictionary: &PROMPT_WORDS,
            read: Box::new(|bytes| {
                if bytes.len() > FILE_BYTES_MAX || weight(&bytes) > FILE_WEIGHT_MAX {
                    return;
                }
                let Ok(json) = serde_json::from_slice(&bytes) else {
                    return;
                };
                let Ok(prompts) = Prompt::read_all(&json) else {
                    return;
                };
                run(Automaton::default(), prompts);
            }),
        },
        Target {
            name: "automaton-action",
            // The call, its written form, and the call parsed from that.
            bound_bytes: 3 * ACTION_BYTES_MAX,
            bulky_bytes: ACTION_BYTES_MAX,
            seeds: texts(&[
                "click(by='css selector', selector='a[b=\"c\"]', percentage=0.5, fallback_x=1.5)",
                "type('css selector', '#a', 'x' + parameters['A'] + \"it's\\n\", scroll_to=False)",
                "wait(seconds=1_0.5)",
            ]),
            dictionary: &CALL_WORDS,
            read: Box::new(|bytes| {
                let Ok(source) = String::from_utf8(bytes) else {
                    return;
                };
                match read_call(&source) {
                    Ok(call) => {
                        drop(Step::of(&call));
                        let written = call.to_string();
                        // Escapes may make the written form longer than the original.
                        if written.len() <= ACTION_BYTES_MAX {
                            assert_eq!(read_call(&written), Ok(call), "it is written as another");
                        }
                    }
                    Err(error) => assert!(source.is_char_boundary(error.byte)),
                }
            }),
        },
    ]
}

/// Returns a model's answer in a turn: it chooses a prompt and a trigger, and ends the state; sometimes it fails.
fn said(turn: u64) -> Result<ChatReply, Failure> {
    let text = match turn % 4 {
        _ if turn % 11 == 10 => return Err(Failure::new(FailureKind::Down, "x")),
        0 => "{\"prompt\": 1}",
        1 => "{\"triggers\": [1]}",
        2 => "click(1)",
        _ => "terminate()",
    };
    Ok(ChatReply {
        text: text.to_owned(),
        ..ChatReply::default()
    })
}

/// Answers each command with something, and checks that the run ends.
fn run(automaton: Automaton, prompts: Vec<Prompt>) {
    let order = Order {
        automaton,
        prompts,
        settings: Settings::default(),
        parameters: Parameters::default(),
        on_unknown: OnUnknown::Again,
        regenerates: false,
        keeps_pictures: false,
        limits: Limits {
            actions_max: 20,
            looks_max: 60,
            asks_max: 20,
            states_made_max: 5,
            notices_max: 100,
            ..Limits::default()
        },
    };
    let Ok(mut run) = AutomatonRun::new(order) else {
        return;
    };
    run.handle(Input::Start, Millis(0));
    let (mut now, mut turn, mut notices) = (0u64, 0u64, 0);
    loop {
        while run.next_notice().is_some() {
            notices += 1;
        }
        let Some(command) = run.next_command() else {
            break;
        };
        turn += 1;
        let outcome = match &command.action {
            Action::Look { .. } => Outcome::Looked(Ok(Signals {
                url: Some("u".to_owned()),
                title: String::new(),
                items: (turn % 7 != 6).then(|| {
                    vec![Item {
                        text: "t".to_owned(),
                        selector: if turn % 5 == 4 { "e" } else { "f" }.to_owned(),
                    }]
                }),
                is_cut: turn % 4 == 3,
                found: vec![0],
                unanswered: Vec::new(),
            }
            .into())),
            Action::Act { .. } if turn % 9 == 8 => {
                Outcome::Acted(Err(ActionFailure::UnknownOutcome("x".to_owned())))
            }
            Action::Act { .. } => Outcome::Acted(Ok(Done::default())),
            Action::Ask(_) => Outcome::Asked(said(turn)),
            Action::Reload => Outcome::Reloaded(Ok(())),
            Action::Investigate(_) => Outcome::Investigated(Err(ChainFailure {
                run: None,
                message: "Nobody investigates here.".to_owned(),
            })),
            Action::Wait { ms } => {
                now = now.saturating_add((*ms).min(command.time_left_ms));
                Outcome::Waited
            }
        };
        let answer = Answer {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 1,
            outcome,
            remarks: Vec::new(),
        };
        run.handle(Input::Answer(answer), Millis(now));
    }
    assert!(run.is_ended(), "it waits for nothing and goes on for ever");
    assert!(notices < 400, "{notices} notices");
}
