//! Takes a run up in its object's alarm: work is never tied to a viewer's request, and the platform
//! wakes the object again where it dies in the middle.

use std::time::Duration;

use worker::Result;

use crate::events::{Interruption, interrupted_event};
use crate::kernel::Millis;
use crate::session::{Past, RunToken, Taken, conduct, give_up};

use super::object::{Live, RunObject};
use super::platform::{Platform, now_ms};
use super::{KV_BINDING, diary, records, settings};

/// When a run is taken up again whose journal or last documents could not be written.
const AFTER_FAILURE: Duration = Duration::from_secs(30);

impl RunObject {
    /// From where the journal ends to the last write; then the alarm is set for the deletion.
    pub(super) async fn conduct(&self, live: Live) -> Result<()> {
        let storage = self.state.storage();
        let settings = settings(&self.env);
        let Ok(run) = RunToken::parse(&live.opened.run) else {
            return storage.delete_all().await;
        };
        // A conductor of this instance that the platform broke off may write no more.
        let conductor = self.conductors.get().wrapping_add(1).max(1);
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
        let taken = match &settings.providers {
            Ok(providers) => {
                conduct(&platform, providers, &run, &past, settings.time_to_live_s).await
            }
            // The operator took the settings away: there is nobody to ask any more.
            Err(_) => give_up(&platform, &run, &past),
        };
        if self.conductors.get() != conductor {
            return Ok(());
        }
        match taken {
            Ok(Taken::Done) => {}
            Ok(Taken::Unwritten) => return self.try_later().await,
            Ok(Taken::Interrupted(event)) => self.record_interruption(&run, &event).await,
            Err(_) => return self.tell_failure(&live).await,
        }
        let left_ms = live.opened.expires_ms.saturating_sub(now_ms());
        storage.set_alarm(Duration::from_millis(left_ms)).await
    }

    /// The object's store fails. Viewers are told at once and not for good: what is in the journal
    /// is taken up again.
    async fn tell_failure(&self, live: &Live) -> Result<()> {
        worker::console_error!("the journal could not be kept; the run waits to be taken up again");
        let log = &live.log;
        let number = log.len().saturating_add(1);
        let run = &live.opened.run;
        let (now, how) = (Millis(now_ms()), Interruption::ForNow);
        let event = interrupted_event(run, number, now, how, log.jsons().iter());
        log.end_unkept(&event);
        self.live.replace(None);
        self.conductors.set(0);
        self.try_later().await
    }

    async fn try_later(&self) -> Result<()> {
        self.state.storage().set_alarm(AFTER_FAILURE).await
    }

    /// The run's record shall not say for ever that it goes on.
    async fn record_interruption(&self, run: &RunToken, event: &str) {
        let noted = match self.env.kv(KV_BINDING) {
            Ok(kv) => {
                let time_to_live_s = settings(&self.env).time_to_live_s;
                records::note_interruption(&kv, run, event, time_to_live_s).await
            }
            Err(error) => Err(error),
        };
        if noted.is_err() {
            worker::console_error!("the record of an interrupted run could not be written");
        }
    }
}
