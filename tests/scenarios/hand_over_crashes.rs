//! A process dies at every point of a run with failover: a provider that was set aside stays so.

use std::cell::Cell;
use std::rc::Rc;

use devtools::rehearsal::{ProcessEnd, Simulation};
use sandbox::{FaultPlan, SandboxProvider};

use crate::crash_points::{crash_at_every, crash_in_place};
use crate::observed::ObservedRun;

use super::answered_calls::times_told;
use super::scenario::{SHORT, Scenario};

/// Google fails from its third search on, and Brave takes over.
fn handing_over(kind: &str, names: Option<(&'static str, &'static str)>) -> Scenario {
    let mut scenario = Scenario::new().set("IMAGE_SEARCH", "google,brave");
    scenario.names = names;
    let google = SandboxProvider::Google;
    let row = format!(r#"[{{"provider":"{google}","from":3,"kind":"{kind}"}}]"#);
    scenario.options.faults = FaultPlan::parse(&row).unwrap();
    scenario
}

fn is_set_aside(run: &ObservedRun) -> bool {
    run.entries("answer")
        .any(|answer| answer["setAside"].is_array())
}

fn check_every_crash(kind: &'static str, names: Option<(&'static str, &'static str)>) {
    let reference = handing_over(kind, names).run();
    assert_eq!(reference.ending(), "final");
    assert_eq!(times_told(&reference), 1);
    let asked = reference.calls_of("google");
    let check = move |number: usize, left: &Simulation| {
        let what = format!("{kind}, crash {number}");
        let died = ObservedRun::of(left);
        assert_eq!(left.conduct_to_end(), Ok(ProcessEnd::Done), "{what}");
        let run = ObservedRun::of(left);
        assert_eq!(run.ending(), "final", "{what}");
        assert_eq!(times_told(&run), 1, "{what}: told once");
        run.check_told_once(&what);
        let is_set_aside = is_set_aside(&died);
        if is_set_aside {
            let again = run.calls_of("google") - died.calls_of("google");
            assert_eq!(again, 0, "{what}: asked again");
        } else {
            // Only calls in flight are repeated.
            let most = asked + asked - 2;
            assert!(run.calls_of("google") <= most, "{what}: more than was lost");
        }
        is_set_aside
    };
    let with_fault = |fault| {
        let mut scenario = handing_over(kind, names);
        scenario.troubles = vec![fault];
        scenario.simulation()
    };
    crash_in_place(
        reference.conducted.operations.len(),
        with_fault,
        |number, left| {
            check(number, left);
        },
    );
    let set_aside = Rc::new(Cell::new(0));
    let counted = set_aside.clone();
    let run = handing_over(kind, names).simulation();
    let crashes = crash_at_every(1, &run, move |number, left| {
        counted.set(counted.get() + usize::from(check(number, left)));
    });
    let after = set_aside.get();
    let before = crashes - after;
    println!("{kind}: {before} crashes before the hand-over, {after} after it");
    assert!(before > 10 && after > 10);
}

#[test]
fn a_closed_provider_stays_set_aside_after_a_crash_at_every_place() {
    check_every_crash("closed", Some(SHORT));
}

#[test]
fn a_provider_that_is_down_stays_set_aside_after_a_crash_at_every_place() {
    check_every_crash("server-error-500", Some(SHORT));
}

#[test]
#[ignore = "takes half a minute"]
fn in_a_long_run_a_provider_stays_set_aside_after_a_crash_at_every_place() {
    check_every_crash("closed", None);
    check_every_crash("server-error-500", None);
}
