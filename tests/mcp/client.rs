//! The client of the Model Context Protocol on real sockets, for the protocol's conformance suite:
//! `mcp_client ADDRESS` lists a server's tools and calls each of them once. The suite's variables
//! name the revision and, for some scenarios, the calls.
//!
//! `mcp_client ADDRESS TOOL ARGUMENTS` calls one tool and prints its answer.

#![allow(clippy::indexing_slicing)]

use std::io::Read as _;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Map, Value, json};
use visual_degrees::mcp::{
    CallFailure, CallResult, Connection, Content, Exchange, Operation, Reply, Server, Step, Tool,
};

/// No answer is waited for any longer.
const ANSWER_MAX: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(address) = arguments.next() else {
        eprintln!("mcp_client: an address is missing");
        return ExitCode::from(2);
    };
    let call = arguments.next().zip(arguments.next());
    match run(&address, call) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("mcp_client: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(address: &str, call: Option<(String, String)>) -> Result<(), CallFailure> {
    let refused = |says: &str| CallFailure::Refused(says.to_owned());
    let version = std::env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").ok();
    let server = Server {
        address: address.parse().map_err(|_| refused("that is no address"))?,
        headers: Vec::new(),
        // The suite says for which revision it tests; the newest one is found out.
        version: version.filter(|version| version != visual_degrees::mcp::MODERN),
    };
    let agent = agent();
    let mut connection = Connection::new(server, 0);
    let listed;
    (connection, listed) = conduct(&agent, connection, Operation::ListTools);
    listed?;
    let calls = match call {
        Some((tool, arguments)) => {
            let arguments = serde_json::from_str(&arguments);
            vec![(
                tool,
                arguments.map_err(|_| refused("the arguments are no JSON"))?,
            )]
        }
        None => calls(connection.tools().unwrap_or_default()),
    };
    for (tool, arguments) in calls {
        let operation = Operation::CallTool {
            tool,
            arguments: Some(arguments),
        };
        let (known, reply) = conduct(&agent, connection, operation);
        connection = known;
        match reply {
            Ok(Reply::Called(result)) => tell(&result),
            Ok(Reply::Listed) => {}
            // A tool that says no is no fault of the client's.
            Err(CallFailure::Refused(says)) => println!("refused: {says}"),
            Err(failure) => return Err(failure),
        }
    }
    if let Some(request) = connection.ending() {
        let _ = send(&agent, request);
    }
    Ok(())
}

fn tell(result: &CallResult) {
    if result.is_error {
        println!("the tool failed:");
    }
    for content in &result.content {
        match content {
            Content::Text(text) => println!("{text}"),
            Content::Image(media) | Content::Audio(media) => {
                println!("{} of {} bytes", media.mime_type, media.bytes.len());
            }
            Content::Other(json) => println!("{json}"),
        }
    }
    if let Some(structured) = &result.structured {
        println!("structured: {structured}");
    }
}

/// The calls that the suite wants, or one of each tool.
fn calls(tools: &[Tool]) -> Vec<(String, Value)> {
    let context = std::env::var("MCP_CONFORMANCE_CONTEXT").ok();
    let context: Option<Value> = context.and_then(|json| serde_json::from_str(&json).ok());
    let wanted = context
        .as_ref()
        .and_then(|context| context.get("toolCalls"));
    if let Some(wanted) = wanted.and_then(Value::as_array) {
        let call = |call: &Value| {
            let name = call.get("name")?.as_str()?.to_owned();
            Some((name, call.get("arguments").cloned().unwrap_or_default()))
        };
        return wanted.iter().filter_map(call).collect();
    }
    let arguments = tools
        .iter()
        .map(|tool| (tool.name.clone(), arguments(tool, tools)));
    arguments.collect()
}

/// Arguments of the types that a tool's schema names. One that asks for a schema gets the first
/// tool's, as this client has it.
fn arguments(tool: &Tool, tools: &[Tool]) -> Value {
    let properties = tool.schema.get("properties").and_then(Value::as_object);
    let argument = |(name, property): (&String, &Value)| {
        let value = match property.get("type").and_then(Value::as_str) {
            Some("number" | "integer") => json!(3),
            Some("boolean") => json!(true),
            Some("array") => json!([]),
            Some("object") if name == "schema" => tools
                .first()
                .map(|first| first.schema.clone())
                .unwrap_or_default(),
            Some("object") => json!({}),
            _ => json!("x"),
        };
        (name.clone(), value)
    };
    let arguments: Map<String, Value> = properties.into_iter().flatten().map(argument).collect();
    Value::Object(arguments)
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(ANSWER_MAX))
        .build();
    config.into()
}

type Answer = ureq::http::Response<ureq::Body>;

fn send(agent: &ureq::Agent, request: http::Request<Vec<u8>>) -> Result<Answer, ureq::Error> {
    let (head, body) = request.into_parts();
    if head.method == http::Method::POST {
        return agent.run(http::Request::from_parts(head, body));
    }
    agent.run(http::Request::from_parts(head, ()))
}

/// Drives one exchange, as the session does.
fn conduct(
    agent: &ureq::Agent,
    connection: Connection,
    operation: Operation,
) -> (Connection, Result<Reply, CallFailure>) {
    let mut exchange = Exchange::new(connection, operation);
    let mut step = exchange.begin();
    let mut answer: Option<Answer> = None;
    loop {
        while let Some(aside) = exchange.aside() {
            let _ = send(agent, aside);
        }
        for progress in exchange.take_progress() {
            println!("progress: {} of {:?}", progress.progress, progress.total);
        }
        step = match step {
            Step::Done(result) => return (exchange.into_connection(), result),
            Step::Pause(ms) => {
                std::thread::sleep(Duration::from_millis(ms));
                exchange.go_on()
            }
            Step::Send(request) => match send(agent, request) {
                Err(_) => exchange.take_nothing(),
                Ok(head) => {
                    let next = exchange.take_head(head.status(), head.headers());
                    answer = Some(head);
                    next
                }
            },
            Step::Read => {
                let mut piece = [0; 4_096];
                let body = answer.as_mut().map(ureq::http::Response::body_mut);
                match body.map(|body| body.as_reader().read(&mut piece)) {
                    Some(Ok(length)) if length > 0 => exchange.take_bytes(&piece[..length]),
                    Some(Ok(_)) => exchange.take_end(true),
                    Some(Err(_)) | None => exchange.take_end(false),
                }
            }
        };
    }
}
