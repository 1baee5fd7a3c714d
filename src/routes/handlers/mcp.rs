//! The MCP endpoint, `/mcp`: who may use it, its sessions, and the dispatch of its methods.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::RunToken;
use engine::Problem;
use engine::budget::client_digest;
use mcp::codes::INVALID_REQUEST;
use mcp::{CALLER_HEADER, Era};
use serde_json::Value;
use settings::{AtlasAccess, Settings, ToolsAccess};
use worker::{Env, Request, Response};

use crate::auth::{Requester, callers};
use crate::engines::EngineName;
use crate::mcp_server::{
    Asked, BODY_BYTES_MAX, CHECK_CHAIN, CallPoint, GET_RUN, Method, PATH_BETWEEN, Posted, Refusal,
    SEEN_WITH, STOP_RUN, WHO_IS, discovered, initialized, listed, ponged, read_post,
};
use crate::objects::client;
use crate::routes::Route;
use crate::run_object::{LiveRunCall, SessionCall};
use crate::storage::documents;
use crate::transport::bindings::{self, now_ms, random};
use crate::transport::failure::Result;
use crate::transport::replies::{self, bounded_body, header};

use super::pages::file_text;
use super::stored_documents::is_shown_to;
use super::tool_calls::{Caller, watch};

/// The header that contains a session's id.
const SESSION_HEADER: &str = "mcp-session-id";

/// Handles a request for `/mcp`.
pub(crate) async fn answer(
    request: &mut Request,
    env: &Env,
    settings: &Settings,
    route: &Route,
) -> Result<Response> {
    callers::check_page(request, settings)?;
    let is_operator = callers::check_operator(request, settings)?;
    may_call(settings, is_operator)?;
    let server = Server {
        env,
        settings,
        is_operator,
    };
    match route {
        Route::PostMessage => server.post(request).await,
        Route::EndSession => server.close(request).await,
        _ => server.resume(request).await,
    }
}

/// Checks whether a caller may use the MCP server.
fn may_call(settings: &Settings, is_operator: bool) -> Result<(), Problem> {
    match settings.tools_access {
        ToolsAccess::Everybody => Ok(()),
        ToolsAccess::Operator if is_operator => Ok(()),
        ToolsAccess::Operator => Err(Problem::new(
            401,
            "The MCP server answers its operator alone here: send “Authorization: Bearer TOKEN” with the \
             operator's token, or set MCP=on.",
        )),
        ToolsAccess::Nobody => Err(Problem::new(
            404,
            "The MCP server is switched off here (MCP=off).",
        )),
    }
}

struct Server<'request> {
    env: &'request Env,
    settings: &'request Settings,
    is_operator: bool,
}

impl Server<'_> {
    async fn post(&self, request: &mut Request) -> Result<Response> {
        let Some(body) = bounded_body(request, BODY_BYTES_MAX).await? else {
            let says = "The message is over 512 kB.";
            return refused(&Refusal::new(413, INVALID_REQUEST, says));
        };
        let posted = read_post(&|name| header(request, name), &body);
        match posted {
            Err(refusal) => refused(&refusal),
            Ok(Posted::Asked(asked)) => self.asked(request, asked).await,
            Ok(Posted::Noted { session }) => match session {
                Some(session) if !is_open(self.env, &session).await? => {
                    refused(&Refusal::session())
                }
                _ => accepted(),
            },
            Ok(Posted::Cancelled {
                session,
                request: id,
            }) => {
                let find = SessionCall::Find(id.to_string());
                let noted = client::call_session(self.env, &session, find).await?;
                let Some(noted) = noted else {
                    return refused(&Refusal::session());
                };
                if let Some((run, by)) = noted.split_once(' ')
                    && let Some(by) = Requester::parse(by)
                    && let Ok(run) = RunToken::parse(run)
                {
                    client::call(self.env, &run, LiveRunCall::Stop(by)).await?;
                }
                accepted()
            }
        }
    }

    async fn asked(&self, request: &Request, asked: Asked) -> Result<Response> {
        if let Some(session) = &asked.session
            && !is_open(self.env, session).await?
        {
            return refused(&Refusal::session().of(&asked.id));
        }
        match &asked.method {
            Method::Initialize(version) => self.open(request, &asked, version).await,
            Method::Discover => replies::json_text(&discovered(&asked)),
            Method::Ping => replies::json_text(&ponged(&asked)),
            Method::ListTools => {
                let tools = all(request, self.env, self.settings, self.is_operator).await?;
                replies::json_text(&listed(&asked, &tools))
            }
            Method::CallTool(call) => {
                let caller = Caller {
                    env: self.env,
                    settings: self.settings,
                    is_operator: self.is_operator,
                    request,
                };
                caller.answer(&asked, call.clone()).await
            }
        }
    }

    /// Opens a session. The rate limit of starts also applies to the sessions that a stranger opens, counted
    /// separately.
    async fn open(&self, request: &Request, asked: &Asked, version: &str) -> Result<Response> {
        if let (false, Some(limiter)) = (self.is_operator, bindings::rate_limiter(self.env)) {
            let address = header(request, "cf-connecting-ip");
            let client = client_digest(address.as_deref(), now_ms());
            if !limiter.limit(format!("session {client}")).await?.success {
                let detail = "Too many sessions were begun; try again in a minute.";
                return Err(Problem::too_many(detail, 60).into());
            }
        }
        let session = open(self.env).await?;
        let response = replies::json_text(&initialized(asked, version))?;
        response.headers().set(SESSION_HEADER, &session)?;
        Ok(response)
    }

    /// Ends a session.
    async fn close(&self, request: &Request) -> Result<Response> {
        let session = header(request, SESSION_HEADER).ok_or_else(only_post)?;
        let closed = client::call_session(self.env, &session, SessionCall::Close).await?;
        match closed {
            Some(_) => Ok(Response::empty()?.with_status(204)),
            None => refused(&Refusal::session()),
        }
    }

    /// Resumes the response to a call, for a client whose connection was lost. The client must have a session.
    async fn resume(&self, request: &Request) -> Result<Response> {
        let id = header(request, "last-event-id");
        let (Some(session), Some(id)) = (header(request, SESSION_HEADER), id) else {
            return Err(only_post().into());
        };
        if !is_open(self.env, &session).await? {
            return refused(&Refusal::session());
        }
        let point = CallPoint::of_text(&id).filter(|point| point.era == Era::Legacy);
        let Some(point) = point else {
            return refused(&Refusal::new(
                400,
                INVALID_REQUEST,
                "This is no event of this server.",
            ));
        };
        watch(self.env, request, point, None).await
    }
}

fn refused(refusal: &Refusal) -> Result<Response> {
    let response = replies::json_text(&refusal.body())?;
    Ok(response.with_status(refusal.status()))
}

fn accepted() -> Result<Response> {
    Ok(Response::empty()?.with_status(202))
}

fn only_post() -> Problem {
    let detail = "Post messages here; GET goes on with a call of a session by its Last-Event-ID.";
    Problem::new(405, detail).with_header("allow", "POST, OPTIONS")
}

/// Returns the list of all tools that this caller may see, as JSON.
pub(crate) async fn all(
    request: &Request,
    env: &Env,
    settings: &Settings,
    is_operator: bool,
) -> Result<String> {
    let described = file_text(request, env, "/tools.json").await?;
    let described: Value = serde_json::from_str(&described)?;
    let names = EngineName::tools().chain([GET_RUN, STOP_RUN, CHECK_CHAIN]);
    let who_is = settings.people.is_some().then_some(WHO_IS);
    let has_atlas = match settings.atlas {
        AtlasAccess::Nobody => false,
        AtlasAccess::Operator => is_operator,
        AtlasAccess::Everybody { .. } => true,
    };
    let atlas = [SEEN_WITH, PATH_BETWEEN].into_iter().filter(|_| has_atlas);
    let mut tools = Vec::new();
    for name in names.chain(who_is).chain(atlas) {
        tools.extend(described.get(name).map(Value::to_string));
    }
    let mut taken: Vec<String> = Vec::new();
    for StoredTool { name, json, .. } in stored(request, env, settings, is_operator).await? {
        // If several tools have the same name, only the program's own is listed or, if it has none, that of the first
        // engine.
        if described.get(&name).is_none() && !taken.contains(&name) {
            tools.push(json);
            taken.push(name);
        }
    }
    Ok(format!("[{}]", tools.join(",")))
}

/// A stored document that is a tool.
pub(crate) struct StoredTool {
    pub(crate) engine: EngineName,
    pub(crate) name: String,
    /// The tool's description as JSON.
    pub(crate) json: String,
}

/// Returns those of the operator's stored documents that are tools and visible to this caller. A caller that is
/// itself a run of this program sees none, which prevents endless recursion.
pub(crate) async fn stored(
    request: &Request,
    env: &Env,
    settings: &Settings,
    is_operator: bool,
) -> Result<Vec<StoredTool>> {
    let mut tools = Vec::new();
    if header(request, CALLER_HEADER).is_some() {
        return Ok(tools);
    }
    for (engine, documents) in EngineName::stored_documents() {
        if !is_shown_to(&documents, settings, is_operator) {
            continue;
        }
        for (name, about) in documents::listed(env, &documents).await? {
            let about = about.unwrap_or_default();
            if let Some(json) = engine.stored_tool(&name, &about, settings) {
                tools.push(StoredTool { engine, name, json });
            }
        }
    }
    Ok(tools)
}

/// Opens a session and returns its id.
pub(crate) async fn open(env: &Env) -> Result<String> {
    let id = URL_SAFE_NO_PAD.encode(random()?);
    client::call_session(env, &id, SessionCall::Open).await?;
    Ok(id)
}

/// Returns whether a session is open.
pub(crate) async fn is_open(env: &Env, id: &str) -> Result<bool> {
    let in_session = client::call_session(env, id, SessionCall::Check).await?;
    Ok(in_session.is_some())
}
