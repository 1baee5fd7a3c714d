//! The workflow engine's parsers: workflows, executed if valid, and MCP servers' answers.

use domain::chat::{ChatReply, ModelToolCall};
use http::{HeaderMap, HeaderValue, StatusCode};
use kernel::Millis;
use mcp::{Connection, Exchange, Operation, Server, Step};
use workflow::machine::graph::{WORKFLOW_WEIGHT_MAX, Workflow};
use workflow::machine::{
    Action, Answer, AutomateEnd, Block, ChildEnd, Dialect, Input, Limits, Order, Outcome,
    ToolDescription, ToolResult, WorkflowRun,
};

use super::corpus::texts;
use super::runner::Target;

/// The most steps of an executed workflow: most inputs are small.
const STEPS_MAX: u32 = 60;
/// The longest answer of a server, in bytes.
const ANSWER_BYTES_MAX: usize = 8_000_000;

const WORKFLOW_WORDS: [&str; 24] = [
    "\"type\":\"If\"",
    "\"type\":\"Loop\"",
    "\"type\":\"EndLoop\"",
    "\"type\":\"Switch\"",
    "\"type\":\"AiStep\",\"prompt\":\"p\"",
    "\"type\":\"LoopBody\"",
    "\"type\":\"LoopDone\"",
    "\"type\":\"IfTrue\"",
    "\"type\":\"Variable\",\"name\":\"a.result\"",
    "\"operator\":\"Contains\"",
    "\"operator\":\"GreaterThan\"",
    "\"max_iterations\":0",
    "\"retries\":4294967295",
    "\"enabled\":false",
    "\"target\":\"Save\"",
    "00000000-0000-4000-8000-000000000001",
    "00000000-0000-4000-8000-000000000002",
    "null",
    "[]",
    "{}",
    "1e308",
    "\\u0130",
    "\"checks\":[{\"name\":\"c\",\"check_type\":\"TextPresent\",\"params\":{},\"on_fail\":\"WarnOnly\"}]",
    "\"method\":\"AppName\"",
];
const ANSWER_WORDS: [&str; 18] = [
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":",
    "\"error\":{\"code\":-32022,\"data\":{\"supported\":[\"2026-07-28\"]}}",
    "\"resultType\":\"input_required\"",
    "\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"properties\":{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"X\"}}}}]",
    "\"nextCursor\":\"2\"",
    "\"content\":[{\"type\":\"image\",\"data\":\"AAE=\",\"mimeType\":\"image/png\"}]",
    "\"method\":\"ping\"",
    "\"method\":\"notifications/progress\",\"params\":{\"progress\":1}",
    "\"protocolVersion\":\"2025-11-25\"",
    "data: ",
    "id: e1\n",
    "retry: 5\n",
    "\n\n",
    "\r\n",
    "\u{feff}",
    "null",
    "[[",
    "\\ud800",
];

const GRAPH: &str = r#"{"id":"00000000-0000-4000-8000-000000000000","name":"w","nodes":[
{"id":"00000000-0000-4000-8000-000000000001","node_type":{"type":"Loop","exit_condition":{"left":{"type":"Variable","name":"a.x"},"operator":"Equals","right":{"type":"Literal","value":{"type":"Number","value":3}}},"max_iterations":3},"position":{"x":0,"y":0},"name":"L","enabled":true,"retries":0,"trace_level":"Minimal","checks":[]},
{"id":"00000000-0000-4000-8000-000000000002","node_type":{"type":"McpToolCall","tool_name":"find_text","arguments":{"text":"a"}},"position":{"x":0,"y":0},"name":"a","enabled":true,"retries":1,"trace_level":"Off","checks":[]},
{"id":"00000000-0000-4000-8000-000000000003","node_type":{"type":"EndLoop","loop_id":"00000000-0000-4000-8000-000000000001"},"position":{"x":0,"y":0},"name":"E","enabled":true,"retries":0,"trace_level":"Full","checks":[]}],
"edges":[{"from":"00000000-0000-4000-8000-000000000001","to":"00000000-0000-4000-8000-000000000002","output":{"type":"LoopBody"}},{"from":"00000000-0000-4000-8000-000000000002","to":"00000000-0000-4000-8000-000000000003"},{"from":"00000000-0000-4000-8000-000000000003","to":"00000000-0000-4000-8000-000000000001","output":null}]}"#;
const STEP: &str = r#"{"id":"00000000-0000-4000-8000-000000000000","name":"w","nodes":[
{"id":"00000000-0000-4000-8000-000000000001","node_type":{"type":"AiStep","prompt":"p","allowed_tools":["a"]},"position":{"x":0,"y":0},"name":"S","enabled":true,"timeout_ms":9,"settle_ms":5,"retries":0,"trace_level":"Minimal","expected_outcome":"o","checks":[]}],"edges":[]}"#;

pub fn all() -> Vec<Target> {
    vec![
        workflow(),
        answer("mcp-answer", "application/json"),
        answer("mcp-stream", "text/event-stream"),
    ]
}

fn workflow() -> Target {
    Target {
        name: "workflow",
        // The most memory of the parsed values.
        bound_bytes: WORKFLOW_WEIGHT_MAX,
        // Larger workflows behave no differently.
        bulky_bytes: 262_144,
        seeds: texts(&[GRAPH, STEP]),
        dictionary: &WORKFLOW_WORDS,
        read: Box::new(|bytes| {
            let Ok(workflow) = Workflow::parse(&bytes) else {
                return;
            };
            for dialect in [Dialect::Seed, Dialect::Clickweave, Dialect::Strict] {
                execute(Order {
                    workflow: workflow.clone(),
                    dialect,
                    servers: Vec::new(),
                    limits: Limits {
                        steps_max: STEPS_MAX,
                        trace_events_max: 100,
                        ..Limits::default()
                    },
                });
            }
        }),
    }
}

/// Answers each command with something, and checks that the run ends.
fn execute(order: Order) {
    let Ok(mut run) = WorkflowRun::new(order) else {
        return;
    };
    run.handle(Input::Start, Millis(0));
    let (mut now, mut notices) = (0, 0);
    loop {
        while run.next_notice().is_some() {
            notices += 1;
        }
        let Some(command) = run.next_command() else {
            break;
        };
        now += 1;
        let words = [
            "[{\"text\":\"a\",\"x\":3,\"y\":1}]",
            "{\"success\":false}",
            "[]",
            "{\"available_elements\":[\"b\"]}",
        ];
        let outcome = match &command.action {
            Action::CallTool(_) => Outcome::Called(Ok(ToolResult {
                blocks: vec![Block::Text(words[now % words.len()].to_owned())],
                is_error: now % 5 == 4,
                ..ToolResult::default()
            })),
            Action::ListTools { .. } => Outcome::Listed(Ok(vec![ToolDescription {
                name: "a".to_owned(),
                description: String::new(),
                schema: serde_json::Value::Null,
            }])),
            Action::Chat(question) => {
                let call = ModelToolCall {
                    id: "1".to_owned(),
                    tool: "a".to_owned(),
                    arguments: "{}".to_owned(),
                };
                let calls = question
                    .tools
                    .iter()
                    .take(1)
                    .map(|_| call.clone())
                    .collect();
                Outcome::Chatted(Ok(ChatReply {
                    text: "{\"name\":\"b\",\"pid\":1}".to_owned(),
                    calls,
                    ..ChatReply::default()
                }))
            }
            Action::Automate(_) => Outcome::Automated(Ok(AutomateEnd {
                run: "r".to_owned(),
                value: serde_json::Value::Null,
                message: "m".to_owned(),
            })),
            Action::Investigate(_) => Outcome::Investigated(Ok(ChildEnd {
                run: "s.r".to_owned(),
                path: Vec::new(),
                message: String::new(),
            })),
            Action::Wait { .. } => Outcome::Waited,
        };
        let answer = Answer {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 1,
            outcome,
            remarks: Vec::new(),
        };
        run.handle(Input::Answer(answer), Millis(now as u64));
    }
    assert!(run.is_ended(), "it waits for nothing and goes on for ever");
    assert!(notices < 400, "{notices} notices");
}

/// A server that always answers with the same bytes.
fn answer(name: &'static str, content_type: &'static str) -> Target {
    Target {
        name,
        bound_bytes: ANSWER_BYTES_MAX,
        bulky_bytes: 1_000_000,
        seeds: texts(&[
            &hostile_list(),
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"}}},"annotations":{"readOnlyHint":true}}],"ttlMs":1}}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"t"},{"type":"image","data":"AAE=","mimeType":"image/png"}],"structuredContent":{},"isError":true}}"#,
            "id: e1\nretry: 3\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}\n\nid: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\"}}\n\n",
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}}"#,
        ]),
        dictionary: &ANSWER_WORDS,
        read: Box::new(move |bytes| exchange(&bytes, content_type)),
    }
}

/// A list of one tool whose argument has a name of a megabyte and two hundred members that are to be sent as headers:
/// storing the whole path for each would take two hundred megabytes.
fn hostile_list() -> String {
    let headers = (0..200).map(|n| {
        let schema = serde_json::json!({"type": "string", "x-mcp-header": format!("H{n}")});
        (format!("p{n}"), schema)
    });
    let below = serde_json::json!({"properties": headers.collect::<serde_json::Map<_, _>>()});
    let name = "n".repeat(900_000);
    let schema = serde_json::json!({"properties": {name: below}});
    let tools = serde_json::json!([{"name": "a", "inputSchema": schema}]);
    let list = serde_json::json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}});
    // The first byte selects the response's status.
    format!(" {list}")
}

fn exchange(bytes: &[u8], content_type: &'static str) {
    let (status, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let status = [200, 200, 400, 404][usize::from(*status) % 4];
    let server = Server {
        address: http::Uri::from_static("https://tools.example.org/mcp"),
        headers: Vec::new(),
        version: None,
    };
    let operation = Operation::CallTool {
        tool: "a".to_owned(),
        arguments: Some(serde_json::json!({"x": "é"})),
    };
    let mut exchange = Exchange::new(Connection::new(server, 0), operation);
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static(content_type));
    let status = StatusCode::from_u16(status).expect("it is a status");
    let (mut step, mut steps, mut rest) = (exchange.begin(), 0, bytes);
    loop {
        steps += 1;
        assert!(steps < 10_000, "it asks for ever");
        while exchange.aside().is_some() {}
        step = match step {
            Step::Done(_) => return,
            Step::Pause(_) => exchange.go_on(),
            Step::Send(_) => {
                rest = bytes;
                exchange.take_head(status, &headers)
            }
            Step::Read if rest.is_empty() => exchange.take_end(bytes.len() % 2 == 0),
            Step::Read => {
                let (piece, after) = rest.split_at(rest.len().min(1 + rest.len() / 2));
                rest = after;
                exchange.take_bytes(piece)
            }
        };
    }
}
