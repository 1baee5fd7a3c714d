//! The protocol since 2026-07-28, in which there are no sessions and each request stands alone.
//!
//! //= MCP 2026-07-28, basic/transports/streamable-http

use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply};

use super::entrance::{refused_post, wrong_method};
use super::event_stream::EventStream;
use super::fault_replies::{LATE_MS, NEVER_MS, cut_json, message, pings, progress, reply};
use super::faults::McpFault;
use super::messages::{
    INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, RpcError, RpcRequest, id_of,
    parsed, read,
};
use super::mirrored::{mismatch, the_one};
use super::plan::ServerPlan;
use super::tool_list::page;
use super::versions::{HEADER_MISMATCH, LEGACY, MODERN, UNSUPPORTED_VERSION};
use super::workbench::Workbench;

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";
/// How long a client may cache a list, in milliseconds.
const LIST_MS: u64 = 300_000;

/// Returns whether a body declares a revision of this era.
pub(super) fn is_marked(body: &Value) -> bool {
    let meta = body.pointer("/params/_meta");
    meta.is_some_and(|meta| meta.get(VERSION_KEY).is_some())
}

/// Responds to a request of this era.
pub(super) fn answer(request: &ParsedRequest, bench: &mut Workbench, plan: &ServerPlan) -> Reply {
    if request.method != http::Method::POST {
        return wrong_method("POST");
    }
    if let Some(refused) = refused_post(request) {
        return refused;
    }
    let body = match parsed(&request.body) {
        Ok(body) => body,
        Err(error) => return error.reply(400, &Value::Null),
    };
    let asked = match read(&body) {
        Ok(Message::Request(asked)) => asked,
        Ok(Message::Notification | Message::Response) => {
            let says = "Invalid Request: this revision has no such message over HTTP";
            return RpcError::new(INVALID_REQUEST, says).reply(400, &Value::Null);
        }
        Err(error) => return error.reply(400, &id_of(&body)),
    };
    if let Some(error) = refused(request, &asked, plan) {
        return error.reply(400, &asked.id);
    }
    match asked.method.as_str() {
        "server/discover" => Reply::json(200, &asked.result(&discovered(plan))),
        "tools/list" => match page(&asked.params) {
            Ok(list) => Reply::json(200, &asked.result(&kept(list))),
            Err(error) => error.reply(400, &asked.id),
        },
        "tools/call" => tool_call(request, &asked, bench, plan),
        method => {
            let says = format!("Method not found: {method}");
            RpcError::new(METHOD_NOT_FOUND, &says).reply(404, &asked.id)
        }
    }
}

/// Returns the error for a request that must be refused whatever its method is; `None` if it need not be refused.
fn refused(request: &ParsedRequest, asked: &RpcRequest, plan: &ServerPlan) -> Option<RpcError> {
    let version = match the_one(request, "MCP-Protocol-Version") {
        Ok(version) => version,
        // The error lists the supported revisions, because it may go to a client of the earlier era.
        Err(error) => return Some(error.with_data(json!({"supported": supported(plan)}))),
    };
    if version != MODERN {
        let data = json!({"supported": supported(plan), "requested": version});
        let error = RpcError::new(UNSUPPORTED_VERSION, "Unsupported protocol version");
        return Some(error.with_data(data));
    }
    let meta = asked.params.get("_meta");
    let meta = |key: &str| meta.and_then(|meta| meta.get(key));
    let missing = |key: &str| {
        let says = format!("Invalid params: _meta must carry {key}");
        Some(RpcError::new(INVALID_PARAMS, &says))
    };
    let Some(told) = meta(VERSION_KEY).and_then(Value::as_str) else {
        return missing(VERSION_KEY);
    };
    if told != version {
        let says = "Header mismatch: MCP-Protocol-Version header does not match _meta";
        return Some(RpcError::new(HEADER_MISMATCH, says));
    }
    if !meta(CAPABILITIES_KEY).is_some_and(Value::is_object) {
        return missing(CAPABILITIES_KEY);
    }
    mismatch(request, asked)
}

fn supported(plan: &ServerPlan) -> Vec<&'static str> {
    let legacy = LEGACY.iter().filter(|_| plan.is_legacy);
    std::iter::once(MODERN).chain(legacy.copied()).collect()
}

fn discovered(plan: &ServerPlan) -> Value {
    kept(json!({
        "supportedVersions": supported(plan),
        "capabilities": {"tools": {}},
        "instructions": "A desktop with a form: find a text, click at it, type.",
    }))
}

/// Marks a result as complete, and names the server in its `_meta`.
fn complete(mut result: Value) -> Value {
    if let Some(members) = result.as_object_mut() {
        members.insert("resultType".to_owned(), json!("complete"));
        let meta = members.entry("_meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            let server = json!({"name": "sandbox-desk", "version": "1.0.0"});
            meta.insert(SERVER_INFO_KEY.to_owned(), server);
        }
    }
    result
}

/// Marks a result as cacheable for [`LIST_MS`].
fn kept(result: Value) -> Value {
    let mut result = complete(result);
    if let Some(members) = result.as_object_mut() {
        members.insert("ttlMs".to_owned(), json!(LIST_MS));
        members.insert("cacheScope".to_owned(), json!("public"));
    }
    result
}

fn tool_call(
    request: &ParsedRequest,
    asked: &RpcRequest,
    bench: &mut Workbench,
    plan: &ServerPlan,
) -> Reply {
    let Some((name, arguments)) = asked.tool_call() else {
        let says = "Invalid params: name must be a string";
        return RpcError::new(INVALID_PARAMS, says).reply(400, &asked.id);
    };
    let fault = bench.next_fault(plan);
    let mut result = Value::Null;
    if fault.is_none_or(McpFault::executes) {
        let Some(executed) = bench.execute(name, &arguments, fault) else {
            let says = format!("Unknown tool: {name}");
            return RpcError::new(INVALID_PARAMS, &says).reply(200, &asked.id);
        };
        result = executed;
    }
    if let Some(reply) = fault.and_then(|fault| reply(fault, request, asked)) {
        return reply;
    }
    let result = match fault {
        Some(McpFault::NoResultType) => result,
        _ => complete(result),
    };
    answered(fault, asked, &message(fault, asked, &result))
}

/// Returns the response to a call: as JSON, or as a stream if progress precedes the answer.
fn answered(fault: Option<McpFault>, asked: &RpcRequest, message: &Value) -> Reply {
    let mut stream = EventStream::default();
    let told = progress(fault, asked);
    let is_quick = told.is_empty();
    if fault == Some(McpFault::EmptyStream) {
        stream.comment();
        return stream.reply();
    }
    for (pause_ms, told) in told {
        stream.event(pause_ms, None, &told.to_string());
    }
    match fault {
        Some(McpFault::ManyPings) => {
            for ping in pings() {
                stream.event(0, None, &ping.to_string());
            }
            stream.event(0, None, &message.to_string());
        }
        Some(McpFault::Flood) => stream.flood(),
        Some(McpFault::CutJson) => return cut_json(message),
        Some(McpFault::CutStream) => {
            stream.half_event(&message.to_string());
            return stream.broken_off();
        }
        Some(McpFault::Never | McpFault::Endless) => {
            stream.comment();
            stream.silence(NEVER_MS);
        }
        Some(McpFault::Slow) => {
            stream.comment();
            stream.event(LATE_MS, None, &message.to_string());
        }
        _ if is_quick => return Reply::json(200, message),
        _ => stream.event(0, None, &message.to_string()),
    }
    stream.reply()
}
