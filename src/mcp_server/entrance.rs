//! Parses the messages that clients post, and refuses those that do not follow the protocol.

use json::weight;
use mcp::codes::{HEADER_MISMATCH, INVALID_REQUEST, PARSE_ERROR};
use mcp::{Era, LEGACY, MODERN, decoded};
use serde_json::{Map, Value};

use super::{Asked, Method, Posted, Refusal, SUPPORTED, ToolCall, meta, unsupported};

/// The longest body of a message, in bytes. Most of it may be the arguments of a call.
pub const BODY_BYTES_MAX: usize = 512 * 1024;
/// The most memory that parsing a body may take, in bytes.
const WEIGHT_MAX: usize = 8 * 1024 * 1024;
/// The longest id or progress token, if it is a text, in bytes.
const TOKEN_BYTES_MAX: usize = 256;
/// The longest session id, in bytes.
const SESSION_BYTES_MAX: usize = 128;
/// The longest tool name, in bytes.
const NAME_BYTES_MAX: usize = 128;
/// The longest idempotency key of a tool call, in bytes.
const KEY_BYTES_MAX: usize = 200;
/// The member of `_meta` in which a client sends its idempotency key for a call.
const KEY_MEMBER: &str = "visual-degrees/idempotencyKey";

/// Parses a message. `header` returns the text of a header. `body` has at most [`BODY_BYTES_MAX`] bytes.
pub fn read_post(header: &dyn Fn(&str) -> Option<String>, body: &[u8]) -> Result<Posted, Refusal> {
    check_types(header)?;
    if weight(body) > WEIGHT_MAX {
        return Err(Refusal::no_message(
            "The body holds far more than a message does.",
        ));
    }
    let Ok(message) = serde_json::from_slice::<Value>(body) else {
        return Err(Refusal::new(
            400,
            PARSE_ERROR,
            "The body is no JSON, or is nested too deep.",
        ));
    };
    if !message.is_object() {
        return Err(Refusal::no_message(
            "Send one message, as an object; batches are not taken.",
        ));
    }
    let text = |member: &str| message.get(member).and_then(Value::as_str);
    let (Some("2.0"), Some(method)) = (text("jsonrpc"), text("method")) else {
        return Err(Refusal::no_message(
            "The message must have \"jsonrpc\": \"2.0\" and a method; this server takes no answers.",
        ));
    };
    let params = message.get("params").unwrap_or(&Value::Null);
    if !(params.is_object() || message.get("params").is_none()) {
        return Err(Refusal::no_message("The member params must be an object."));
    }
    let Some(id) = message.get("id") else {
        return notification(header, method, params);
    };
    if !is_token(id) {
        return Err(Refusal::no_message(
            "The member id must be a whole number or a short text.",
        ));
    }
    match request(header, id, method, params) {
        Ok(asked) => Ok(Posted::Asked(asked)),
        Err(refusal) => Err(refusal.of(id)),
    }
}

/// Checks the content type of the client's message, and that the client accepts the types of the response.
fn check_types(header: &dyn Fn(&str) -> Option<String>) -> Result<(), Refusal> {
    let content_type = header("content-type").unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let says = "Send the message as application/json.";
        return Err(Refusal::new(415, INVALID_REQUEST, says));
    }
    let accept = header("accept").unwrap_or_default().to_ascii_lowercase();
    let takes = |kind: &str| {
        let mut kinds = accept.split(',').map(|kind| kind.split(';').next());
        kinds.any(|one| matches!(one.map(str::trim), Some(one) if one == kind || one == "*/*"))
    };
    if takes("application/json") && takes("text/event-stream") {
        return Ok(());
    }
    let says = "Accept both application/json and text/event-stream.";
    Err(Refusal::new(406, INVALID_REQUEST, says))
}

/// Returns whether a value is valid as a request id or a progress token.
fn is_token(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() <= TOKEN_BYTES_MAX,
        Value::Number(number) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}

fn notification(
    header: &dyn Fn(&str) -> Option<String>,
    method: &str,
    params: &Value,
) -> Result<Posted, Refusal> {
    if !method.starts_with("notifications/") {
        return Err(Refusal::no_message(
            "The message has no id, and is none of the notifications.",
        ));
    }
    let Some(session) = session(header)? else {
        check_version(header)?;
        return Ok(Posted::Noted { session: None });
    };
    if method != "notifications/cancelled" {
        let session = Some(session);
        return Ok(Posted::Noted { session });
    }
    let request = params
        .get("requestId")
        .filter(|id| is_token(id))
        .cloned()
        .ok_or_else(|| Refusal::params(400, "The member requestId must be the id of a request."))?;
    Ok(Posted::Cancelled { session, request })
}

fn request(
    header: &dyn Fn(&str) -> Option<String>,
    id: &Value,
    method: &str,
    params: &Value,
) -> Result<Asked, Refusal> {
    if is_modern(header, params) {
        check_modern(header, method, params)?;
        return Ok(Asked {
            id: id.clone(),
            era: Era::Modern,
            session: None,
            method: match method {
                "server/discover" => Method::Discover,
                _ => common(header, method, params, &Era::Modern)?,
            },
        });
    }
    let asked = |session, method| Asked {
        id: id.clone(),
        era: Era::Legacy,
        session,
        method,
    };
    if method == "initialize" {
        return Ok(asked(None, Method::Initialize(agreed(params)?)));
    }
    check_version(header)?;
    let Some(session) = session(header)? else {
        return Err(Refusal::no_message(
            "The header Mcp-Session-Id is missing: send initialize first, or speak the revision of 2026-07-28.",
        ));
    };
    let method = match method {
        "ping" => Method::Ping,
        _ => common(header, method, params, &Era::Legacy)?,
    };
    Ok(asked(Some(session), method))
}

/// Parses the methods that exist in both eras. In the earlier era, errors are JSON-RPC errors with status 200.
fn common(
    header: &dyn Fn(&str) -> Option<String>,
    method: &str,
    params: &Value,
    era: &Era,
) -> Result<Method, Refusal> {
    let (bad, missing) = match era {
        Era::Modern => (400, 404),
        Era::Legacy => (200, 200),
    };
    match method {
        "tools/list" => match params.get("cursor") {
            None | Some(Value::Null) => Ok(Method::ListTools),
            Some(_) => Err(Refusal::params(
                bad,
                "There is no such cursor: all tools are told at once.",
            )),
        },
        "tools/call" => call(header, params).map(Method::CallTool),
        _ => Err(Refusal::method(missing)),
    }
}

fn call(header: &dyn Fn(&str) -> Option<String>, params: &Value) -> Result<ToolCall, Refusal> {
    let name = params.get("name").and_then(Value::as_str);
    let Some(name) = name.filter(|name| name.len() <= NAME_BYTES_MAX) else {
        return Err(Refusal::params(
            400,
            "The member name must be a tool's name.",
        ));
    };
    let given = |value: Option<&Value>| value.filter(|value| !value.is_null()).cloned();
    let arguments = match given(params.get("arguments")) {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(_) => {
            let says = "The member arguments must be an object.";
            return Err(Refusal::params(400, says));
        }
    };
    let meta = params.get("_meta").unwrap_or(&Value::Null);
    let progress_token = given(meta.get("progressToken"));
    if !progress_token.iter().all(is_token) {
        let says = "The member progressToken must be a whole number or a short text.";
        return Err(Refusal::params(400, says));
    }
    let own_key = meta.get(KEY_MEMBER).and_then(Value::as_str);
    let key = own_key
        .map(str::to_owned)
        .or_else(|| header("idempotency-key"));
    let is_key = |key: &String| {
        (1..=KEY_BYTES_MAX).contains(&key.len())
            && key.bytes().all(|byte| matches!(byte, b'!'..=b'~'))
    };
    if !key.iter().all(is_key) {
        let says = "The key of a call must be 1 to 200 printable ASCII characters.";
        return Err(Refusal::params(400, says));
    }
    Ok(ToolCall {
        name: name.to_owned(),
        arguments,
        progress_token,
        key,
    })
}

/// Returns the session id in a message's headers. An id that this server cannot have issued is refused as an unknown
/// session.
fn session(header: &dyn Fn(&str) -> Option<String>) -> Result<Option<String>, Refusal> {
    let Some(session) = header("mcp-session-id") else {
        return Ok(None);
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if session.len() <= SESSION_BYTES_MAX && !session.is_empty() && session.bytes().all(is_plain) {
        return Ok(Some(session));
    }
    Err(Refusal::session())
}

/// Checks the revision that a message of the earlier era names. Messages of the first two revisions name none.
fn check_version(header: &dyn Fn(&str) -> Option<String>) -> Result<(), Refusal> {
    match header("mcp-protocol-version") {
        Some(version) if Era::of(&version).is_none() => Err(unsupported(&version)),
        _ => Ok(()),
    }
}

/// Returns the revision for a handshake. It is the client's proposal if supported, otherwise the newest revision with
/// a handshake.
fn agreed(params: &Value) -> Result<&'static str, Refusal> {
    let Some(proposed) = params.get("protocolVersion").and_then(Value::as_str) else {
        let says = "The member protocolVersion must name a revision of the protocol.";
        return Err(Refusal::params(400, says));
    };
    let [newest, ..] = LEGACY;
    let mut known = LEGACY.into_iter();
    Ok(known.find(|known| *known == proposed).unwrap_or(newest))
}

/// Returns whether a request follows the rules of the newest protocol revision: it names that revision or one that this
/// server does not know in a header, or any revision in its body.
fn is_modern(header: &dyn Fn(&str) -> Option<String>, params: &Value) -> bool {
    let version = header("mcp-protocol-version");
    let is_later = version.is_some_and(|version| Era::of(&version) != Some(Era::Legacy));
    is_later || meta(params, "protocolVersion").is_some()
}

/// Checks that a request of the newest revision has headers that agree with its body. This applies to every method.
///
/// //= MCP 2026-07-28, basic/transports/streamable-http, Server Validation
fn check_modern(
    header: &dyn Fn(&str) -> Option<String>,
    method: &str,
    params: &Value,
) -> Result<(), Refusal> {
    let Some(version) = header("mcp-protocol-version") else {
        let refusal = differs("Header mismatch: the header MCP-Protocol-Version is missing.");
        return Err(refusal.with_data(format!(r#"{{"supported":{SUPPORTED}}}"#)));
    };
    let told = meta(params, "protocolVersion");
    if told.is_some_and(|told| told.as_str() != Some(&version)) {
        return Err(differs(
            "Header mismatch: the header MCP-Protocol-Version says something else than the body.",
        ));
    }
    if version != MODERN {
        return Err(unsupported(&version));
    }
    if told.is_none() {
        let says = "_meta must carry io.modelcontextprotocol/protocolVersion.";
        return Err(Refusal::params(400, says));
    }
    if !meta(params, "clientCapabilities").is_some_and(Value::is_object) {
        let says = "_meta must carry io.modelcontextprotocol/clientCapabilities.";
        return Err(Refusal::params(400, says));
    }
    if header("mcp-method").as_deref() != Some(method) {
        return Err(differs(
            "Header mismatch: the header Mcp-Method is missing, or says something else than the body.",
        ));
    }
    let told = header("mcp-name").and_then(|name| decoded(&name));
    let name = params.get("name").and_then(Value::as_str);
    let is_named = told.is_some() && told.as_deref() == name;
    if method == "tools/call" && !is_named {
        return Err(differs(
            "Header mismatch: the header Mcp-Name is missing, or says something else than the body.",
        ));
    }
    Ok(())
}

fn differs(says: &'static str) -> Refusal {
    Refusal::new(400, HEADER_MISMATCH, says)
}
