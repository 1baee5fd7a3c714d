//! Conducts countdowns in memory, from the request's body on.

use countdown::CountdownEngine;
use devtools::rehearsal::{InjectedFault, START_MS, Simulation};
use sandbox::{Rules, Sandbox, SandboxOptions, World};
use serde_json::Value;
use serde_json::value::RawValue;
use visual_degrees::engines::EngineName;
use visual_degrees::run_object::{Beginning, CreationJson, Fork};
use visual_degrees::sealed::seal;

const WORLD: &str = r#"{"name": "Small", "source": "written for this test", "license": "CC0-1.0",
    "photos": [["Ann", "Xia"], ["Xia", "Bob"], ["Ann", "Xia"], ["Xia", "Bob"]]}"#;

pub const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

pub fn simulation(faults: Vec<InjectedFault>) -> Simulation {
    let options = SandboxOptions {
        rules: Rules {
            miss: 0.0,
            ..Rules::default()
        },
        bad_images: false,
        ..SandboxOptions::default()
    };
    let sandbox = Sandbox::new(World::parse(WORLD).unwrap(), options);
    let settings = [("PLANNER", "none")];
    Simulation::new(sandbox, &settings)
        .unwrap()
        .with_faults(faults)
}

/// Returns the beginning of the run for a body, accepted as by the Worker and the run's object.
pub fn beginning(
    simulation: &Simulation,
    body: &Value,
    fork: Option<Fork<Box<RawValue>>>,
) -> Beginning {
    let (providers, caps) = simulation.operator();
    let wanted = EngineName::wanted(body.to_string().as_bytes(), caps);
    let wanted = wanted
        .unwrap()
        .unwrap_or_else(|problem| panic!("{problem:?}"));
    assert!(wanted.engine().is::<CountdownEngine>());
    let secrets = wanted.secrets();
    let order = wanted.accept(None, None, (providers, caps)).unwrap();
    let creation = CreationJson {
        run: RUN.to_owned(),
        order,
        creator: None,
        fork,
        secrets,
        host: Some("example.org".to_owned()),
        starter: None,
        key: None,
        kept_until_ms: None,
    };
    let json = serde_json::to_string(&creation).unwrap();
    Beginning::read(&json, providers, START_MS, 3_600).unwrap()
}

/// Conducts the run of a body to its end.
pub fn conducted(body: &Value, faults: Vec<InjectedFault>) -> Simulation {
    forked(body, None, faults)
}

pub fn forked(
    body: &Value,
    fork: Option<Fork<Box<RawValue>>>,
    faults: Vec<InjectedFault>,
) -> Simulation {
    begun(simulation(faults), body, fork)
}

/// Conducts the run of a body to its end, in this simulation.
pub fn begun(
    simulation: Simulation,
    body: &Value,
    fork: Option<Fork<Box<RawValue>>>,
) -> Simulation {
    let beginning = beginning(&simulation, body, fork);
    simulation.begin(&beginning);
    simulation.conduct_to_end().unwrap();
    simulation
}

pub fn events(simulation: &Simulation) -> Vec<Value> {
    let events = simulation.conducted().events;
    let read = |json: &str| serde_json::from_str(json).unwrap();
    events.iter().map(|event| read(&event.json)).collect()
}

/// Returns the content of each event, without times and costs.
pub fn story(simulation: &Simulation) -> Vec<String> {
    let told = |event: &Value| format!("{} {}: {}", event["type"], event["left"], event["message"]);
    events(simulation).iter().map(told).collect()
}

/// Returns the number of numbers requested from the provider.
pub fn numbers_asked(simulation: &Simulation) -> usize {
    let calls = simulation.conducted().calls;
    calls.iter().filter(|(name, ..)| name == "serper").count()
}

pub fn sealed(simulation: &Simulation) -> String {
    let run = simulation.conducted();
    let events: Vec<&str> = run.events.iter().map(|event| event.json.as_str()).collect();
    seal(&run.journal, &events, None).unwrap()
}
