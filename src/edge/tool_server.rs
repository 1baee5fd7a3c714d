//! The address of the server of tools, `/mcp`: who is answered, which session a message is of, and what is asked.

use worker::{Env, Request, Response, Result};

use domain::RunToken;
use engine::Problem;
use engine::budget::client_digest;
use mcp::Era;
use mcp::codes::INVALID_REQUEST;
use settings::{Settings, ToolsAccess};

use crate::door::Requester;
use crate::http::Route;
use crate::mcp_server::{
    Asked, BODY_BYTES_MAX, CallPoint, Method, Posted, Refusal, discovered, initialized, listed,
    ponged, read_post,
};
use crate::run_object::{LiveRunCall, SessionCall};

use super::clock::now_ms;
use super::incoming::{bounded_body, header};
use super::tool_calls::{Caller, watch};
use super::{door, environment, replies, run_objects, tool_list, tool_sessions};

/// The header that names a session.
const SESSION_HEADER: &str = "mcp-session-id";

/// Answers a request for `/mcp`.
pub(super) async fn answer(
    request: &mut Request,
    env: &Env,
    settings: &Settings,
    route: &Route,
) -> Result<Response> {
    if let Err(problem) = door::check_page(request, settings)? {
        return replies::problem(&problem);
    }
    let is_operator = match door::check_operator(request, settings)? {
        Ok(is_operator) => is_operator,
        Err(problem) => return replies::problem(&problem),
    };
    if let Err(problem) = may_call(settings, is_operator) {
        return replies::problem(&problem);
    }
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

/// Checks whether a caller is answered at all.
fn may_call(settings: &Settings, is_operator: bool) -> std::result::Result<(), Problem> {
    match settings.tools_access {
        ToolsAccess::Everybody => Ok(()),
        ToolsAccess::Operator if is_operator => Ok(()),
        ToolsAccess::Operator => Err(Problem::new(
            401,
            "The server of tools answers its operator alone here: send “Authorization: Bearer TOKEN” with the \
             operator's token, or set MCP=on.",
        )),
        ToolsAccess::Nobody => Err(Problem::new(
            404,
            "The server of tools is switched off here (MCP=off).",
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
                Some(session) if !tool_sessions::is_open(self.env, &session).await? => {
                    refused(&Refusal::session())
                }
                _ => accepted(),
            },
            Ok(Posted::Cancelled {
                session,
                request: id,
            }) => {
                let find = SessionCall::Find(id.to_string());
                let noted = run_objects::call_session(self.env, &session, find).await?;
                let Some(noted) = noted else {
                    return refused(&Refusal::session());
                };
                if let Some((run, by)) = noted.split_once(' ')
                    && let Some(by) = Requester::parse(by)
                    && let Ok(run) = RunToken::parse(run)
                {
                    run_objects::call(self.env, &run, LiveRunCall::Stop(by)).await?;
                }
                accepted()
            }
        }
    }

    async fn asked(&self, request: &Request, asked: Asked) -> Result<Response> {
        if let Some(session) = &asked.session
            && !tool_sessions::is_open(self.env, session).await?
        {
            return refused(&Refusal::session().of(&asked.id));
        }
        match &asked.method {
            Method::Initialize(version) => self.open(request, &asked, version).await,
            Method::Discover => replies::json_text(&discovered(&asked)),
            Method::Ping => replies::json_text(&ponged(&asked)),
            Method::ListTools => {
                let tools =
                    tool_list::all(request, self.env, self.settings, self.is_operator).await?;
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

    /// Begins a session. A stranger begins no more of them than runs in a minute.
    async fn open(&self, request: &Request, asked: &Asked, version: &str) -> Result<Response> {
        if let (false, Some(limiter)) = (self.is_operator, environment::rate_limiter(self.env)) {
            let address = header(request, "cf-connecting-ip");
            let client = client_digest(address.as_deref(), now_ms());
            if !limiter.limit(format!("session {client}")).await?.success {
                let detail = "Too many sessions were begun; try again in a minute.";
                return replies::problem(&Problem::too_many(detail, 60));
            }
        }
        let session = tool_sessions::open(self.env).await?;
        let response = replies::json_text(&initialized(asked, version))?;
        response.headers().set(SESSION_HEADER, &session)?;
        Ok(response)
    }

    /// Ends a session.
    async fn close(&self, request: &Request) -> Result<Response> {
        let Some(session) = header(request, SESSION_HEADER) else {
            return replies::problem(&only_post());
        };
        let closed = run_objects::call_session(self.env, &session, SessionCall::Close).await?;
        match closed {
            Some(_) => Ok(Response::empty()?.with_status(204)),
            None => refused(&Refusal::session()),
        }
    }

    /// Goes on with the answer to a call, for a client of a session that has lost the connection.
    async fn resume(&self, request: &Request) -> Result<Response> {
        let id = header(request, "last-event-id");
        let (Some(session), Some(id)) = (header(request, SESSION_HEADER), id) else {
            return replies::problem(&only_post());
        };
        if !tool_sessions::is_open(self.env, &session).await? {
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
