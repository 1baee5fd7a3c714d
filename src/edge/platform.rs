//! The run object's [`Effects`].

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use worker::{Date, Delay, KvStore, SqlStorage};

use crate::events::WireEvent;
use crate::providers::{WireRequest, WireResponse};
use crate::session::{Effects, Log, StopSwitch, TransportError, WriteError};

use super::{diary, events, transport};

/// The shortest time that KV keeps a document.
const DOCUMENT_S_MIN: u64 = 60;

/// What a run does outside, on the platform.
pub(super) struct Platform {
    pub(super) sql: SqlStorage,
    pub(super) kv: KvStore,
    pub(super) time_to_live_s: u64,
    /// When everything of the run is deleted, in milliseconds since 1970.
    pub(super) expires_ms: u64,
    pub(super) log: Rc<Log>,
    pub(super) stop: Rc<StopSwitch>,
    /// Which conductor of its object this one is.
    pub(super) conductor: u32,
    /// Which is the last.
    pub(super) conductors: Rc<Cell<u32>>,
}

impl Platform {
    /// A conductor that was broken off and replaced keeps and tells nothing any more.
    fn check_is_conductor(&self) -> Result<(), WriteError> {
        if self.conductors.get() == self.conductor {
            Ok(())
        } else {
            Err(WriteError)
        }
    }

    /// No document outlives its run; KV keeps none shorter than a minute.
    pub(super) fn document_time_to_live_s(&self) -> u64 {
        let left_s = self.expires_ms.saturating_sub(now_ms()) / 1_000;
        self.time_to_live_s.min(left_s).max(DOCUMENT_S_MIN)
    }
}

/// The platform's clock, in milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    Date::now().as_millis()
}

/// Waits.
pub(super) async fn sleep(ms: u64) {
    Delay::from(Duration::from_millis(ms)).await;
}

impl Effects for Platform {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn jitter(&self) -> f64 {
        let mut bytes = [0; 4];
        // Without randomness the middle serves.
        match getrandom::fill(&mut bytes) {
            Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
            Err(_) => 0.5,
        }
    }

    async fn sleep(&self, ms: u64) {
        sleep(ms).await;
    }

    async fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> Result<WireResponse, TransportError> {
        transport::send(request, bytes_max).await
    }

    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        self.check_is_conductor()?;
        let put = self.kv.put(key, document).map_err(|_| WriteError)?;
        put.expiration_ttl(self.document_time_to_live_s())
            .execute()
            .await
            .map_err(|_| WriteError)
    }

    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError> {
        self.check_is_conductor()?;
        diary::keep(&self.sql, number, entry).map_err(|_| WriteError)
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.check_is_conductor()?;
        events::keep(&self.sql, &event).map_err(|_| WriteError)?;
        self.log.show(&event);
        Ok(())
    }

    async fn stop_requested(&self) {
        self.stop.wait().await;
    }
}
