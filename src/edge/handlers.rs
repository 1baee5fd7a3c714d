//! What each route does.

use serde_json::json;
use sha2::{Digest as _, Sha256};
use worker::{Env, Method, Request, RequestInit, Response, Result, Stub};

use crate::domain::PhotoDigest;
use crate::journal::Order;
use crate::session::{
    Asked, BODY_BYTES_MAX, Caller, Creation, EventId, PlannerSettings, Problem, Reservation, Route,
    RunToken, Settings, Wanted, is_prefetch, may_start, readable_by,
};

use super::{ASSETS_BINDING, RUNS_BINDING, description, records, replies, settings};

/// The longest idempotency key.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 200;

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

fn header(request: &Request, name: &str) -> Option<String> {
    request.headers().get(name).ok().flatten()
}

struct Call<'request> {
    env: &'request Env,
    settings: &'request Settings,
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
        let asked = match self.asked_by_body(request).await? {
            Ok(asked) => asked,
            Err(problem) => return replies::problem(&problem),
        };
        let run = match self.start(request, &asked).await? {
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
        self.start_and_stream(request, asked, wanted).await
    }

    async fn investigate_by_body(&self, request: &mut Request, wanted: Wanted) -> Result<Response> {
        let asked = self.asked_by_body(request).await?;
        self.start_and_stream(request, asked, wanted).await
    }

    async fn start_and_stream(
        &self,
        request: &Request,
        asked: std::result::Result<Asked, Problem>,
        wanted: Wanted,
    ) -> Result<Response> {
        let asked = match asked {
            Ok(asked) => asked,
            Err(problem) => return replies::problem(&problem),
        };
        match self.start(request, &asked).await? {
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

    async fn asked_by_body(
        &self,
        request: &mut Request,
    ) -> Result<std::result::Result<Asked, Problem>> {
        let content_type = header(request, "content-type").unwrap_or_default();
        if !content_type.starts_with("application/json") {
            return Ok(Err(Problem::new(415, "Send the body as application/json.")));
        }
        let Some(body) = bounded_body(request).await? else {
            let detail = format!("The body is over {BODY_BYTES_MAX} bytes.");
            return Ok(Err(Problem::new(413, detail)));
        };
        Ok(Asked::from_body(&body, &self.settings.caps))
    }

    /// Starts the run of an accepted question, or finds the one that its idempotency key started.
    async fn start(
        &self,
        request: &Request,
        asked: &Asked,
    ) -> Result<std::result::Result<RunToken, Problem>> {
        if self.settings.providers.is_err() {
            let missing = self.settings.missing();
            return Ok(Err(Problem::missing_settings(&missing)));
        }
        let caller = Caller {
            authorization: header(request, "authorization"),
            origin: header(request, "origin"),
            fetch_site: header(request, "sec-fetch-site"),
            own_origin: request.url()?.origin().ascii_serialization(),
        };
        if let Err(problem) = may_start(self.settings, &caller) {
            return Ok(Err(problem));
        }
        let mut random = [0; 24];
        if getrandom::fill(&mut random).is_err() {
            return Ok(Err(Problem::new(
                500,
                "No randomness for a run id; try again.",
            )));
        }
        let run = match RunToken::new(asked.session.as_deref(), random) {
            Ok(run) => run,
            Err(error) => return Ok(Err(Problem::field("session", error))),
        };
        let order = Order::new(&asked.request);
        let run = match header(request, "idempotency-key") {
            None => run,
            Some(key) => match self.reserve(&key, &run, &order).await? {
                Ok(run) => run,
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let creation = Creation {
            run: run.to_string(),
            order,
            fork: None,
        };
        let created = self
            .post(&self.stub(&run)?, "https://run/create", &creation)
            .await?;
        if created.status_code() != 200 {
            return Ok(Err(Problem::new(
                500,
                "The run could not be started; try again.",
            )));
        }
        Ok(Ok(run))
    }

    async fn reserve(
        &self,
        key: &str,
        run: &RunToken,
        order: &Order,
    ) -> Result<std::result::Result<RunToken, Problem>> {
        if key.is_empty() || key.chars().count() > IDEMPOTENCY_KEY_CHARS_MAX {
            let detail = format!(
                "An Idempotency-Key has 1 to {IDEMPOTENCY_KEY_CHARS_MAX} characters; a UUID is best."
            );
            return Ok(Err(Problem::new(400, detail)));
        }
        let digest = PhotoDigest::new(Sha256::digest(key.as_bytes()).into());
        let stub = self
            .env
            .durable_object(RUNS_BINDING)?
            .get_by_name(&format!("key:{digest}"))?;
        let wanted = Reservation {
            run: run.to_string(),
            order: order.clone(),
        };
        let kept = self
            .post(&stub, "https://key/reserve", &wanted)
            .await?
            .text()
            .await?;
        let kept: Reservation = serde_json::from_str(&kept)?;
        if kept.order != wanted.order {
            let detail = "This Idempotency-Key started a run with another body; use a new key.";
            return Ok(Err(Problem::new(422, detail)));
        }
        Ok(RunToken::parse(&kept.run).map_err(|_| Problem::new(500, "A kept run is unreadable.")))
    }

    fn stub(&self, run: &RunToken) -> Result<Stub> {
        self.env
            .durable_object(RUNS_BINDING)?
            .get_by_name(&run.to_string())
    }

    async fn post<T: serde::Serialize>(
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

/// The body, or none where it is too long; reading stops there.
async fn bounded_body(request: &mut Request) -> Result<Option<Vec<u8>>> {
    use futures::StreamExt as _;
    let mut body = Vec::new();
    let Ok(mut chunks) = request.stream() else {
        return Ok(Some(body));
    };
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk?);
        if body.len() > BODY_BYTES_MAX {
            return Ok(None);
        }
    }
    Ok(Some(body))
}
