//! Makes a random request about a random world.

use domain::{Limits, Name, Pace, Plan, SearchSource, WordUse, fold};
use investigation::machine::Request;
use sandbox::World;

use super::seeded_rng::SeededRng;

/// Makes a request for two people, mostly people of the world, with options within their bounds.
pub(super) fn random_request(world: &World, random: &mut SeededRng) -> Request {
    let name = |random: &mut SeededRng| {
        let photo = random.one_of(&world.photos);
        let person = photo.and_then(|photo| random.one_of(&photo.people).copied());
        let known = person.and_then(|person| world.people.get(person));
        let known = known.map(|person| person.name.clone());
        let typed = if random.happens(24) { None } else { known };
        typed.unwrap_or_else(|| "Nemo Nobody Unknown".to_owned())
    };
    let (first, mut second) = (name(random), name(random));
    while fold(&first) == fold(&second) {
        second = format!("{} Unknown {}", name(random), random.number(..));
    }
    let avoid = if random.happens(64) {
        vec![name(random)]
    } else {
        Vec::new()
    };
    let typed = [fold(&first), fold(&second)];
    let parse = |text: &str| Name::parse(text).ok();
    let fallback = || Name::parse("Somebody").ok();
    let avoid = avoid
        .iter()
        .filter(|name| !typed.contains(&fold(name)))
        .filter_map(|name| parse(name));
    let (Some(person_a), Some(person_b)) = (
        parse(&first).or_else(fallback),
        parse(&second).or_else(fallback),
    ) else {
        // Both texts above are names, so this never happens.
        return random_request(world, random);
    };
    Request {
        sources: random_sources(random),
        person_a: person_a.into(),
        person_b: person_b.into(),
        avoid: avoid.collect(),
        limits: random_limits(random),
    }
}

/// Makes up to three image searches, which differ in hits per request, in paging, and in price.
fn random_sources(random: &mut SeededRng) -> Vec<SearchSource> {
    let count = random.number(0..=3);
    let source = |number: u32| SearchSource {
        id: number.to_string(),
        name: format!("Image search {number}"),
        hits_max: random.number(1..=50),
        pages_max: random.number(1..=4),
        nano_usd: random.long(0..=1) * 5_000_000,
    };
    (0..count).map(source).collect()
}

fn random_limits(random: &mut SeededRng) -> Limits {
    let thresholds = [50, 80, 80, 80, 85, 90];
    Limits {
        plan: if random.is_heads() {
            Plan::OneSided
        } else {
            Plan::BothEnds
        },
        pace: if random.happens(64) {
            Pace::Frugal
        } else {
            Pace::Quick
        },
        hops: random.number(1..=6),
        threshold_percent: random.one_of(&thresholds).copied().unwrap_or(80),
        images_per_search: random.number(1..=10),
        searches_max: random.number(1..=40),
        polish_searches_max: if random.happens(64) {
            random.number(1..=6)
        } else {
            0
        },
        confirm_searches_max: if random.happens(64) {
            random.number(1..=3)
        } else {
            0
        },
        recognitions_max: random.number(1..=150),
        planner_calls_max: random.number(0..=12),
        captures_pages: random.happens(64),
        words: match random.number(0..=3) {
            0 => WordUse::Ignored,
            1 => WordUse::Hints,
            2 => WordUse::Doubts,
            _ => WordUse::HintsFirst,
        },
        runtime_ms_max: if random.happens(32) {
            random.long(1_000..=20_000)
        } else {
            600_000
        },
        ..Limits::default()
    }
}
