//! Tests of the MCP server in its newest revision.

use super::*;

pub const MODERN: &str = "2026-07-28";

/// The headers and the body of a request. Tests change them to make it invalid.
#[derive(Clone)]
pub struct Asked {
    pub method: &'static str,
    pub address: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

impl Asked {
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self
    }

    pub fn saying(mut self, place: &str, name: &str, value: Value) -> Self {
        self.body.pointer_mut(place).unwrap()[name] = value;
        self
    }

    pub fn send(&self, sandbox: &mut Sandbox) -> Reply {
        let mut request = Request::builder().method(self.method).uri(&self.address);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let body = match &self.body {
            Value::Null => Vec::new(),
            body => body.to_string().into_bytes(),
        };
        sandbox.respond(request.body(body).unwrap(), NOW_MS)
    }
}

/// Makes a valid request of the newest revision.
pub fn modern(id: u64, method: &str, params: Value) -> Asked {
    let mut params = params;
    let name = params
        .get("name")
        .and_then(Value::as_str)
        .map(str::to_owned);
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut headers = vec![
        ("accept", "application/json, text/event-stream".to_owned()),
        ("content-type", "application/json; charset=utf-8".to_owned()),
        ("mcp-protocol-version", MODERN.to_owned()),
        ("mcp-method", method.to_owned()),
    ];
    headers.extend(name.map(|name| ("mcp-name", name)));
    Asked {
        method: "POST",
        address: "/mcp/desk".to_owned(),
        headers,
        body: json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
    }
}

pub fn modern_call(id: u64, tool: &str, arguments: &Value) -> Asked {
    modern(
        id,
        "tools/call",
        json!({"name": tool, "arguments": arguments}),
    )
}

/// Returns the messages in a stream, without the events that have no data.
pub fn events(reply: &Reply) -> Vec<Value> {
    let text = String::from_utf8(reply.response.body().bytes()).unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let data = data.filter(|data| !data.is_empty());
    data.map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

pub fn log(sandbox: &mut Sandbox) -> Vec<String> {
    let rows = body(&get(sandbox, "/mcp/desk/log"));
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| format!("{} {}", row["n"], row["tool"].as_str().unwrap()))
        .collect()
}

#[test]
fn each_request_stands_for_itself() {
    let mut sandbox = plain();
    let discovered = body(&modern(1, "server/discover", json!({})).send(&mut sandbox));
    let versions = json!([MODERN, "2025-11-25", "2025-06-18", "2025-03-26"]);
    assert_eq!(discovered["result"]["supportedVersions"], versions);
    let listed = body(&modern(2, "tools/list", json!({})).send(&mut sandbox));
    let list = &listed["result"];
    assert_eq!(
        (&listed["id"], &list["resultType"]),
        (&json!(2), &json!("complete"))
    );
    assert_eq!(
        (&list["cacheScope"], list["ttlMs"].is_u64()),
        (&json!("public"), true)
    );
    assert_eq!(list["tools"][0]["name"], "take_screenshot");
    let second = json!({"cursor": list["nextCursor"]});
    let second = body(&modern(3, "tools/list", second).send(&mut sandbox));
    assert!(second["result"].get("nextCursor").is_none());
    let reply = modern_call(4, "find_text", &json!({"text": "Save"})).send(&mut sandbox);
    assert_eq!(reply.response.headers()[CONTENT_TYPE], "application/json");
    let found = body(&reply);
    assert_eq!(
        (&found["id"], &found["result"]["resultType"]),
        (&json!(4), &json!("complete"))
    );
    assert_eq!(log(&mut sandbox), ["1 find_text"]);
}

#[test]
fn progress_is_told_to_who_wants_it() {
    let mut sandbox = plain();
    let asked = modern_call(7, "list_apps", &json!({}));
    let reply = asked
        .saying("/params/_meta", "progressToken", json!("t"))
        .send(&mut sandbox);
    assert_eq!(reply.response.headers()[CONTENT_TYPE], "text/event-stream");
    let events = events(&reply);
    assert_eq!(events.len(), 3);
    assert_eq!(events[0]["method"], "notifications/progress");
    assert_eq!(events[1]["params"]["progressToken"], "t");
    assert_eq!(events[2]["id"], 7);
}

#[test]
fn every_mistake_is_refused() {
    let mut sandbox = plain();
    let good = || modern_call(1, "list_apps", &json!({}));
    let launch = || modern_call(1, "launch_app", &json!({"app_name": "Notes"}));
    let meta = "/params/_meta";
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    for (asked, expect, code) in [
        (good().with("accept", "application/json"), 406, -32_000),
        (good().with("accept", "*/*"), 406, -32_000),
        (good().without("accept"), 406, -32_000),
        (good().with("content-type", "text/plain"), 415, -32_000),
        (good().with("origin", "https://example.com"), 403, -32_000),
        (good().without("mcp-protocol-version"), 400, -32_020),
        (
            good().with("mcp-protocol-version", "2030-01-01"),
            400,
            -32_022,
        ),
        (
            good().saying(meta, version, json!("2025-11-25")),
            400,
            -32_020,
        ),
        (good().saying(meta, version, Value::Null), 400, -32_602),
        (good().saying(meta, capabilities, Value::Null), 400, -32_602),
        (good().saying("/params", "_meta", Value::Null), 400, -32_602),
        (good().without("mcp-method"), 400, -32_020),
        (good().with("mcp-method", "tools/list"), 400, -32_020),
        (good().without("mcp-name"), 400, -32_020),
        (good().with("mcp-name", "list_windows"), 400, -32_020),
        (launch(), 400, -32_020),
        (launch().with("mcp-param-app", "Ledger"), 400, -32_020),
        (good().saying("", "id", Value::Null), 400, -32_600),
        (good().saying("", "jsonrpc", json!("1.0")), 400, -32_600),
        (modern(1, "tools/dance", json!({})), 404, -32_601),
        (modern(1, "initialize", json!({})), 404, -32_601),
        (
            modern(1, "tools/list", json!({"cursor": "x"})),
            400,
            -32_602,
        ),
        (modern_call(1, "dance", &json!({})), 200, -32_602),
    ] {
        let reply = asked.send(&mut sandbox);
        assert_eq!(status(&reply), expect, "{:?} {}", asked.headers, asked.body);
        assert_eq!(
            body(&reply)["error"]["code"],
            code,
            "{:?} {}",
            asked.headers,
            asked.body
        );
    }
    let batch = Asked {
        body: json!([good().body]),
        ..good()
    };
    assert_eq!(body(&batch.send(&mut sandbox))["error"]["code"], -32_600);
    let told = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
    assert_eq!(
        status(
            &Asked {
                body: told,
                ..good()
            }
            .send(&mut sandbox)
        ),
        400
    );
    let mut large = good();
    large.body["params"]["arguments"] = json!({"x": "y".repeat(1_100_000)});
    assert_eq!(status(&large.send(&mut sandbox)), 413);
    assert!(log(&mut sandbox).is_empty());
}

#[test]
fn headers_may_be_encoded_and_arguments_are_mirrored() {
    let mut sandbox = plain();
    let asked = modern_call(1, "launch_app", &json!({"app_name": "Notes"}));
    let asked = asked.with("mcp-name", "=?base64?bGF1bmNoX2FwcA==?=");
    let reply = asked
        .with("mcp-param-app", "=?base64?Tm90ZXM=?=")
        .send(&mut sandbox);
    assert_eq!(status(&reply), 200);
    assert_eq!(body(&reply)["result"]["isError"], false);
}

#[test]
fn a_server_of_one_era_refuses_the_other() {
    let mut sandbox = plain();
    let at = |asked: Asked, eras: &str| Asked {
        address: format!("/mcp/desk?eras={eras}"),
        ..asked
    };
    let probe = at(modern(1, "server/discover", json!({})), "legacy").send(&mut sandbox);
    assert_eq!(
        (status(&probe), &body(&probe)["error"]["code"]),
        (400, &json!(-32_000))
    );
    let hello = at(mcp_legacy::initialize("2025-11-25"), "modern").send(&mut sandbox);
    assert_eq!(
        (status(&hello), &body(&hello)["error"]["code"]),
        (400, &json!(-32_020))
    );
    assert_eq!(body(&hello)["error"]["data"]["supported"], json!([MODERN]));
    for method in ["GET", "DELETE"] {
        let other = Asked {
            method,
            ..at(modern(1, "ping", json!({})), "modern")
        };
        let reply = other.send(&mut sandbox);
        assert_eq!(
            (status(&reply), &reply.response.headers()["allow"]),
            (405, &"POST".parse().unwrap())
        );
    }
    let wrong = at(modern(1, "tools/list", json!({})), "stone").send(&mut sandbox);
    assert_eq!(status(&wrong), 400);
}

#[test]
fn servers_have_desktops_and_logs_of_their_own() {
    let mut sandbox = plain();
    let other = Asked {
        address: "/mcp/other".to_owned(),
        ..modern_call(1, "click", &json!({"x": 140, "y": 75}))
    };
    assert_eq!(status(&other.send(&mut sandbox)), 200);
    assert!(log(&mut sandbox).is_empty());
    let rows = body(&get(&mut sandbox, "/mcp/other/log"));
    assert_eq!(
        rows,
        json!([{"n": 1, "tool": "click", "arguments": {"x": 140, "y": 75}, "isError": false}])
    );
    let typed = Asked {
        address: "/mcp/other".to_owned(),
        ..modern_call(2, "type_text", &json!({"text": "Ann"}))
    };
    assert_eq!(body(&typed.send(&mut sandbox))["result"]["isError"], false);
    let forget = Request::delete("/mcp/other/log").body(Vec::new()).unwrap();
    sandbox.respond(forget, NOW_MS);
    assert_eq!(body(&get(&mut sandbox, "/mcp/other/log")), json!([]));
    assert_eq!(
        body(&typed.send(&mut sandbox))["result"]["isError"],
        true,
        "the focus is gone"
    );
    assert_eq!(
        body(&get(&mut sandbox, "/calls")),
        json!([]),
        "nobody pays for tools"
    );
    assert_eq!(status(&get(&mut sandbox, "/mcp/no/such")), 404);
}

#[test]
fn there_are_only_so_many_servers() {
    let mut sandbox = plain();
    let at = |name: &str| Asked {
        address: format!("/mcp/{name}"),
        ..modern_call(1, "list_apps", &json!({}))
    };
    for number in 0..33 {
        at(&format!("s{number}")).send(&mut sandbox);
        at("kept").send(&mut sandbox);
    }
    let rows = |sandbox: &mut Sandbox, name: &str| {
        let log = body(&get(sandbox, &format!("/mcp/{name}/log")));
        log.as_array().unwrap().len()
    };
    assert_eq!(rows(&mut sandbox, "s0"), 0, "the oldest is gone");
    assert_eq!(
        (rows(&mut sandbox, "s32"), rows(&mut sandbox, "kept")),
        (1, 33)
    );
}
