//! Runs on a server with a restricted atlas: they do not learn of a remembered photo before its bytes have arrived, so
//! that a run's file never reveals what the run did not show.

use devtools::in_memory::InMemoryPhotos;
use devtools::rehearsal::ProcessEnd;
use domain::{MemoryUse, Secret, Sha256Digest, TypedPerson};
use engine::Requests;
use investigation::wire::{InvestigationEngine, Order};
use serde_json::Value;
use visual_degrees::sealed::{ReplayLimits, Verdict, replay, seal};

use crate::observed::ObservedRun;

use super::crashes::check_crashes;
use super::example::Example;
use super::remembered::{example, known};

/// The text about a photo whose answer is remembered.
const PAID_BEFORE: &str = "An earlier run has paid for that.";

/// Returns the example run with the settings of a server whose atlas is open to these readers.
fn example_of(atlas: &'static str, memory: InMemoryPhotos) -> Example {
    let mut example = example(memory);
    example.settings.push(("ATLAS", atlas));
    let simulation = example.simulation(Vec::new());
    let (providers, _) = simulation.operator();
    let order = InvestigationEngine::with_settings(Order::new(&example.request), providers);
    example.request.limits.memory = order.request().unwrap().limits.memory;
    example
}

fn shown(memory: InMemoryPhotos) -> Example {
    let mut example = example(memory);
    example.request.limits.memory = MemoryUse::Shown;
    example
}

/// Returns the run's sealed file, which must replay to the same end.
fn sealed(run: &ObservedRun) -> String {
    let events: Vec<&str> = (run.conducted.events.iter())
        .map(|event| event.json.as_str())
        .collect();
    let file = seal(&run.conducted.journal, &events, None::<&Secret>).unwrap();
    let report = replay(&file, None, ReplayLimits::PROGRAM).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    file
}

fn stopped(example: &Example, after: usize) -> ObservedRun {
    let simulation = example.simulation(Vec::new()).stopped_after(after);
    simulation.conduct_to_end().unwrap();
    ObservedRun::of(&simulation)
}

/// Returns which addresses, digests and names of the memory a text has.
fn told_in(text: &str, memory: &InMemoryPhotos, asked: &Example) -> Vec<String> {
    let typed = [&asked.request.person_a, &asked.request.person_b].map(TypedPerson::as_str);
    let mut told = Vec::new();
    for photo in memory.photos() {
        let names = photo.answer.faces.iter().map(|face| face.name.clone());
        let names = names.filter(|name| !typed.contains(&name.as_str()));
        let words = names.chain([photo.hit.image_url.clone(), photo.digest.to_string()]);
        told.extend(words.filter(|word| text.contains(word.as_str())));
    }
    told.sort();
    told.dedup();
    told
}

#[test]
fn a_run_that_is_stopped_at_once_holds_nothing_of_other_runs() {
    let memory = known(usize::MAX);
    let mut counts = Vec::new();
    for atlas in ["off", "operator", "public"] {
        let example = example_of_bound(atlas, memory.clone());
        // The first events say that the search begins, and that photos are examined.
        let run = stopped(&example, 2);
        let told = told_in(&sealed(&run), &memory, &example).len();
        counts.push((atlas, told));
    }
    let [(_, off), (_, operator), (_, public)] = counts[..] else {
        panic!("{counts:?}");
    };
    assert_eq!((off, operator), (0, 0), "{counts:?}");
    assert!(public > 10, "what is everybody's may be told: {counts:?}");
}

fn example_of_bound(atlas: &'static str, memory: InMemoryPhotos) -> Example {
    let example = example_of(atlas, memory);
    let expected = if atlas == "public" {
        MemoryUse::On
    } else {
        MemoryUse::Shown
    };
    assert_eq!(example.request.limits.memory, expected, "{atlas}");
    example
}

#[test]
fn a_run_holds_what_it_has_shown_wherever_it_is_stopped() {
    let memory = known(usize::MAX);
    let example = shown(memory);
    let (_, whole) = example.run(Vec::new());
    let mut most = 0;
    for after in 1..=whole.events.len() {
        let run = stopped(&example, after);
        sealed(&run);
        let entries = run.conducted.journal.iter();
        let held = entries
            .filter(|entry| entry.contains("\"remembered\":"))
            .count();
        let events = run.conducted.events.iter();
        let told = events.filter(|event| event.json.contains(PAID_BEFORE));
        assert_eq!(held, told.count(), "stopped after {after}");
        let recalled = run.conducted.journal.iter();
        assert!(
            recalled
                .clone()
                .all(|entry| !entry.contains("\"recalled\""))
        );
        most = most.max(held);
    }
    assert!(most > 1, "{most}");
}

#[test]
fn a_known_chain_costs_nothing_although_its_photos_are_told_late() {
    let memory = known(usize::MAX);
    let (end, run) = shown(memory.clone()).run(Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    let last = run.last();
    assert_eq!(last["type"], "final");
    assert_eq!(last["spent"]["rekognitionCalls"], 0);
    assert_eq!(last["spent"]["searchCalls"], 0);
    let (_, before) = example(memory).run(Vec::new());
    let hops = |last: &Value| last["path"].as_array().unwrap().len();
    assert_eq!(hops(last), hops(before.last()));
    // Each photo has its own address, and the source of its answer.
    for edge in last["edges"].as_array().unwrap() {
        let photo = &edge["evidence"][0];
        let url = photo["imageUrl"].as_str().unwrap();
        assert!(url.starts_with("http"), "{url}");
        assert_eq!(photo["remembered"]["recogniser"], "rekognition");
    }
}

#[test]
fn photos_with_other_bytes_are_not_told_and_the_search_goes_on() {
    let mut lies = InMemoryPhotos::default();
    let all = known(usize::MAX);
    lies.remember(
        (all.photos().cloned())
            .map(|mut photo| {
                photo.digest = Sha256Digest::of(photo.digest.as_str().as_bytes());
                photo
            })
            .collect(),
    );
    let (end, run) = shown(lies.clone()).run(Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    assert_eq!(run.last()["type"], "final");
    let events: Vec<&str> = (run.conducted.events.iter())
        .map(|event| event.json.as_str())
        .collect();
    let changed = events
        .iter()
        .filter(|event| event.contains("is not the one any more that was recognised before"));
    assert!(changed.count() > 0);
    let journal = run.conducted.journal.join("\n");
    for photo in lies.photos() {
        assert!(!journal.contains(photo.digest.as_str()));
    }
}

#[test]
fn a_run_that_is_told_late_survives_a_crash_at_every_fifth_place() {
    assert!(check_crashes(&shown(known(usize::MAX)), 3) > 5);
    assert!(check_crashes(&shown(known(4)), 5) > 50);
}
