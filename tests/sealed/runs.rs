//! Runs to be sealed: every last event and reason, in both plans, in a small world.

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Simulation};
use domain::{Limits, Name, Plan, Secret, WordUse};
use investigation::machine::Request;
use sandbox::{
    FaultPlan, Latency, Rules, Sandbox, SandboxOptions, SandboxProvider, World, fault_kinds_of,
};
use visual_degrees::sealed::seal;

pub const KEY: &str = "a key that only tests have, of 32 characters and more";

pub fn key() -> Secret {
    KEY.into()
}

/// A chain of four people, two who only know each other, and one who knows nobody.
const WORLD: &str = r#"{"name": "Small", "source": "written for this test", "license": "CC0-1.0",
    "photos": [["Ann", "Xia"], ["Xia", "Yan"], ["Yan", "Zoe"], ["Zoe", "Bob"], ["Xia", "Uma"],
               ["Cid", "Dot"], ["Ann", "Xia", "Uma"]]}"#;

/// The setup of a run.
#[derive(Clone)]
pub struct RunSetup {
    pub a: &'static str,
    pub b: &'static str,
    pub limits: Limits,
    pub options: SandboxOptions,
    pub settings: &'static [(&'static str, &'static str)],
    pub stop_after: Option<usize>,
    pub troubles: Vec<InjectedFault>,
}

impl RunSetup {
    pub fn new(plan: Plan) -> Self {
        let limits = Limits {
            plan,
            images_per_search: 3,
            ..Limits::default()
        };
        let options = SandboxOptions {
            rules: Rules {
                miss: 0.0,
                ..Rules::default()
            },
            bad_images: false,
            ..SandboxOptions::default()
        };
        Self {
            a: "Ann",
            // One-sided, a longer chain takes more searches than allowed.
            b: if plan == Plan::OneSided { "Yan" } else { "Bob" },
            limits,
            options,
            settings: &[],
            stop_after: None,
            troubles: Vec::new(),
        }
    }

    /// Without a planner: the ranking decides.
    pub fn without_planner(mut self) -> Self {
        self.settings = &[("PLANNER", "none")];
        self
    }

    fn from(mut self, a: &'static str) -> Self {
        self.a = a;
        self
    }

    fn to(mut self, b: &'static str) -> Self {
        self.b = b;
        self
    }

    fn limited(mut self, limit: impl Fn(&mut Limits)) -> Self {
        limit(&mut self.limits);
        self
    }

    fn failing(mut self, provider: SandboxProvider, kind: &str) -> Self {
        assert!(fault_kinds_of(provider).contains(&kind), "{kind}");
        let name = provider.name();
        let plan = format!(r#"[{{"provider":"{name}","from":1,"kind":"{kind}"}}]"#);
        self.options.faults = FaultPlan::parse(&plan).unwrap();
        self
    }

    pub fn request(&self) -> Request {
        Request {
            sources: Vec::new(),
            person_a: Name::parse(self.a).unwrap().into(),
            person_b: Name::parse(self.b).unwrap().into(),
            avoid: Vec::new(),
            limits: self.limits.clone(),
        }
    }

    pub fn simulation(&self) -> Simulation {
        let world = World::parse(WORLD).unwrap();
        let sandbox = Sandbox::new(world, self.options.clone());
        let simulation = Simulation::new(sandbox, self.settings).unwrap();
        let simulation = simulation.with_faults(self.troubles.clone());
        match self.stop_after {
            Some(events) => simulation.stopped_after(events),
            None => simulation,
        }
    }

    /// The run's sealed file.
    pub fn sealed(&self) -> String {
        let mut simulation = self.simulation();
        simulation.open(&self.request(), None).unwrap();
        simulation.conduct_to_end().unwrap();
        sealed(&simulation)
    }
}

pub fn sealed(simulation: &Simulation) -> String {
    let run = simulation.conducted();
    let events: Vec<&str> = run.events.iter().map(|event| event.json.as_str()).collect();
    seal(&run.journal, &events, Some(&key())).unwrap()
}

/// Returns every ending with a run that leads to it.
pub fn endings(plan: Plan) -> Vec<(&'static str, RunSetup)> {
    let setup = || RunSetup::new(plan);
    let google = |kind| setup().failing(SandboxProvider::Google, kind);
    let dies_again_and_again = (0..5).map(|life| InjectedFault {
        at: None,
        number: 4 + 2 * life,
        when: FaultTiming::Before,
        kind: FaultKind::Crash,
    });
    vec![
        (
            "final",
            setup().limited(|limits| limits.words = WordUse::Hints),
        ),
        (
            "no_path-hop_limit",
            setup().to("Bob").limited(|limits| limits.hops = 2),
        ),
        (
            "no_path-search_budget",
            setup().limited(|limits| limits.searches_max = 2),
        ),
        (
            "no_path-recognition_budget",
            setup().limited(|limits| limits.recognitions_max = 1),
        ),
        ("no_path-runtime_budget", {
            let mut slow = setup().limited(|limits| limits.runtime_ms_max = 1_000);
            slow.options.latency = Latency {
                google_ms: 400,
                image_ms: 400,
                rekognition_ms: 400,
                gemini_ms: 400,
                ..Latency::NONE
            };
            slow
        }),
        (
            "no_path-no_candidates",
            setup()
                .from("Cid")
                .limited(|limits| limits.searches_max = 50),
        ),
        ("no_path-unknown_person", setup().to("Nemo Nobody")),
        (
            "no_path-no_readable_photos",
            setup().failing(SandboxProvider::Image, "forbidden"),
        ),
        ("no_path-stopped", {
            let mut stopped = setup();
            stopped.stop_after = Some(5);
            stopped
        }),
        ("error-provider_throttled", google("quota-minute")),
        ("error-provider_quota", google("quota-day")),
        ("error-provider_closed", google("closed")),
        ("error-provider_refused", google("invalid-value")),
        ("error-provider_down", google("server-error-500")),
        ("error-misconfigured", google("bad-key")),
        ("error-internal", {
            let mut dying = setup();
            dying.troubles = dies_again_and_again.collect();
            dying
        }),
    ]
}
