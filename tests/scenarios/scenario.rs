//! A whole run: its options, its settings and its result.

use std::sync::LazyLock;

use devtools::rehearsal::{InjectedFault, Operation, Simulation};
use domain::{Limits, Name};
use investigation::machine::Request;
use platform::isolate::PhotoPool;
use sandbox::{FaultPlan, Sandbox, SandboxOptions, SandboxProvider, own_world};

use crate::observed::ObservedRun;

static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(own_world().unwrap(), SandboxOptions::default()));

/// A pair that needs half the operations of the example pair.
pub const SHORT: (&str, &str) = ("Stamp Proctor", "Anna Scherer");

pub struct Scenario {
    pub options: SandboxOptions,
    pub settings: Vec<(&'static str, String)>,
    pub limits: Limits,
    pub names: Option<(&'static str, &'static str)>,
    pub troubles: Vec<InjectedFault>,
    pub stop_after_events: Option<usize>,
    /// The host at which the run is created.
    pub host: Option<&'static str>,
}

impl Scenario {
    /// The example pair with the default budgets and no planner.
    pub fn new() -> Self {
        Self {
            options: SandboxOptions::default(),
            settings: vec![("PLANNER", "none".to_owned())],
            limits: Limits::default(),
            names: None,
            troubles: Vec::new(),
            stop_after_events: None,
            host: None,
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

    /// Adds a setting.
    pub fn set(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push((name, value.into()));
        self
    }

    /// Opens this many runs in one process and one sandbox.
    pub fn simulations(&self, count: u8) -> Vec<Simulation> {
        self.simulations_with(count, None)
    }

    /// Opens this many runs that share this memory for their photos.
    pub fn simulations_with(&self, count: u8, pool: Option<PhotoPool>) -> Vec<Simulation> {
        let mut first = self.simulation();
        if let Some(pool) = pool {
            first = first.with_photo_pool(pool);
        }
        let others = (1..count).map(|number| {
            let mut other = first.beside(number).unwrap();
            other.open(&self.request(), None).unwrap();
            other
        });
        let others: Vec<_> = others.collect();
        std::iter::once(first).chain(others).collect()
    }

    fn request(&self) -> Request {
        let (a, b) = match self.names {
            Some((a, b)) => (a.to_owned(), b.to_owned()),
            None => SANDBOX.example().unwrap().clone(),
        };
        Request {
            sources: Vec::new(),
            person_a: Name::parse(&a).unwrap().into(),
            person_b: Name::parse(&b).unwrap().into(),
            avoid: Vec::new(),
            limits: self.limits.clone(),
        }
    }

    /// Opens the run in a new sandbox.
    pub fn simulation(&self) -> Simulation {
        let sandbox = SANDBOX.unasked_with(self.options.clone());
        let settings = self.settings.iter();
        let settings: Vec<_> = settings.map(|(name, value)| (*name, &**value)).collect();
        let simulation = Simulation::new(sandbox, &settings).unwrap();
        let mut simulation = simulation.with_faults(self.troubles.clone());
        if let Some(events) = self.stop_after_events {
            simulation = simulation.stopped_after(events);
        }
        if let Some(host) = self.host {
            simulation = simulation.at_host(host);
        }
        simulation.open(&self.request(), None).unwrap();
        simulation
    }

    pub fn run(&self) -> ObservedRun {
        let simulation = self.simulation();
        simulation.conduct_to_end().unwrap();
        let run = ObservedRun::of(&simulation);
        check_stream(&run);
        run
    }
}

/// Returns providers in the form of `IMAGE_SEARCH` and `PLANNER`.
pub fn listed(providers: &[SandboxProvider]) -> String {
    let names: Vec<&str> = providers.iter().map(|provider| provider.name()).collect();
    names.join(",")
}

/// Checks what holds for every stream.
fn check_stream(run: &ObservedRun) {
    let events = &run.conducted.events;
    for (number, (event, json)) in (1u32..).zip(events.iter().zip(&run.events)) {
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
    check_rows(run);
}

/// Checks the rows written by a run's object, which are billed: at most six per attempt, whatever its result, as stated
/// in docs/operation.md.
fn check_rows(run: &ObservedRun) {
    let operations = run.conducted.operations.iter();
    let is_row = |operation: &&Operation| matches!(operation, Operation::Keep | Operation::Publish);
    let rows = operations.filter(is_row).count();
    let intents = run.conducted.journal.iter();
    let intents = intents.filter(|entry| entry.starts_with(r#"{"intent""#));
    let rows_max = 20 + 6 * intents.count();
    assert!(rows <= rows_max, "{rows} rows, at most {rows_max}");
}
