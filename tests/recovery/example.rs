//! The runs that are interrupted: the example pair of the project's own world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;
use visual_degrees::domain::{Limits, Name, Plan};
use visual_degrees::investigation::{Input, Request};
use visual_degrees::journal::{Entry, RebuiltRun, read_entries};
use visual_degrees::kernel::Millis;
use visual_degrees::rehearsal::{Conducted, ProcessEnd, Town, Trouble};
use visual_degrees::sandbox::{Latency, Options, Sandbox, own_world};

static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(own_world().unwrap(), Options::default()));

/// Every call takes its time.
pub const SLOW: Latency = Latency {
    google_ms: 310,
    image_ms: 170,
    rekognition_ms: 530,
    gemini_ms: 890,
};

pub fn request(plan: Plan) -> Request {
    let (a, b) = match plan {
        // Found by the one-sided plan with a planner and without, and with searches to spare.
        Plan::OneSided => ("Phileas Fogg".to_owned(), "Pierre Aronnax".to_owned()),
        Plan::BothEnds => SANDBOX.example().unwrap().clone(),
    };
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

/// An example run.
#[derive(Clone)]
pub struct Example {
    pub request: Request,
    pub has_planner: bool,
    pub latency: Latency,
}

impl Example {
    /// With the default budgets and a planner, where nothing takes time.
    pub fn new(plan: Plan) -> Self {
        Self {
            request: request(plan),
            has_planner: true,
            latency: Latency::default(),
        }
    }

    /// The run, opened, in a town whose sandbox has not been asked anything.
    pub fn town(&self, troubles: Vec<Trouble>) -> Town {
        let options = Options {
            latency: self.latency,
            ..Options::default()
        };
        let sandbox = SANDBOX.unasked_with(options);
        let settings: &[_] = if self.has_planner {
            &[]
        } else {
            &[("PLANNER", "none")]
        };
        let mut town = Town::new(sandbox, settings)
            .unwrap()
            .with_troubles(troubles);
        town.open(self.request.clone(), None).unwrap();
        town
    }

    /// The run with these troubles, process after process.
    pub fn run(&self, troubles: Vec<Trouble>) -> (ProcessEnd, Conducted) {
        let town = self.town(troubles);
        let end = town.conduct_to_end().unwrap();
        (end, town.conducted())
    }
}

/// The example run of a plan with these troubles, process after process.
pub fn run(plan: Plan, troubles: Vec<Trouble>) -> (ProcessEnd, Conducted) {
    Example::new(plan).run(troubles)
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

/// What a run was told, and what it told, until its end was decided. What is here of the calls
/// under way by then is a matter of time: it is told too, and makes the chain no worse.
pub struct Decided {
    pub events: usize,
    pub answers: BTreeSet<u64>,
    /// The end as it would be had nothing else come.
    pub last: Value,
}

impl Decided {
    pub fn of(run: &Conducted) -> Self {
        let entries = read_entries(&run.journal).unwrap();
        let mut entries = entries.into_iter();
        let Some(Entry::Opened(opened)) = entries.next() else {
            panic!("a journal begins with its question");
        };
        let mut rebuilt = RebuiltRun::new(opened).unwrap();
        let mut answers = BTreeSet::new();
        for entry in entries {
            if rebuilt.state().is_withdrawing() {
                break;
            }
            let entry_json: Value = serde_json::from_str(&entry.to_json()).unwrap();
            answers.extend(entry_json["input"]["given"]["answer"].as_u64());
            rebuilt.apply(entry).unwrap();
        }
        let events = rebuilt.events().len();
        let mut last = rebuilt.events().last().cloned();
        if rebuilt.state().is_withdrawing() {
            let withdrawn = Input::Withdrawn { lost: Vec::new() };
            let told = rebuilt.into_state().0.handle(withdrawn, Millis(0)).unwrap();
            last = told.last().cloned();
        }
        Self {
            events,
            answers,
            last: serde_json::from_str(&last.unwrap().json).unwrap(),
        }
    }
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

/// A run's last event.
pub fn last(run: &Conducted) -> Value {
    let last = run.events.last().expect("every run tells something");
    assert!(last.is_last, "a run that has not ended");
    serde_json::from_str(&last.json).unwrap()
}

/// `final`, `no_path search_budget`, `error provider_down rekognition`.
pub fn ending(run: &Conducted) -> String {
    let last = last(run);
    ["type", "reason", "code", "provider"]
        .iter()
        .filter_map(|name| last[name].as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether an event says these words.
pub fn says(run: &Conducted, words: &str) -> bool {
    run.events.iter().any(|event| {
        let event: Value = serde_json::from_str(&event.json).unwrap();
        event["message"]
            .as_str()
            .is_some_and(|message| message.contains(words))
    })
}

/// Numbers without gaps, each event shown once, and nothing after the last.
pub fn check_told_once(run: &Conducted, what: &str) {
    let numbers: Vec<u32> = run.events.iter().map(|event| event.number).collect();
    let expected: Vec<u32> = (1..).take(numbers.len()).collect();
    assert_eq!(numbers, expected, "{what}: numbers");
    let seen: Vec<_> = run.seen.iter().map(|event| &event.json).collect();
    let kept: Vec<_> = run.events.iter().map(|event| &event.json).collect();
    assert_eq!(seen, kept, "{what}: a viewer missed something");
    let last = run.events.iter().position(|event| event.is_last);
    let is_whole = last.is_none_or(|last| last + 1 == run.events.len());
    assert!(is_whole, "{what}: something after the last event");
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

/// The paid calls of a run's record.
pub fn recorded(run: &Conducted) -> Vec<Value> {
    let record = run.puts.iter().rfind(|put| put.key.ends_with(":calls"));
    let record: Value = serde_json::from_str(&record.unwrap().document).unwrap();
    record["calls"].as_array().unwrap().clone()
}

/// Requests that reached each provider that is paid: searches, recognitions, planner calls.
pub fn arrived(run: &Conducted) -> [u64; 3] {
    ["google", "rekognition", "gemini"].map(|paid| {
        let calls = run.calls.iter().filter(|(provider, ..)| provider == paid);
        calls.count() as u64
    })
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

/// The answers that the machine was told until its end was decided, as the journal keeps them.
pub fn told_answers(run: &Conducted) -> Vec<Value> {
    let told = Decided::of(run).answers;
    let mut answers = entries(run, "answer");
    answers.retain(|answer| told.contains(&answer["command"].as_u64().unwrap()));
    answers
}
