//! Any changed byte in an answer, an event or the digest is detected; rewriting a file by another program is not a
//! change.

use std::collections::BTreeSet;

use domain::Plan;
use sandbox::Latency;
use serde_json::{Value, json};
use visual_degrees::sealed::{Difference, Origin, ReplayLimits, Verdict, replay};

use crate::random::XorShift64;

use super::byte_changes::byte_changes;
use super::runs::{RunSetup, key, sealed};

fn is_found(changed: &[u8]) -> bool {
    // Invalid text, JSON or format is detected as well.
    let Ok(text) = std::str::from_utf8(changed) else {
        return true;
    };
    replay(text, None, ReplayLimits::SERVER)
        .map_or(true, |report| report.result == Verdict::Different)
}

#[test]
fn any_one_byte_changed_in_an_answer_an_event_or_the_digest_is_found() {
    let mut random = XorShift64(20_261_121);
    for plan in Plan::ALL {
        let file = RunSetup::new(plan).sealed();
        let whole = replay(&file, None, ReplayLimits::SERVER).unwrap();
        assert_eq!(whole.result, Verdict::Identical, "{}", whole.says);
        for (at, byte) in byte_changes(&file, &mut random) {
            let mut changed = file.clone().into_bytes();
            let before = changed[at];
            changed[at] = byte;
            assert!(
                is_found(&changed),
                "{}: byte {at}, {:?} for {:?} in …{}…",
                plan.as_str(),
                char::from(changed[at]),
                char::from(before),
                &file[at.saturating_sub(40)..(at + 20).min(file.len())]
            );
        }
    }
}

#[test]
fn a_file_that_was_read_and_written_by_another_program_is_the_same() {
    let file = RunSetup::new(Plan::BothEnds).sealed();
    // JavaScript writes 80.0 as 80.
    let like_javascript = file
        .replace(".0,", ",")
        .replace(".0}", "}")
        .replace(".0]", "]");
    assert_ne!(like_javascript, file);
    for text in [spaced(&file), like_javascript] {
        let report = replay(&text, Some(&key()), ReplayLimits::SERVER).unwrap();
        assert_eq!(report.result, Verdict::Identical, "{}", report.says);
        assert_eq!(report.origin, Origin::ThisServer);
    }
}

/// Adds white space after every comma and colon of a JSON text, except within strings.
fn spaced(file: &str) -> String {
    let mut spaced = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for character in file.chars() {
        spaced.push(character);
        match character {
            '"' if !escaped => in_string = !in_string,
            ',' | ':' if !in_string => spaced.push('\n'),
            _ => {}
        }
        escaped = in_string && character == '\\' && !escaped;
    }
    spaced
}

#[test]
fn a_forged_answer_with_a_new_digest_is_shown_to_be_another_servers() {
    let file = RunSetup::new(Plan::BothEnds).sealed();
    let mut forged: Value = serde_json::from_str(&file).unwrap();
    let events = forged["body"]["events"].as_array_mut().unwrap();
    events[0]["message"] = json!("Trust me.");
    let report = replay(&forged.to_string(), Some(&key()), ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Different);
    assert!(!report.digest.matches);
    assert!(
        matches!(&report.difference, Some(Difference::Event { number: 1, sealed: Some(sealed), replayed: Some(replayed) })
            if sealed["message"] == "Trust me." && replayed["message"] == "Starting investigation..."),
        "{report:?}"
    );
    // Anybody can compute a digest and make a consistent file, but no HMAC.
    forged["digest"] = json!(report.digest.computed);
    let report = replay(&forged.to_string(), Some(&key()), ReplayLimits::SERVER).unwrap();
    assert!(report.digest.matches);
    assert_eq!(report.origin, Origin::NotThisServer);
    forged.as_object_mut().unwrap().remove("hmac");
    let report = replay(&forged.to_string(), Some(&key()), ReplayLimits::SERVER).unwrap();
    assert_eq!(report.origin, Origin::Unsigned);
    assert_eq!(
        replay(&file, None, ReplayLimits::SERVER).unwrap().origin,
        Origin::NotChecked
    );
}

/// Returns the commands whose answers are in these journal entries, and those whose answers the machine has received.
fn answered_and_given<'json>(
    entries: impl IntoIterator<Item = &'json Value>,
) -> [BTreeSet<u64>; 2] {
    let mut commands = [BTreeSet::new(), BTreeSet::new()];
    for entry in entries {
        let places = ["/answer/command", "/input/given/answer"];
        for (place, found) in places.into_iter().zip(&mut commands) {
            found.extend(entry.pointer(place).and_then(Value::as_u64));
        }
    }
    commands
}

#[test]
fn an_answer_that_a_stopped_run_never_received_is_not_in_its_file() {
    let mut left_out = 0;
    for stop_after in 1..30 {
        let mut setup = RunSetup::new(Plan::BothEnds).without_planner();
        setup.stop_after = Some(stop_after);
        setup.options.latency = Latency {
            image_ms: 40,
            rekognition_ms: 90,
            ..Latency::NONE
        };
        let mut simulation = setup.simulation();
        simulation.open(&setup.request(), None).unwrap();
        simulation.conduct_to_end().unwrap();
        let journal = &simulation.conducted().journal;
        let journal: Vec<Value> = journal
            .iter()
            .map(|entry| serde_json::from_str(entry).unwrap())
            .collect();
        let [answered, given] = answered_and_given(&journal);
        left_out += answered.difference(&given).count();
        let file = sealed(&simulation);
        let parsed: Value = serde_json::from_str(&file).unwrap();
        let [answered, given] = answered_and_given(parsed["body"]["journal"].as_array().unwrap());
        assert_eq!(answered, given, "{stop_after}");
        let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
        assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    }
    assert!(left_out > 0);
}
