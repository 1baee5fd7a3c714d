//! A failure at every single operation of a run: before it took effect, and after.

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, ProcessEnd};
use domain::Plan;

use super::example::Example;
use super::invariants::{GEMINI, SENDS, STORE, check_honest, check_nothing_lost, check_once};

/// Every single operation of a run fails once.
fn check_every_failure(example: &Example) {
    let plan = example.request.limits.plan;
    let (_, reference) = example.run(Vec::new());
    if plan == Plan::BothEnds && !example.has_planner {
        let told = reference.entries("input").count();
        let decided = reference.decided().answers.len();
        assert!(
            told > decided + 1,
            "photos are here when the end is decided"
        );
    }
    for (number, at) in (1..).zip(reference.conducted.operations.iter().copied()) {
        if !example.has_planner && STORE.contains(&at) {
            // The other two tests cover these.
            continue;
        }
        // A planner's advice may depend on the remaining budget.
        let is_asked_later = reference.conducted.operations[number as usize..].contains(&GEMINI);
        for when in FaultTiming::ALL {
            let trouble = InjectedFault {
                at: None,
                number,
                when,
                kind: FaultKind::FailOnce,
            };
            let what = format!("{} {when:?} operation {number}, {at:?}", plan.as_str());
            let (end, run) = example.run(vec![trouble]);
            assert_eq!(end, ProcessEnd::Done, "{what}");
            if is_asked_later && SENDS.contains(&at) && at != GEMINI {
                check_honest(&run, when, &what);
                check_nothing_lost(&run, &what);
            } else {
                check_once(&reference, &run, at, when, &what);
            }
        }
    }
    println!(
        "{}: each of {} operations failed once",
        plan.as_str(),
        reference.conducted.operations.len()
    );
}

#[test]
fn a_both_ends_run_survives_a_failure_at_every_place() {
    check_every_failure(&Example::new(Plan::BothEnds));
}

#[test]
fn a_one_sided_run_survives_a_failure_at_every_place() {
    check_every_failure(&Example::short_one_sided());
}

#[test]
#[ignore = "takes half a minute"]
fn a_long_one_sided_run_survives_a_failure_at_every_place() {
    check_every_failure(&Example::new(Plan::OneSided));
}

#[test]
fn a_run_without_a_planner_survives_a_failure_at_every_place() {
    let example = Example {
        has_planner: false,
        ..Example::new(Plan::BothEnds)
    };
    check_every_failure(&example);
}
