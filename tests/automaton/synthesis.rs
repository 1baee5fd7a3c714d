//! States that models make, as the original makes them.

use automaton::machine::states::Prompt;
use automaton::machine::synthesis::{Answers, Element, MadeState, RecordedAction, offers};
use automaton::machine::{Action, AutomatonRun, Command, Dialect, Input, Outcome, Settings};
use kernel::{LostCall, Millis};
use serde_json::json;

use super::scene::{Scene, answer, line, showing};

fn prompts() -> Vec<Prompt> {
    Prompt::read_all(&json!([
        {"name": "Door", "triggers": ["t"], "actions": ["a"]},
        {"name": "Hall", "triggers": ["t"], "actions": ["a"], "end_state": "done"},
    ]))
    .unwrap()
}

fn scene() -> Scene {
    let mut scene = Scene::original(&[], &[(0, showing("u", &[("Bell", "b")]))]);
    scene.order.prompts = prompts();
    scene.order.settings = Settings::with_prompts(Dialect::NetgentBe8a03a);
    scene
}

/// Drives a run until models are asked.
fn asked(run: &mut AutomatonRun, scene: &mut Scene) -> Command {
    loop {
        let command = run.next_command().unwrap();
        if matches!(command.action, Action::MakeState(_)) {
            return command;
        }
        let (outcome, _) = scene.outcome(&command, 0);
        run.handle(answer(&command, outcome), Millis(0));
    }
}

fn answers(choice: &str, triggers: &[&str]) -> Outcome {
    Outcome::Made(Ok(Answers {
        choice: choice.to_owned(),
        triggers: triggers.iter().map(ToString::to_string).collect(),
        actions: Vec::new(),
    }))
}

/// The lines of a run after this answer of the models, up to what comes next.
fn told_after(outcome: Outcome) -> Vec<String> {
    let mut scene = scene();
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(0));
    let command = asked(&mut run, &mut scene);
    while run.next_notice().is_some() {}
    run.handle(answer(&command, outcome), Millis(7));
    std::iter::from_fn(|| run.next_notice())
        .map(|notice| line(&notice))
        .collect()
}

#[test]
fn what_is_offered_is_what_is_seen() {
    let page = showing("u", &[("Bell", "b"), ("", "c"), ("x", "")]);
    let offered: Vec<String> = offers(&page).iter().map(ToString::to_string).collect();
    let expected = [
        "URL <url/>: u",
        "TEXT_0 <text/>: Bell",
        "CSS_0 <element/>: b",
        "CSS_1 <element/>: c",
        "TEXT_2 <text/>: x",
    ];
    assert_eq!(offered, expected);
}

#[test]
fn recorded_actions_are_written_as_the_original_writes_them() {
    let recorded =
        |name: &str, arguments: &[(&str, serde_json::Value)], element: Option<Element>| {
            let arguments = arguments.iter();
            RecordedAction {
                name: name.to_owned(),
                arguments: arguments
                    .map(|(name, value)| ((*name).to_owned(), value.clone()))
                    .collect(),
                element,
            }
            .source()
        };
    let element = || {
        Some(Element {
            selector: Some("a.b".to_owned()),
            x: Some(1.5),
            ..Element::default()
        })
    };
    let place = "scroll_to=True, fallback_x=1.5, fallback_y=None, fallback_width=None, fallback_height=None";
    assert_eq!(
        recorded("click", &[("button", json!("right"))], element()).unwrap(),
        format!(
            "click(by='css selector', selector='a.b', button='right', percentage=0.5, {place})"
        )
    );
    let parameter = [("text", json!("parameters['P']"))];
    assert_eq!(
        recorded("type", &parameter, element()).unwrap(),
        format!("type(by='css selector', selector='a.b', text='parameters['P']', {place})")
    );
    let arguments = [("direction", json!("up")), ("scroll_amount", json!(3))];
    assert_eq!(
        recorded("scroll", &arguments, None).unwrap(),
        "scroll(direction='up', scroll_amount=3)"
    );
    let plain = [("a", json!(true)), ("b", json!(null)), ("c", json!(2.0))];
    assert_eq!(
        recorded("f", &plain, None).unwrap(),
        "f(a=True, b=None, c=2.0)"
    );
    assert_eq!(recorded("click", &[], None), None);
}

#[test]
fn a_state_is_made_of_what_was_offered_alone() {
    let offered = offers(&showing("u", &[("Bell", "b")]));
    let answers = Answers {
        choice: String::new(),
        triggers: ["CSS_0", "CSS_9", "URL"].map(str::to_owned).to_vec(),
        actions: vec![RecordedAction {
            name: "terminate".to_owned(),
            arguments: Vec::new(),
            element: None,
        }],
    };
    let made = MadeState::of(&prompts()[1], &offered, &answers).unwrap();
    let checks = json!([{"type": "element", "value": "b"}, {"type": "url", "value": "u"}]);
    let expected = json!({
        "name": "Hall", "description": "", "checks": checks, "actions": [], "end_state": "done",
    });
    assert_eq!(made.written, expected);
}

#[test]
fn an_answer_begins_the_loop_anew_or_ends_the_run() {
    let told = told_after(answers("State: Door", &["URL"]));
    assert!(told[0].starts_with("7 made {"), "{told:#?}");
    assert_eq!(told[1..], ["7 wait 5000 Transition"]);
    let told = told_after(answers("State: Hall", &["URL"]));
    assert_eq!(told.last().unwrap(), "7 end completed \"done\"");
    let told = told_after(answers("State: Door", &["WRONG"]));
    let says = "7 warning 0 the state that was made has no checks, so it passes on every page.";
    assert_eq!(told[0], says);
    let told = told_after(answers("State: Nobody", &["URL"]));
    assert_eq!(told, ["7 end crash"]);
    let told = told_after(Outcome::Made(Err("no model answers".to_owned())));
    assert_eq!(told, ["7 end synthesis"]);
}

#[test]
fn models_are_asked_as_often_as_the_order_says() {
    let mut scene = scene();
    scene.order.limits.states_made_max = 1;
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(0));
    let command = asked(&mut run, &mut scene);
    // A state for a page that is never seen.
    let mut outcome = answers("State: Door", &["URL"]);
    if let Outcome::Made(Ok(answers)) = &mut outcome {
        answers.triggers.clear();
    }
    let lost = LostCall {
        attempts: 1,
        ..LostCall::unsent(command.id)
    };
    // A question that was lost is asked again under its number, though none is left.
    run.handle(Input::Resumed { lost: vec![lost] }, Millis(1));
    let again = run.next_command().unwrap();
    assert_eq!((again.id, &again.action), (command.id, &command.action));
    run.handle(answer(&again, outcome), Millis(2));
    assert_eq!(run.spent().states_made, 2);
    assert_eq!(run.history_names(), ["Door"]);
}

#[test]
fn money_that_does_not_last_for_a_state_makes_none() {
    let mut scene = scene();
    scene.order.limits.nano_usd_max = Some(10);
    scene.order.limits.making_nano_usd_max = 11;
    assert_eq!(scene.run().last().unwrap(), "0 end budget");
}

#[test]
fn a_run_without_prompts_ends_where_no_state_passes() {
    let mut scene = scene();
    scene.order.prompts.clear();
    assert_eq!(scene.run(), ["0 start 0", "0 end no_states_provided"]);
}

#[test]
fn prompts_of_the_strict_dialect_have_names_of_their_own() {
    for (names, says) in [
        (["A", "A"], "prompt 2: a prompt before it has its name"),
        (["A", " "], "prompt 2: its name is blank"),
    ] {
        let mut scene = Scene::strict(&[], &[]);
        let named = names.map(|name| json!({"name": name}));
        scene.order.prompts = Prompt::read_all(&json!(named)).unwrap();
        assert_eq!(scene.finding().to_string(), says);
    }
}
