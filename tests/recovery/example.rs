//! The runs that are interrupted: the example pair of the project's own world.

use std::sync::LazyLock;

use devtools::in_memory::InMemoryPhotos;
use devtools::rehearsal::{InjectedFault, ProcessEnd, Simulation};
use domain::{Limits, Name, Plan};
use investigation::machine::Request;
use sandbox::{FaultPlan, Latency, Sandbox, SandboxOptions, own_world};

use crate::observed::ObservedRun;

static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(own_world().unwrap(), SandboxOptions::default()));

/// Every call takes its time.
pub const SLOW: Latency = Latency {
    google_ms: 310,
    image_ms: 170,
    rekognition_ms: 530,
    gemini_ms: 890,
    ..Latency::NONE
};

pub fn request(plan: Plan) -> Request {
    let (a, b) = match plan {
        // Found by the one-sided plan with a planner and without, and with searches to spare.
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
            // A lost search counts as spent: the story shall not end sooner for it.
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
    /// Whether all photos are over 5 MB, and the platform makes them smaller.
    pub converts: bool,
    /// What is wrong with every photo's file or host.
    pub image_fault: Option<&'static str>,
    /// What earlier runs have recognised, where the run uses it.
    pub memory: Option<InMemoryPhotos>,
    /// The settings beside those that lead to the sandbox.
    pub settings: Vec<(&'static str, &'static str)>,
}

impl Example {
    /// With the default budgets and a planner, where nothing takes time.
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

    /// A run of a plan to the letter with half the operations, for what is done at each of them. It has six
    /// searches, thirteen recognitions and a planner's question.
    pub fn short_one_sided() -> Self {
        Self::new(Plan::OneSided).between("Buck", "Captain Nemo")
    }

    /// The run between these two.
    pub fn between(mut self, a: &str, b: &str) -> Self {
        self.request.person_a = Name::parse(a).unwrap().into();
        self.request.person_b = Name::parse(b).unwrap().into();
        self
    }

    /// The run, opened, in a simulation whose sandbox has not been asked anything.
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

    /// The run with these troubles, process after process.
    pub fn run(&self, troubles: Vec<InjectedFault>) -> (ProcessEnd, ObservedRun) {
        let simulation = self.simulation(troubles);
        let end = simulation.conduct_to_end().unwrap();
        (end, ObservedRun::of(&simulation))
    }
}

/// The example run of a plan with these troubles, process after process.
pub fn run(plan: Plan, troubles: Vec<InjectedFault>) -> (ProcessEnd, ObservedRun) {
    Example::new(plan).run(troubles)
}
