//! A countdown, from the body of its request on, in memory.

use serde_json::Value;
use visual_degrees::engine::{Asked as _, Given};
use visual_degrees::engines::EngineName;
use visual_degrees::engines::countdown::{CountdownEngine, CountdownOrder};
use visual_degrees::rehearsal::{InjectedFault, Simulation};
use visual_degrees::run_object::{Creation, Fork};
use visual_degrees::sandbox::{Rules, Sandbox, SandboxOptions, World};
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

/// The order that a body asks for, through the door as the Worker opens it: the newest row is asked first
/// whether the body is its own, reads it, and makes the order, which goes to the run's object as JSON.
pub fn order(simulation: &Simulation, body: &Value) -> CountdownOrder {
    let body = body.to_string();
    let (providers, caps) = simulation.operator();
    let taken = EngineName::by_body().next();
    assert!(taken.unwrap().is::<CountdownEngine>());
    let wanted = CountdownEngine::read(body.as_bytes(), caps)
        .unwrap()
        .unwrap();
    let given = Given {
        stored: None,
        forked: None,
        providers,
        caps,
    };
    let order = CountdownEngine::accept(wanted, given).unwrap();
    let creation: Creation<CountdownEngine> = Creation {
        run: RUN.to_owned(),
        order,
        creator: None,
        fork: None,
        host: None,
        starter: None,
        key: None,
        kept_until_ms: None,
    };
    let json = serde_json::to_string(&creation).unwrap();
    assert_eq!(EngineName::of_holder(&json), taken);
    let creation: Creation<CountdownEngine> = serde_json::from_str(&json).unwrap();
    creation.order
}

/// Conducts the run of a body to its end.
pub fn conducted(body: &Value, faults: Vec<InjectedFault>) -> Simulation {
    forked(body, None, faults)
}

pub fn forked(
    body: &Value,
    fork: Option<Fork<CountdownEngine>>,
    faults: Vec<InjectedFault>,
) -> Simulation {
    let mut simulation = simulation(faults);
    let order = order(&simulation, body);
    simulation.open_order::<CountdownEngine>(order, fork);
    simulation.conduct_to_end().unwrap();
    simulation
}

pub fn events(simulation: &Simulation) -> Vec<Value> {
    let events = simulation.conducted().events;
    let read = |json: &str| serde_json::from_str(json).unwrap();
    events.iter().map(|event| read(&event.json)).collect()
}

/// What each event tells, without when and at which cost.
pub fn story(simulation: &Simulation) -> Vec<String> {
    let told = |event: &Value| format!("{} {}: {}", event["type"], event["left"], event["message"]);
    events(simulation).iter().map(told).collect()
}

/// The numbers that the provider was asked for.
pub fn numbers_asked(simulation: &Simulation) -> usize {
    let calls = simulation.conducted().calls;
    calls.iter().filter(|(name, ..)| name == "serper").count()
}

pub fn sealed(simulation: &Simulation) -> String {
    let run = simulation.conducted();
    let events: Vec<&str> = run.events.iter().map(|event| event.json.as_str()).collect();
    seal(&run.journal, &events, None).unwrap()
}
