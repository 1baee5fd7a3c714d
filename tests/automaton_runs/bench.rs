//! A simulated shop, an automaton that buys in it, and helpers to conduct its runs.

use devtools::rehearsal::{InjectedFault, PageWorld, START_MS, Simulation};
use sandbox::{Sandbox, SandboxOptions, World};
use serde_json::{Value, json};
use visual_degrees::engines::EngineName;
use visual_degrees::run_object::{Beginning, CreationJson};
use visual_degrees::sealed::seal;

/// A world of one photo, required by the sandbox.
const WORLD: &str = r#"{"name": "Small", "source": "written for this test", "license": "CC0-1.0",
    "photos": [["Ann", "Bob"]]}"#;
pub const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";
pub const PASSWORD: &str = "correct-horse-battery";

/// The shop: `steps` pages from the log-in to the order.
pub fn shop(steps: usize) -> PageWorld {
    let login = [
        ("Welcome", "h1"),
        ("Name", "input.name"),
        ("Password", "input.word"),
        ("Log in", "button.in"),
    ];
    let mut world = PageWorld::default()
        .with_page("https://shop.example/", &login)
        .with_link(
            "https://shop.example/",
            "button.in",
            "https://shop.example/1",
        );
    for step in 1..=steps {
        let url = format!("https://shop.example/{step}");
        let title = format!("Step {step}");
        world = world
            .with_page(&url, &[(title.as_str(), "h1"), ("Buy", "button.buy")])
            .with_link(
                &url,
                "button.buy",
                &format!("https://shop.example/{}", step + 1),
            );
    }
    let end = format!("https://shop.example/{}", steps + 1);
    world.with_page(&end, &[("Thank you", "h1")])
}

/// The automaton that buys: one state per page.
pub fn buyer(steps: usize) -> Value {
    let mut states = vec![
        state(
            "Begin",
            &[("url", "about:blank")],
            &["navigate_to('https://shop.example/')"],
            "",
        ),
        state(
            "Log in",
            &[("text", "Welcome")],
            &[
                "type('css selector', 'input.name', parameters['NAME'])",
                "type('css selector', 'input.word', parameters['PASSWORD'])",
                "click('css selector', 'button.in')",
            ],
            "",
        ),
        state("Done", &[("text", "Thank you")], &[], "Bought"),
    ];
    for step in 1..=steps {
        let title = format!("Step {step}");
        let checks = [("text", title.as_str())];
        states.push(state(
            &title,
            &checks,
            &["click('css selector', 'button.buy')"],
            "",
        ));
    }
    Value::Array(states)
}

pub fn state(name: &str, checks: &[(&str, &str)], actions: &[&str], end: &str) -> Value {
    let checks = checks.iter();
    let checks: Vec<Value> = checks
        .map(|(kind, value)| json!({"type": kind, "value": value}))
        .collect();
    json!({"name": name, "description": "", "checks": checks, "actions": actions, "end_state": end})
}

/// The request for a run of the buyer.
pub fn request(steps: usize) -> Value {
    json!({
        "automaton": buyer(steps),
        "parameters": {"NAME": "ada"},
        "secrets": {"PASSWORD": PASSWORD},
    })
}

pub fn simulation(
    world: PageWorld,
    faults: Vec<InjectedFault>,
    more: &[(&str, &str)],
) -> Simulation {
    let sandbox = Sandbox::new(World::parse(WORLD).unwrap(), SandboxOptions::default());
    let mut settings = vec![
        ("PLANNER", "none"),
        ("BROWSER_CDP", "http://127.0.0.1:9333"),
    ];
    settings.extend(more);
    Simulation::new(sandbox, &settings)
        .unwrap()
        .with_page_world(world)
        .with_faults(faults)
}

/// Returns the beginning of the run for a body, accepted as by the Worker and the run's object.
pub fn beginning(simulation: &Simulation, body: &Value) -> Beginning {
    let (providers, caps) = simulation.operator();
    let wanted = EngineName::wanted(body.to_string().as_bytes(), caps);
    let wanted = wanted
        .unwrap()
        .unwrap_or_else(|problem| panic!("{problem:?}"));
    let secrets = wanted.secrets();
    let order = wanted
        .accept(None, None, (providers, caps))
        .unwrap_or_else(|problem| panic!("{problem:?}"));
    let creation = CreationJson {
        run: RUN.to_owned(),
        order,
        creator: None,
        fork: None,
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
pub fn conducted(body: &Value, world: PageWorld, faults: Vec<InjectedFault>) -> Simulation {
    let simulation = simulation(world, faults, &[]);
    simulation.begin(&beginning(&simulation, body));
    simulation.conduct_to_end().unwrap();
    simulation
}

pub fn events(simulation: &Simulation) -> Vec<Value> {
    let events = simulation.conducted().events;
    let read = |json: &str| serde_json::from_str(json).unwrap();
    events.iter().map(|event| read(&event.json)).collect()
}

pub fn last(simulation: &Simulation) -> Value {
    events(simulation).pop().unwrap()
}

/// The sealed file of a run.
pub fn sealed(simulation: &Simulation) -> String {
    let run = simulation.conducted();
    let told: Vec<&str> = run.events.iter().map(|event| event.json.as_str()).collect();
    seal(&run.journal, &told, None).unwrap()
}
