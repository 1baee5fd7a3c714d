//! Creates runs: who may, what is asked for, and under which token.

use worker::{Env, Error, Request, Result};

use crate::domain::{Secret, Sha256Digest};
use crate::journal::{EngineName, Order};
use crate::session::{
    BODY_BYTES_MAX, Caps, CreateRequest, Creation, CreatorKey, CreatorsAction, Fork, ForkRequest,
    ForkSource, IdempotencyKey, KeyClaim, KeyUse, LiveRunCall, Opening, Problem, Refusal,
    RunRequest, RunToken, Settings, Starter, Visitor, WORKFLOW_BODY_BYTES_MAX, WorkflowRequest,
    check_start_headers, check_visitor, client_digest, creators_only, host_and_port,
    is_about_workflow, is_json, run_secret,
};

use super::clock::now_ms;
use super::incoming::{bounded_body, header};
use super::worker_network::WorkerNetwork;
use super::{door, environment, run_objects};

/// What is asked for, or why not.
pub(super) type Accepted<T> = std::result::Result<T, Problem>;

/// A run that is there by now.
pub(super) struct CreatedRun {
    /// Its token.
    pub(super) run: RunToken,
    /// What its creator stops, forks and deletes it with; none where a Worker of before began it.
    pub(super) secret: Option<Secret>,
}

/// A run that may be begun.
pub(super) struct RunToBegin<E: Opening> {
    pub(super) order: E::Order,
    pub(super) session: Option<String>,
    pub(super) fork: Option<Fork<E>>,
    pub(super) starter: Option<Starter>,
    pub(super) key: Option<IdempotencyKey>,
}

/// Creates runs under the operator's settings.
pub(super) struct RunCreator<'request> {
    pub(super) env: &'request Env,
    pub(super) settings: &'request Settings,
    pub(super) is_operator: bool,
}

/// What a body asks for.
pub(super) enum Wanted {
    /// A search.
    Search(CreateRequest),
    /// A workflow.
    Workflow(WorkflowRequest),
}

impl<'request> RunCreator<'request> {
    /// For one request; 400 where its headers are none that start a run, 429 where too many wrong
    /// tokens came.
    pub(super) fn new(
        request: &Request,
        env: &'request Env,
        settings: &'request Settings,
    ) -> Result<Accepted<Self>> {
        let (key, token) = (
            header(request, "idempotency-key"),
            header(request, "turnstile-token"),
        );
        if let Err(problem) = check_start_headers(key.as_deref(), token.as_deref()) {
            return Ok(Err(problem));
        }
        let is_operator = door::check_operator(request, settings)?;
        Ok(is_operator.map(|is_operator| Self {
            env,
            settings,
            is_operator,
        }))
    }

    /// Reads a body.
    pub(super) async fn read_body(&self, request: &mut Request) -> Result<Accepted<Wanted>> {
        if !is_json(header(request, "content-type").as_deref()) {
            return Ok(Err(Problem::new(415, "Send the body as application/json.")));
        }
        let body = bounded_body(request, WORKFLOW_BODY_BYTES_MAX).await?;
        let body = body.unwrap_or_default();
        if body.len() > BODY_BYTES_MAX || is_about_workflow(&body) {
            match WorkflowRequest::from_body(&body) {
                Ok(Some(workflow)) => return Ok(Ok(Wanted::Workflow(workflow))),
                Ok(None) => {}
                Err(problem) => return Ok(Err(problem)),
            }
        }
        if body.is_empty() || body.len() > BODY_BYTES_MAX {
            let detail = format!(
                "The body is empty, or over {BODY_BYTES_MAX} bytes, or with a workflow over \
                 {WORKFLOW_BODY_BYTES_MAX} bytes."
            );
            return Ok(Err(Problem::new(413, detail)));
        }
        let search = CreateRequest::from_body(&body, self.caps());
        Ok(search.map(Wanted::Search))
    }

    /// What a run of this caller may ask for at most.
    pub(super) fn caps(&self) -> &'request Caps {
        self.settings.caps_of(self.is_operator)
    }

    /// Creates the run that is asked for, or finds the one that its idempotency key created.
    pub(super) async fn create(
        &self,
        request: &Request,
        wanted: Wanted,
    ) -> Result<Accepted<CreatedRun>> {
        match wanted {
            Wanted::Search(wanted) => self.create_search(request, wanted).await,
            Wanted::Workflow(wanted) => self.create_workflow(request, wanted).await,
        }
    }

    async fn create_search(
        &self,
        request: &Request,
        wanted: CreateRequest,
    ) -> Result<Accepted<CreatedRun>> {
        if let Err(problem) = self.check_caller(request)? {
            return Ok(Err(problem));
        }
        let key = self.key(request, wanted.session());
        let token = wanted.turnstile_token();
        let starter = match self.admit(request, token, key.as_ref()).await? {
            Ok(starter) => starter,
            Err(problem) => return Ok(Err(problem)),
        };
        let caps = self.caps();
        let (wanted, fork) = match wanted {
            CreateRequest::New(wanted) => (wanted, None),
            CreateRequest::Fork(fork) => match self.fork(request, fork, caps).await? {
                Ok((wanted, fork)) => (wanted, Some(fork)),
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let run = RunToBegin {
            order: Order::new(&wanted.request),
            session: wanted.session,
            fork,
            starter,
            key,
        };
        self.begin(request, run).await
    }

    /// The idempotency key of a request that starts a run in this session.
    pub(super) fn key(&self, request: &Request, session: Option<&str>) -> Option<IdempotencyKey> {
        let text = header(request, "idempotency-key")?;
        let address = header(request, "cf-connecting-ip");
        let address = address.as_deref();
        Some(IdempotencyKey::new(
            &text,
            self.is_operator,
            address,
            session,
        ))
    }

    /// Begins a run, or finds the one that its idempotency key began.
    pub(super) async fn begin<E: Opening>(
        &self,
        request: &Request,
        run: RunToBegin<E>,
    ) -> Result<Accepted<CreatedRun>> {
        let (created, key) = match &run.key {
            None => (new_run(run.session.as_deref()), None),
            Some(key) => match self.run_of_key(key, &run).await? {
                Ok((created, claim)) => (Ok(created), Some(claim)),
                Err(problem) => (Err(problem), None),
            },
        };
        let created = match created {
            Ok(created) => created,
            Err(problem) => return Ok(Err(problem)),
        };
        let creation = Creation {
            run: created.run.to_string(),
            order: run.order,
            creator: created.secret.as_ref().map(CreatorKey::of),
            fork: run.fork,
            starter: run.starter,
            host: host_and_port(&request.url()?),
            key,
            kept_until_ms: None,
        };
        let begun = run_objects::create(self.env, &created.run, &creation).await?;
        Ok(begun.map(|()| created))
    }

    /// The run that a key gives, and how it takes the key; 409 where the key was used for another
    /// question.
    async fn run_of_key<E: Opening>(
        &self,
        key: &IdempotencyKey,
        run: &RunToBegin<E>,
    ) -> Result<Accepted<(CreatedRun, KeyClaim)>> {
        let forked = run.fork.as_ref().map(|fork| &fork.run);
        let question = serde_json::to_string(&(&run.order, forked))?;
        let wanted = KeyUse::new(
            &Sha256Digest::new(random()?),
            &Sha256Digest::of(question.as_bytes()),
        );
        let used_for = match run_objects::find_key(self.env, &key.digest(), &wanted).await? {
            Ok(used_for) => used_for,
            Err(problem) => return Ok(Err(problem)),
        };
        if !used_for.asks_the_same(&wanted) {
            let detail = "This Idempotency-Key started a run with another body; use a new key.";
            return Ok(Err(Problem::new(409, detail)));
        }
        let run = used_for.salt().and_then(|salt| key.run(&salt).ok());
        let Some((run, secret)) = run else {
            return Ok(Err(Problem::new(500, "A kept run is unreadable.")));
        };
        let created = CreatedRun {
            run,
            secret: Some(secret),
        };
        let claim = KeyClaim {
            key: key.digest().to_string(),
            used_for,
        };
        Ok(Ok((created, claim)))
    }

    /// Lets a caller in who may start runs now: the operator at any pace, others at their own one
    /// and after the check for humans. Gives what the run's object asks the budget of the day with.
    pub(super) async fn admit(
        &self,
        request: &Request,
        turnstile_token: Option<&str>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Accepted<Option<Starter>>> {
        let address = header(request, "cf-connecting-ip");
        let mut limits = self.settings.start_limits_of(self.is_operator);
        let client = client_digest(address.as_deref(), now_ms());
        if let Some(starts_max) = limits.starts_per_minute_max
            && let Some(limiter) = environment::rate_limiter(self.env)
        {
            if !limiter.limit(client.clone()).await?.success {
                let refusal = Refusal::StartsOfClient {
                    starts_max,
                    retry_after_s: 60,
                };
                return Ok(Err(refusal.problem()));
            }
            limits.starts_per_minute_max = None;
        }
        if let (false, Some(turnstile)) = (self.is_operator, &self.settings.turnstile) {
            let header_token = header(request, "turnstile-token");
            let url = request.url()?;
            let attempt = attempt(key)?;
            let visitor = Visitor {
                token: header_token.as_deref().or(turnstile_token),
                address: address.as_deref(),
                host: url.host_str().unwrap_or_default(),
                attempt: &attempt,
            };
            let network = WorkerNetwork::new(self.env);
            if let Err(problem) = check_visitor(&network, turnstile, &visitor).await {
                return Ok(Err(problem));
            }
        }
        Ok(Ok((!limits.are_off()).then_some(Starter { client, limits })))
    }

    pub(super) fn check_caller(&self, request: &Request) -> Result<Accepted<()>> {
        if self.settings.providers.is_err() {
            let missing = self.settings.missing();
            return Ok(Err(Problem::missing_settings(&missing)));
        }
        door::check_start(request, self.settings)
    }

    /// The request and the answers of the run that is forked.
    async fn fork(
        &self,
        request: &Request,
        fork: ForkRequest,
        caps: &Caps,
    ) -> Result<Accepted<(RunRequest, Fork)>> {
        let run = fork.run().clone();
        let requester = door::requester_as(request, self.is_operator);
        let mut source = run_objects::call(
            self.env,
            &run,
            LiveRunCall::Answers {
                by: requester,
                before: None,
            },
        )
        .await?;
        if source.status_code() == 403 {
            return Ok(Err(creators_only(CreatorsAction::Fork)));
        }
        if source.status_code() != 200 {
            let detail = "The run to fork is not here any more, or never was; runs are kept for a \
                          while only. Start the pair anew.";
            return Ok(Err(Problem::new(404, detail)));
        }
        let text = source.text().await?;
        if EngineName::of_holder(&text) != Some(EngineName::Investigation) {
            let detail = "The run to fork is of a workflow; send the workflow, or the node from which it \
                          is to be done again, beside the fork.";
            return Ok(Err(Problem::new(409, detail)));
        }
        let source: ForkSource = serde_json::from_str(&text)?;
        let wanted = fork.resolve(&source.order, caps);
        let fork = Fork {
            run: run.to_string(),
            answers: source.answers,
        };
        Ok(wanted.map(|wanted| (wanted, fork)))
    }
}

/// What tells one attempt to start a run from another: the idempotency key where there is one, so
/// that the check of a repeated request is the same check.
fn attempt(key: Option<&IdempotencyKey>) -> Result<String> {
    Ok(match key {
        Some(key) => key.digest().to_string(),
        None => Sha256Digest::new(random()?).to_string(),
    })
}

fn random() -> Result<[u8; 32]> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| Error::RustError(error.to_string()))?;
    Ok(random)
}

/// A token and a secret.
pub(super) fn new_run(session: Option<&str>) -> Accepted<CreatedRun> {
    let (mut for_token, mut for_secret) = ([0; 24], [0; 32]);
    getrandom::fill(&mut for_token)
        .and_then(|()| getrandom::fill(&mut for_secret))
        .map_err(|_| Problem::new(500, "No randomness for a run id; try again."))?;
    let run = RunToken::new(session, for_token);
    let run = run.map_err(|error| Problem::field("session", error))?;
    Ok(CreatedRun {
        run,
        secret: Some(run_secret(for_secret)),
    })
}
