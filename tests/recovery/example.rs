//! The interrupted runs: the example pair of the built-in world.

use std::sync::LazyLock;

use devtools::in_memory::InMemoryPhotos;
use devtools::rehearsal::{InjectedFault, ProcessEnd, Simulation};
use domain::{Limits, Name, Plan};
use investigation::machine::Request;
use sandbox::{FaultPlan, Latency, Sandbox, SandboxOptions, own_world};

use crate::observed::ObservedRun;

static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(own_world().unwrap(), SandboxOptions::default()));

/// The latency of slow calls.
pub const SLOW: Latency = Latency {
    google_ms: 310,
    image_ms: 170,
    rekognition_ms: 530,
    gemini_ms: 890,
    ..Latency::NONE
};

pub fn request(plan: Plan) -> Request {
    let (a, b) = match plan {
        // Found by the one-sided plan with and without a planner, with searches to spare.
        Plan::OneSided => ("Elizabeth Bennet".to_owned(), "Andrew Stuart".to_owned()),
        Plan::BothEnds => SANDBOX.example().unwrap().clone(),
    };
    Request {
        sources: Vec::new(),
        person_a: Name::parse(&a).unwrap().into(),
        person_b: Name::parse(&b).unwrap().into(),
        avoid: Vec::new(),
        limits: Limits {
            plan,
            // A lost search counts as spent: the run must not end earlier because of it.
            searches_max: 30,
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
    /// Whether all photos are over 5 MB, and the platform shrinks them.
    pub converts: bool,
    /// The fault of every photo's file or host.
    pub image_fault: Option<&'static str>,
    /// The memory of earlier runs, if used.
    pub memory: Option<InMemoryPhotos>,
    /// Additional settings.
    pub settings: Vec<(&'static str, &'static str)>,
}

impl Example {
    /// Makes the example with the default budgets and a planner, without latency.
    pub fn new(plan: Plan) -> Self {
        Self {
            request: request(plan),
            has_planner: true,
            latency: Latency::default(),
            converts: false,
            image_fault: None,
            memory: None,
            settings: Vec::new(),
        }
    }

    /// Makes a one-sided run with half the operations, for tests at each of them. It has six searches, thirteen
    /// recognitions and a planner's question.
    pub fn short_one_sided() -> Self {
        Self::new(Plan::OneSided).between("Buck", "Captain Nemo")
    }

    /// Sets the names.
    pub fn between(mut self, a: &str, b: &str) -> Self {
        self.request.person_a = Name::parse(a).unwrap().into();
        self.request.person_b = Name::parse(b).unwrap().into();
        self
    }

    /// Returns the run, opened, in a new simulation.
    pub fn simulation(&self, troubles: Vec<InjectedFault>) -> Simulation {
        let mut options = SandboxOptions {
            latency: self.latency,
            ..SandboxOptions::default()
        };
        let mut settings = self.settings.clone();
        if !self.has_planner {
            settings.push(("PLANNER", "none"));
        }
        if let Some(kind) = self.image_fault {
            let plan = format!(r#"[{{"provider":"image","from":1,"kind":"{kind}"}}]"#);
            options.faults = FaultPlan::parse(&plan).unwrap();
        }
        if self.converts {
            let plan = r#"[{"provider":"image","from":1,"kind":"oversize-declared"}]"#;
            options.faults = FaultPlan::parse(plan).unwrap();
            settings.push(("IMAGES", "bound"));
        }
        if self.memory.is_some() {
            settings.push(("MEMORY", "on"));
        }
        let sandbox = SANDBOX.unasked_with(options);
        let mut simulation = Simulation::new(sandbox, &settings)
            .unwrap()
            .with_faults(troubles)
            .remembering(self.memory.clone().unwrap_or_default());
        simulation.open(&self.request, None).unwrap();
        simulation
    }

    /// Conducts the run with these faults, process after process.
    pub fn run(&self, troubles: Vec<InjectedFault>) -> (ProcessEnd, ObservedRun) {
        let simulation = self.simulation(troubles);
        let end = simulation.conduct_to_end().unwrap();
        (end, ObservedRun::of(&simulation))
    }
}

/// Conducts the example run of a plan with these faults, process after process.
pub fn run(plan: Plan, troubles: Vec<InjectedFault>) -> (ProcessEnd, ObservedRun) {
    Example::new(plan).run(troubles)
}
