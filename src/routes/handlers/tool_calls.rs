//! Executes calls of MCP tools.

use domain::{RunToken, Secret, Sha256Digest};
use engine::Problem;
use engine::assistant::{Answer, CallPlace};
use mcp::Era;
use mcp::codes::INVALID_PARAMS;
use serde_json::{Map, Value};
use settings::Settings;
use worker::{Env, Request, Response};

use crate::auth::{Requester, call_name, callers};
use crate::engines::{EngineName, Wanted};
use crate::mcp_server::{
    Asked, BuiltInCall, CallPoint, Refusal, ToolCall, WatchedCall, call_result, check_described,
    known_answer, no_run_of_tools, not_by_arguments, only_its_beginner, people_answer, stopping,
    take_wait_ms,
};
use crate::objects::client;
use crate::run_object::{LiveRunCall, SessionCall, noted_run};
use crate::transport::bindings::now_ms;
use crate::transport::failure::{Failure, Result};
use crate::transport::replies;

use super::run_creation::{Repeat, RunCreator};
use super::run_keys::CreatedRun;
use super::{atlas, chains, health};

/// How long a call without progress notifications waits, in milliseconds. Clients time out after a minute.
const WAIT_MS_DEFAULT: u64 = 45_000;

/// The sender of a tool call.
pub(crate) struct Caller<'request> {
    pub(crate) env: &'request Env,
    pub(crate) settings: &'request Settings,
    pub(crate) is_operator: bool,
    pub(crate) request: &'request Request,
}

/// The outcome of executing a tool call.
enum Outcome {
    /// The call is answered at once.
    Answered(Answer),
    /// This call, or an identical earlier one, has begun this run. The run is watched until it has the answer.
    Begun(CreatedRun),
    /// The call is about this run, which is watched until it has the answer.
    Watched(RunToken),
    /// There is no such tool.
    Unknown,
}

impl Caller<'_> {
    /// Responds to a tool call.
    pub(crate) async fn answer(&self, asked: &Asked, mut call: ToolCall) -> Result<Response> {
        let progress_token = call.progress_token.take();
        let outcome = match take_wait_ms(&call.name, &mut call.arguments) {
            Ok(wait_ms) => {
                let outcome = self.call(call, asked.session.as_deref()).await;
                outcome.map(|outcome| (outcome, wait_ms))
            }
            Err(problem) => Err(problem.into()),
        };
        let (outcome, wait_ms) = match outcome {
            Err(Failure::Refused(problem)) => {
                return answered(&asked.id, &asked.era, &Answer::refused(&problem));
            }
            outcome => outcome?,
        };
        let CreatedRun { run, secret } = match outcome {
            Outcome::Begun(created) => {
                self.note(asked, &created).await?;
                created
            }
            Outcome::Watched(run) => CreatedRun { run, secret: None },
            Outcome::Answered(answer) => return answered(&asked.id, &asked.era, &answer),
            Outcome::Unknown => {
                let says = "There is no such tool here; tools/list lists them.";
                let refusal = Refusal::new(200, INVALID_PARAMS, says).of(&asked.id);
                return replies::json_text(&refusal.body());
            }
        };
        let wait_ms = wait_ms.or(progress_token.is_none().then_some(WAIT_MS_DEFAULT));
        let point = CallPoint {
            run: run.to_string(),
            id: asked.id.clone(),
            era: asked.era.clone(),
            progress_token,
            after: 0,
            until_ms: wait_ms.map(|wait_ms| now_ms().saturating_add(wait_ms)),
        };
        watch(self.env, self.request, point, secret.as_ref()).await
    }

    /// Records in the session which run a call waits for, if the session began that run. Cancelling the call then
    /// stops the run. Runs that others began continue.
    async fn note(&self, asked: &Asked, created: &CreatedRun) -> Result<()> {
        let Some(session) = &asked.session else {
            return Ok(());
        };
        let run = created.run.to_string();
        let noted = match &created.secret {
            Some(secret) => Some(noted_run(
                &run,
                &Requester::with(Some(secret.reveal())).to_string(),
            )),
            None => client::call_session(self.env, session, SessionCall::FindRun(run)).await?,
        };
        if let Some(run) = noted.filter(|noted| !noted.is_empty()) {
            let request = asked.id.to_string();
            let note = SessionCall::Note { request, run };
            client::call_session(self.env, session, note).await?;
        }
        Ok(())
    }

    async fn call(&self, call: ToolCall, session: Option<&str>) -> Result<Outcome> {
        let own_origin = address(self.request, "")?;
        let Some(asked) = BuiltInCall::read(&call.name, &call.arguments, &own_origin) else {
            return self.begin(call).await;
        };
        let answer = match asked? {
            BuiltInCall::Run(run) => return Ok(Outcome::Watched(run)),
            BuiltInCall::Stop(run, secret) => self.stop(&run, secret.as_deref(), session).await,
            BuiltInCall::Chain(digest) => self.check(&digest).await,
            BuiltInCall::SeenWith(person, offset, threshold) => {
                self.known(atlas::Question::Person(person, offset, threshold))
                    .await
            }
            BuiltInCall::PathBetween(a, b, threshold) => {
                self.known(atlas::Question::Path(a, b, threshold)).await
            }
            BuiltInCall::Name(name) => {
                let url = self.request.url()?;
                let found =
                    health::suggested(("name", Some(&name)), &url, self.env, self.settings).await?;
                Ok(people_answer(&json_of(found).await?))
            }
        };
        answer.map(Outcome::Answered)
    }

    /// Answers a query from the atlas if the caller may read it.
    async fn known(&self, question: atlas::Question) -> Result<Answer> {
        let found = atlas::read(self.request, self.env, self.settings, &question).await?;
        Ok(known_answer(
            &serde_json::from_str(&found).unwrap_or_default(),
        ))
    }

    /// Begins the run for a call of an engine's tool or of a stored document.
    async fn begin(&self, call: ToolCall) -> Result<Outcome> {
        let caps = self.settings.caps_of(self.is_operator);
        let repeat = match call.key {
            Some(key) => Repeat::Key(Some(key)),
            None => Repeat::Call(call_name(&call.name, &call.arguments)),
        };
        let created = match EngineName::wanted_by_call(&call.name, &call.arguments, caps) {
            Some(wanted) => self.create(wanted, repeat).await?,
            None => match self.stored(&call.name, call.arguments).await? {
                Some(wanted) => match self.create(wanted, repeat).await {
                    Err(Failure::Refused(problem)) => return Err(not_by_arguments(&problem).into()),
                    created => created?,
                },
                None => return Ok(Outcome::Unknown),
            },
        };
        Ok(Outcome::Begun(created))
    }

    /// Parses a call of a stored document's tool. A refusal is about the call's arguments. Returns `None` if there is
    /// no such tool.
    async fn stored(&self, tool: &str, arguments: Map<String, Value>) -> Result<Option<Wanted>> {
        let (env, settings) = (self.env, self.settings);
        let stored = super::mcp::stored(self.request, env, settings, self.is_operator).await?;
        let Some(stored) = stored.iter().find(|stored| stored.name == tool) else {
            return Ok(None);
        };
        let described: Value = serde_json::from_str(&stored.json)?;
        check_described(&arguments, &described)?;
        let request = stored.engine.stored_call(tool, arguments).to_string();
        let caps = self.settings.caps_of(self.is_operator);
        Ok(EngineName::wanted(request.as_bytes(), caps))
    }

    async fn create(&self, wanted: Wanted, repeat: Repeat) -> Result<CreatedRun> {
        if !self.is_operator && self.settings.turnstile.is_some() {
            let page = address(self.request, "/")?;
            let detail = format!(
                "This server checks that whoever starts a search is human, which a tool cannot: ask the user to \
                 start it at {page}"
            );
            return Err(Problem::new(403, detail).into());
        }
        let creator = RunCreator {
            env: self.env,
            settings: self.settings,
            is_operator: self.is_operator,
            repeat,
            is_tool_call: true,
        };
        creator.create(self.request, wanted).await
    }

    /// Stops a run for the operator, for the holder of its secret, or for the session that began it.
    async fn stop(
        &self,
        run: &RunToken,
        secret: Option<&str>,
        session: Option<&str>,
    ) -> Result<Answer> {
        let by = match (Requester::with(secret), session) {
            _ if self.is_operator => Requester::Operator,
            (Requester::Watcher, Some(session)) => {
                let find = SessionCall::FindRun(run.to_string());
                let noted = client::call_session(self.env, session, find).await?;
                let by = noted.as_deref().and_then(|noted| noted.split_once(' '));
                by.and_then(|(_, by)| Requester::parse(by))
                    .unwrap_or(Requester::Watcher)
            }
            (by, _) => by,
        };
        let stopped = client::call(self.env, run, LiveRunCall::Stop(by)).await?;
        match stopped.status_code() {
            403 => return Err(only_its_beginner().into()),
            404 | 410 => return Err(no_run_of_tools().into()),
            _ => json_of(stopped).await?,
        };
        Ok(stopping(&run.to_string()))
    }

    async fn check(&self, digest: &Sha256Digest) -> Result<Answer> {
        callers::check_replay(self.request, self.settings)?;
        let place = CallPlace {
            run: String::new(),
            address: address(self.request, &format!("/chains/{digest}"))?,
            secret: None,
        };
        chains::check(self.env, self.settings, digest, &place).await
    }
}

/// Streams the response to a call whose run is watched.
pub(crate) async fn watch(
    env: &Env,
    request: &Request,
    point: CallPoint,
    secret: Option<&Secret>,
) -> Result<Response> {
    let (id, era) = (point.id.clone(), point.era.clone());
    let Ok(run) = RunToken::parse(&point.run) else {
        return answered(&id, &era, &Answer::refused(&no_run_of_tools()));
    };
    let call = WatchedCall {
        address: address(request, &format!("/runs/{run}"))?,
        secret: secret.map(|secret| secret.reveal().to_owned()),
        point,
    };
    let stream = client::watch(env, &run, call).await?;
    let problem = match stream.status_code() {
        200 => return Ok(stream),
        404 | 410 => no_run_of_tools(),
        _ => match json_of(stream).await {
            Ok(_) => return Ok(Response::error("no stream", 500)?),
            Err(problem) => problem,
        },
    };
    answered(&id, &era, &Answer::refused(&problem))
}

fn answered(id: &Value, era: &Era, answer: &Answer) -> Result<Response> {
    replies::json_text(&call_result(id, era, answer))
}

/// Returns the address of a path on this server as the caller sees it.
fn address(request: &Request, path: &str) -> Result<String> {
    let origin = request.url()?.origin().ascii_serialization();
    Ok(format!("{origin}{path}"))
}

/// Returns the JSON document in a response that this program made itself, or the refusal in that response.
async fn json_of(mut answer: Response) -> Result<Value, Problem> {
    let status = answer.status_code();
    let body = answer.text().await.unwrap_or_default();
    let body: Value = serde_json::from_str(&body).unwrap_or_default();
    if (200..300).contains(&status) {
        return Ok(body);
    }
    let detail = body.get("detail").and_then(Value::as_str);
    let detail = detail.unwrap_or("That did not work; try again.");
    Err(Problem::new(status, detail))
}
