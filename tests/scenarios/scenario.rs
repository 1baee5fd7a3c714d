//! A whole run: its options, its settings and what it told.

use visual_degrees::domain::{Limits, Name};
use visual_degrees::investigation::Request;
use visual_degrees::rehearsal::{InjectedFault, Simulation};
use visual_degrees::sandbox::{FaultPlan, Sandbox, SandboxOptions, SandboxProvider, own_world};

use crate::observed::ObservedRun;

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

    pub fn run(&self) -> ObservedRun {
        let world = own_world().unwrap();
        let example = world.example().unwrap();
        let (a, b) = match self.names {
            Some((a, b)) => (a.to_owned(), b.to_owned()),
            None => example,
        };
        let request = Request {
            person_a: Name::parse(&a).unwrap().into(),
            person_b: Name::parse(&b).unwrap().into(),
            avoid: Vec::new(),
            limits: self.limits.clone(),
        };
        let options = self.options.clone();
        let simulation = Simulation::new(Sandbox::new(world, options), &self.settings).unwrap();
        let mut simulation = simulation.with_faults(self.troubles.clone());
        if let Some(events) = self.stop_after_events {
            simulation = simulation.stopped_after(events);
        }
        simulation.open(&request, None).unwrap();
        simulation.conduct_to_end().unwrap();
        let run = ObservedRun::of(&simulation);
        check_stream(&run);
        run
    }
}

/// What holds of every stream.
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
}
