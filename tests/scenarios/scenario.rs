//! A whole run: its options, its settings and what it told.

use serde_json::Value;
use visual_degrees::domain::{Limits, Name};
use visual_degrees::investigation::Request;
use visual_degrees::rehearsal::{InjectedFault, SimulatedRun, Simulation};
use visual_degrees::sandbox::{FaultPlan, Sandbox, SandboxOptions, SandboxProvider, own_world};

pub struct Scenario {
    pub options: SandboxOptions,
    pub settings: Vec<(&'static str, &'static str)>,
    pub limits: Limits,
    pub names: Option<(&'static str, &'static str)>,
    pub troubles: Vec<InjectedFault>,
    pub stop_after_events: Option<usize>,
}

impl Scenario {
    /// The example pair with the default budgets and no planner.
    pub fn new() -> Self {
        Self {
            options: SandboxOptions::default(),
            settings: vec![("PLANNER", "none")],
            limits: Limits::default(),
            names: None,
            troubles: Vec::new(),
            stop_after_events: None,
        }
    }

    pub fn with_planner(mut self) -> Self {
        self.settings.clear();
        self
    }

    pub fn fault(mut self, provider: SandboxProvider, kind: &str) -> Self {
        let plan = format!(
            r#"[{{"provider":"{}","from":1,"kind":"{kind}"}}]"#,
            provider.name()
        );
        self.options.faults = FaultPlan::parse(&plan).unwrap_or_else(|error| panic!("{error}"));
        self
    }

    pub fn run(&self) -> Run {
        let world = own_world().unwrap();
        let example = world.example().unwrap();
        let (a, b) = match self.names {
            Some((a, b)) => (a.to_owned(), b.to_owned()),
            None => example,
        };
        let request = Request {
            person_a: Name::parse(&a).unwrap(),
            person_b: Name::parse(&b).unwrap(),
            avoid: Vec::new(),
            limits: self.limits.clone(),
        };
        let options = self.options.clone();
        let town = Simulation::new(Sandbox::new(world, options), &self.settings).unwrap();
        let mut town = town.with_faults(self.troubles.clone());
        if let Some(events) = self.stop_after_events {
            town = town.stopped_after(events);
        }
        town.open(&request, None).unwrap();
        town.conduct_to_end().unwrap();
        let conducted = town.conducted();
        Run {
            events: parsed(&conducted),
            conducted,
        }
    }
}

pub struct Run {
    pub conducted: SimulatedRun,
    pub events: Vec<Value>,
}

impl Run {
    pub fn last(&self) -> &Value {
        self.events.last().unwrap()
    }

    /// `final`, `no_path search_budget`, `error provider_down rekognition`.
    pub fn ending(&self) -> String {
        let last = self.last();
        let more = ["reason", "code", "provider"].map(|name| last[name].as_str().unwrap_or(""));
        [&[last["type"].as_str().unwrap()], &more[..]]
            .concat()
            .join(" ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub fn says(&self, words: &str) -> bool {
        self.events
            .iter()
            .any(|event| event["message"].as_str().is_some_and(|m| m.contains(words)))
    }

    pub fn calls_of(&self, provider: &str) -> usize {
        self.conducted
            .calls
            .iter()
            .filter(|(name, _, _)| name == provider)
            .count()
    }
}

/// The events' JSON, after the laws of every stream were checked.
fn parsed(conducted: &SimulatedRun) -> Vec<Value> {
    let events: Vec<Value> = conducted
        .events
        .iter()
        .map(|event| serde_json::from_str(&event.json).unwrap())
        .collect();
    for (number, (event, json)) in (1u32..).zip(conducted.events.iter().zip(&events)) {
        assert_eq!(event.number, number, "numbers without gaps");
        assert_eq!(json["type"], event.kind);
        assert_eq!(
            event.is_last,
            number as usize == events.len(),
            "exactly one last event"
        );
        assert!(
            !event.json.contains('\n') && !event.json.contains("sandbox-"),
            "no key in an event"
        );
    }
    events
}
