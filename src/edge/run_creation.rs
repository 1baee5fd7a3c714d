//! Creates runs: who may, what is asked for, and under which token.

use worker::{Env, Request, Result};

use crate::domain::Sha256Digest;
use crate::journal::Order;
use crate::session::{
    BODY_BYTES_MAX, Caller, CreateRequest, Creation, Fork, ForkRequest, ForkSource, LiveRunCall,
    Problem, Reservation, RunRequest, RunToken, Settings, host_and_port, may_start,
};

use super::incoming::{bounded_body, header};
use super::run_objects;

/// The longest idempotency key.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 200;

/// What is asked for, or why not.
type Accepted<T> = std::result::Result<T, Problem>;

/// Creates runs under the operator's settings.
pub(super) struct RunCreator<'request> {
    env: &'request Env,
    settings: &'request Settings,
}

impl<'request> RunCreator<'request> {
    pub(super) fn new(env: &'request Env, settings: &'request Settings) -> Self {
        Self { env, settings }
    }

    /// Reads a body.
    pub(super) async fn read_body(&self, request: &mut Request) -> Result<Accepted<CreateRequest>> {
        let content_type = header(request, "content-type").unwrap_or_default();
        if !content_type.starts_with("application/json") {
            return Ok(Err(Problem::new(415, "Send the body as application/json.")));
        }
        let Some(body) = bounded_body(request, BODY_BYTES_MAX).await? else {
            let detail = format!("The body is over {BODY_BYTES_MAX} bytes.");
            return Ok(Err(Problem::new(413, detail)));
        };
        Ok(CreateRequest::from_body(&body, &self.settings.caps))
    }

    /// Creates the run that is asked for, or finds the one that its idempotency key created.
    pub(super) async fn create(
        &self,
        request: &Request,
        wanted: CreateRequest,
    ) -> Result<Accepted<RunToken>> {
        if let Err(problem) = self.check_caller(request)? {
            return Ok(Err(problem));
        }
        let (wanted, fork) = match wanted {
            CreateRequest::New(wanted) => (wanted, None),
            CreateRequest::Fork(fork) => match self.fork(fork).await? {
                Ok((wanted, fork)) => (wanted, Some(fork)),
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let run = match new_token(wanted.session.as_deref()) {
            Ok(run) => run,
            Err(problem) => return Ok(Err(problem)),
        };
        let reservation = Reservation {
            run: run.to_string(),
            order: Order::new(&wanted.request),
            forked_from: fork.as_ref().map(|fork| fork.run.clone()),
        };
        let run = match header(request, "idempotency-key") {
            None => run,
            Some(key) => match self.reserve(&key, &reservation).await? {
                Ok(run) => run,
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let creation = Creation {
            run: run.to_string(),
            order: reservation.order,
            fork,
            host: host_and_port(&request.url()?),
        };
        let created = run_objects::create(self.env, &run, &creation).await?;
        if created.status_code() != 200 {
            return Ok(Err(Problem::new(
                500,
                "The run could not be started; try again.",
            )));
        }
        Ok(Ok(run))
    }

    fn check_caller(&self, request: &Request) -> Result<Accepted<()>> {
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
        Ok(may_start(self.settings, &caller))
    }

    /// The request and the answers of the run that is forked.
    async fn fork(&self, fork: ForkRequest) -> Result<Accepted<(RunRequest, Fork)>> {
        let run = fork.run().clone();
        let mut source = run_objects::call(self.env, &run, LiveRunCall::Answers).await?;
        if source.status_code() != 200 {
            let detail = "The run to fork is not here any more, or never was; runs are kept for a \
                          while only. Start the pair anew.";
            return Ok(Err(Problem::new(404, detail)));
        }
        let source: ForkSource = serde_json::from_str(&source.text().await?)?;
        let wanted = fork.resolve(&source.order, &self.settings.caps);
        let fork = Fork {
            run: run.to_string(),
            answers: source.answers,
        };
        Ok(wanted.map(|wanted| (wanted, fork)))
    }

    async fn reserve(&self, key: &str, wanted: &Reservation) -> Result<Accepted<RunToken>> {
        if key.is_empty() || key.chars().count() > IDEMPOTENCY_KEY_CHARS_MAX {
            let detail = format!(
                "An Idempotency-Key has 1 to {IDEMPOTENCY_KEY_CHARS_MAX} characters; a UUID is best."
            );
            return Ok(Err(Problem::new(400, detail)));
        }
        let digest = Sha256Digest::of(key.as_bytes());
        let reserved = run_objects::reserve(self.env, digest.as_str(), wanted).await?;
        if reserved.order != wanted.order || reserved.forked_from != wanted.forked_from {
            let detail = "This Idempotency-Key started a run with another body; use a new key.";
            return Ok(Err(Problem::new(422, detail)));
        }
        let run = RunToken::parse(&reserved.run);
        Ok(run.map_err(|_| Problem::new(500, "A kept run is unreadable.")))
    }
}

fn new_token(session: Option<&str>) -> Accepted<RunToken> {
    let mut random = [0; 24];
    getrandom::fill(&mut random)
        .map_err(|_| Problem::new(500, "No randomness for a run id; try again."))?;
    RunToken::new(session, random).map_err(|error| Problem::field("session", error))
}
