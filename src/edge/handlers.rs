//! What each route does.

use serde_json::json;
use worker::{Env, Method, Request, RequestInit, Response, Result, Stub};

use crate::sealed::{Bounds, ReplayError, replay};
use crate::session::{
    Asked, EventId, PlannerSettings, Problem, Route, RunToken, Settings, Wanted, Wish, is_prefetch,
    readable_by,
};

use super::starting::bounded_body;
use super::{ASSETS_BINDING, RUNS_BINDING, description, records, replies, settings};

/// Answers a request; a refusal is an answer too.
pub(super) async fn handle(mut request: Request, env: &Env) -> Result<Response> {
    let settings = settings(env);
    let origin = header(&request, "origin");
    let mut response = if request.method() == Method::Options {
        replies::preflight()?
    } else {
        let call = Call {
            env,
            settings: &settings,
        };
        match Route::of(request.method().as_ref(), &request.path()) {
            Ok(route) => call.answer(&mut request, route).await?,
            Err(problem) => call.refuse(&request, &problem).await?,
        }
    };
    // An answer passed on from elsewhere has headers that cannot be changed: rebuild it.
    let headers = worker::Headers::new();
    for (name, value) in response.headers().entries() {
        headers.append(&name, &value)?;
    }
    replies::set_common_headers(
        &headers,
        readable_by(&settings, origin.as_deref()).as_deref(),
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

pub(super) fn header(request: &Request, name: &str) -> Option<String> {
    request.headers().get(name).ok().flatten()
}

pub(super) struct Call<'request> {
    pub(super) env: &'request Env,
    pub(super) settings: &'request Settings,
}

impl Call<'_> {
    async fn answer(&self, request: &mut Request, route: Route) -> Result<Response> {
        let wanted = Wanted::of(header(request, "accept").as_deref());
        match route {
            Route::Page => self.page(request, 200).await,
            Route::Health => self.health(),
            Route::Description => replies::json_text(description::OPENAPI),
            Route::Create => self.create(request).await,
            Route::Investigate if wanted == Wanted::Html => self.page(request, 200).await,
            Route::Investigate => self.investigate(request, wanted).await,
            Route::InvestigateByBody => self.investigate_by_body(request, wanted).await,
            Route::Record(run) => self.record(request, &run, wanted).await,
            Route::Events(run) => {
                let after = last_event(request).filter(|event| event.run == run);
                self.events(&run, after.map_or(0, |event| event.number))
                    .await
            }
            Route::Stop(run) => self.stub(&run)?.fetch_with_str("https://run/stop").await,
            Route::Sealed(run) => self.stub(&run)?.fetch_with_str("https://run/sealed").await,
            Route::Replay => self.replay(request).await,
        }
    }

    /// Executes a sealed file again and reports; makes no run.
    async fn replay(&self, request: &mut Request) -> Result<Response> {
        let Some(body) = bounded_body(request, Bounds::SERVER.bytes_max).await? else {
            let too_large = ReplayError::TooLarge(Bounds::SERVER);
            return replies::problem(&Problem::new(413, too_large.to_string()));
        };
        let key = self.settings.seal_key.as_ref();
        match replay(&String::from_utf8_lossy(&body), key, Bounds::SERVER) {
            Ok(report) => replies::json(&report),
            Err(error @ ReplayError::TooLarge(_)) => {
                replies::problem(&Problem::new(413, error.to_string()))
            }
            Err(error) => replies::problem(&Problem::new(400, error.to_string())),
        }
    }

    /// A browser's address bar gets the page, which says the same in its own way.
    async fn refuse(&self, request: &Request, problem: &Problem) -> Result<Response> {
        let wanted = Wanted::of(header(request, "accept").as_deref());
        if problem.status() == 404 && wanted == Wanted::Html {
            return self.page(request, 404).await;
        }
        replies::problem(problem)
    }

    /// The page for `/`, `/investigate` and `/runs/{run}`; a static file by its own name.
    async fn page(&self, request: &Request, status: u16) -> Result<Response> {
        let path = request.path();
        let first = path.trim_start_matches('/').split('/').next();
        let is_page = matches!(first, Some("runs" | "investigate"));
        let mut url = request.url()?;
        if is_page {
            url.set_path("/");
            url.set_query(None);
        }
        let assets = self.env.assets(ASSETS_BINDING)?;
        let response = assets.fetch(url.as_str(), None).await?;
        if status == 200 {
            Ok(response)
        } else {
            Ok(response.with_status(status))
        }
    }

    fn health(&self) -> Result<Response> {
        let (example_a, example_b) = &self.settings.example;
        let mut health = json!({
            "status": "ok",
            "version": env!("CARGO_PKG_VERSION"),
            "providers": {"search": "google", "recogniser": "rekognition", "planner": "gemini"},
            "example": {"a": example_a, "b": example_b},
        });
        let missing = self.settings.missing();
        if let Some(health) = health.as_object_mut() {
            if let Ok(providers) = &self.settings.providers
                && providers.planner == PlannerSettings::Off
            {
                let providers = json!({"search": "google", "recogniser": "rekognition"});
                health.insert("providers".into(), providers);
            }
            if !missing.is_empty() {
                health.insert("status".into(), "not_configured".into());
                health.insert("missing".into(), json!(missing));
            }
        }
        replies::json(&health)
    }

    async fn create(&self, request: &mut Request) -> Result<Response> {
        let wish = match self.wish_of_body(request).await? {
            Ok(wish) => wish,
            Err(problem) => return replies::problem(&problem),
        };
        let run = match self.start(request, wish).await? {
            Ok(run) => run,
            Err(problem) => return replies::problem(&problem),
        };
        let response = replies::json(
            &json!({"run": run.to_string(), "events": format!("/runs/{run}/events")}),
        )?;
        response
            .headers()
            .set("location", &format!("/runs/{run}"))?;
        Ok(response.with_status(202))
    }

    async fn investigate(&self, request: &mut Request, wanted: Wanted) -> Result<Response> {
        if request.method() == Method::Head {
            let response = Response::empty()?;
            replies::set_stream_headers(response.headers())?;
            return Ok(response);
        }
        // A reconnect goes on with its run or ends; it never starts another.
        if header(request, "last-event-id").is_some() || names_last_event(request)? {
            return match last_event(request) {
                Some(event) => self.go_on(&event).await,
                None => Ok(Response::empty()?.with_status(204)),
            };
        }
        if is_prefetch(|name| header(request, name)) {
            return Ok(Response::empty()?.with_status(204));
        }
        let asked = Asked::from_query(request.url()?.query_pairs(), &self.settings.caps);
        self.start_and_stream(request, asked.map(Wish::New), wanted)
            .await
    }

    async fn investigate_by_body(&self, request: &mut Request, wanted: Wanted) -> Result<Response> {
        let wish = self.wish_of_body(request).await?;
        self.start_and_stream(request, wish, wanted).await
    }

    async fn start_and_stream(
        &self,
        request: &Request,
        wish: std::result::Result<Wish, Problem>,
        wanted: Wanted,
    ) -> Result<Response> {
        let wish = match wish {
            Ok(wish) => wish,
            Err(problem) => return replies::problem(&problem),
        };
        match self.start(request, wish).await? {
            Err(problem) => replies::problem(&problem),
            Ok(run) if wanted == Wanted::Json => {
                self.stub(&run)?.fetch_with_str("https://run/last").await
            }
            Ok(run) => self.events(&run, 0).await,
        }
    }

    /// Goes on after an event; where the run is gone a reconnecting browser is told to stop.
    async fn go_on(&self, event: &EventId) -> Result<Response> {
        let response = self.events(&event.run, event.number).await?;
        if response.status_code() == 404 {
            return Ok(Response::empty()?.with_status(204));
        }
        Ok(response)
    }

    async fn events(&self, run: &RunToken, after: u32) -> Result<Response> {
        self.stub(run)?
            .fetch_with_str(&format!("https://run/events?after={after}"))
            .await
    }

    async fn record(&self, request: &Request, run: &RunToken, wanted: Wanted) -> Result<Response> {
        let Ok(record) = records::read(self.env, run).await else {
            let detail = "The run's record can't be read at the moment; try again.";
            return replies::problem(&Problem::new(503, detail));
        };
        if let (Some(record), true) = (&record, wanted != Wanted::Html) {
            return replies::json(record);
        }
        if record.is_some() {
            return self.page(request, 200).await;
        }
        // KV may lag behind a run that has just begun; its object knows.
        let outline = self.stub(run)?;
        let outline = outline.fetch_with_str("https://run/outline").await?;
        match (outline.status_code(), wanted) {
            (status, Wanted::Html) => self.page(request, status).await,
            _ => Ok(outline),
        }
    }

    pub(super) fn stub(&self, run: &RunToken) -> Result<Stub> {
        self.env
            .durable_object(RUNS_BINDING)?
            .get_by_name(&run.to_string())
    }

    pub(super) async fn post<T: serde::Serialize>(
        &self,
        stub: &Stub,
        url: &str,
        body: &T,
    ) -> Result<Response> {
        let mut init = RequestInit::new();
        let body = serde_json::to_string(body)?;
        init.with_method(Method::Post).with_body(Some(body.into()));
        stub.fetch_with_request(Request::new_with_init(url, &init)?)
            .await
    }
}

/// The event that a reconnect has seen last, from the header or `?lastEventId=`.
fn last_event(request: &Request) -> Option<EventId> {
    if let Some(id) = header(request, "last-event-id") {
        return EventId::parse(&id);
    }
    let url = request.url().ok()?;
    let (_, id) = url.query_pairs().find(|(key, _)| key == "lastEventId")?;
    EventId::parse(&id)
}

fn names_last_event(request: &Request) -> Result<bool> {
    Ok(request
        .url()?
        .query_pairs()
        .any(|(key, _)| key == "lastEventId"))
}
