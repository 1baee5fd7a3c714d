//! The MCP client on real sockets, for the protocol's conformance suite: `mcp_client ADDRESS` lists a server's tools
//! and calls each of them once. The suite's variables give the revision and, in some scenarios, the calls.
//!
//! `mcp_client ADDRESS TOOL ARGUMENTS` calls one tool and prints its answer.

mod socket;

use std::process::ExitCode;

use mcp::{CallFailure, CallResult, Connection, Content, Operation, Reply, Server, Tool};
use serde_json::{Map, Value, json};

use socket::{agent, conduct, send};

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
        // The suite gives the revision to test; the newest one is negotiated.
        version: version.filter(|version| version != mcp::MODERN),
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
            // A tool's refusal is no fault of the client.
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

/// Returns the suite's calls, or one of each tool.
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

/// Returns arguments of the types in a tool's schema. An argument that is a schema gets the first tool's, as parsed by
/// this client.
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
