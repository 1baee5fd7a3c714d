//! The runs that are interrupted: the example pair of the project's own world.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;
use visual_degrees::domain::{Limits, Name, Plan};
use visual_degrees::investigation::Request;
use visual_degrees::rehearsal::{Conducted, ProcessEnd, Town, Trouble};
use visual_degrees::sandbox::{Options, Sandbox, own_world};

/// With its photos drawn once for all tests.
static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
    let sandbox = Sandbox::new(own_world().unwrap(), Options::default());
    let mut drawn = sandbox;
    for plan in Plan::ALL {
        let town = Town::new(drawn.unasked(), &[]).unwrap();
        let mut town = town;
        town.open(request(plan), None).unwrap();
        town.conduct_to_end().unwrap();
        drawn = town.sandbox();
    }
    drawn
});

pub fn request(plan: Plan) -> Request {
    let (a, b) = own_world().unwrap().example().unwrap();
    Request {
        person_a: Name::parse(&a).unwrap(),
        person_b: Name::parse(&b).unwrap(),
        avoid: Vec::new(),
        limits: Limits {
            plan,
            ..Limits::default()
        },
    }
}

/// A town whose sandbox has not been asked anything.
pub fn town(troubles: Vec<Trouble>) -> Town {
    Town::new(SANDBOX.unasked(), &[])
        .unwrap()
        .with_troubles(troubles)
}

/// The example run of a plan with these troubles, process after process.
pub fn run(plan: Plan, troubles: Vec<Trouble>) -> (ProcessEnd, Conducted) {
    let mut town = town(troubles);
    town.open(request(plan), None).unwrap();
    let end = town.conduct_to_end().unwrap();
    (end, town.conducted())
}

/// What a viewer is told, without what may differ after an interruption: times, and what was
/// spent, which is compared apart.
pub fn story(run: &Conducted) -> Vec<Value> {
    run.events
        .iter()
        .map(|event| {
            let mut json: Value = serde_json::from_str(&event.json).unwrap();
            let members = json.as_object_mut().unwrap();
            members.remove("timestamp");
            members.remove("runId");
            members.remove("spent");
            json
        })
        .collect()
}

/// Of each event that tells it: searches, recognitions, planner calls.
pub fn spent(run: &Conducted) -> Vec<[u64; 3]> {
    let of = |event: Value| {
        ["searchCalls", "rekognitionCalls", "llmCalls"]
            .map(|name| event["spent"][name].as_u64().unwrap_or_default())
    };
    run.events
        .iter()
        .map(|event| serde_json::from_str(&event.json).unwrap())
        .filter(|event: &Value| event["spent"].is_object())
        .map(of)
        .collect()
}

/// How often each paid call reached its provider.
pub fn paid_calls(run: &Conducted) -> BTreeMap<(String, String), u64> {
    let mut calls = BTreeMap::new();
    for (provider, key, _) in run
        .calls
        .iter()
        .filter(|(provider, ..)| provider != "image")
    {
        *calls.entry((provider.clone(), key.clone())).or_insert(0) += 1;
    }
    calls
}

/// Entries of a journal of one kind.
pub fn entries(run: &Conducted, kind: &str) -> Vec<Value> {
    run.journal
        .iter()
        .filter_map(|json| {
            let mut entry: Value = serde_json::from_str(json).unwrap();
            entry.get_mut(kind).map(Value::take)
        })
        .collect()
}
