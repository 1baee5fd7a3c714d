//! Tests how many pairs of the built-in world each plan connects within the default budgets.

use std::collections::BTreeMap;

use devtools::rehearsal::find_chain;
use domain::{Limits, Plan};
use sandbox::{Rules, World, own_world};

const PAIRS: usize = 200;

/// Returns the percentage of connected pairs that a plan connects, and prints all details.
fn solved_percent(world: &World, plan: Plan, seed: u64) -> f64 {
    let limits = Limits {
        plan,
        planner_calls_max: 0,
        ..Limits::default()
    };
    let pairs = world.connected_pairs(seed, PAIRS, |world, pair| {
        // A name that two people share is ambiguous, so such pairs are skipped.
        [pair.from, pair.to]
            .iter()
            .all(|person| world.bearers(&world.people[*person].name).len() == 1)
    });
    assert_eq!(pairs.len(), PAIRS);
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let (mut solved, mut searches) = (0, 0);
    for pair in pairs {
        let (a, b) = (&world.people[pair.from].name, &world.people[pair.to].name);
        let end = find_chain(world, Rules::default(), a, b, &limits).expect("no provider fails");
        match end.hops {
            Ok(hops) => {
                solved += 1;
                searches += end.spent.search_calls;
                *ends.entry(format!("{hops} hops")).or_insert(0) += 1;
            }
            Err(reason) => *ends.entry(reason.as_str().to_owned()).or_insert(0) += 1,
        }
    }
    let percent = 100.0 * f64::from(solved) / PAIRS as f64;
    let mean = f64::from(searches) / f64::from(solved.max(1));
    println!(
        "{plan:?}, seed {seed}: {percent} % of {PAIRS} pairs, {mean:.1} searches a solved pair, {ends:?}"
    );
    percent
}

#[test]
fn both_ends_connects_what_one_sided_cannot() {
    let world = own_world().unwrap();
    for seed in 1..=5 {
        let both_ends = solved_percent(&world, Plan::BothEnds, seed);
        let one_sided = solved_percent(&world, Plan::OneSided, seed);
        assert!(both_ends >= 95.0, "both-ends connects {both_ends} %");
        assert!(
            one_sided <= both_ends - 30.0,
            "one-sided connects {one_sided} %"
        );
    }
}

#[test]
fn the_world_is_as_large_as_it_must_be() {
    let world = own_world().unwrap();
    assert!(world.people.len() >= 60 && world.photos.len() >= 150);
    let namesakes = world
        .people
        .iter()
        .filter(|person| world.bearers(&person.name).len() == 2);
    assert_eq!(namesakes.count(), 2, "one pair of namesakes");
    let example = world.example_pair().unwrap();
    assert_eq!(example.hops, 3);
}
