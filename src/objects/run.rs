//! The Durable Object of a run. It has a single writer, an ordered log of events, and viewers that come and go.
//!
//! Each idempotency key has an object of this class as well. Looking up and claiming a key is atomic there, so that two
//! creations with one key give one run.

use std::cell::RefCell;
use std::time::Duration;

use engine::Problem;
use engine::budget::{Refusal, RunAccount, Settlement};
use futures::future::join;
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::auth::{CreatorsAction, Requester, check_creator};
use crate::problems::{no_such_run, run_is_over};
use crate::run_object::{Beginning, ChildDeletion, CreateAnswer, LiveRunCall, RunObjectCall};
use crate::run_summary::Unended;
use crate::storage::{artifact_table, documents, journal_table};
use crate::transport::bindings::{now_ms, settings};
use crate::transport::failure::Failure;
use crate::transport::replies;

use super::alarm::{self, AlarmConductor, try_later};
use super::beginning::{
    RunBeginner, claim_key, creator_key, grant, keep_claimed_key, keep_starter,
};
use super::fork::{answer, artifacts};
use super::key::{self, KeyHolder};
use super::live_run::LiveRun;
use super::{answers, deletion, publication, session};

/// The alarm of a run in progress is set again unless it is due within this time, in milliseconds.
const SOON_MS: u64 = 60_000;
/// The delay after which the alarm fires again if its handler ends without setting another alarm.
const WATCHDOG: Duration = Duration::from_secs(5);

/// The object of a run, of an idempotency key, or of an MCP session.
#[durable_object]
pub struct RunObject {
    state: State,
    env: Env,
    live: RefCell<Option<LiveRun>>,
    conductor: AlarmConductor,
    beginner: RunBeginner,
    key: KeyHolder,
}

impl DurableObject for RunObject {
    fn new(state: State, env: Env) -> Self {
        Self {
            state,
            env,
            live: RefCell::new(None),
            conductor: AlarmConductor::default(),
            beginner: RunBeginner::default(),
            key: KeyHolder::default(),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        match self.handle(&mut request).await {
            Ok(response) => Ok(response),
            Err(failure) => failure.into_response(),
        }
    }

    /// Conducts the run, with or without viewers, and deletes it when it has expired.
    async fn alarm(&self) -> Result<Response> {
        // The platform runs one alarm handler at a time.
        let storage = self.state.storage();
        let (watched, done) = join(storage.set_alarm(WATCHDOG), self.go_on()).await;
        if let Err(error) = watched {
            worker::console_error!("an alarm could not be set: {error}");
        }
        done?;
        Response::empty()
    }
}

impl RunObject {
    async fn handle(&self, request: &mut Request) -> Result<Response, Failure> {
        // A Worker of another version may send calls that this version does not know.
        let Ok(call) = serde_json::from_str(&request.text().await?) else {
            return Ok(Response::error("no such call", 400)?);
        };
        match call {
            RunObjectCall::Create(creation) => self.create(creation.get()).await,
            RunObjectCall::FindKey(wanted) => self.key.find(&self.state.storage().sql(), wanted),
            RunObjectCall::ClaimKey(claim) => key::claim(&self.state, claim).await,
            RunObjectCall::DropKey => key::drop_use(&self.state.storage().sql()),
            RunObjectCall::DeleteChild(deletion) => self.delete_child(deletion).await,
            RunObjectCall::Account => self.account().await,
            RunObjectCall::Session(call) => session::in_session(&self.state, call).await,
            RunObjectCall::Watch(call) => answers::watched_answer(&self.present().await?, call),
            RunObjectCall::Live(call) => self.answer(&self.present().await?, call).await,
        }
    }

    /// Returns this object's run, or the refusal that says why there is none.
    async fn present(&self) -> Result<LiveRun, Failure> {
        match self.touch().await? {
            Some(live) => Ok(live),
            None => Err(self.absence()?.into()),
        }
    }

    /// Does what is due: conducts the run, continues its deletion, or deletes everything once the run has expired.
    async fn go_on(&self) -> Result<()> {
        let Some(live) = self.live()? else {
            if deletion::go_on(&self.state, &self.env).await? {
                return Ok(());
            }
            return self.expire().await;
        };
        let forget = || {
            self.live.replace(None);
        };
        self.conductor
            .conduct(&self.state, &self.env, &live, forget)
            .await?;
        // An ended run without viewers uses no memory: viewers that are still connected hold the run themselves, and
        // for new viewers the run is loaded again.
        if live.log().is_ended() {
            forget();
        }
        Ok(())
    }

    /// Returns the refusal for an object without a run. The object may not know whether it ever had one, because
    /// nothing is stored about an expired run.
    fn absence(&self) -> Result<Problem> {
        let sql = self.state.storage().sql();
        let was_here = deletion::is_deleted(&sql)? || journal_table::first(&sql)?.is_some();
        Ok(if was_here {
            run_is_over(settings(&self.env).time_to_live_s)
        } else {
            no_such_run()
        })
    }

    async fn answer(&self, live: &LiveRun, call: LiveRunCall) -> Result<Response, Failure> {
        match call {
            LiveRunCall::Events { after, waits } => answers::view(live, after, waits),
            LiveRunCall::Last => answers::last(live).await,
            LiveRunCall::IsRecent => replies::json_text(if answers::is_recent(live) {
                "true"
            } else {
                "false"
            }),
            LiveRunCall::Stop(by) => {
                self.check_creator(&by, CreatorsAction::Stop)?;
                live.stop(&self.state.storage().sql())?;
                Ok(Response::empty()?.with_status(202))
            }
            LiveRunCall::Outline => answers::outlined(live),
            LiveRunCall::Sealed => {
                publication::sealed_file(&self.state.storage().sql(), &self.env, live)
            }
            LiveRunCall::Trace => answers::trace(&self.state.storage().sql(), live),
            LiveRunCall::Document(name) => answers::run_document(live, &name),
            LiveRunCall::Artifact(digest) => {
                answers::artifact(&self.state.storage().sql(), &digest)
            }
            LiveRunCall::Artifacts => {
                let frames = artifact_table::frames(&self.state.storage().sql())?;
                Ok(Response::from_bytes(frames)?)
            }
            LiveRunCall::Answers { by, before } => {
                self.check_creator(&by, CreatorsAction::Fork)?;
                answer(&self.state.storage().sql(), live, before.as_deref())
            }
            LiveRunCall::Delete(by) => {
                self.check_creator(&by, CreatorsAction::Delete)?;
                self.delete(live).await
            }
            LiveRunCall::Publish(by) => {
                self.check_creator(&by, CreatorsAction::Publish)?;
                publication::publish(&self.state.storage().sql(), &self.env, live).await
            }
        }
    }

    fn check_creator(&self, requester: &Requester, action: CreatorsAction) -> Result<(), Failure> {
        let key = creator_key(&self.state.storage().sql())?;
        Ok(check_creator(key.as_ref(), requester, action)?)
    }

    /// Deletes the run.
    async fn delete(&self, live: &LiveRun) -> Result<Response, Failure> {
        let forget = || {
            self.live.replace(None);
        };
        deletion::answer(&self.state, &self.env, &self.conductor, live, forget).await
    }

    /// Deletes the run, even if it has not begun, because its parent run is deleted.
    async fn delete_child(&self, deletion: ChildDeletion) -> Result<Response, Failure> {
        let forget = || {
            self.live.replace(None);
        };
        let live = self.touch().await?;
        let (state, env) = (&self.state, &self.env);
        deletion::answer_as_child(state, env, &self.conductor, live, deletion, forget).await
    }

    /// Begins the run unless it was begun before.
    async fn create(&self, body: &str) -> Result<Response, Failure> {
        if self.touch().await?.is_some() {
            return replies::json(&CreateAnswer::Found);
        }
        if deletion::is_deleted(&self.state.storage().sql())? {
            return replies::json(&CreateAnswer::Deleted);
        }
        let settings = settings(&self.env);
        let beginning = settings.providers.ok().and_then(|providers| {
            Beginning::read(body, &providers, now_ms(), settings.time_to_live_s)
        });
        match beginning {
            Some(beginning) => self.begin(beginning).await,
            None => Ok(Response::error("no run can be begun", 400)?),
        }
    }

    async fn begin(&self, beginning: Beginning) -> Result<Response, Failure> {
        let sql = self.state.storage().sql();
        // There must be no await between the check below that the run has not begun and the run's beginning. So the
        // artifacts are fetched first.
        let artifacts = match beginning.artifact_source {
            Some(source) => artifacts(&self.env, source).await?,
            None => None,
        };
        let grant = match &beginning.starter {
            None => None,
            Some(starter) => {
                let run = beginning.run.to_string();
                match grant(&self.env, &run, beginning.most, starter.clone()).await {
                    Ok(grant) => Some(grant),
                    Err(refusal) => return replies::json(&CreateAnswer::Refused(refusal)),
                }
            }
        };
        // The key is claimed after the limits were checked, so that a refused start costs no storage.
        let key = beginning.key.as_ref();
        let claimed = claim_key(&self.env, key, beginning.expires_ms).await;
        if !matches!(claimed, Ok(true)) {
            let grant = grant.as_ref();
            self.beginner.give_back(&sql, &self.env, grant).await?;
            claimed?;
            return replies::json(&CreateAnswer::KeyTaken);
        }
        // Another request with this key may have begun the run meanwhile.
        let is_new = self.live()?.is_none();
        if is_new {
            let begun = self.beginner.begin(
                &sql,
                &self.env,
                grant.as_ref(),
                beginning.creator.as_ref(),
                &beginning.entries,
            );
            if !begun.await? {
                return replies::json(&CreateAnswer::Refused(Refusal::Unanswered));
            }
            self.conductor.take_secrets(beginning.secrets);
            if let Some(artifacts) = artifacts {
                artifacts.keep(&sql)?;
            }
            if let Some(claim) = &beginning.key {
                keep_claimed_key(&sql, &claim.key)?;
            }
            if let Some(starter) = &beginning.starter {
                keep_starter(&sql, starter)?;
            }
            // The platform commits the alarm and the first entries together, so that no run lacks an alarm. The alarm
            // fires at once and conducts the run.
            self.state.storage().set_alarm(Duration::ZERO).await?;
        }
        replies::json(if is_new {
            &CreateAnswer::Begun
        } else {
            &CreateAnswer::Found
        })
    }

    /// Responds to the daily budget's request for the run's state and spending.
    async fn account(&self) -> Result<Response, Failure> {
        let sql = self.state.storage().sql();
        if journal_table::first(&sql)?.is_none() {
            return replies::json(&RunAccount::Unknown);
        }
        // The spending of an expired run is reported before the run is deleted.
        let is_ended = match self.touch().await? {
            Some(live) => live.log().is_ended(),
            None => false,
        };
        replies::json(&match alarm::spent(&sql)? {
            Some(Settlement { spent, .. }) if is_ended => RunAccount::Ended { spent },
            _ => RunAccount::GoesOn,
        })
    }

    /// Deletes an expired run once its spending was reported.
    async fn expire(&self) -> Result<()> {
        self.conductor.cut_off();
        let storage = self.state.storage();
        let expired = LiveRun::stored(&storage.sql())?;
        if let Some(expired) = &expired {
            alarm::tell_once(&storage.sql(), &self.env, expired, Unended::Expired)?;
        }
        if !alarm::settle(&storage.sql(), &self.env).await? {
            return try_later(&self.state).await;
        }
        if let Some(expired) = expired {
            documents::note(&self.env, expired.opened().run()).await;
        }
        // A run may have begun in this object meanwhile.
        if self.live()?.is_some() {
            return Ok(());
        }
        if let Some(live) = self.live.replace(None) {
            live.log().expire();
        }
        storage.delete_all().await
    }

    /// Returns this object's run. If its conductor died with an earlier instance, sets the alarm to resume it.
    async fn touch(&self) -> Result<Option<LiveRun>> {
        let storage = self.state.storage();
        let Some(live) = self.live()? else {
            // The run has expired, and its deletion alarm may have been lost.
            if journal_table::first(&storage.sql())?.is_some() {
                self.expire().await?;
            }
            return Ok(None);
        };
        if !self.conductor.is_at_work() {
            // An ended run may still have documents to write. An alarm that is already set is kept if the run has
            // ended, or if it soon resumes the run.
            let soon_ms = if live.log().is_ended() {
                u64::MAX
            } else {
                SOON_MS
            };
            let alarm_ms = storage
                .get_alarm()
                .await?
                .and_then(|at| u64::try_from(at).ok());
            let now_ms = now_ms();
            let is_set = alarm_ms.is_some_and(|at| at > now_ms && at - now_ms <= soon_ms);
            if !is_set {
                storage.set_alarm(Duration::ZERO).await?;
            }
        }
        Ok(Some(live))
    }

    /// Returns this object's run, if there is one and it has not expired.
    fn live(&self) -> Result<Option<LiveRun>> {
        if let Some(live) = self.live.borrow().as_ref() {
            return Ok((!live.has_expired()).then(|| live.clone()));
        }
        let live = LiveRun::load(&self.state.storage().sql())?;
        if live.is_some() {
            self.live.replace(live.clone());
        }
        Ok(live)
    }
}
