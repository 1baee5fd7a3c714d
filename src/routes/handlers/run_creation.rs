//! Creates runs. This includes checking the caller, parsing the question, and choosing the run's token.

use std::collections::BTreeMap;

use domain::{Secret, Sha256Digest};
use engine::budget::Refusal;
use engine::budget::client_digest;
use engine::{ForkTerms, Problem};
use serde_json::Value;
use serde_json::value::RawValue;
use settings::{Caps, Settings, host_and_port};
use worker::{Env, Request};

use crate::auth::{
    CreatorKey, CreatorsAction, IdempotencyKey, Visitor, callers, check_start_headers,
    check_visitor, creators_only,
};
use crate::engines::{EngineName, Wanted, WantedRun};
use crate::objects::client;
use crate::problems::no_such_address;
use crate::routes::is_json;
use crate::run_object::{CreationJson, Fork, ForkSourceJson, LiveRunCall, Starter};
use crate::storage::documents;
use crate::transport::bindings::{self, now_ms, random};
use crate::transport::failure::Result;
use crate::transport::network::WorkerNetwork;
use crate::transport::replies::{bounded_body, header};

use super::run_keys::{CreatedRun, RunKeys, new_run};

/// A run that has passed all checks and is ready to begin.
struct RunToBegin {
    order: Box<RawValue>,
    session: Option<String>,
    fork: Option<Fork<Box<RawValue>>>,
    secrets: BTreeMap<String, Secret>,
    starter: Option<Starter>,
    key: Option<IdempotencyKey>,
}

/// How a request that is sent again finds the run of the first request.
pub(crate) enum Repeat {
    /// By the idempotency key of the request, if it has one.
    Key(Option<String>),
    /// By the name of the tool call, while the call's run is in progress and shortly after. The response omits the
    /// run's secret, because many callers may share one address, as all users of a hosted assistant do.
    Call(Sha256Digest),
}

/// Creates runs for one request, under the operator's settings.
pub(crate) struct RunCreator<'request> {
    pub(crate) env: &'request Env,
    pub(crate) settings: &'request Settings,
    pub(crate) is_operator: bool,
    pub(crate) repeat: Repeat,
    /// Whether the request is a tool call.
    pub(crate) is_tool_call: bool,
}

impl<'request> RunCreator<'request> {
    /// Makes the creator of runs for one request. The refusal is a 400 for malformed headers, and a 429 after too
    /// many wrong tokens.
    pub(crate) fn new(
        request: &Request,
        env: &'request Env,
        settings: &'request Settings,
    ) -> Result<Self> {
        let (key, token) = (
            header(request, "idempotency-key"),
            header(request, "turnstile-token"),
        );
        check_start_headers(key.as_deref(), token.as_deref())?;
        Ok(Self {
            env,
            settings,
            is_operator: callers::check_operator(request, settings)?,
            repeat: Repeat::Key(key),
            is_tool_call: false,
        })
    }

    /// Creates the run that a body describes, or finds the run of the request's idempotency key.
    pub(crate) async fn create_from_body(&self, request: &mut Request) -> Result<CreatedRun> {
        if !is_json(header(request, "content-type").as_deref()) {
            return Err(Problem::new(415, "Send the body as application/json.").into());
        }
        let longest = EngineName::by_body().map(EngineName::body_bytes_max).max();
        let body = bounded_body(request, longest.unwrap_or_default()).await?;
        let body = body.unwrap_or_default();
        match EngineName::wanted(&body, self.caps()) {
            Some(wanted) => self.create(request, wanted).await,
            None => Err(Problem::new(413, EngineName::wrong_length()).into()),
        }
    }

    /// Creates the run that a link describes, or finds the run of the request's idempotency key.
    pub(crate) async fn create_from_query(&self, request: &Request) -> Result<CreatedRun> {
        let url = request.url()?;
        let query = url.query().unwrap_or_default();
        match EngineName::wanted_by_query(query, self.caps()) {
            Some(wanted) => self.create(request, wanted).await,
            None => Err(no_such_address().into()),
        }
    }

    /// Returns the caps that apply to this caller's runs.
    fn caps(&self) -> &'request Caps {
        self.settings.caps_of(self.is_operator)
    }

    /// Creates a run, or finds the one to which the request refers.
    pub(crate) async fn create(&self, request: &Request, wanted: Wanted) -> Result<CreatedRun> {
        let wanted = wanted?;
        self.check_caller(request)?;
        wanted.may_start(self.settings, self.is_operator)?;
        let terms = wanted.terms();
        let session = terms.session.map(str::to_owned);
        let key = self.key(request, terms.session);
        let starter = self
            .admit(request, terms.turnstile_token, key.as_ref())
            .await?;
        let source = match &terms.fork {
            None => None,
            Some(fork) => {
                let source = self.fork_source(request, wanted.engine(), fork).await?;
                Some((fork.run.to_string(), source))
            }
        };
        let stored = match (terms.stored_name, wanted.engine().documents()) {
            (Some(name), Some(documents)) => {
                documents::read_body(self.env, &documents, name).await?
            }
            _ => None,
        };
        let secrets = wanted.secrets();
        let forked = source.as_ref().map(|(_, source)| &*source.order);
        let order = self.accept(wanted, stored, forked)?;
        let fork = source.map(|(run, source)| Fork {
            run,
            answers: source.answers,
        });
        let run = RunToBegin {
            order,
            session,
            fork,
            secrets,
            starter,
            key,
        };
        self.begin(request, run).await
    }

    fn accept(
        &self,
        wanted: Box<dyn WantedRun>,
        stored: Option<Value>,
        forked: Option<&RawValue>,
    ) -> Result<Box<RawValue>, Problem> {
        match &self.settings.providers {
            Ok(providers) => wanted.accept(stored, forked, (providers, self.caps())),
            Err(_) => Err(Problem::missing_settings(&self.settings.missing())),
        }
    }

    /// Returns the idempotency key of a request that starts a run in this session, if it has one.
    fn key(&self, request: &Request, session: Option<&str>) -> Option<IdempotencyKey> {
        match &self.repeat {
            Repeat::Key(text) => Some(self.keys(request, session).key(text.as_deref()?)),
            Repeat::Call(_) => None,
        }
    }

    fn keys<'session>(
        &self,
        request: &Request,
        session: Option<&'session str>,
    ) -> RunKeys<'request, 'session> {
        RunKeys {
            env: self.env,
            is_operator: self.is_operator,
            address: header(request, "cf-connecting-ip"),
            session,
        }
    }

    /// Begins a run, or finds the one to which the request refers.
    async fn begin(&self, request: &Request, run: RunToBegin) -> Result<CreatedRun> {
        let forked = run.fork.as_ref().map(|fork| &fork.run);
        let question = || serde_json::to_string(&(&run.order, forked));
        let keys = self.keys(request, run.session.as_deref());
        let found = match (&run.key, &self.repeat) {
            (Some(key), _) => Some(keys.run_of_key(key, &question()?).await?),
            (None, Repeat::Call(name)) => keys.run_of_call(name, &question()?).await?,
            (None, Repeat::Key(_)) => None,
        };
        let (created, key) = match found {
            Some(found) if found.is_there => return Ok(found.created.without_secret()),
            Some(found) => (found.created, Some(found.claim)),
            None => (new_run(run.session.as_deref())?, None),
        };
        let creation = CreationJson {
            run: created.run.to_string(),
            order: run.order,
            creator: created.secret.as_ref().map(CreatorKey::of),
            fork: run.fork,
            secrets: run.secrets,
            starter: run.starter,
            host: host_and_port(&request.url()?),
            key,
            kept_until_ms: None,
        };
        let is_new = client::create(self.env, &created.run, &creation).await?;
        Ok(match self.repeat {
            // Another caller behind the same address may have begun the run by the same call. Then this caller must not
            // get the secret.
            Repeat::Call(_) if !is_new => created.without_secret(),
            _ => created,
        })
    }

    /// Checks that the caller may start a run now. The operator may always. Others must be within the rate limit and
    /// pass Turnstile. Returns what the run's object needs to reserve the run's budget.
    async fn admit(
        &self,
        request: &Request,
        turnstile_token: Option<&str>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Starter>> {
        let address = header(request, "cf-connecting-ip");
        let mut limits = self.settings.start_limits_of(self.is_operator);
        let client = client_digest(address.as_deref(), now_ms());
        if let Some(starts_max) = limits.starts_per_minute_max
            && let Some(limiter) = bindings::rate_limiter(self.env)
        {
            if !limiter.limit(client.clone()).await?.success {
                let refusal = Refusal::StartsOfClient {
                    starts_max,
                    retry_after_s: 60,
                };
                return Err(refusal.problem().into());
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
            check_visitor(&network, turnstile, &visitor).await?;
        }
        Ok((!limits.are_off()).then_some(Starter { client, limits }))
    }

    fn check_caller(&self, request: &Request) -> Result<()> {
        if self.settings.providers.is_err() {
            return Err(Problem::missing_settings(&self.settings.missing()).into());
        }
        if self.is_tool_call {
            return callers::check_tool_start(request, self.settings, self.is_operator);
        }
        callers::check_start(request, self.settings)
    }

    /// Returns the order and the answers of the run to fork.
    async fn fork_source(
        &self,
        request: &Request,
        engine: EngineName,
        fork: &ForkTerms<'_>,
    ) -> Result<ForkSourceJson> {
        let call = LiveRunCall::Answers {
            by: callers::requester_as(request, self.is_operator),
            before: fork.before.clone(),
        };
        let mut source = client::call(self.env, fork.run, call).await?;
        if source.status_code() == 403 {
            return Err(creators_only(CreatorsAction::Fork).into());
        }
        if source.status_code() != 200 {
            let detail = format!(
                "The run to fork is not here any more, or never was; runs are kept for a while only. {}",
                engine.begin_anew()
            );
            return Err(Problem::new(404, detail).into());
        }
        let text = source.text().await?;
        match EngineName::of_holder(&text) {
            Some(forked) if forked != engine => Err(Problem::new(409, forked.how_to_fork()).into()),
            _ => Ok(serde_json::from_str(&text)?),
        }
    }
}

/// Returns the text that identifies an attempt to start a run. It is the idempotency key if there is one, so that a
/// repeated request counts as the same Turnstile check.
fn attempt(key: Option<&IdempotencyKey>) -> worker::Result<String> {
    Ok(match key {
        Some(key) => key.digest().to_string(),
        None => Sha256Digest::new(random()?).to_string(),
    })
}
