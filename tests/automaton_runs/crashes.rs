//! Runs whose processes die at every operation, whose browser is cut off, and that are stopped: nothing is executed
//! twice, and no loss goes unreported.

use std::collections::BTreeMap;

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation, Simulation};

use super::bench::{beginning, conducted, events, last, request, shop, simulation};

const STEPS: usize = 8;

fn fault(at: Option<Operation>, number: u32, when: FaultTiming, kind: FaultKind) -> InjectedFault {
    InjectedFault {
        at,
        number,
        when,
        kind,
    }
}

/// Returns the actions that changed the shop's state, each with its count.
fn purchases(simulation: &Simulation) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for deed in simulation.deeds() {
        if deed.contains(" click ") {
            *counted.entry(deed).or_default() += 1;
        }
    }
    counted
}

#[track_caller]
fn check(simulation: &Simulation, about: &str) {
    let counted = purchases(simulation);
    assert!(
        counted.values().all(|times| *times == 1),
        "{about}: {counted:?}"
    );
    let last = last(simulation);
    let told = last["payload"]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    match last["type"].as_str().unwrap() {
        "completed" => assert_eq!(counted.len(), STEPS + 1, "{about}"),
        "failed" => assert!(told.len() > 20, "{about}: {last}"),
        other => panic!("{about}: {other}"),
    }
    assert_eq!(simulation.open_pages(), 0, "{about}: a page stays open");
}

#[test]
fn a_run_buys_each_thing_once_and_ends_with_its_words() {
    let run = conducted(&request(STEPS), shop(STEPS), Vec::new());
    assert_eq!(last(&run)["payload"]["message"], "Bought");
    check(&run, "no fault");
    let spent = &last(&run)["payload"]["spent"];
    assert_eq!(spent["asks"], 0, "{spent}");
    assert_eq!(spent["actions"].as_u64(), Some(STEPS as u64 + 4));
}

#[test]
fn wherever_a_process_dies_nothing_is_done_twice() {
    let reference = conducted(&request(STEPS), shop(STEPS), Vec::new());
    let operations = u32::try_from(reference.conducted().operations.len()).unwrap();
    assert!(operations > 100, "{operations}");
    let (mut completed, mut unknown) = (0, 0);
    for number in 1..=operations {
        for when in FaultTiming::ALL {
            let faults = vec![fault(None, number, when, FaultKind::Crash)];
            let run = conducted(&request(STEPS), shop(STEPS), faults);
            check(&run, &format!("{number} {when:?}"));
            match last(&run)["payload"]["reason"].as_str() {
                None => completed += 1,
                Some("unknown_outcome") => unknown += 1,
                // The secret is lost with its process.
                Some("browser" | "refused") => {}
                Some(other) => panic!("{number} {when:?}: {other}"),
            }
        }
    }
    assert!(completed > 10 && unknown > 0, "{completed} {unknown}");
}

#[test]
fn with_a_kept_secret_a_run_goes_on_after_its_process_died() {
    let kept = r#"[{"name":"PASSWORD","value":"correct-horse-battery","origins":["https://shop.example"]}]"#;
    let mut body = request(STEPS);
    body.as_object_mut().unwrap().remove("secrets");
    let run = |faults| {
        let simulation = simulation(shop(STEPS), faults, &[("AUTOMATON_SECRETS", kept)]);
        simulation.begin(&beginning(&simulation, &body));
        simulation.conduct_to_end().unwrap();
        simulation
    };
    let operations = u32::try_from(run(Vec::new()).conducted().operations.len()).unwrap();
    let (mut completed, mut unknown) = (0, 0);
    for number in 1..=operations {
        for when in FaultTiming::ALL {
            let run = run(vec![fault(None, number, when, FaultKind::Crash)]);
            check(&run, &format!("{number} {when:?}"));
            match last(&run)["payload"]["reason"].as_str() {
                None => completed += 1,
                Some("unknown_outcome") => unknown += 1,
                Some(other) => panic!("{number} {when:?}: {other} {}", last(&run)),
            }
        }
    }
    assert!(
        completed > operations,
        "{completed} of {operations}, {unknown}"
    );
    assert!(unknown > 0);
}

#[test]
fn a_connection_that_is_cut_is_made_again_where_the_page_is_still_there() {
    for number in 2..40 {
        for when in FaultTiming::ALL {
            let at = Some(Operation::Browser);
            let run = conducted(
                &request(STEPS),
                shop(STEPS),
                vec![fault(at, number, when, FaultKind::FailOnce)],
            );
            check(&run, &format!("{number} {when:?}"));
            // A page's guard only ends once another one has taken over.
            assert_eq!(run.pages_left_alone(), 0, "{number} {when:?}");
        }
    }
}

#[test]
fn a_browser_that_stays_away_ends_the_run_in_words() {
    let away = fault(
        Some(Operation::Browser),
        1,
        FaultTiming::Before,
        FaultKind::FailForever,
    );
    let run = conducted(&request(2), shop(2), vec![away]);
    let last = last(&run);
    assert_eq!(last["payload"]["reason"], "browser", "{last}");
    assert!(run.deeds().is_empty());
}

#[test]
fn a_stop_ends_the_browser_and_is_the_last_event() {
    let simulation = simulation(shop(STEPS), Vec::new(), &[]).stopped_after(12);
    simulation.begin(&beginning(&simulation, &request(STEPS)));
    simulation.conduct_to_end().unwrap();
    let told = events(&simulation);
    assert_eq!(told.last().unwrap()["type"], "stopped");
    assert_eq!(simulation.open_pages(), 0);
}
