//! A workflow of thirty calls to third-party servers on real sockets, whose process dies at each journal entry and at
//! each call: `workflow_kills MEMORY EVERYTHING`, the addresses of a proxy for the memory server, and of the reference
//! server.
//!
//! Exits with 1 and a message if a non-repeatable call was repeated, or a call is missing.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod socket;
mod thirty_calls;

use std::rc::Rc;

use devtools::rehearsal::simulation::{
    FaultKind, FaultTiming, InjectedFault, Operation, ProcessEnd, SimulatedRun, Simulation,
};
use sandbox::{Sandbox, SandboxOptions, World, own_world};
use serde_json::{Value, json};
use workflow::requests::WorkflowRequest;
use workflow::wire::WorkflowEngine;

use socket::RealServers;
use thirty_calls::{CALLS, may_be_repeated, workflow};

fn main() {
    let addresses: Vec<String> = std::env::args().skip(1).collect();
    assert_eq!(addresses.len(), 2, "two addresses are wanted");
    let world = own_world().unwrap();
    for is_trusted in [false, true] {
        let bench = Bench {
            world: world.clone(),
            addresses: addresses.clone(),
            is_trusted,
        };
        bench.kill_everywhere();
    }
}

struct Bench {
    /// Drawn up once.
    world: World,
    addresses: Vec<String>,
    is_trusted: bool,
}

/// The events of a run, and the calls really executed.
struct Conducted {
    run: SimulatedRun,
    executed: Vec<String>,
}

impl Bench {
    fn kill_everywhere(&self) {
        let reference = self.conduct(Vec::new());
        let last = last(&reference.run);
        assert_eq!(last["type"], "completed", "{last}");
        assert_eq!(reference.executed.len(), CALLS);
        let (mut whole, mut unknown, mut repeated) = (0, 0, 0);
        for at in [Operation::Keep, Operation::Tool] {
            let operations = reference.run.operations.iter();
            let count = operations.filter(|operation| **operation == at).count();
            for number in 1..=u32::try_from(count).unwrap() {
                for when in FaultTiming::ALL {
                    let what = format!("{at:?} {number} {when:?}, trusted {}", self.is_trusted);
                    let at = Some(at);
                    let kind = FaultKind::Crash;
                    let crash = InjectedFault {
                        at,
                        number,
                        when,
                        kind,
                    };
                    let killed = self.conduct(vec![crash]);
                    repeated += self.check_calls(&reference.executed, &killed.executed, &what);
                    if check_end(&reference, &killed, &what) {
                        whole += 1;
                    } else {
                        unknown += 1;
                    }
                }
            }
        }
        println!(
            "{}: {} kills; {whole} runs went on to the same end, {unknown} stopped with an unknown outcome; \
             0 calls doubled, 0 lost, {repeated} repeated as their hints allow",
            if self.is_trusted {
                "trusted servers"
            } else {
                "servers that are not trusted"
            },
            whole + unknown,
        );
        assert!(unknown > 0 && whole > unknown, "{whole} {unknown}");
        assert_eq!(repeated > 0, self.is_trusted);
    }

    fn conduct(&self, faults: Vec<InjectedFault>) -> Conducted {
        let servers = json!({
            "memory": {"url": self.addresses[0], "trusted": self.is_trusted},
            "everything": {"url": self.addresses[1], "trusted": self.is_trusted},
        });
        let real = Rc::new(RealServers::new(&self.addresses));
        let sandbox = Sandbox::new(self.world.clone(), SandboxOptions::default());
        let settings = [("MCP_SERVERS", &*servers.to_string())];
        let simulation = Simulation::new(sandbox, &settings).unwrap();
        let mut simulation = simulation
            .with_tool_servers(real.clone())
            .with_faults(faults);
        let body = json!({"workflow": workflow(), "servers": ["memory", "everything"]}).to_string();
        let wanted = WorkflowRequest::from_body(body.as_bytes())
            .unwrap()
            .unwrap();
        let (providers, caps) = simulation.operator();
        let order = wanted.accept(None, None, providers, caps).unwrap();
        simulation.open_order::<WorkflowEngine>(order, None);
        assert_eq!(simulation.conduct_to_end().unwrap(), ProcessEnd::Done);
        Conducted {
            run: simulation.conducted(),
            executed: real.take_calls(),
        }
    }

    /// Checks that calls are in order and only repeatable ones repeated; returns the number of repetitions.
    fn check_calls(&self, expected: &[String], executed: &[String], what: &str) -> usize {
        let mut wanted = expected.iter().peekable();
        let mut before: Option<&String> = None;
        let mut repeated = 0;
        for call in executed {
            if before == Some(call) && wanted.peek() != Some(&call) {
                let is_allowed = self.is_trusted && may_be_repeated(call);
                assert!(is_allowed, "{what}: {call} was called again");
                repeated += 1;
                continue;
            }
            assert_eq!(wanted.next(), Some(call), "{what}: {executed:#?}");
            before = Some(call);
        }
        repeated
    }
}

/// Returns whether the run ended the same. Otherwise it must say that an outcome is unknown, and where to look.
fn check_end(reference: &Conducted, killed: &Conducted, what: &str) -> bool {
    let last = last(&killed.run);
    if last["type"] == "completed" {
        let calls = killed
            .executed
            .iter()
            .collect::<std::collections::BTreeSet<_>>();
        let expected = reference.executed.iter().collect();
        assert_eq!(calls, expected, "{what}: a call is missing");
        assert_eq!(story(&killed.run), story(&reference.run), "{what}");
        return true;
    }
    assert_eq!(
        last["payload"]["reason"], "unknown_outcome",
        "{what}: {last}"
    );
    let message = last["payload"]["message"].as_str().unwrap();
    assert!(message.contains("look at the server"), "{what}: {message}");
    let journal = killed.run.journal.iter();
    let answers =
        journal.filter(|entry| entry.starts_with("{\"answer\"") && entry.contains("\"called\""));
    assert!(
        killed.executed.len() <= answers.count(),
        "{what}: something was called after it"
    );
    false
}

fn last(run: &SimulatedRun) -> Value {
    serde_json::from_str(&run.events.last().unwrap().json).unwrap()
}

/// Returns the content of each event, without times and durations.
fn story(run: &SimulatedRun) -> Vec<Value> {
    let events = run.events.iter().map(|event| {
        let mut json: Value = serde_json::from_str(&event.json).unwrap();
        json["timestamp"] = Value::Null;
        if let Some(spent) = json.pointer_mut("/payload/spent") {
            *spent = Value::Null;
        }
        json
    });
    events.collect()
}
