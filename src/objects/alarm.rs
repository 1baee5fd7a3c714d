//! Conducts a run in the alarm of its object. There the work does not depend on a viewer's request, and the platform
//! restarts it if the object ends midway.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use domain::{RunToken, Secret};
use engine::budget::{Claim, GRANT_MS_MAX, Refusal, Release, ReserveAnswer, Settlement};
use engine::run::{ConductOutcome, RecordLimits, SavedRun, lacking};
use worker::{AnalyticsEngineDataPointBuilder, Env, Result, SqlStorage, State};

use crate::engines::{EngineName, with_engine};
use crate::run_object::{HeldBudget, spent_of};
use crate::run_summary::{ResourceUsage, RunSummary, Unended};

use crate::storage::{documents, event_table, journal_table, json_table};
use crate::transport::bindings::{analytics, kv_documents, now_ms, settings};

use super::budget;
use super::effects::Platform;
use super::live_run::LiveRun;

/// The delay before a run is resumed if its journal or its last documents could not be written.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

/// Conducts the run of an object.
#[derive(Default)]
pub(crate) struct AlarmConductor {
    fence: Fence,
    is_at_work: Cell<bool>,
    /// The secrets that were sent to this instance of the object, by name.
    secrets: RefCell<Rc<BTreeMap<String, Secret>>>,
}

impl AlarmConductor {
    /// Returns whether the run is being conducted now.
    pub(crate) fn is_at_work(&self) -> bool {
        self.is_at_work.get()
    }

    /// Stores the secrets that came with the request for the run, in memory only.
    pub(crate) fn take_secrets(&self, secrets: BTreeMap<String, Secret>) {
        self.secrets.replace(Rc::new(secrets));
    }

    /// Conducts the run from the end of its journal to its last write, then sets the alarm for the run's deletion.
    /// `forget` drops the object's cached run, so that the run is loaded again.
    pub(crate) async fn conduct(
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

    /// Reports the run's spending to the budget once it has ended.
    async fn settle(&self, state: &State, env: &Env, live: &LiveRun) -> Result<()> {
        if live.log().is_ended() {
            tell_once(&state.storage().sql(), env, live, Unended::Expired)?;
        }
        if live.log().is_ended() && !settle(&state.storage().sql(), env).await? {
            return try_later(state).await;
        }
        Ok(())
    }

    /// Revokes the current conductor's right to write. From then on, it writes and sends nothing more.
    pub(crate) fn cut_off(&self) {
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
            // The run waits until the operator has corrected the settings.
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
        let kv = kv_documents(env)?;
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
            // The object's storage failed, so nothing more is sent or shown. Streams end without a last event, so
            // that clients reconnect. The run will be resumed from its journal.
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

/// Marks the conductor as at work until this value is dropped, which also happens if the platform aborts the handler.
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
pub(crate) async fn try_later(state: &State) -> Result<()> {
    state.storage().set_alarm(AFTER_FAILURE).await
}

/// Notes in the run's record that the run was interrupted. Otherwise the record would show the run as in progress
/// forever.
async fn record_interruption(platform: &Platform, run: &RunToken, event: &str) {
    let time_to_live_s = platform.document_time_to_live_s();
    let noted = documents::note_interruption(platform.kv(), run, event, time_to_live_s).await;
    if noted.is_err() {
        worker::console_error!("the record of an interrupted run could not be written");
    }
}

/// The name under which a run's reservation is stored.
const HELD_NAME: &str = "budget";

/// A reservation that allows a run to begin.
pub(crate) struct Grant {
    /// The part of the reservation that is stored with the run.
    pub(crate) held: HeldBudget,
    /// The number with which the reservation is released.
    pub(crate) number: u64,
    asked_ms: u64,
}

impl Grant {
    /// Reserves what a run may spend, or returns the reason why that is refused.
    pub(crate) async fn of(env: &Env, claim: &Claim) -> std::result::Result<Self, Refusal> {
        let asked_ms = now_ms();
        match budget::reserve(env, claim.clone()).await {
            Ok(ReserveAnswer::Granted { number }) => Ok(Self {
                held: HeldBudget::new(&claim.run, claim.amount),
                number,
                asked_ms,
            }),
            Ok(ReserveAnswer::Refused(refusal)) => Err(refusal),
            // Without an answer from the budget, nothing may be spent.
            Err(error) => {
                worker::console_error!("the budget of the day does not answer: {error}");
                Err(Refusal::Unanswered)
            }
        }
    }

    /// Returns whether the grant was requested so recently that the budget cannot have released it yet.
    pub(crate) fn is_fresh(&self) -> bool {
        now_ms().saturating_sub(self.asked_ms) <= GRANT_MS_MAX
    }

    /// Stores the reservation with the run, in the same transaction as the run's beginning.
    pub(crate) fn keep(&self, sql: &SqlStorage) -> Result<()> {
        json_table::put(sql, HELD_NAME, &self.held)
    }

    /// Releases the reservation because no run began. If this fails, the budget releases the reservation later, when
    /// the run's object tells it that there is no run.
    pub(crate) async fn give_back(&self, env: &Env) {
        let release = Release {
            run: self.held.run().to_owned(),
            number: self.number,
        };
        if let Err(error) = budget::release(env, release).await {
            worker::console_warn!("a reservation could not be given back yet: {error}");
        }
    }
}

/// Returns the spending of a run that spends nothing more; `None` if nothing is reserved for the run.
pub(crate) fn spent(sql: &SqlStorage) -> Result<Option<Settlement>> {
    let Some(held) = json_table::get::<HeldBudget>(sql, HELD_NAME)? else {
        return Ok(None);
    };
    let entries = journal_table::entries(sql)?;
    let last_event = event_table::last(sql)?;
    let first = entries.first();
    let engine = first.and_then(|first| EngineName::of_first_entry(first));
    let last_event = last_event.as_deref();
    // Even if the order is unreadable, the last event may contain the spent amount. The registry's first engine then
    // parses the event.
    let engine = engine.or_else(|| EngineName::by_body().last());
    let spent = match engine {
        Some(engine) => {
            with_engine!(engine, E => spent_of::<E>(&entries, last_event, held.amount()))
        }
        None => held.amount(),
    };
    Ok(Some(Settlement {
        run: held.run().to_owned(),
        spent,
    }))
}

/// Reports the run's spending to the budget, once. Returns `false` if the report failed and must be repeated.
pub(crate) async fn settle(sql: &SqlStorage, env: &Env) -> Result<bool> {
    let Some(held) = json_table::get::<HeldBudget>(sql, HELD_NAME)? else {
        return Ok(true);
    };
    if held.is_settled() {
        return Ok(true);
    }
    let Some(settlement) = spent(sql)? else {
        return Ok(true);
    };
    if let Err(error) = budget::settle(env, settlement).await {
        worker::console_error!("what a run has spent could not be told yet: {error}");
        return Ok(false);
    }
    json_table::put(sql, HELD_NAME, &held.settled())?;
    Ok(true)
}

/// Issues fencing tokens. Each token invalidates the earlier ones.
#[derive(Default)]
pub(crate) struct Fence {
    last: Rc<Cell<u32>>,
}

impl Fence {
    /// Issues the next conductor's token.
    pub(crate) fn next(&self) -> FencingToken {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        FencingToken {
            number,
            last: self.last.clone(),
        }
    }
}

/// The right to write, valid until another conductor takes over.
#[derive(Clone)]
pub(crate) struct FencingToken {
    number: u32,
    last: Rc<Cell<u32>>,
}

impl FencingToken {
    /// Returns whether this conductor may still write, that is, whether no other conductor has taken over.
    pub(crate) fn is_valid(&self) -> bool {
        self.last.get() == self.number
    }
}

/// The name under which the object stores that the run's summary was logged.
const TOLD_NAME: &str = "told";

/// Records that the run's summary was logged.
pub(crate) fn note_told(sql: &SqlStorage) -> Result<()> {
    json_table::put(sql, TOLD_NAME, &true)
}

/// Logs the summary of a run that has stopped, unless it was logged before.
pub(crate) fn tell_once(
    sql: &SqlStorage,
    env: &Env,
    live: &LiveRun,
    or_else: Unended,
) -> Result<()> {
    if json_table::get::<bool>(sql, TOLD_NAME)? == Some(true) {
        return Ok(());
    }
    note_told(sql)?;
    let events: Vec<Rc<str>> = live.log().jsons();
    let is_named = settings(env).is_log_named;
    let used = used(sql)?;
    let summary = RunSummary::new(live.opened(), &events, or_else, used, is_named);
    worker::console_log!("{}", summary.line());
    if let Some(dataset) = analytics(env) {
        let point = AnalyticsEngineDataPointBuilder::new()
            .indexes([summary.index()])
            .blobs(summary.texts())
            .doubles(summary.numbers());
        if let Err(error) = point.write_to(&dataset) {
            worker::console_warn!("a data point could not be written: {error}");
        }
    }
    Ok(())
}

fn used(sql: &SqlStorage) -> Result<ResourceUsage> {
    let entries = json_table::size(sql, "journal")?;
    let events = json_table::size(sql, "events")?;
    Ok(ResourceUsage {
        rows_written: entries.rows + events.rows,
        bytes_written: entries.bytes + events.bytes,
        kv_writes: journal_table::documents_written(sql)?,
        memory_bytes: memory_bytes(),
    })
}

/// The size of a WebAssembly memory page, in bytes.
const PAGE_BYTES: u64 = 65_536;

/// Returns the size of the program's memory in bytes. It never shrinks, so this is also its peak.
fn memory_bytes() -> u64 {
    let pages = core::arch::wasm32::memory_size(0);
    u64::try_from(pages).unwrap_or_default() * PAGE_BYTES
}
