//! Pictures of the pages with a chain's photos: taken once the chain is found, through crashes, cut connections and
//! stops, and never at the expense of the chain.

use std::collections::BTreeSet;

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation, Simulation};
use domain::{Plan, Sha256Digest};
use engine::budget::Amount;
use sandbox::{Sandbox, SandboxOptions, own_world};
use serde_json::{Value, json};
use visual_degrees::engines::EngineName;
use visual_degrees::sealed::{ReplayLimits, Verdict, replay, seal};

use crate::observed::ObservedRun;

use super::example::request;

const CDP: (&str, &str) = ("BROWSER_CDP", "http://127.0.0.1:9333");

fn simulation(more: &[(&str, &str)], usd: Option<u64>, faults: Vec<InjectedFault>) -> Simulation {
    let sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
    let mut settings = vec![CDP, ("PLANNER", "none")];
    settings.extend(more);
    let mut simulation = Simulation::new(sandbox, &settings)
        .unwrap()
        .with_faults(faults);
    let mut request = request(Plan::BothEnds);
    request.limits.captures_pages = true;
    request.limits.nano_usd_max = usd;
    simulation.open(&request, None).unwrap();
    simulation
}

fn run(faults: Vec<InjectedFault>) -> (Simulation, ObservedRun) {
    conducted(simulation(&[], None, faults))
}

fn conducted(simulation: Simulation) -> (Simulation, ObservedRun) {
    simulation.conduct_to_end().unwrap();
    let observed = ObservedRun::of(&simulation);
    (simulation, observed)
}

fn fault(number: u32, when: FaultTiming, kind: FaultKind, at: Option<Operation>) -> InjectedFault {
    InjectedFault {
        at,
        number,
        when,
        kind,
    }
}

/// Returns the pages that a run reported on.
fn pages(run: &ObservedRun) -> Vec<&Value> {
    let events = run.events.iter();
    events
        .filter(|event| event["type"] == "page_capture")
        .collect()
}

/// Returns the chain without the pictures of pages.
fn chain(run: &ObservedRun) -> Value {
    let mut last = run.last().clone();
    for edge in last["edges"].as_array_mut().unwrap() {
        edge.as_object_mut().unwrap().remove("capture");
    }
    json!([
        last["path"],
        last["edges"],
        last["certificate"],
        last["confidenceMap"]
    ])
}

/// Checks that the run emitted its chain and reported on each page, and left nothing open.
fn check(simulation: &Simulation, run: &ObservedRun, reference: &ObservedRun, what: &str) {
    assert_eq!(run.ending(), "final", "{what}");
    assert_eq!(chain(run), chain(reference), "{what}");
    let urls = |run: &ObservedRun| -> Vec<Value> {
        let pages = pages(run).into_iter();
        pages.map(|page| page["url"].clone()).collect()
    };
    assert_eq!(urls(run), urls(reference), "{what}");
    for page in pages(run) {
        let has_picture = page["sha256"].is_string();
        assert_ne!(has_picture, page["message"].is_string(), "{what}: {page}");
    }
    assert_eq!(simulation.open_pages(), 0, "{what}: a page stays open");
    run.check_told_once(what);
}

#[test]
fn each_page_is_opened_once_and_its_picture_is_kept() {
    let (simulation, run) = run(Vec::new());
    check(&simulation, &run, &run, "no fault");
    let told = pages(&run);
    let addresses: BTreeSet<&str> = told
        .iter()
        .filter_map(|page| page["url"].as_str())
        .collect();
    assert_eq!(addresses.len(), told.len());
    let deeds = simulation.deeds();
    assert_eq!(deeds.len(), told.len(), "{deeds:?}");
    for page in &told {
        let digest = page["sha256"].as_str().unwrap();
        let picture = simulation.artifact(digest).unwrap();
        assert_eq!(Sha256Digest::of(&picture).as_str(), digest);
    }
    for edge in run.last()["edges"].as_array().unwrap() {
        let photo = &edge["evidence"][0]["ref"];
        let shows = |page: &&&Value| page["evidenceRefs"].as_array().unwrap().contains(photo);
        let page = told.iter().find(shows).unwrap();
        assert_eq!(edge["capture"]["sha256"], page["sha256"]);
        assert_eq!(edge["capture"]["at"], page["at"]);
        assert_eq!(edge["evidence"][0]["contextUrl"], page["url"]);
    }
    let journal: Vec<&str> = run.conducted.journal.iter().map(String::as_str).collect();
    let before = journal
        .iter()
        .position(|entry| entry.contains(r#""noted""#));
    assert!(before.is_some(), "the browser is written down");
}

#[test]
fn a_run_with_pictures_is_replayed_out_of_its_file_without_a_browser() {
    let (_, run) = run(Vec::new());
    let told: Vec<&str> = run
        .conducted
        .events
        .iter()
        .map(|event| event.json.as_str())
        .collect();
    let file = seal(&run.conducted.journal, &told, None).unwrap();
    let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{report:?}");
    let digest = pages(&run)[0]["sha256"].as_str().unwrap();
    let other = file.replace(digest, &"0".repeat(64));
    assert_ne!(file, other);
    let report = replay(&other, None, ReplayLimits::SERVER).unwrap();
    assert_ne!(report.result, Verdict::Identical);
}

#[test]
fn wherever_a_process_dies_each_page_is_told_once_and_no_browser_is_left() {
    let (_, reference) = run(Vec::new());
    let operations = &reference.conducted.operations;
    let first = operations.iter().position(|one| *one == Operation::Browser);
    let first = u32::try_from(first.unwrap()).unwrap();
    for number in first - 4..=u32::try_from(operations.len()).unwrap() {
        for when in FaultTiming::ALL {
            let (simulation, run) = run(vec![fault(number, when, FaultKind::Crash, None)]);
            let what = format!("{number} {when:?}");
            check(&simulation, &run, &reference, &what);
            assert!(
                pages(&run).iter().all(|page| page["sha256"].is_string()),
                "{what}"
            );
        }
    }
}

#[test]
fn a_browser_that_fails_or_hangs_costs_the_run_its_pictures_alone() {
    let (_, reference) = run(Vec::new());
    let at = Some(Operation::Browser);
    for number in 1..=12 {
        for when in FaultTiming::ALL {
            for kind in [
                FaultKind::FailOnce,
                FaultKind::FailForever,
                FaultKind::HangForever,
            ] {
                let (simulation, run) = run(vec![fault(number, when, kind, at)]);
                check(
                    &simulation,
                    &run,
                    &reference,
                    &format!("{number} {when:?} {kind:?}"),
                );
            }
        }
    }
    let (_, hanging) = run(vec![fault(
        1,
        FaultTiming::Before,
        FaultKind::HangForever,
        at,
    )]);
    for page in pages(&hanging) {
        let why = "The page was not there within 20000 ms.";
        assert_eq!(page["message"], why, "{page}");
    }
}

#[test]
fn a_stop_while_pages_are_opened_ends_the_run_with_its_chain() {
    let (_, reference) = run(Vec::new());
    let events = &reference.events;
    let first = events
        .iter()
        .position(|event| event["type"] == "page_capture");
    // One event says that the page is being opened, the next has the result.
    for enough in [first.unwrap(), first.unwrap() + 1] {
        let simulation = simulation(&[], None, Vec::new()).stopped_after(enough);
        let (simulation, run) = conducted(simulation);
        check(&simulation, &run, &reference, &format!("{enough}"));
        let last = pages(&run).pop().unwrap();
        assert_eq!(
            last["message"],
            "The run was stopped before the page was opened."
        );
    }
}

#[test]
fn a_browsers_seconds_are_paid_within_the_runs_dollars() {
    let usd = |run: &ObservedRun| run.last()["spent"]["usd"].as_f64().unwrap();
    let (_, free) = run(Vec::new());
    let price = ("PRICE_BROWSER_USD_PER_HOUR", "36");
    let (_, paid) = conducted(simulation(&[price], None, Vec::new()));
    let pages_usd = usd(&paid) - usd(&free);
    assert!(pages_usd > 0.0 && pages_usd < 0.01, "{pages_usd}");
    // The rest of the budget is too small for a page, which may take 20 seconds, 0.2 dollars.
    let budget = Amount::nano_usd_of(usd(&free) + 0.15);
    let sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
    let settings = [CDP, ("PLANNER", "none"), price];
    let mut short = Simulation::new(sandbox, &settings).unwrap();
    let mut request = request(Plan::BothEnds);
    request.limits.captures_pages = true;
    request.limits.nano_usd_max = Some(budget);
    request.limits.prices = short.operator().0.attempt_prices();
    short.open(&request, None).unwrap();
    let (simulation, run) = conducted(short);
    check(&simulation, &run, &free, "too dear");
    for page in pages(&run) {
        let why = "What is left of the run's dollars may not last for the page.";
        assert_eq!(page["message"], why, "{page}");
    }
}

#[test]
fn without_a_browser_of_the_operators_it_is_refused_before_anything_is_spent() {
    let accept = |settings: &[(&str, &str)], body: &Value| {
        let sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
        let simulation = Simulation::new(sandbox, settings).unwrap();
        let (providers, caps) = simulation.operator();
        let wanted = EngineName::wanted(body.to_string().as_bytes(), caps);
        let accepted = wanted
            .unwrap()
            .unwrap()
            .accept(None, None, (providers, caps));
        accepted.map(|order| serde_json::to_value(order).unwrap())
    };
    let body = |options: Value| json!({"personA": "Ann", "personB": "Bob", "options": options});
    let wanted = body(json!({"capture": true}));
    let problem = accept(&[], &wanted).unwrap_err();
    assert!(
        problem.detail().contains("“capture” needs a browser"),
        "{problem:?}"
    );
    assert!(accept(&[], &body(json!({"capture": false}))).is_ok());
    assert!(accept(&[], &body(json!({}))).is_ok());
    assert!(
        accept(&[CDP], &wanted)
            .unwrap()
            .to_string()
            .contains(r#""capture":true"#)
    );
}
