//! Compares a request's headers with the parts of the body that they repeat.
//!
//! //= MCP 2026-07-28, basic/transports/streamable-http, Server Validation

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::providers::ParsedRequest;

use super::messages::{RpcError, RpcRequest};
use super::tools::tool_of;
use super::versions::HEADER_MISMATCH;

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// Returns an error for the first header that contradicts the body. The revision's header is left to the caller.
pub(super) fn mismatch(request: &ParsedRequest, asked: &RpcRequest) -> Option<RpcError> {
    let method = the_one(request, "Mcp-Method").and_then(|method| {
        let is_same = method == asked.method;
        let says = || {
            wrong(
                "Mcp-Method",
                &format!("does not match body value '{}'", asked.method),
            )
        };
        is_same.then_some(()).ok_or_else(says)
    });
    method
        .and_then(|()| name(request, asked))
        .and_then(|()| arguments(request, asked))
        .err()
}

fn wrong(header: &str, says: &str) -> RpcError {
    RpcError::new(
        HEADER_MISMATCH,
        &format!("Header mismatch: {header} header {says}"),
    )
}

/// Returns the value of a header that must occur exactly once.
pub(super) fn the_one<'request>(
    request: &'request ParsedRequest,
    header: &str,
) -> Result<&'request str, RpcError> {
    let mut values = request.headers.get_all(header).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value
            .to_str()
            .map_err(|_| wrong(header, "contains invalid characters")),
        (None, _) => Err(wrong(header, "is missing")),
        _ => Err(wrong(header, "is there more than once")),
    }
}

/// Checks the header `Mcp-Name`, which only some methods require.
fn name(request: &ParsedRequest, asked: &RpcRequest) -> Result<(), RpcError> {
    let member = match asked.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let named = decoded("Mcp-Name", the_one(request, "Mcp-Name")?)?;
    match asked.params.get(member).and_then(Value::as_str) {
        Some(name) if name == named => Ok(()),
        _ => Err(wrong("Mcp-Name", "does not match the body")),
    }
}

/// Checks the headers `Mcp-Param-...`, one for each argument whose schema names a header.
fn arguments(request: &ParsedRequest, asked: &RpcRequest) -> Result<(), RpcError> {
    if asked.method != "tools/call" {
        return Ok(());
    }
    let Some((tool, given)) = asked.tool_call() else {
        return Ok(());
    };
    let schema = tool_of(tool).unwrap_or_default();
    let properties = schema.pointer("/inputSchema/properties");
    let properties = properties.and_then(Value::as_object);
    for (argument, property) in properties.into_iter().flatten() {
        let Some(header) = property.get("x-mcp-header").and_then(Value::as_str) else {
            continue;
        };
        let header = format!("Mcp-Param-{header}");
        let value = given.get(argument).filter(|value| !value.is_null());
        match value {
            Some(value) => {
                let sent = decoded(&header, the_one(request, &header)?)?;
                if !is_same(value, &sent) {
                    return Err(wrong(&header, "does not match the argument"));
                }
            }
            None if request.headers.contains_key(&header) => {
                return Err(wrong(&header, "is there without its argument"));
            }
            None => {}
        }
    }
    Ok(())
}

fn is_same(value: &Value, sent: &str) -> bool {
    match value {
        Value::String(text) => text == sent,
        Value::Number(number) => sent.parse().ok() == number.as_f64(),
        Value::Bool(is_set) => sent == if *is_set { "true" } else { "false" },
        _ => false,
    }
}

/// Returns the text of a header's value, which may be encoded as base64.
fn decoded(header: &str, value: &str) -> Result<String, RpcError> {
    let encoded = value
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX));
    let Some(encoded) = encoded else {
        return Ok(value.to_owned());
    };
    let bytes = STANDARD.decode(encoded).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| wrong(header, "is no base64 of a text"))
}

#[cfg(test)]
mod tests {
    use http::Request;
    use serde_json::json;

    use super::*;

    fn check(headers: &[(&str, &str)], params: &Value, says: Option<&str>) {
        let mut request = Request::post("/mcp/desk");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = ParsedRequest::from(request.body(Vec::new()).unwrap());
        let asked = RpcRequest {
            id: json!(1),
            method: "tools/call".into(),
            params: params.clone(),
        };
        let found = mismatch(&request, &asked).map(|error| error.message(&json!(1)).to_string());
        match (&found, says) {
            (None, None) => {}
            (Some(found), Some(says)) => assert!(found.contains(says), "{found}"),
            _ => panic!("{headers:?}: {found:?}"),
        }
    }

    #[test]
    fn each_header_says_what_the_body_says() {
        let launch = json!({"name": "launch_app", "arguments": {"app_name": "Notes"}});
        let (method, name) = (("mcp-method", "tools/call"), ("mcp-name", "launch_app"));
        let app = ("mcp-param-app", "Notes");
        check(&[method, name, app], &launch, None);
        check(
            &[method, ("mcp-name", "=?base64?bGF1bmNoX2FwcA==?="), app],
            &launch,
            None,
        );
        check(
            &[method, name, ("mcp-param-app", "=?base64?Tm90ZXM=?=")],
            &launch,
            None,
        );
        for (headers, says) in [
            (vec![name, app], "Mcp-Method header is missing"),
            (
                vec![("mcp-method", "tools/list"), name, app],
                "Mcp-Method header does not match",
            ),
            (vec![method, method, name, app], "more than once"),
            (vec![method, app], "Mcp-Name header is missing"),
            (
                vec![method, ("mcp-name", "click"), app],
                "Mcp-Name header does not match",
            ),
            (
                vec![method, ("mcp-name", "=?base64?***?="), app],
                "no base64",
            ),
            (vec![method, name], "Mcp-Param-App header is missing"),
            (
                vec![method, name, ("mcp-param-app", "notes")],
                "does not match the argument",
            ),
        ] {
            check(&headers, &launch, Some(says));
        }
        let without = json!({"name": "launch_app", "arguments": {"app_name": null}});
        check(&[method, name], &without, None);
        check(&[method, name, app], &without, Some("without its argument"));
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert!(is_same(&json!(42), "42.0") && !is_same(&json!(42), "43"));
        assert!(is_same(&json!(true), "true") && !is_same(&json!(true), "True"));
        assert!(!is_same(&json!([]), "[]"));
    }
}
