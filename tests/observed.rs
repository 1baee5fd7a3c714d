//! A run as seen from outside: what it emitted, stored and paid.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use devtools::rehearsal::{START_MS, SimulatedRun, Simulation};
use engine::journal::read_entries;
use investigation::machine::Input;
use kernel::Millis;
use serde_json::Value;

use crate::search_forms::{Entry, RebuiltRun};

/// A conducted run, with its texts parsed.
pub struct ObservedRun {
    pub conducted: SimulatedRun,
    /// Its events as JSON, in order.
    pub events: Vec<Value>,
    journal: Vec<Value>,
    story: OnceCell<Vec<Value>>,
    decided: OnceCell<Decided>,
}

impl ObservedRun {
    pub fn of(simulation: &Simulation) -> Self {
        let conducted = simulation.conducted();
        let events = conducted.events.iter();
        let events = events.map(|event| serde_json::from_str(&event.json).unwrap());
        let journal = conducted.journal.iter();
        let journal = journal.map(|entry| serde_json::from_str(entry).unwrap());
        Self {
            events: events.collect(),
            journal: journal.collect(),
            conducted,
            story: OnceCell::new(),
            decided: OnceCell::new(),
        }
    }

    /// Returns what viewers see, without what may differ after an interruption: times, and the spending, which is
    /// compared separately.
    pub fn story(&self) -> &[Value] {
        self.story.get_or_init(|| {
            let mut story = self.events.clone();
            for event in &mut story {
                let members = event.as_object_mut().unwrap();
                members.remove("timestamp");
                members.remove("runId");
                members.remove("spent");
            }
            story
        })
    }

    /// Returns the time of each event, in milliseconds since 1970.
    pub fn event_times_ms(&self) -> Vec<u64> {
        let time = |event: &Value| {
            let text = event["timestamp"].as_str().unwrap();
            // All within one day: `2026-11-21T10:00:00.770Z`.
            let numbers = text[11..23].split([':', '.']).map(str::parse::<u64>);
            let [hours, minutes, seconds, ms] = numbers.map(Result::unwrap).collect::<Vec<_>>()[..]
            else {
                panic!("{text}")
            };
            let since_ten = ((hours - 10) * 60 + minutes) * 60 + seconds;
            START_MS + since_ten * 1_000 + ms
        };
        self.events.iter().map(time).collect()
    }

    /// Returns the run up to the decision of its end.
    pub fn decided(&self) -> &Decided {
        self.decided
            .get_or_init(|| Decided::of(&self.conducted, &self.journal))
    }

    /// Returns the searches, recognitions and planner calls in each event that has them.
    pub fn spent(&self) -> Vec<[u64; 3]> {
        let of = |event: &Value| {
            ["searchCalls", "rekognitionCalls", "llmCalls"]
                .map(|name| event["spent"][name].as_u64().unwrap_or_default())
        };
        let events = self.events.iter();
        let events = events.filter(|event| event["spent"].is_object());
        events.map(of).collect()
    }

    /// Returns the last event.
    pub fn last(&self) -> &Value {
        let last = self.conducted.events.last();
        let is_ended = last.is_some_and(|last| last.is_last);
        assert!(is_ended, "a run that has not ended");
        self.events.last().expect("every run tells something")
    }

    /// Returns the ending: `final`, `no_path search_budget`, `error provider_down rekognition`.
    pub fn ending(&self) -> String {
        let last = self.last();
        ["type", "reason", "code", "provider"]
            .iter()
            .filter_map(|name| last[name].as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns whether an event contains these words.
    pub fn says(&self, words: &str) -> bool {
        let mut messages = self.events.iter().map(|event| event["message"].as_str());
        messages.any(|message| message.is_some_and(|message| message.contains(words)))
    }

    /// Checks that numbers have no gaps, each event was sent once, and none after the last.
    pub fn check_told_once(&self, what: &str) {
        let run = &self.conducted;
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

    /// Returns how often each paid call reached its provider.
    pub fn paid_calls(&self) -> BTreeMap<(String, String), u64> {
        let mut calls = BTreeMap::new();
        for (provider, key, _) in self
            .conducted
            .calls
            .iter()
            .filter(|(provider, ..)| provider != "image")
        {
            *calls.entry((provider.clone(), key.clone())).or_insert(0) += 1;
        }
        calls
    }

    /// Returns the paid calls in its record.
    pub fn recorded(&self) -> Vec<Value> {
        let puts = self.conducted.puts.iter();
        let record = puts.rev().find(|put| put.key.ends_with(":calls"));
        let record: Value = serde_json::from_str(&record.unwrap().document).unwrap();
        record["calls"].as_array().unwrap().clone()
    }

    /// Returns the number of requests that reached a provider.
    pub fn calls_of(&self, provider: &str) -> usize {
        let calls = self.conducted.calls.iter();
        calls.filter(|(name, ..)| name == provider).count()
    }

    /// Returns the requests that reached paid providers: searches, recognitions, planner calls.
    pub fn arrived(&self) -> [u64; 3] {
        ["google", "rekognition", "gemini"].map(|paid| self.calls_of(paid) as u64)
    }

    /// Returns the journal entries of one kind.
    pub fn entries<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        let entries = self.journal.iter();
        entries.filter_map(move |entry| entry.get(kind))
    }

    /// Returns the journaled answers up to the decision of its end.
    pub fn told_answers(&self) -> impl Iterator<Item = &Value> {
        let told = &self.decided().answers;
        self.entries("answer")
            .filter(|answer| told.contains(&answer["command"].as_u64().unwrap()))
    }
}

/// The inputs and outputs of a run up to the decision of its end. Which calls in flight are answered afterwards is a
/// matter of timing: they are used too, and do not make the chain worse.
pub struct Decided {
    pub events: usize,
    pub answers: BTreeSet<u64>,
    /// The end, had nothing else arrived.
    pub last: Value,
}

impl Decided {
    /// `journal` has the run's entries as JSON.
    fn of(run: &SimulatedRun, journal: &[Value]) -> Self {
        let entries: Vec<Entry> = read_entries(&run.journal).unwrap();
        let mut entries = entries.into_iter().zip(journal);
        let Some((Entry::Opened(opened), _)) = entries.next() else {
            panic!("a journal begins with its question");
        };
        let mut rebuilt = RebuiltRun::new(opened).unwrap();
        let mut answers = BTreeSet::new();
        for (entry, json) in entries {
            if rebuilt.state().is_withdrawing() {
                break;
            }
            answers.extend(json["input"]["given"]["answer"].as_u64());
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
