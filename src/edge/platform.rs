//! The run object's [`Effects`].

use std::rc::Rc;
use std::time::Duration;

use worker::{Date, Delay, KvStore, SqlStorage};

use crate::events::WireEvent;
use crate::providers::{WireRequest, WireResponse};
use crate::session::{Effects, TransportError, WriteError};

use super::bell::Bell;
use super::log::Log;
use super::transport;

/// Whether the user has asked to end the run.
#[derive(Debug, Default)]
pub(super) struct StopSwitch {
    is_on: std::cell::Cell<bool>,
    bell: Bell,
}

impl StopSwitch {
    /// Asks.
    pub(super) fn turn_on(&self) {
        self.is_on.set(true);
        self.bell.ring();
    }
}

/// What a run does outside, on the platform.
pub(super) struct Platform {
    pub(super) sql: SqlStorage,
    pub(super) kv: KvStore,
    pub(super) time_to_live_s: u64,
    pub(super) log: Rc<Log>,
    pub(super) stop: Rc<StopSwitch>,
}

/// The platform's clock, in milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    Date::now().as_millis()
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
        Delay::from(Duration::from_millis(ms)).await;
    }

    async fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> Result<WireResponse, TransportError> {
        transport::send(request, bytes_max).await
    }

    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        let put = self.kv.put(key, document).map_err(|_| WriteError)?;
        put.expiration_ttl(self.time_to_live_s)
            .execute()
            .await
            .map_err(|_| WriteError)
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.log.publish(&self.sql, &event).map_err(|_| WriteError)
    }

    async fn stop_requested(&self) {
        self.stop.bell.wait_until(|| self.stop.is_on.get()).await;
    }
}
