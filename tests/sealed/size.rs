//! The size of a file, and the speed of its replay.

// Time is only printed.
#![allow(clippy::disallowed_methods)]

use std::time::Instant;

use devtools::rehearsal::Simulation;
use domain::{Limits, Name, Plan, Sha256Digest};
use investigation::machine::Request;
use sandbox::{Sandbox, SandboxOptions, own_world};
use visual_degrees::sealed::{ReplayLimits, Verdict, digest_within, is_of_digest, replay};

use super::runs::sealed;

/// The product's bound for a run of 20 searches.
const SEALED_BYTES_MAX: usize = 1_000_000;

/// Conducts a run in the built-in world that makes all twenty searches.
fn twenty_searches(plan: Plan) -> Simulation {
    let (a, b) = match plan {
        Plan::OneSided => ("Jane Bennet", "Meg March"),
        Plan::BothEnds => ("Amy March", "Nicholas Higgins"),
    };
    let request = Request {
        sources: Vec::new(),
        person_a: Name::parse(a).unwrap().into(),
        person_b: Name::parse(b).unwrap().into(),
        avoid: Vec::new(),
        limits: Limits {
            plan,
            // The both-ends plan finds every chain of this world sooner.
            polish_searches_max: if plan == Plan::BothEnds { 20 } else { 0 },
            ..Limits::default()
        },
    };
    let sandbox = Sandbox::new(own_world().unwrap(), SandboxOptions::default());
    let mut simulation = Simulation::new(sandbox, &[]).unwrap();
    simulation.open(&request, None).unwrap();
    simulation.conduct_to_end().unwrap();
    assert_eq!(
        searches(&simulation),
        20,
        "the bound is of a run that makes them all"
    );
    simulation
}

fn searches(simulation: &Simulation) -> usize {
    let calls = simulation.conducted().calls;
    calls.iter().filter(|(name, ..)| name == "google").count()
}

#[test]
fn a_run_of_twenty_searches_is_a_file_of_at_most_a_megabyte() {
    for plan in Plan::ALL {
        let simulation = twenty_searches(plan);
        let file = sealed(&simulation);
        let began = Instant::now();
        let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
        let took = began.elapsed();
        assert_eq!(report.result, Verdict::Identical, "{}", report.says);
        println!(
            "{}: {} searches, {} events, {} kB sealed, replayed in {:.1} ms",
            plan.as_str(),
            searches(&simulation),
            report.events,
            file.len() / 1_000,
            took.as_secs_f64() * 1e3,
        );
        assert!(file.len() <= SEALED_BYTES_MAX, "{} bytes", file.len());
    }
}

#[test]
fn a_file_is_published_under_its_digest_where_a_server_takes_it_back() {
    let file = sealed(&twenty_searches(Plan::BothEnds));
    let limits = ReplayLimits::SERVER;
    let digest = digest_within(&file, limits).unwrap();
    let stated: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert_eq!(stated["digest"], digest.as_str());
    assert!(is_of_digest(&file, &digest, limits));
    // Other content with that digest, another digest, and no file at all.
    let changed = file.replacen("\"hops\":6", "\"hops\":5", 1);
    assert_ne!(changed, file);
    assert!(!is_of_digest(&changed, &digest, limits));
    let other = Sha256Digest::of(b"another");
    assert!(!is_of_digest(&file, &other, limits) && !is_of_digest("{}", &digest, limits));
    let smaller = ReplayLimits {
        bytes_max: file.len() - 1,
        ..limits
    };
    assert!(digest_within(&file, smaller).is_err());
    assert!(digest_within("{}", limits).is_err());
    // A KV value has at most 25 MiB.
    assert!(limits.bytes_max < 25 * 1024 * 1024);
}
