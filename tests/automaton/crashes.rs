//! Crashes: what is lost, and what is never repeated.

use automaton::machine::{Action, AutomatonRun, Command, Input, OnUnknown, Outcome};
use domain::page::{ActionFailure, BrowserGone};
use kernel::{LostCall, Millis};

use super::scene::{CLICK, KEY, Scene, answer, at, line, state};

const NAVIGATE: &str = "navigate_to('https://a.example/')";
const SCROLL: &str = "scroll()";

/// Returns how often the browser was asked for each action, and how the run ended, if the process dies during the
/// command with this number. The lost action may or may not have been executed.
fn killed(scene: &mut Scene, kill_at: u32, was_done: bool) -> (Vec<String>, String) {
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    let (mut now_ms, mut pause_ms, mut told) = (0, 0, Vec::new());
    run.handle(Input::Start, Millis(0));
    loop {
        told.extend(std::iter::from_fn(|| run.next_notice()));
        let Some(command) = run.next_command() else {
            break;
        };
        if command.id.0 == kill_at && pause_ms == 0 {
            if was_done {
                let (_, ms) = scene.outcome(&command, now_ms);
                now_ms += ms;
            }
            let lost = LostCall {
                attempts: 1,
                ..LostCall::unsent(command.id)
            };
            // The run is idle for an hour.
            pause_ms = 3_600_000;
            run.handle(
                Input::Resumed { lost: vec![lost] },
                Millis(now_ms + pause_ms),
            );
            continue;
        }
        let (outcome, ms) = scene.outcome(&command, now_ms);
        now_ms += ms;
        run.handle(answer(&command, outcome), Millis(now_ms + pause_ms));
    }
    assert!(run.is_ended());
    (std::mem::take(&mut scene.acted), line(told.last().unwrap()))
}

#[test]
fn no_action_that_may_have_happened_is_done_twice_wherever_the_process_dies() {
    let states = [
        state("A", "u", &[CLICK, "wait(1)", KEY, NAVIGATE, SCROLL], ""),
        state("B", "v", &[CLICK], "done"),
    ];
    // The page changes once the first state is done.
    let page = [(0, at("u")), (3_000, at("v"))];
    let mut unknown = 0;
    for kill_at in 1..30 {
        for was_done in [true, false] {
            let mut scene = Scene::new(&states, &page);
            let (acted, end) = killed(&mut scene, kill_at, was_done);
            for action in ["0:1", "0:3", "1:1"] {
                let times = acted.iter().filter(|done| done.starts_with(action)).count();
                assert!(times <= 1, "{kill_at} {acted:#?}");
                // No loss goes unreported.
                let is_told = end.contains("unknown_outcome") || times == 1;
                assert!(is_told, "{kill_at} {end} {acted:#?}");
            }
            unknown += u32::from(end.contains("unknown_outcome"));
        }
    }
    assert_eq!(
        unknown, 6,
        "three actions may not be repeated, each lost in two ways"
    );
}

#[test]
fn an_action_that_may_be_repeated_is_done_again_where_its_state_still_passes() {
    for action in [NAVIGATE, SCROLL, "scroll_to('id', 'a')"] {
        let states = [state("A", "u", &[action], "done")];
        let (acted, end) = killed(&mut Scene::new(&states, &[(0, at("u"))]), 2, true);
        assert_eq!(acted.len(), 2, "{action}");
        assert!(end.ends_with("end completed \"done\""), "{end}");
    }
}

#[test]
fn the_order_may_say_that_everything_is_done_again() {
    let states = [state("A", "u", &[CLICK], "done")];
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    scene.order.on_unknown = OnUnknown::Again;
    let (acted, end) = killed(&mut scene, 2, true);
    assert_eq!(acted.len(), 2);
    assert!(end.ends_with("end completed \"done\""), "{end}");
}

/// Drives a run until it requests an action of this kind.
fn until(
    run: &mut AutomatonRun,
    scene: &mut Scene,
    now_ms: &mut u64,
    is_wanted: impl Fn(&Action) -> bool,
) -> Command {
    loop {
        let command = run.next_command().unwrap();
        if is_wanted(&command.action) {
            return command;
        }
        let (outcome, ms) = scene.outcome(&command, *now_ms);
        *now_ms += ms;
        run.handle(answer(&command, outcome), Millis(*now_ms));
    }
}

fn is_act(action: &Action) -> bool {
    matches!(action, Action::Act { .. })
}

#[test]
fn an_action_that_never_began_is_sent_under_its_number() {
    let mut scene = Scene::new(&[state("A", "u", &[CLICK], "done")], &[(0, at("u"))]);
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(0));
    let command = until(&mut run, &mut scene, &mut 0, is_act);
    let lost = vec![LostCall::unsent(command.id)];
    run.handle(Input::Resumed { lost }, Millis(9));
    let again = run.next_command().unwrap();
    assert_eq!((again.id, &again.action), (command.id, &command.action));
    assert_eq!(run.spent().actions, 1);
}

#[test]
fn a_lost_look_is_asked_for_again_and_its_pause_is_not_the_runs_time() {
    let scene = Scene::new(&[state("A", "u", &[], "done")], &[(0, at("u"))]);
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(1_000));
    let command = run.next_command().unwrap();
    let lost = LostCall {
        attempts: 1,
        ..LostCall::unsent(command.id)
    };
    run.handle(Input::Resumed { lost: vec![lost] }, Millis(900_000));
    assert_eq!(run.next_command().unwrap().id, command.id);
    assert_eq!((run.spent().runtime_ms, run.spent().looks), (0, 2));
}

#[test]
fn a_page_that_has_left_the_state_leaves_its_other_actions_out() {
    let states = [
        state("A", "u", &[CLICK, KEY], "done"),
        state("B", "v", &[], "end"),
    ];
    let failure = ActionFailure::UnknownOutcome("the socket is gone".to_owned());
    let page = [(0, at("u")), (500, at("v"))];
    let mut scene = Scene::new(&states, &page).fails(0, 1, failure.clone());
    scene.look_ms = 1_000;
    let told = scene.run();
    assert_eq!(scene.acted.len(), 1);
    assert_eq!(told.last().unwrap(), "3250 end completed \"end\"");
    assert!(told.contains(&"1000 recover 0:1".to_owned()));
    // If it was the last action, the state is done, and its end counts.
    let states = [state("A", "u", &[CLICK], "done")];
    let mut scene = Scene::new(&states, &page).fails(0, 1, failure);
    scene.look_ms = 1_000;
    assert_eq!(scene.run().last().unwrap(), "2000 end completed \"done\"");
}

#[test]
fn an_unknown_outcome_says_what_to_look_at() {
    let states = [state("Pay", "u", &[KEY, CLICK], "done")];
    let failure = ActionFailure::UnknownOutcome("the socket is gone".to_owned());
    let (told, ending) = Scene::new(&states, &[(0, at("u"))])
        .fails(0, 2, failure)
        .conduct();
    assert_eq!(told.last().unwrap(), "0 end unknown_outcome");
    let says = format!("{ending:?}");
    assert!(says.contains("the click on css selector '#go'"), "{says}");
    assert!(says.contains("Action 2 of state 1"), "{says}");
}

#[test]
fn a_browser_that_is_gone_and_a_forbidden_action_end_the_run() {
    let states = [state("A", "u", &[CLICK], "done")];
    let gone = ActionFailure::BrowserGone("closed".to_owned());
    let mut scene = Scene::new(&states, &[(0, at("u"))]).fails(0, 1, gone);
    assert_eq!(scene.run().last().unwrap(), "0 end browser");
    let refused = ActionFailure::Refused("not on this origin".to_owned());
    let mut scene = Scene::new(&states, &[(0, at("u"))]).fails(0, 1, refused);
    assert_eq!(scene.run().last().unwrap(), "0 end refused");
}

#[test]
fn a_new_browser_begins_from_the_start_as_long_as_no_action_was_sent() {
    let states = [state("A", "u", &["wait(1)", CLICK], "done")];
    let gone = || Outcome::Looked(Err(BrowserGone("closed".to_owned())));
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(0));
    let is_look = |action: &Action| matches!(action, Action::Look { .. });
    let mut now_ms = 0;
    // An action that was never sent does not count.
    let act = until(&mut run, &mut scene, &mut now_ms, is_act);
    let Input::Answer(mut unsent) = answer(&act, Outcome::Waited) else {
        panic!();
    };
    unsent.attempts = 0;
    unsent.outcome = Outcome::Acted(Err(ActionFailure::BrowserGone("closed".to_owned())));
    run.handle(Input::Answer(unsent), Millis(now_ms));
    assert!(run.executed().is_empty() && !run.is_ended());
    let look = until(&mut run, &mut scene, &mut now_ms, is_look);
    run.handle(answer(&look, gone()), Millis(now_ms));
    assert!(!run.is_ended());
    // A run has three browsers.
    let look = until(&mut run, &mut scene, &mut now_ms, is_look);
    run.handle(answer(&look, gone()), Millis(now_ms));
    let told: Vec<_> = std::iter::from_fn(|| run.next_notice())
        .map(|notice| line(&notice))
        .collect();
    assert!(told.last().unwrap().ends_with("end browser"), "{told:#?}");
    let is_told = |line: &&String| line.contains("warning The browser is gone");
    assert_eq!(told.iter().filter(is_told).count(), 2);
}

#[test]
fn a_stop_ends_the_run_at_once_and_tells_what_may_have_happened() {
    let states = [state("A", "u", &[CLICK, KEY], "done")];
    for (attempts, warned) in [(0, false), (1, true)] {
        let mut scene = Scene::new(&states, &[(0, at("u"))]);
        let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
        run.handle(Input::Start, Millis(0));
        let command = until(&mut run, &mut scene, &mut 0, is_act);
        let lost = LostCall {
            attempts,
            ..LostCall::unsent(command.id)
        };
        let lost = vec![lost];
        run.handle(Input::Stop { lost }, Millis(1));
        assert!(run.is_ended() && run.next_command().is_none());
        assert_eq!(run.spent().actions, attempts);
        let told: Vec<_> = std::iter::from_fn(|| run.next_notice())
            .map(|notice| line(&notice))
            .collect();
        assert_eq!(told.last().unwrap(), "1 end stopped");
        let says = "1 warning 0 action 1 was under way, and may have been carried out.";
        assert_eq!(told.contains(&says.to_owned()), warned, "{told:#?}");
    }
    // A stop before the start, and one before the first command is taken.
    for is_before in [true, false] {
        let scene = Scene::new(&states, &[(0, at("u"))]);
        let mut run = AutomatonRun::new(scene.order).unwrap();
        let stop = || Input::Stop { lost: Vec::new() };
        let inputs = if is_before {
            [stop(), Input::Start]
        } else {
            [Input::Start, stop()]
        };
        for input in inputs {
            run.handle(input, Millis(0));
        }
        assert!(run.is_ended() && run.next_command().is_none());
    }
}
