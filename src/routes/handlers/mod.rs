//! The entry point of the Worker. It routes each request to its handler; most handlers call the run's Durable Object.

mod atlas;
mod chains;
mod health;
mod mcp;
mod pages;
mod run_creation;
mod run_keys;
mod stored_documents;
mod tool_calls;

use domain::{EventId, RunToken, Secret};
use engine::Problem;
use engine::values::waits_for_more;
use serde::Serialize;
use serde_json::Value;
use settings::Settings;
use worker::{Context, Env, Method, Request, Response, event};

use crate::auth::{Reading, Requester, allowed_reader, callers, may_ask};
use crate::engines::EngineName;
use crate::objects::client;
use crate::problems::{no_such_address, run_is_over};
use crate::run_object::LiveRunCall;
use crate::sealed::{ReplayError, ReplayLimits, replay};
use crate::storage::documents;
use crate::transport::bindings::settings;
use crate::transport::failure::Result;
use crate::transport::replies::{self, bounded_body, header};

use super::{PageWords, ResponseFormat, Route, is_prefetch, is_reading, is_robot};
use pages::{is_reconnect, last_event};
use run_creation::RunCreator;
use run_keys::CreatedRun;

/// Makes panics appear in the log. After a panic, the isolate restarts.
#[event(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Handles every request of the Worker.
#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> worker::Result<Response> {
    match handle(request, &env).await {
        Ok(response) => Ok(response),
        Err(error) => {
            worker::console_error!("a request failed: {error}");
            replies::problem(&Problem::new(500, "Something went wrong here; try again."))
        }
    }
}

/// Handles a request. If the request is refused, the refusal is the response.
async fn handle(mut request: Request, env: &Env) -> worker::Result<Response> {
    let settings = settings(env);
    let origin = header(&request, "origin");
    let reading = reading_of(&request);
    let handler = Handler {
        env,
        settings: &settings,
    };
    let mut response = match handler.handle(&mut request).await {
        Ok(response) => response,
        Err(failure) => failure.into_response()?,
    };
    // The headers of a forwarded response are immutable, so the response is rebuilt with a copy of them.
    let headers = worker::Headers::new();
    for (name, value) in response.headers().entries() {
        headers.append(&name, &value)?;
    }
    pages::set_common_headers(
        &headers,
        allowed_reader(&settings, origin.as_deref(), reading).as_deref(),
        &settings.frame_ancestors,
        request.url()?.scheme() == "https",
    )?;
    if request.method() == Method::Head {
        response = Response::empty()?.with_status(response.status_code());
    }
    let status = response.status_code();
    let (_, body) = response.into_parts();
    Ok(Response::builder()
        .with_status(status)
        .with_headers(headers)
        .body(body))
}

/// Returns the kind of a request, which determines who may read the answer. A preflight counts as the method that it
/// announces.
fn reading_of(request: &Request) -> Reading {
    let method = match header(request, "access-control-request-method") {
        Some(asked) if request.method() == Method::Options => asked,
        _ => request.inner().method(),
    };
    if !is_reading(&method, &request.path()) {
        return Reading::More;
    }
    match Route::of(&method, &request.path(), &EngineName::paths()) {
        Ok(route) if route.is_everybodys() => Reading::OfEverybody,
        Ok(_) | Err(_) => Reading::OfServer,
    }
}

/// The body of the response to `POST /runs`.
#[derive(Serialize)]
struct CreationAnswer<'secret> {
    run: String,
    events: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<&'secret str>,
}

struct Handler<'request> {
    env: &'request Env,
    settings: &'request Settings,
}

impl Handler<'_> {
    async fn handle(&self, request: &mut Request) -> Result<Response> {
        may_ask(self.settings, &request.url()?)?;
        if request.method() == Method::Options {
            return pages::preflight();
        }
        // `Request::method` reports unknown methods as GET.
        let method = request.inner().method();
        match Route::of(&method, &request.path(), &EngineName::paths()) {
            Ok(route) => self.answer(request, route).await,
            Err(problem) => self.refuse(request, problem).await,
        }
    }

    async fn answer(&self, request: &mut Request, route: Route) -> Result<Response> {
        let format = ResponseFormat::of(header(request, "accept").as_deref());
        match route {
            Route::Page => self.file(request).await,
            Route::Health => health::answer(request, self.env, self.settings).await,
            Route::People => health::suggest(request, self.env, self.settings).await,
            Route::Atlas(call) => atlas::answer(request, self.env, self.settings, call).await,
            Route::Description => health::describe(request, self.env).await,
            Route::Create => self.create(request).await,
            Route::Investigate if format == ResponseFormat::Html => {
                self.question_page(request).await
            }
            Route::Investigate => self.investigate(request, format).await,
            Route::InvestigateByBody => self.investigate_by_body(request, format).await,
            Route::Record(run) => self.record(request, &run).await,
            Route::Events(run) => {
                let waits = waits_for_more(request.url()?.query().unwrap_or_default())?;
                let seen = last_event(request).filter(|event| event.run == run);
                let after = seen.map_or(0, |event| event.number);
                self.call(&run, LiveRunCall::Events { after, waits }).await
            }
            Route::Stop(run) => self.call_as_creator(request, &run, LiveRunCall::Stop).await,
            Route::Delete(run) => {
                self.call_as_creator(request, &run, LiveRunCall::Delete)
                    .await
            }
            Route::Sealed(run) => self.call(&run, LiveRunCall::Sealed).await,
            Route::Publish(run) => {
                self.call_as_creator(request, &run, LiveRunCall::Publish)
                    .await
            }
            Route::Chain(digest) => chains::answer(request, self.env, &digest).await,
            Route::DeleteChain(digest) => {
                let requester = callers::requester(request, self.settings)?;
                chains::delete(self.env, &digest, &requester).await
            }
            Route::Replay => self.replay(request).await,
            Route::PostMessage | Route::ResumeCall | Route::EndSession => {
                mcp::answer(request, self.env, self.settings, &route).await
            }
            Route::Trace(run) => self.call(&run, LiveRunCall::Trace).await,
            Route::RunDocument(run, name) => {
                self.call(&run, LiveRunCall::Document(name.to_owned()))
                    .await
            }
            Route::Artifact(run, digest) => self.call(&run, LiveRunCall::Artifact(digest)).await,
            Route::Stored { path, call } => {
                stored_documents::stored_document(request, self.env, self.settings, path, call)
                    .await
            }
        }
    }

    /// Replays a sealed file and responds with the report. No run is created.
    async fn replay(&self, request: &mut Request) -> Result<Response> {
        callers::check_replay(request, self.settings)?;
        let refused = |error: ReplayError| {
            let status = match error {
                ReplayError::TooLarge(_) | ReplayError::TooLong(_) => 413,
                ReplayError::Conflict(_) => 409,
                _ => 400,
            };
            Problem::new(status, error.to_string())
        };
        let limits = ReplayLimits::SERVER;
        let body = bounded_body(request, limits.bytes_max).await?;
        let body = body.ok_or_else(|| refused(ReplayError::TooLarge(limits)))?;
        let text = std::str::from_utf8(&body)
            .map_err(|_| refused(ReplayError::Unreadable("it is no UTF-8".into())))?;
        let key = self.settings.seal_key.as_ref();
        replies::json(&replay(text, key, limits).map_err(refused)?)
    }

    /// Refuses a request. If it comes from a browser's address bar, responds with the page, which shows the refusal.
    async fn refuse(&self, request: &Request, problem: Problem) -> Result<Response> {
        let format = ResponseFormat::of(header(request, "accept").as_deref());
        if problem.status() == 404 && format == ResponseFormat::Html {
            return pages::answer(request, self.env, 404).await;
        }
        Err(problem.into())
    }

    /// Responds with the static file at the request's path.
    async fn file(&self, request: &Request) -> Result<Response> {
        let response = pages::file(request, self.env).await?;
        if response.status_code() == 404 {
            return self.refuse(request, no_such_address()).await;
        }
        Ok(response)
    }

    /// Responds with the page for a question that has not been started.
    async fn question_page(&self, request: &Request) -> Result<Response> {
        // Crawlers and link previews never start a run.
        let starts = !is_robot(header(request, "user-agent").as_deref())
            && callers::may_start_by_link(request, self.settings)?;
        pages::of_question(request, self.env, starts).await
    }

    async fn create(&self, request: &mut Request) -> Result<Response> {
        let created = self.creator(request)?.create_from_body(request).await?;
        let run = &created.run;
        let secret = created.secret.as_ref().map(Secret::reveal);
        let response = replies::json(&CreationAnswer {
            run: run.to_string(),
            events: format!("/runs/{run}/events"),
            secret,
        })?;
        response
            .headers()
            .set("location", &format!("/runs/{run}"))?;
        Ok(response.with_status(202))
    }

    async fn investigate(&self, request: &mut Request, format: ResponseFormat) -> Result<Response> {
        if request.method() == Method::Head {
            let response = Response::empty()?;
            replies::set_stream_headers(response.headers())?;
            return Ok(response);
        }
        // A reconnect resumes its run or is refused. It never starts another run.
        if is_reconnect(request)? {
            return match last_event(request) {
                Some(event) => self.go_on(&event).await,
                None => Ok(Response::empty()?.with_status(204)),
            };
        }
        if is_prefetch(|name| header(request, name)) {
            return Ok(Response::empty()?.with_status(204));
        }
        // Links that are posted somewhere are opened by programs. These only get the page, so that no run starts.
        if is_robot(header(request, "user-agent").as_deref()) {
            return match format {
                ResponseFormat::Json => health::describe(request, self.env).await,
                ResponseFormat::Html | ResponseFormat::Stream => self.question_page(request).await,
            };
        }
        let created = self.creator(request)?.create_from_query(request).await?;
        self.stream(&created, format).await
    }

    async fn investigate_by_body(
        &self,
        request: &mut Request,
        format: ResponseFormat,
    ) -> Result<Response> {
        let created = self.creator(request)?.create_from_body(request).await?;
        self.stream(&created, format).await
    }

    async fn stream(&self, created: &CreatedRun, format: ResponseFormat) -> Result<Response> {
        let run = &created.run;
        let answer = match format {
            ResponseFormat::Json => self.call(run, LiveRunCall::Last).await?,
            ResponseFormat::Html | ResponseFormat::Stream => self.events(run, 0).await?,
        };
        let Some(secret) = &created.secret else {
            return Ok(answer);
        };
        let headers = answer.headers().clone();
        headers.set("run-secret", secret.reveal())?;
        Ok(answer.with_headers(headers))
    }

    /// Resumes a run's stream after an event. If the run has expired, the response makes a browser stop reconnecting.
    async fn go_on(&self, event: &EventId) -> Result<Response> {
        let response = self.events(&event.run, event.number).await?;
        if matches!(response.status_code(), 404 | 410) {
            return Ok(Response::empty()?.with_status(204));
        }
        Ok(response)
    }

    async fn events(&self, run: &RunToken, after: u32) -> Result<Response> {
        let call = LiveRunCall::Events { after, waits: true };
        self.call(run, call).await
    }

    async fn record(&self, request: &Request, run: &RunToken) -> Result<Response> {
        let format = pages::format_of_link(request);
        let Ok(record) = documents::read(self.env, run).await else {
            let detail = "The run's record can't be read at the moment; try again.";
            return Err(Problem::new(503, detail).into());
        };
        // For some engines, KV lacks part of the run, which only the run's object knows.
        let whole = record.filter(EngineName::has_whole_documents);
        if let Some(record) = &whole {
            return match format {
                ResponseFormat::Html => self.run_page(request, record).await,
                ResponseFormat::Json | ResponseFormat::Stream => replies::json(record),
            };
        }
        // A run that has just begun is possibly not in KV yet, but the run's object is always up to date.
        let mut outline = self.call(run, LiveRunCall::Outline).await?;
        match (outline.status_code(), format) {
            (200, ResponseFormat::Html) => {
                let outline: Value = outline.json().await?;
                if let Some(page) = EngineName::of_outline(&outline).and_then(EngineName::page) {
                    return replies::see_other(&format!("{page}?run={run}"));
                }
                self.run_page(request, &outline).await
            }
            (status, ResponseFormat::Html) => pages::answer(request, self.env, status).await,
            _ => Ok(outline),
        }
    }

    async fn run_page(&self, request: &Request, record: &Value) -> Result<Response> {
        pages::with_words(request, self.env, &PageWords::of_run(record)).await
    }

    fn creator(&self, request: &Request) -> Result<RunCreator<'_>> {
        RunCreator::new(request, self.env, self.settings)
    }

    /// Makes a call that only the run's creator or the operator may make.
    async fn call_as_creator(
        &self,
        request: &Request,
        run: &RunToken,
        call: impl FnOnce(Requester) -> LiveRunCall,
    ) -> Result<Response> {
        let requester = callers::requester(request, self.settings)?;
        self.call(run, call(requester)).await
    }

    async fn call(&self, run: &RunToken, call: LiveRunCall) -> Result<Response> {
        let answer = client::call(self.env, run, call).await?;
        // An object with empty storage does not know whether it ever had a run.
        if answer.status_code() == 404 && documents::is_noted(self.env, run).await {
            let problem = run_is_over(self.settings.time_to_live_s);
            return Ok(replies::problem(&problem)?);
        }
        Ok(answer)
    }
}
