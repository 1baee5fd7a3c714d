//! The loop compared with a naive second implementation, on random automata and pages.

use domain::page::{ActionFailure, Signals};
use serde_json::{Value, json};

use super::scene::{Scene, showing};
use crate::random::XorShift64;

/// A state of the reference implementation.
struct Plain {
    name: String,
    checks: Vec<(String, String)>,
    /// The milliseconds of each action, and whether it fails.
    actions: Vec<(u64, bool)>,
    end: String,
    is_continuous: bool,
}

struct World {
    states: Vec<Plain>,
    page: Vec<(u64, String, Vec<String>)>,
    transition_ms: u64,
    action_ms: u64,
    recursion_limit: u32,
    allows_multiple: bool,
    state_timeout_ms: u64,
    none_timeout_ms: u64,
}

fn draw(chance: &mut XorShift64) -> World {
    let url = |chance: &mut XorShift64| format!("u{}", chance.below(3));
    let states = (0..chance.below(5)).map(|_| Plain {
        name: ["A", "B", "C"][chance.below(3)].to_owned(),
        checks: (0..chance.below(3))
            .map(|_| match chance.below(3) {
                0 => ("text".to_owned(), format!("t{}", chance.below(3))),
                _ => ("url".to_owned(), url(chance)),
            })
            .collect(),
        actions: (0..chance.below(4))
            .map(|_| (chance.below(3) as u64 * 700, chance.below(12) == 0))
            .collect(),
        end: ["", "", "", "done", " "][chance.below(5)].to_owned(),
        is_continuous: chance.below(4) == 0,
    });
    let states = states.collect();
    let mut at_ms = 0;
    let page = (0..=chance.below(8)).map(|_| {
        let from_ms = at_ms;
        at_ms += chance.below(60) as u64 * 250 + 250;
        let address = url(chance);
        let texts = (0..chance.below(3)).map(|_| format!("t{}", chance.below(3)));
        (from_ms, address, texts.collect())
    });
    World {
        states,
        page: page.collect(),
        transition_ms: [1_000, 3_000, 5_000][chance.below(3)],
        action_ms: [0, 500, 1_000][chance.below(3)],
        recursion_limit: u32::try_from(chance.below(7)).unwrap(),
        allows_multiple: chance.below(2) == 0,
        state_timeout_ms: [0, 4_000, 9_000][chance.below(3)],
        none_timeout_ms: [0, 6_000, 20_000][chance.below(3)],
    }
}

/// Returns looks, decisions and the end, literally by the rules.
fn reference(world: &World) -> Vec<String> {
    let mut told = Vec::new();
    let (mut now, mut ran) = (0, 0);
    let mut last: Option<usize> = None;
    let (mut repeat_since, mut none_since) = (None, None);
    let mut waits = false;
    if world.states.is_empty() {
        return vec!["0 no_states_provided".to_owned()];
    }
    loop {
        if ran >= world.recursion_limit {
            told.push(format!("{now} recursion_limit"));
            return told;
        }
        now += if waits { world.transition_ms } else { 0 };
        waits = true;
        let (_, url, texts) = world.page.iter().rfind(|page| page.0 <= now).unwrap();
        let holds = |check: &(String, String)| match check.0.as_str() {
            "url" => check.1 == *url,
            _ => texts.contains(&check.1),
        };
        let numbered = world.states.iter().enumerate();
        let passed: Vec<usize> = numbered
            .filter(|(_, state)| !state.checks.is_empty() && state.checks.iter().all(holds))
            .map(|(at, _)| at)
            .collect();
        told.push(format!("{now} {passed:?}"));
        if passed.is_empty() {
            let since = *none_since.get_or_insert(now);
            if world.none_timeout_ms == 0 || now - since > world.none_timeout_ms {
                told.push(format!("{now} no_states_timeout"));
                return told;
            }
            continue;
        }
        none_since = None;
        if passed.len() > 1 && !world.allows_multiple {
            told.push(format!("{now} multiple_states"));
            return told;
        }
        let state = &world.states[passed[0]];
        if last == Some(passed[0]) {
            if !state.is_continuous {
                if now - *repeat_since.get_or_insert(now) > world.state_timeout_ms {
                    told.push(format!("{now} state_timeout"));
                    return told;
                }
                continue;
            }
        } else {
            repeat_since = None;
        }
        let mut has_failed = false;
        for (at, (ms, fails)) in state.actions.iter().enumerate() {
            now += if at == 0 { 0 } else { world.action_ms };
            if *fails {
                has_failed = true;
                break;
            }
            now += ms;
        }
        ran += 1;
        last = Some(passed[0]);
        waits = false;
        told.push(format!("{now} ran {}", passed[0]));
        if has_failed {
            told.push(format!("{now} action"));
            return told;
        }
        if !state.end.trim().is_empty() {
            told.push(format!("{now} completed {:?}", state.end));
            return told;
        }
    }
}

fn written(state: &Plain) -> Value {
    let checks = state.checks.iter();
    let checks = checks.map(|(kind, value)| json!({"type": kind, "value": value}));
    let actions = state.actions.iter().map(|(ms, fails)| match fails {
        true => "press_key('enter')".to_owned(),
        false => format!("wait({})", *ms as f64 / 1_000.0),
    });
    json!({
        "name": state.name,
        "checks": checks.collect::<Vec<_>>(),
        "actions": actions.collect::<Vec<_>>(),
        "end_state": state.end,
        "config": {"continous": state.is_continuous},
    })
}

fn engine(world: &World) -> Vec<String> {
    let states: Vec<Value> = world.states.iter().map(written).collect();
    let page: Vec<(u64, Signals)> = world
        .page
        .iter()
        .map(|(from_ms, url, texts)| {
            let items: Vec<_> = texts.iter().map(|text| (text.as_str(), "p")).collect();
            (*from_ms, showing(url, &items))
        })
        .collect();
    let mut scene = Scene::new(&states, &page);
    for (at, state) in world.states.iter().enumerate() {
        for line in 1..=state.actions.len() {
            let failure = ActionFailure::Failed("it fails".to_owned());
            scene = scene.fails(at, u32::try_from(line).unwrap(), failure);
        }
    }
    let settings = &mut scene.order.settings;
    settings.transition_period_ms = world.transition_ms;
    settings.action_period_ms = world.action_ms;
    settings.recursion_limit = world.recursion_limit;
    settings.allows_multiple_states = world.allows_multiple;
    settings.state_timeout_ms = i64::try_from(world.state_timeout_ms).unwrap();
    settings.no_states_timeout_ms = i64::try_from(world.none_timeout_ms).unwrap();
    let mut told = Vec::new();
    for line in &scene.run() {
        let (at, words) = line.split_once(' ').unwrap();
        if let Some(look) = words.strip_prefix("look ") {
            let passed = look.rsplit_once(' ').unwrap().0;
            told.push(format!("{at} {passed}"));
        } else if let Some(state) = words.strip_prefix("leave ") {
            told.push(format!("{at} ran {state}"));
        } else if let Some(end) = words.strip_prefix("end ") {
            told.push(format!("{at} {end}"));
        }
    }
    told
}

#[test]
fn the_loop_does_what_the_plain_one_does() {
    let mut chance = XorShift64(0x5EED_0001);
    let mut ends = std::collections::BTreeMap::new();
    for number in 0..20_000 {
        let world = draw(&mut chance);
        let expected = reference(&world);
        assert_eq!(engine(&world), expected, "world {number}");
        let end = expected.last().unwrap().split(' ').nth(1).unwrap();
        *ends.entry(end.to_owned()).or_insert(0) += 1;
    }
    // The worlds cover every ending.
    assert_eq!(ends.len(), 7, "{ends:?}");
    assert!(ends.values().all(|count| *count > 100), "{ends:?}");
}
