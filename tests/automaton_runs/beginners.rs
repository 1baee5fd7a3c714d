//! Automata begun by a workflow: their results, who may begin them, and a parent that dies.

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Simulation};
use serde_json::{Value, json};
use settings::{Bindings, Settings};
use visual_degrees::engines::EngineName;

use crate::workflow::table::{chain, node};

use super::bench::{beginning, buyer, conducted, events, last, shop, simulation};

pub const STEPS: usize = 3;
pub const KEPT: &str =
    r#"[{"name":"PASSWORD","value":"correct-horse-battery","origins":["https://shop.example"]}]"#;

/// A workflow of one node that begins an automaton.
pub fn workflow(automaton: &Value, options: &Value) -> Value {
    let parameters = json!({"NAME": "ada"});
    let parameters = json!({"automaton": automaton, "parameters": parameters, "options": options});
    json!({"workflow": chain(&[node(1, "Shop", "Automaton", parameters)])})
}

pub fn run_with(body: &Value, faults: Vec<InjectedFault>) -> Simulation {
    let simulation = simulation(shop(STEPS), faults, &[("AUTOMATON_SECRETS", KEPT)]);
    simulation.begin(&beginning(&simulation, body));
    simulation.conduct_to_end().unwrap();
    simulation
}

fn clicks(simulation: &Simulation) -> usize {
    let deeds = simulation.deeds();
    deeds.iter().filter(|deed| deed.contains(" click ")).count()
}

#[test]
fn the_end_and_what_was_read_become_variables() {
    let run = run_with(&workflow(&buyer(STEPS), &json!({})), Vec::new());
    assert_eq!(last(&run)["type"], "completed", "{}", last(&run));
    assert_eq!(clicks(&run), STEPS + 1);
    let told = events(&run);
    let set = told.iter().filter(|event| event["type"] == "variable_set");
    let set: Vec<String> = set.map(|event| format!("{}", event["payload"])).collect();
    let all = set.join("\n");
    for part in [
        "shop.end_state",
        "Bought",
        "shop.url",
        "https://shop.example/4",
        "Thank you",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let begun: Vec<&Value> = told
        .iter()
        .filter(|event| event["type"] == "automaton")
        .collect();
    assert_eq!(begun.len(), 2, "{told:?}");
    assert!(begun[1]["payload"]["run"].is_string());
    assert!(
        told.iter()
            .all(|event| !event.to_string().contains("correct-horse"))
    );
}

#[test]
fn a_stored_automaton_is_begun_by_its_name() {
    let body = workflow(&json!("buyer"), &json!({}));
    let run = |stored: Option<Value>| {
        let simulation = simulation(shop(STEPS), Vec::new(), &[("AUTOMATON_SECRETS", KEPT)]);
        if let Some(stored) = stored {
            simulation.store_document("automaton:buyer", &stored.to_string());
        }
        simulation.begin(&beginning(&simulation, &body));
        simulation.conduct_to_end().unwrap();
        simulation
    };
    assert_eq!(last(&run(Some(buyer(STEPS))))["type"], "completed");
    let missing = last(&run(None));
    assert_eq!(missing["type"], "failed");
    let says = missing["payload"]["message"].as_str().unwrap();
    assert!(says.contains("there is no buyer"), "{says}");
}

#[test]
fn wherever_the_workflow_dies_its_automaton_buys_once() {
    let mut body = workflow(&buyer(STEPS), &json!({"noStatesTimeoutMs": 500}));
    body["workflow"]["nodes"][0]["retries"] = json!(2);
    let run = run_with(&body, Vec::new());
    assert_eq!(
        (clicks(&run), last(&run)["type"].as_str()),
        (STEPS + 1, Some("completed"))
    );
    for number in 1..=run.conducted().operations.len() {
        for when in FaultTiming::ALL {
            let number = u32::try_from(number).unwrap();
            let kind = FaultKind::Crash;
            let fault = InjectedFault {
                at: None,
                number,
                when,
                kind,
            };
            let run = run_with(&body, vec![fault]);
            assert!(
                clicks(&run) <= STEPS + 1,
                "{number} {when:?}: {:?}",
                run.deeds()
            );
            assert_eq!(
                last(&run)["type"],
                "completed",
                "{number} {when:?}: {}",
                last(&run)
            );
            assert_eq!(run.open_pages(), 0, "{number} {when:?}");
        }
    }
}

#[test]
fn what_is_wrong_with_an_automaton_is_said_before_anything_runs() {
    let simulation = simulation(shop(STEPS), Vec::new(), &[]);
    let (providers, caps) = simulation.operator();
    let refused = |body: &Value| {
        let wanted = EngineName::wanted(body.to_string().as_bytes(), caps).unwrap();
        let accepted = wanted.unwrap().accept(None, None, (providers, caps));
        accepted.unwrap_err().detail().to_owned()
    };
    // The operator stores no password here, and a workflow cannot contain one.
    let says = refused(&workflow(&buyer(STEPS), &json!({})));
    assert!(
        says.contains("would begin is refused") && says.contains("PASSWORD"),
        "{says}"
    );
    let says = refused(&workflow(&json!([]), &json!({"actions": "many"})));
    assert!(says.contains("actions"), "{says}");
}

#[test]
fn a_node_that_is_passed_over_is_not_asked_what_it_would_begin() {
    let simulation = simulation(shop(STEPS), Vec::new(), &[]);
    let (providers, caps) = simulation.operator();
    let is_accepted = |is_enabled: bool| {
        let wrong = json!({"actions": "many"});
        let mut body = workflow(&buyer(STEPS), &wrong);
        body["workflow"]["nodes"][0]["enabled"] = json!(is_enabled);
        let wanted = EngineName::wanted(body.to_string().as_bytes(), caps).unwrap();
        wanted
            .unwrap()
            .accept(None, None, (providers, caps))
            .is_ok()
    };
    assert!(is_accepted(false));
    assert!(!is_accepted(true));
    let run = {
        let mut body = workflow(&json!("missing"), &json!({}));
        body["workflow"]["nodes"][0]["enabled"] = json!(false);
        run_with(&body, Vec::new())
    };
    assert_eq!(last(&run)["type"], "completed", "{}", last(&run));
    assert_eq!(run.children(), 0);
}

#[test]
fn a_stranger_begins_no_automaton_of_his_own_by_a_workflow() {
    let with = |automata: &str| {
        let variables = [
            ("PUBLIC", "on"),
            ("PUBLIC_WORKFLOWS", "any"),
            ("PUBLIC_AUTOMATA", automata),
            ("OPERATOR_TOKEN", "0123456789abcdef0123456789abcdef"),
        ];
        let get = |name: &str| {
            let variable = variables.iter().find(|(known, _)| *known == name);
            variable.map(|(_, value)| (*value).to_owned())
        };
        Settings::read(get, Bindings::default(), &EngineName::variables())
    };
    let status = |settings: &Settings, automaton: &Value, is_operator: bool| {
        let body = workflow(automaton, &json!({})).to_string();
        let caps = settings.caps_of(is_operator);
        let wanted = EngineName::wanted(body.as_bytes(), caps).unwrap().unwrap();
        wanted
            .may_start(settings, is_operator)
            .map_err(|problem| problem.status())
    };
    let (none, stored) = (with("none"), with("stored"));
    assert_eq!(status(&none, &buyer(1), false), Err(401));
    assert_eq!(status(&none, &json!("buyer"), false), Err(401));
    assert_eq!(status(&stored, &buyer(1), false), Err(403));
    assert_eq!(status(&none, &buyer(1), true), Ok(()));
    let mut passed_over = workflow(&buyer(1), &json!({}));
    passed_over["workflow"]["nodes"][0]["enabled"] = json!(false);
    let caps = none.caps_of(false);
    let wanted = EngineName::wanted(passed_over.to_string().as_bytes(), caps);
    assert!(wanted.unwrap().unwrap().may_start(&none, false).is_ok());
    let body =
        json!({"workflow": chain(&[node(1, "Shop", "Automaton", json!({"automaton": "buyer"}))])});
    let wanted = EngineName::wanted(body.to_string().as_bytes(), stored.caps_of(false));
    assert!(wanted.unwrap().unwrap().may_start(&stored, false).is_ok());
}

#[test]
fn a_run_alone_reads_the_same_page() {
    let mut body = super::bench::request(STEPS);
    body["options"] = json!({"pictures": false});
    let run = conducted(&body, shop(STEPS), Vec::new());
    let read = &last(&run)["payload"]["read"];
    assert_eq!(read["url"], "https://shop.example/4");
    assert_eq!(read["texts"], json!(["Thank you"]));
}

/// A buyer that begins an investigation before the last purchase.
pub fn curious() -> Value {
    let mut states = buyer(STEPS);
    let last = states.as_array_mut().unwrap().last_mut().unwrap();
    let actions = last["actions"].as_array_mut().unwrap();
    actions.insert(0, json!("investigate('Ann', parameters['FRIEND'])"));
    json!({"automaton": states, "parameters": {"NAME": "ada", "FRIEND": "Bob"}})
}

#[test]
fn a_state_begins_an_investigation() {
    let run = run_with(&curious(), Vec::new());
    assert_eq!(last(&run)["type"], "completed", "{}", last(&run));
    let told = events(&run);
    let chain = told.iter().find(|event| event["type"] == "investigation");
    let payload = &chain.unwrap()["payload"];
    let says = payload["message"].as_str().unwrap();
    assert!(says.starts_with("No verified visual connection"), "{says}");
    assert!(payload["run"].is_string() && payload["state"].is_u64());
    assert!(last(&run)["payload"]["spent"]["usd"].as_f64().unwrap() > 0.0);
}

#[test]
fn wherever_its_process_dies_one_investigation_is_begun() {
    let operations = run_with(&curious(), Vec::new())
        .conducted()
        .operations
        .len();
    for number in 1..=u32::try_from(operations).unwrap() {
        for when in FaultTiming::ALL {
            let kind = FaultKind::Crash;
            let fault = InjectedFault {
                at: None,
                number,
                when,
                kind,
            };
            let run = run_with(&curious(), vec![fault]);
            let begun = run.children();
            assert!(begun <= 1, "{number} {when:?}: {begun}");
            assert!(clicks(&run) <= STEPS + 1, "{number} {when:?}");
            let last = last(&run);
            let is_told = last["type"] == "completed" || last["payload"]["message"].is_string();
            assert!(is_told, "{number} {when:?}: {last}");
        }
    }
}
