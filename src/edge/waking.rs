//! Takes a run up in its object's alarm: work is never tied to a viewer's request, and the platform
//! wakes the object again where it dies in the middle.

use std::time::Duration;

use worker::Result;

use crate::session::{Past, RunToken, Taken, conduct};

use super::object::{Live, RunObject};
use super::platform::{Platform, now_ms};
use super::{KV_BINDING, diary, records, settings};

/// When a run is taken up again whose journal or last documents could not be written.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

impl RunObject {
    /// From where the journal ends to the last write; then the alarm is set for the deletion.
    pub(super) async fn conduct(&self, live: Live) -> Result<()> {
        self.is_conducted.set(true);
        let conducted = self.conduct_on(&live).await;
        self.is_conducted.set(false);
        conducted
    }

    async fn conduct_on(&self, live: &Live) -> Result<()> {
        let storage = self.state.storage();
        let settings = settings(&self.env);
        let Ok(providers) = &settings.providers else {
            // A mistake in the settings is mended sooner or later; the run waits for it.
            worker::console_error!("a run waits: {}", settings.missing().join(", "));
            return self.try_later().await;
        };
        let Ok(run) = RunToken::parse(&live.opened.run) else {
            return storage.delete_all().await;
        };
        // A conductor of this instance that the platform broke off may write no more.
        let conductor = self.conductors.get().wrapping_add(1);
        self.conductors.set(conductor);
        let platform = Platform {
            sql: storage.sql(),
            kv: self.env.kv(KV_BINDING)?,
            time_to_live_s: settings.time_to_live_s,
            expires_ms: live.opened.expires_ms,
            log: live.log.clone(),
            stop: live.stop.clone(),
            conductor,
            conductors: self.conductors.clone(),
        };
        let past = Past {
            entries: diary::entries(&storage.sql())?,
            events: live.log.jsons().iter().map(ToString::to_string).collect(),
            has_ended: live.log.is_ended(),
        };
        let time_to_live_s = settings.time_to_live_s;
        let taken = conduct(&platform, providers, &run, &past, time_to_live_s).await;
        if self.conductors.get() != conductor {
            return Ok(());
        }
        match taken {
            Ok(Taken::Done) => {}
            Ok(Taken::Unwritten) => return self.try_later().await,
            Ok(Taken::Interrupted(event)) => {
                self.record_interruption(&platform, &run, &event).await;
            }
            Err(_) => return self.break_off(live).await,
        }
        let left_ms = live.opened.expires_ms.saturating_sub(now_ms());
        storage.set_alarm(Duration::from_millis(left_ms)).await
    }

    /// The object's store fails: nothing more is sent or told. Streams end without a last event, so
    /// that clients come back; what is in the journal is taken up again.
    async fn break_off(&self, live: &Live) -> Result<()> {
        worker::console_error!("the journal could not be kept; the run waits to be taken up again");
        live.log.break_off();
        self.live.replace(None);
        self.try_later().await
    }

    async fn try_later(&self) -> Result<()> {
        self.state.storage().set_alarm(AFTER_FAILURE).await
    }

    /// The run's record shall not say for ever that it goes on.
    async fn record_interruption(&self, platform: &Platform, run: &RunToken, event: &str) {
        let time_to_live_s = platform.document_time_to_live_s();
        let noted = records::note_interruption(&platform.kv, run, event, time_to_live_s).await;
        if noted.is_err() {
            worker::console_error!("the record of an interrupted run could not be written");
        }
    }
}
