//! Child runs that are stopped with their parent.

use devtools::rehearsal::{
    FaultKind, FaultTiming, InjectedFault, Operation, ProcessEnd, Simulation,
};
use serde_json::{Value, json};

use super::beginners::{KEPT, STEPS, curious, run_with, workflow};
use super::bench::{beginning, buyer, last, shop, simulation};

#[test]
fn an_automaton_that_nobody_can_order_any_more_is_stopped_and_told_at_all_that_it_may_have_cost() {
    let mut body = workflow(&json!("buyer"), &json!({}));
    body["options"] = json!({"budgetUsd": 0.25});
    let crash = InjectedFault {
        at: Some(Operation::BeginChild),
        number: 1,
        when: FaultTiming::After,
        kind: FaultKind::Crash,
    };
    let run = simulation(shop(STEPS), vec![crash], &[("AUTOMATON_SECRETS", KEPT)]);
    run.store_document("automaton:buyer", &buyer(STEPS).to_string());
    run.begin(&beginning(&run, &body));
    assert_eq!(run.run_process(), Ok(ProcessEnd::Died));
    run.store_document("automaton:buyer", "what nobody can read");
    run.conduct_to_end().unwrap();
    let last = last(&run);
    let says = last["payload"]["message"].as_str().unwrap();
    assert!(says.contains("there is no buyer"), "{says}");
    assert_eq!((run.children(), run.stopped_children()), (1, 1));
    let spent = &last["payload"]["spent"];
    assert_eq!(spent["usd"], 0.25, "{spent}");
    assert_eq!(spent["investigations"], 1, "{spent}");
}

/// Conducts the run of a body whose user stops it `ms` after it has begun a child run.
fn stopped(body: &Value, ms: u64, faults: Vec<InjectedFault>) -> Simulation {
    let run = simulation(shop(STEPS), faults, &[("AUTOMATON_SECRETS", KEPT)]);
    run.begin(&beginning(&run, body));
    let user = async {
        // A run that dies before may end without it.
        for _ in 0..60_000 {
            if run.children() > 0 {
                break;
            }
            run.sleep(1).await;
        }
        run.sleep(ms).await;
        run.stop();
    };
    run.conduct_with_audience(user).unwrap();
    run
}

#[test]
fn who_stops_a_run_stops_the_one_that_it_waits_for_wherever_its_process_dies() {
    for body in [curious(), workflow(&buyer(STEPS), &json!({}))] {
        let run = stopped(&body, 20, Vec::new());
        // A workflow ends after the node in progress.
        let last = last(&run);
        let says = last["payload"]["message"].as_str().unwrap_or_default();
        let is_stopped = last["type"] == "stopped" || says.contains("was stopped");
        assert!(is_stopped, "{last}");
        assert_eq!((run.children(), run.stopped_children()), (1, 1));
        assert_eq!(run.open_pages(), 0);
        let operations = u32::try_from(run.conducted().operations.len()).unwrap();
        for number in 1..=operations {
            for when in FaultTiming::ALL {
                let fault = InjectedFault {
                    at: None,
                    number,
                    when,
                    kind: FaultKind::Crash,
                };
                let run = stopped(&body, 20, vec![fault]);
                let (begun, asked) = (run.children(), run.stopped_children());
                let has_gone_on = self::last(&run)["type"] == "completed";
                assert!(has_gone_on || begun == asked, "{number} {when:?}: {asked}");
            }
        }
    }
    assert_eq!(run_with(&curious(), Vec::new()).stopped_children(), 0);
}
