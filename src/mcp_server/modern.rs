//! The rules of the newest revision for a request: its headers say what its body says.
//!
//! //= MCP 2026-07-28, basic/transports/streamable-http, Server Validation

use serde_json::Value;

use mcp::codes::HEADER_MISMATCH;
use mcp::{Era, MODERN, decoded};

use super::refusal::Refusal;
use super::revisions::{SUPPORTED, meta, unsupported};

/// Returns whether a request is meant to follow this revision, or one that is newer still.
pub(super) fn is_meant(header: &dyn Fn(&str) -> Option<String>, params: &Value) -> bool {
    let version = header("mcp-protocol-version");
    let is_later = version.is_some_and(|version| Era::of(&version) != Some(Era::Legacy));
    is_later || meta(params, "protocolVersion").is_some()
}

/// Checks a request, whatever it asks for.
pub(super) fn check(
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
