//! Time: no clock is read, time may go backwards, and limits are inclusive.

use automaton::machine::{AutomatonRun, Input};
use kernel::Millis;

use super::scene::{KEY, Scene, answer, at, state};

#[test]
fn a_limit_is_passed_only_by_more_than_it_is() {
    for (timeout_ms, ends_at_ms) in [(5_999, 6_000), (6_000, 6_250), (6_001, 6_250)] {
        let states = [state("A", "u", &[], "")];
        let mut scene = Scene::new(&states, &[(0, at("x"))]);
        scene.order.settings.no_states_timeout_ms = timeout_ms;
        let last = scene.run().pop().unwrap();
        assert_eq!(last, format!("{ends_at_ms} end no_states_timeout"));
        let mut scene = Scene::new(&states, &[(0, at("u"))]);
        scene.order.settings.state_timeout_ms = timeout_ms;
        let last = scene.run().pop().unwrap();
        assert_eq!(last, format!("{ends_at_ms} end state_timeout"));
    }
}

#[test]
fn looks_that_take_time_count() {
    let mut scene = Scene::new(&[state("A", "u", &[], "")], &[(0, at("x"))]);
    scene.look_ms = 2_000;
    scene.order.settings.no_states_timeout_ms = 9_000;
    let told = [
        "2000 look [] wait",
        "4250 look [] wait",
        "6500 look [] wait",
        "8750 look [] wait",
        "11000 look [] wait",
        "13250 look [] end",
        // One more look for what is nearest to matching.
        "15250 end no_states_timeout",
    ];
    assert_eq!(scene.decisions(), told);
}

#[test]
fn periods_of_zero_are_no_waits() {
    let states = [state("A", "u", &[KEY, "wait(0)", KEY], "done")];
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    let told = scene.run();
    assert!(told.iter().all(|line| line.starts_with("0 ")), "{told:#?}");
    assert!(
        !told.iter().any(|line| line.contains(" wait ")),
        "{told:#?}"
    );
    assert_eq!(scene.acted.len(), 2);
}

#[test]
fn a_clock_that_steps_back_stops_no_timer_and_turns_none_back() {
    let scene = &mut Scene::new(&[state("A", "u", &[], "")], &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = 500;
    let mut run = AutomatonRun::new(scene.order.clone()).unwrap();
    let mut now_ms = 1_000_000;
    run.handle(Input::Start, Millis(now_ms));
    let mut looks = 0;
    let mut told = Vec::new();
    while let Some(command) = run.next_command() {
        let (outcome, ms) = scene.outcome(&command, 0);
        now_ms += ms;
        looks += u32::from(ms == 0);
        if looks == 2 && ms == 0 {
            now_ms -= 500_000;
        }
        run.handle(answer(&command, outcome), Millis(now_ms));
        told.extend(std::iter::from_fn(|| run.next_notice()));
    }
    // The last look is for what is nearest to matching.
    assert_eq!(looks, 5);
    assert!(told.is_sorted_by_key(|notice| notice.at));
}

#[test]
fn the_same_inputs_give_the_same_run() {
    let states = [state("A", "u", &[KEY], ""), state("B", "v", &[KEY], "done")];
    let page = [(0, at("u")), (900, at("x")), (1_750, at("v"))];
    let run = || Scene::new(&states, &page).run();
    assert_eq!(run(), run());
}
