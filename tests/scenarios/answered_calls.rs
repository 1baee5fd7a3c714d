//! What must hold for a run in which the first provider of a role fails from some call on.

use std::collections::BTreeMap;

use sandbox::SandboxProvider;
use serde_json::Value;

use crate::observed::ObservedRun;

/// Failures without an answer, which may have been charged.
const UNANSWERED: [&str; 2] = ["hang", "truncated-body"];
/// Faults that are no failures.
const NO_FAILURES: [&str; 2] = ["slow", "thumb-step-400"];
/// The message to viewers that another provider is asked.
const TOLD: &str = "is asked from now on.";

/// A call of a role, with its answer as journaled.
pub struct AnsweredCall {
    pub provider: String,
    /// The providers set aside meanwhile, and until when; `None` for the whole run.
    pub set_aside: Vec<(String, Option<u64>)>,
    pub attempts: u64,
    pub nano_usd: u64,
    /// When the machine got the previous input, in milliseconds since 1970.
    pub not_before_ms: u64,
    /// The journal positions of its first attempt and of its answer.
    places: [usize; 2],
}

impl AnsweredCall {
    /// Returns whether it began after the other one was answered.
    pub fn began_after(&self, other: &Self) -> bool {
        self.places[0] > other.places[1]
    }

    /// Returns whether it was sent to a provider, as far as that failed.
    pub fn is_of(&self, provider: &str) -> bool {
        let mut set_aside = self.set_aside.iter();
        self.provider == provider || set_aside.any(|(name, _)| name == provider)
    }
}

/// Returns the answered calls of a role, `search` or `plan`, in order.
pub fn calls(run: &ObservedRun, role: &str) -> Vec<AnsweredCall> {
    let mut not_before = BTreeMap::new();
    let mut before_ms = 0;
    for input in run.entries("input") {
        if let Some(command) = input["given"]["answer"].as_u64() {
            not_before.insert(command, before_ms);
        }
        before_ms = input["now"].as_u64().unwrap();
    }
    let mut begun = BTreeMap::new();
    let mut answers = Vec::new();
    for (place, entry) in run.conducted.journal.iter().enumerate() {
        let entry: Value = serde_json::from_str(entry).unwrap();
        if let Some(command) = entry["intent"]["command"].as_u64() {
            begun.entry(command).or_insert(place);
        }
        if entry["answer"]["asked"][role].is_object() {
            answers.push((place, entry["answer"].clone()));
        }
    }
    let call = |(place, answer): (usize, Value)| {
        let command = answer["command"].as_u64().unwrap();
        let rows = answer["setAside"].as_array().into_iter().flatten();
        let row = |row: &Value| {
            let provider = row["provider"].as_str().unwrap().to_owned();
            (provider, row["untilMs"].as_u64())
        };
        AnsweredCall {
            provider: answer["provider"].as_str().unwrap().to_owned(),
            set_aside: rows.map(row).collect(),
            attempts: answer["attempts"].as_u64().unwrap(),
            nano_usd: answer["nanoUsd"].as_u64().unwrap(),
            not_before_ms: *not_before.get(&command).unwrap_or(&u64::MAX),
            places: [begun[&command], place],
        }
    };
    answers.into_iter().map(call).collect()
}

/// Returns how often viewers were told that a provider is set aside.
pub fn times_told(run: &ObservedRun) -> usize {
    let messages = run.events.iter();
    let messages = messages.filter_map(|event| event["message"].as_str());
    messages.filter(|message| message.contains(TOLD)).count()
}

/// A run whose first provider fails in one way from one call on.
pub struct HandedOver<'run> {
    pub run: &'run ObservedRun,
    pub role: &'static str,
    pub first: SandboxProvider,
    pub second: SandboxProvider,
    pub kind: &'static str,
    /// The first failing call of the first provider, from 1.
    pub from: usize,
    pub what: String,
}

impl HandedOver<'_> {
    /// Checks everything that is promised.
    pub fn check(&self) {
        let what = &self.what;
        let ending = self.run.ending();
        let is_honest = ending == "final" || ending.starts_with("no_path");
        assert!(is_honest, "{what}: {ending}");
        let calls = calls(self.run, self.role);
        let failed = calls.iter().position(|call| !call.set_aside.is_empty());
        let Some(failed) = failed else {
            let asked = self.run.calls_of(self.first.name());
            let is_none = NO_FAILURES.contains(&self.kind) || asked < self.from;
            assert!(is_none, "{what}: nobody noticed");
            return;
        };
        self.check_told();
        self.check_not_asked_again(&calls, failed);
        self.check_paid_once(&calls);
    }

    fn check_told(&self) {
        assert_eq!(times_told(self.run), 1, "{}: told once", self.what);
    }

    /// No pause here takes thirty seconds: a provider that was set aside is not asked again, except for calls in
    /// flight.
    fn check_not_asked_again(&self, calls: &[AnsweredCall], failed: usize) {
        let what = &self.what;
        let (first, second) = (self.first.name(), self.second.name());
        let mut attempts_max = 0;
        for (number, call) in calls.iter().enumerate() {
            for (provider, until_ms) in &call.set_aside {
                assert_eq!(provider, first, "{what}");
                attempts_max += if until_ms.is_some() { 2 } else { 1 };
            }
            if call.began_after(&calls[failed]) {
                assert_eq!(call.provider, second, "{what}: call {number}");
                assert!(!call.is_of(first), "{what}: call {number} asked it again");
            }
        }
        let of_first = self.run.calls_of(first) - (self.from - 1);
        assert!(
            (1..=attempts_max).contains(&of_first),
            "{what}: {of_first} calls of which {attempts_max} may be"
        );
    }

    /// No provider is paid twice for one question, according to the journal and to its own log.
    fn check_paid_once(&self, calls: &[AnsweredCall]) {
        if UNANSWERED.contains(&self.kind) {
            return;
        }
        let what = &self.what;
        if self.role == "search" {
            for call in calls {
                let is_one_price = [0, GOOGLE_NANO_USD, BRAVE_NANO_USD].contains(&call.nano_usd);
                assert!(is_one_price, "{what}: {} paid", call.nano_usd);
            }
        }
        let mut charged: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (name, key, status) in &self.run.conducted.calls {
            let provider = SandboxProvider::named(name).unwrap();
            let is_of_role = [self.first, self.second].contains(&provider);
            if is_of_role && provider.charges() && (200..300).contains(status) {
                *charged.entry((name, key)).or_default() += 1;
            }
        }
        for ((name, question), times) in charged {
            // A planner may be asked the same once more; then it is another call.
            let is_once = times == 1 || self.role == "plan";
            assert!(
                is_once,
                "{what}: {name} is paid {times} times for {question:?}"
            );
        }
    }
}

/// The prices of a search with Google and with Brave, in billionths of a dollar.
pub const GOOGLE_NANO_USD: u64 = 5_000_000;
pub const BRAVE_NANO_USD: u64 = 7_000_000;
