//! Conducts workflows with a sandbox in memory, and records what was really executed there.

use std::cell::OnceCell;

use devtools::rehearsal::simulation::{InjectedFault, ProcessEnd, SimulatedRun, Simulation};
use sandbox::{Sandbox, SandboxOptions, World, own_world};
use serde_json::{Value, json};
use workflow::requests::WorkflowRequest;
use workflow::wire::{WorkflowEngine, WorkflowOrder};

/// The built-in world, parsed once.
fn world() -> World {
    thread_local! {
        static WORLD: OnceCell<World> = const { OnceCell::new() };
    }
    WORLD.with(|world| world.get_or_init(|| own_world().unwrap()).clone())
}

/// A run of a workflow, with its environment.
pub struct Bench {
    pub simulation: Simulation,
    server: String,
}

impl Bench {
    /// Makes a run with a server at this path of the sandbox, like `/mcp/desk?fault=cut-stream@2`.
    pub fn new(server: &str, is_trusted: bool) -> Self {
        Self::with_headers(server, is_trusted, &json!({}))
    }

    /// Makes a run whose server gets these headers.
    pub fn with_headers(server: &str, is_trusted: bool, headers: &Value) -> Self {
        let sandbox = Sandbox::new(world(), SandboxOptions::default());
        let origin = SandboxOptions::default().origin;
        let servers = json!({"desk": {"url": format!("{origin}{server}"), "trusted": is_trusted, "headers": headers}});
        let settings = [("MCP_SERVERS", &*servers.to_string())];
        Self {
            simulation: Simulation::new(sandbox, &settings).unwrap(),
            server: server.split('?').next().unwrap().to_owned(),
        }
    }

    pub fn with_faults(self, faults: Vec<InjectedFault>) -> Self {
        Self {
            simulation: self.simulation.with_faults(faults),
            ..self
        }
    }

    /// Returns the order for this body of `POST /runs`.
    pub fn order(&self, body: &Value) -> WorkflowOrder {
        let body = body.to_string();
        let wanted = WorkflowRequest::from_body(body.as_bytes())
            .unwrap()
            .unwrap();
        let (providers, caps) = self.simulation.operator();
        wanted.accept(None, None, providers, caps).unwrap()
    }

    /// Conducts this workflow to its end.
    pub fn conduct(&mut self, workflow: &Value, options: &Value) -> SimulatedRun {
        let order = self.order(&json!({"workflow": workflow, "options": options}));
        self.simulation.open_order::<WorkflowEngine>(order, None);
        let end = self.simulation.conduct_to_end().unwrap();
        assert_eq!(end, ProcessEnd::Done);
        self.simulation.conducted()
    }

    /// Returns the calls really executed, as `tool {arguments}`.
    pub fn executed(&self) -> Vec<String> {
        let request = http::Request::get(format!("http://sandbox{}/log", self.server));
        let answer = self
            .simulation
            .ask_sandbox(request.body(Vec::new()).unwrap());
        let log: Value = serde_json::from_slice(answer.body()).unwrap();
        let calls = log.get("calls").unwrap_or(&log).as_array().unwrap().iter();
        let calls =
            calls.map(|call| format!("{} {}", call["tool"].as_str().unwrap(), call["arguments"]));
        calls.collect()
    }
}

/// Returns the events' types in order, with the node's name if there is one.
pub fn told(run: &SimulatedRun) -> Vec<String> {
    let events = run.events.iter().map(|event| {
        let json: Value = serde_json::from_str(&event.json).unwrap();
        match json["nodeName"].as_str() {
            Some(node) => format!("{} {node}", event.kind),
            None => event.kind.to_owned(),
        }
    });
    events.collect()
}

/// Returns the last event.
pub fn last(run: &SimulatedRun) -> Value {
    serde_json::from_str(&run.events.last().unwrap().json).unwrap()
}

/// Returns the page's example, with two people of the sandbox's world.
pub fn example() -> Value {
    let text = include_str!("../../public/example-workflow.json");
    let mut workflow: Value = serde_json::from_str(text).unwrap();
    let (a, b) = world().example().unwrap();
    for node in workflow["nodes"].as_array_mut().unwrap() {
        if node["node_type"]["type"] == "Investigation" {
            node["node_type"]["a"] = json!(a);
            node["node_type"]["b"] = json!(b);
        }
    }
    workflow
}
