//! The MCP servers, which are found by path.

use std::collections::BTreeMap;

use http::Method;
use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply, TOOL_SERVERS};

use super::legacy::LegacyServer;
use super::modern;
use super::plan::ServerPlan;
use super::sessions::Sessions;
use super::versions::LEGACY;
use super::workbench::Workbench;

/// The most servers; beyond that the least recently used one is dropped.
const SERVERS_MAX: usize = 32;
const NAME_CHARS_MAX: usize = 64;
const LOG: &str = "/log";

/// The MCP servers by name, each with a desktop of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolServers {
    servers: BTreeMap<String, ToolServer>,
    asked: u64,
}

#[derive(Clone, Debug, Default)]
struct ToolServer {
    bench: Workbench,
    sessions: Sessions,
    last_asked: u64,
}

impl ToolServers {
    /// Responds to a request at [`TOOL_SERVERS`] or below.
    pub(crate) fn answer(&mut self, request: &ParsedRequest) -> Reply {
        let rest = request.path.strip_prefix(TOOL_SERVERS).unwrap_or_default();
        if let Some(name) = rest.strip_suffix(LOG).filter(|name| is_name(name)) {
            return self.log(name, &request.method);
        }
        if !is_name(rest) {
            let says = "An MCP server has a name of letters, digits, - and _: /mcp/NAME.";
            return Reply::new(404, "text/plain", says.as_bytes().to_vec());
        }
        match ServerPlan::read(request) {
            Ok(plan) => {
                let server = self.server(rest);
                server.answer(rest, request, &plan)
            }
            Err(says) => Reply::new(400, "text/plain", says.into_bytes()),
        }
    }

    fn server(&mut self, name: &str) -> &mut ToolServer {
        self.asked += 1;
        if !self.servers.contains_key(name) && self.servers.len() == SERVERS_MAX {
            let mut servers = self.servers.iter();
            let oldest = servers.by_ref().min_by_key(|(_, server)| server.last_asked);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                self.servers.remove(&oldest);
            }
        }
        let server = self.servers.entry(name.to_owned()).or_default();
        server.last_asked = self.asked;
        server
    }

    /// Responds with the executed calls. If the method is `DELETE`, clears them and resets the desktop instead.
    fn log(&mut self, name: &str, method: &Method) -> Reply {
        let server = self.servers.get_mut(name);
        match (method, server) {
            (&Method::GET | &Method::HEAD, Some(server)) => Reply::json(200, &server.bench.log()),
            (&Method::GET | &Method::HEAD, None) => Reply::json(200, &json!([])),
            (&Method::DELETE, server) => {
                if let Some(server) = server {
                    server.bench = Workbench::default();
                }
                Reply::json(200, &json!([]))
            }
            _ => Reply::json(405, &json!({"error": "GET or DELETE"})),
        }
    }
}

impl ToolServer {
    fn answer(&mut self, name: &str, request: &ParsedRequest, plan: &ServerPlan) -> Reply {
        if plan.is_modern && (!plan.is_legacy || is_modern(request)) {
            return modern::answer(request, &mut self.bench, plan);
        }
        let mut server = LegacyServer {
            name,
            bench: &mut self.bench,
            sessions: &mut self.sessions,
            plan,
        };
        server.answer(request)
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=NAME_CHARS_MAX).contains(&name.len()) && name.chars().all(is_letter)
}

/// Returns whether a request to a server of both eras is in the newer protocol.
fn is_modern(request: &ParsedRequest) -> bool {
    if request.method != Method::POST {
        return false;
    }
    let version = request.header("mcp-protocol-version");
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    request.header("mcp-method").is_some()
        || version.is_some_and(|version| !LEGACY.contains(&version))
        || modern::is_marked(&body)
}
