//! Properties that hold for any world, any question and any mixture of failures.

use std::collections::BTreeMap;

use devtools::rehearsal::rehearse;

const WORLDS: u64 = 2_000;

/// What must occur among the rehearsals, or they prove too little.
const MUST_OCCUR: [&str; 28] = [
    "final",
    "no_path:hop_limit",
    "no_path:search_budget",
    "no_path:recognition_budget",
    "no_path:runtime_budget",
    "no_path:no_candidates",
    "no_path:no_readable_photos",
    "no_path:unknown_person",
    "no_path:stopped",
    "error:provider_throttled",
    "error:provider_quota",
    "error:provider_closed",
    "error:provider_refused",
    "error:provider_down",
    "error:misconfigured",
    "failure:Throttled",
    "failure:Quota",
    "failure:Refused",
    "failure:Closed",
    "failure:Misconfigured",
    "failure:Malformed",
    "failure:MalformedHandedOver",
    "failure:TooLarge",
    "failure:BadImage",
    "failure:Down",
    "failure:Unfetchable",
    "failure:Crash",
    "failure:Veto",
];

#[test]
fn every_law_holds_in_random_worlds_with_failures_of_every_kind() {
    let mut occurred: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..WORLDS {
        let outcome = rehearse(seed).unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
        *occurred.entry(outcome.ending).or_insert(0) += 1;
        for (kind, times) in outcome.failures {
            *occurred.entry(format!("failure:{kind}")).or_insert(0) += times;
        }
    }
    println!("{WORLDS} random worlds:");
    for (what, times) in &occurred {
        println!("  {what:<28} {times:>6}");
    }
    for what in MUST_OCCUR {
        assert!(occurred.contains_key(what), "{what} never occurred");
    }
}

#[test]
fn the_same_answers_give_the_same_events() {
    for seed in 0..100 {
        assert_eq!(rehearse(seed), rehearse(seed), "seed {seed}");
    }
}
