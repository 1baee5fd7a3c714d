//! Conducts a run in its object's alarm: work is never tied to a viewer's request, and the platform
//! calls the alarm again where the object dies in the middle.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use worker::{Env, Result, State};

use domain::{RunToken, Secret};
use engine::run::{ConductOutcome, RecordLimits, SavedRun, lacking};

use crate::engines::with_engine;
use crate::run_summary::Unended;

use super::clock::now_ms;
use super::environment::{documents, settings};
use super::fencing::Fence;
use super::live_run::LiveRun;
use super::platform::Platform;
use super::{journal_table, records, run_log, settling};

/// The time after which a run is resumed whose journal or last documents could not be written.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

/// Conducts the run of one object.
#[derive(Default)]
pub(super) struct AlarmConductor {
    fence: Fence,
    is_at_work: Cell<bool>,
    /// The secrets that were sent to this instance of the object.
    secrets: RefCell<Rc<BTreeMap<String, Secret>>>,
}

impl AlarmConductor {
    /// Returns whether the run is being conducted.
    pub(super) fn is_at_work(&self) -> bool {
        self.is_at_work.get()
    }

    /// Takes the secrets that came with the request for the run.
    pub(super) fn take_secrets(&self, secrets: BTreeMap<String, Secret>) {
        self.secrets.replace(Rc::new(secrets));
    }

    /// Conducts the run from where its journal ends to its last write, then sets the alarm for the
    /// run's deletion. `forget` drops what the object knows of the run, so that it reads its
    /// storage again.
    pub(super) async fn conduct(
        &self,
        state: &State,
        env: &Env,
        live: &LiveRun,
        forget: impl Fn(),
    ) -> Result<()> {
        let _at_work = AtWork::begin(&self.is_at_work);
        let conducted = self.conduct_on(state, env, live, forget).await;
        let settled = self.settle(state, env, live).await;
        conducted.and(settled)
    }

    /// Tells the budget what the run has spent, once that is known.
    async fn settle(&self, state: &State, env: &Env, live: &LiveRun) -> Result<()> {
        if live.log().is_ended() {
            run_log::tell_once(&state.storage().sql(), env, live, Unended::Expired)?;
        }
        if live.log().is_ended() && !settling::settle(&state.storage().sql(), env).await? {
            return try_later(state).await;
        }
        Ok(())
    }

    /// Takes the right to write from the conductor that is at work, so that it writes and sends
    /// nothing any more.
    pub(super) fn cut_off(&self) {
        self.fence.next();
    }

    async fn conduct_on(
        &self,
        state: &State,
        env: &Env,
        live: &LiveRun,
        forget: impl Fn(),
    ) -> Result<()> {
        let storage = state.storage();
        let settings = settings(env);
        let Ok(providers) = &settings.providers else {
            // A mistake in the settings is mended sooner or later; the run waits for it.
            worker::console_error!("a run waits: {}", settings.missing().join(", "));
            return try_later(state).await;
        };
        let Ok(run) = RunToken::parse(live.opened().run()) else {
            return storage.delete_all().await;
        };
        let saved = saved_run(state, live)?;
        let lacking = with_engine!(live.opened().engine(), G => lacking::<G>(providers, &saved));
        if !lacking.is_empty() {
            worker::console_error!("a run waits: {}", lacking.join(", "));
            return try_later(state).await;
        }
        let token = self.fence.next();
        let time_to_live_s = settings.time_to_live_s;
        let kv = documents(env)?;
        let secrets = self.secrets.borrow().clone();
        let sql = storage.sql();
        let platform = Platform::new(env, sql, kv, live, time_to_live_s, token.clone(), secrets);
        let record = RecordLimits {
            time_to_live_s,
            kv_writes_max: settings.kv_writes_max,
        };
        let caps = settings.caps_of(false);
        let engine = live.opened().engine();
        let outcome = engine
            .conduct(&platform, (providers, caps), &run, &saved, record)
            .await;
        if !token.is_valid() {
            return Ok(());
        }
        match outcome {
            Ok(ConductOutcome::Done) => {}
            Ok(ConductOutcome::Unwritten) => return try_later(state).await,
            Ok(ConductOutcome::Interrupted(event)) => {
                record_interruption(&platform, &run, &event).await;
            }
            // The object's store fails: nothing more is sent or shown. Streams end without a last
            // event, so that clients come back; the run is resumed from what is in the journal.
            Err(_) => {
                worker::console_error!("the journal could not be written; the run will be resumed");
                live.log().break_off();
                forget();
                return try_later(state).await;
            }
        }
        self.take_secrets(BTreeMap::default());
        let left_ms = live.opened().expires_ms().saturating_sub(now_ms());
        storage.set_alarm(Duration::from_millis(left_ms)).await
    }
}

/// A mark that somebody is at work. Dropping it takes the mark away, also where the platform breaks
/// the handler off.
struct AtWork<'flag>(&'flag Cell<bool>);

impl<'flag> AtWork<'flag> {
    fn begin(flag: &'flag Cell<bool>) -> Self {
        flag.set(true);
        Self(flag)
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

fn saved_run(state: &State, live: &LiveRun) -> Result<SavedRun> {
    let events = live.log().jsons();
    Ok(SavedRun {
        entries: journal_table::entries(&state.storage().sql())?,
        events: events.iter().map(ToString::to_string).collect(),
        has_ended: live.log().is_ended(),
    })
}

/// Sets the alarm for [`AFTER_FAILURE`] from now.
pub(super) async fn try_later(state: &State) -> Result<()> {
    state.storage().set_alarm(AFTER_FAILURE).await
}

/// Notes in the run's record that the run was interrupted, so that the record does not say for ever
/// that it goes on.
async fn record_interruption(platform: &Platform, run: &RunToken, event: &str) {
    let time_to_live_s = platform.document_time_to_live_s();
    let noted = records::note_interruption(platform.kv(), run, event, time_to_live_s).await;
    if noted.is_err() {
        worker::console_error!("the record of an interrupted run could not be written");
    }
}
