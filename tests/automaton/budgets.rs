//! The limits of an automaton run.

use automaton::machine::{Action, AutomatonRun, Ending, Input, Outcome, WhyFailed};
use domain::page::BrowserGone;
use kernel::Millis;

use super::scene::{KEY, Scene, answer, at, state};

fn why(ending: &Ending) -> &str {
    match ending {
        Ending::Failed { why, .. } => why.as_ref(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn looks_actions_and_time_are_bounded() {
    let states = [state("A", "u", &[KEY; 5], "done")];
    let scene = || Scene::new(&states, &[(0, at("u"))]);
    let mut few_actions = scene();
    few_actions.order.limits.actions_max = 3;
    assert_eq!(why(&few_actions.conduct().1), WhyFailed::Budget.as_ref());
    assert_eq!(few_actions.acted.len(), 3);
    let mut few_looks = Scene::new(&states, &[(0, at("x"))]);
    few_looks.order.limits.looks_max = 4;
    let (told, ending) = few_looks.conduct();
    assert_eq!(why(&ending), "budget");
    assert_eq!(
        told.iter().filter(|line| line.contains(" look ")).count(),
        4
    );
    let mut little_time = Scene::new(&states, &[(0, at("x"))]);
    little_time.order.limits.runtime_ms_max = 1_000;
    let (told, ending) = little_time.conduct();
    assert_eq!(why(&ending), "time_limit");
    assert_eq!(told.last().unwrap(), "1000 end time_limit");
}

#[test]
fn money_bounds_the_time_of_each_command_and_ends_the_run() {
    let mut scene = Scene::new(&[state("A", "u", &[KEY; 5], "done")], &[(0, at("u"))]);
    scene.order.limits.nano_usd_max = Some(1_000);
    scene.order.limits.second_nano_usd_max = 100;
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(0));
    let look = run.next_command().unwrap();
    assert_eq!((look.attempts_max, look.time_left_ms), (1, 10_000));
    let Input::Answer(mut told) = answer(&look, scene.outcome(&look, 0).0) else {
        panic!();
    };
    told.nano_usd = 950;
    run.handle(Input::Answer(told), Millis(1));
    let act = run.next_command().unwrap();
    assert!(matches!(act.action, Action::Act { .. }));
    assert_eq!((act.attempts_max, act.time_left_ms), (1, 500));
    let Input::Answer(mut told) = answer(&act, scene.outcome(&act, 0).0) else {
        panic!();
    };
    told.nano_usd = 50;
    run.handle(Input::Answer(told), Millis(2));
    assert_eq!(why(run.ending().unwrap()), "budget");
    assert_eq!((run.spent().nano_usd, run.spent().actions), (1_000, 1));
}

#[test]
fn attempts_are_as_many_as_the_money_lasts_for() {
    for (nano_usd, attempts) in [
        (29_999, 1),
        (30_000, 1),
        (59_999, 1),
        (60_000, 2),
        (90_000, 3),
    ] {
        let mut scene = Scene::new(&[state("A", "u", &[], "done")], &[(0, at("u"))]);
        scene.order.limits.nano_usd_max = Some(nano_usd);
        scene.order.limits.second_nano_usd_max = 1_000;
        let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
        run.handle(Input::Start, Millis(0));
        let look = run.next_command().unwrap();
        assert_eq!(look.attempts_max, attempts, "{nano_usd}");
    }
}

#[test]
fn a_browser_that_the_money_did_not_last_for_is_no_lost_browser() {
    let mut scene = Scene::new(&[state("A", "u", &[], "done")], &[(0, at("u"))]);
    scene.order.limits.nano_usd_max = Some(1_000);
    scene.order.limits.second_nano_usd_max = 100;
    for (answered_ms, expected) in [(10_000, Some("budget")), (9_000, None)] {
        let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
        run.handle(Input::Start, Millis(0));
        let look = run.next_command().unwrap();
        let gone = Outcome::Looked(Err(BrowserGone("gone".to_owned())));
        run.handle(answer(&look, gone), Millis(answered_ms));
        assert_eq!(run.ending().map(why), expected);
    }
}

#[test]
fn a_wait_that_is_cut_short_is_not_taken_for_done() {
    let wait = "wait(20)";
    for (nano_usd, runtime_ms, expected) in
        [(1_000, 600_000, "budget"), (9_000, 5_000, "time_limit")]
    {
        let mut scene = Scene::new(&[state("A", "u", &[wait], "done")], &[(0, at("u"))]);
        scene.order.limits.nano_usd_max = Some(nano_usd);
        scene.order.limits.second_nano_usd_max = 100;
        scene.order.limits.runtime_ms_max = runtime_ms;
        let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
        run.handle(Input::Start, Millis(0));
        let look = run.next_command().unwrap();
        run.handle(answer(&look, scene.outcome(&look, 0).0), Millis(0));
        let wait = run.next_command().unwrap();
        assert!(matches!(wait.action, Action::Wait { ms: 20_000 }));
        let Input::Answer(mut told) = answer(&wait, Outcome::Waited) else {
            panic!();
        };
        told.nano_usd = wait.time_left_ms / 10;
        run.handle(Input::Answer(told), Millis(wait.time_left_ms));
        assert_eq!(why(run.ending().unwrap()), expected);
    }
}

#[test]
fn notices_are_bounded_and_the_rest_is_counted() {
    let mut scene = Scene::new(&[state("A", "u", &[], "")], &[(0, at("x"))]);
    scene.order.limits.notices_max = 9;
    let told = scene.run();
    assert_eq!(told.len(), 1 + 9 + 2, "{told:#?}");
    assert!(told[10] == "1000 bounded 9", "{told:#?}");
}

#[test]
fn an_action_has_the_time_that_it_may_wait_for_its_element() {
    let click = "click('css selector', '#a', timeout=20)";
    let mut scene = Scene::new(&[state("A", "u", &[click], "done")], &[(0, at("u"))]);
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    run.handle(Input::Start, Millis(0));
    let look = run.next_command().unwrap();
    assert_eq!(look.time_left_ms, 30_000);
    run.handle(answer(&look, scene.outcome(&look, 0).0), Millis(0));
    assert_eq!(run.next_command().unwrap().time_left_ms, 50_000);
}
