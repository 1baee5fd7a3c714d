//! Measures the engine's own time, excluding the calls that it makes.

use std::time::Duration;

use serde_json::{Value, json};

use kernel::Millis;
use workflow::machine::graph::Workflow;
use workflow::machine::{
    Answer, Block, Dialect, Input, Limits, Order, Outcome, ToolResult, WorkflowRun,
};

/// The number of nodes of the measured graph.
const NODES: usize = 10_000;
/// The number of iterations of the measured loop.
const ITERATIONS: u32 = 100_000;

/// Measures the engine and returns the figures as lines. `elapsed` returns the time since a fixed moment.
#[must_use]
pub fn measure_engine(elapsed: &impl Fn() -> Duration) -> String {
    let text = chain().to_string();
    let (json, parsed_ms) = timed(elapsed, || {
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        json
    });
    let (read, read_ms) = timed(elapsed, || Workflow::from_json(&json).ok());
    let (whole, whole_ms) = timed(elapsed, || Workflow::parse(text.as_bytes()).is_ok());
    let Some(workflow) = read else {
        return "the graph that is measured cannot be read\n".to_owned();
    };
    let ordered = order(workflow);
    let (run, validated_ms) = timed(elapsed, || WorkflowRun::new(ordered).ok());
    let (steps, walked_ms) = timed(elapsed, || run.map(walk));
    let looped = Workflow::from_json(&endless_loop()).ok().map(order);
    let run = looped.and_then(|order| WorkflowRun::new(order).ok());
    let (loop_steps, looped_ms) = timed(elapsed, || run.map(walk));
    let micros = |ms: f64, steps: Option<u32>| 1_000.0 * ms / f64::from(steps.unwrap_or(1));
    format!(
        "{NODES} nodes of a chain, {} bytes: parsed in {parsed_ms:.1} ms, read in {read_ms:.1} ms \
         (with its weight {whole_ms:.1} ms, {}), validated in {validated_ms:.1} ms, \
         walked with a call each in {walked_ms:.1} ms, {:.2} us a node\n\
         {ITERATIONS} iterations of a loop with a condition: {looped_ms:.1} ms, {:.2} us a node\n",
        text.len(),
        if whole { "accepted" } else { "refused" },
        micros(walked_ms, steps),
        micros(looped_ms, loop_steps),
    )
}

fn timed<T>(elapsed: &impl Fn() -> Duration, work: impl FnOnce() -> T) -> (T, f64) {
    let began = elapsed();
    let made = work();
    (
        made,
        (elapsed().saturating_sub(began)).as_secs_f64() * 1_000.0,
    )
}

/// Answers each call of a run at once, and returns the number of nodes that were visited.
fn walk(mut run: WorkflowRun) -> u32 {
    let mut now = 0;
    run.handle(Input::Start, Millis(now));
    loop {
        while run.next_notice().is_some() {}
        let Some(command) = run.next_command() else {
            return run.spent().steps;
        };
        now += 1;
        let result = ToolResult {
            blocks: vec![Block::Text("{\"state\":\"ready\",\"count\":3}".to_owned())],
            ..ToolResult::default()
        };
        let answer = Answer {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
            outcome: Outcome::Called(Ok(result)),
            remarks: Vec::new(),
        };
        run.handle(Input::Answer(answer), Millis(now));
    }
}

fn order(workflow: Workflow) -> Order {
    Order {
        workflow,
        dialect: Dialect::Clickweave,
        servers: Vec::new(),
        limits: Limits {
            steps_max: u32::MAX,
            tool_calls_max: u32::MAX,
            runtime_ms_max: u64::MAX,
            ..Limits::default()
        },
    }
}

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn node(number: usize, node_type: &Value) -> Value {
    json!({
        "id": id(number), "node_type": node_type, "name": format!("Step {number}"),
        "position": {"x": 0, "y": 0}, "enabled": true, "retries": 0,
        "trace_level": "Minimal", "checks": [],
    })
}

fn edge(from: usize, to: usize, output: &Value) -> Value {
    json!({"from": id(from), "to": id(to), "output": output})
}

fn chain() -> Value {
    let call = json!({"type": "McpToolCall", "tool_name": "poll", "arguments": {"place": [1, 2]}});
    let nodes: Vec<_> = (1..=NODES).map(|number| node(number, &call)).collect();
    let edges: Vec<_> = (1..NODES)
        .map(|from| edge(from, from + 1, &Value::Null))
        .collect();
    json!({"id": id(0), "name": "chain", "nodes": nodes, "edges": edges})
}

/// Returns a loop whose body has no call.
fn endless_loop() -> Value {
    let condition = json!({
        "left": {"type": "Variable", "name": "nobody.knows"},
        "operator": "GreaterThan",
        "right": {"type": "Literal", "value": {"type": "Number", "value": 3}},
    });
    let nodes = [
        node(
            1,
            &json!({
                "type": "Loop", "exit_condition": condition, "max_iterations": ITERATIONS,
            }),
        ),
        node(2, &json!({"type": "If", "condition": condition})),
        node(3, &json!({"type": "EndLoop", "loop_id": id(1)})),
    ];
    let edges = [
        edge(1, 2, &json!({"type": "LoopBody"})),
        edge(2, 3, &json!({"type": "IfTrue"})),
        edge(2, 3, &json!({"type": "IfFalse"})),
        edge(3, 1, &Value::Null),
    ];
    json!({"id": id(0), "name": "loop", "nodes": nodes, "edges": edges})
}
