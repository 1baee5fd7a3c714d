//! How the Worker asks providers: by the platform's fetch, or its own models by their binding.

use worker::Env;

use crate::providers::{WireRequest, WireResponse};
use crate::session::{Network, TransportError};

use super::ai_binding::AiBinding;
use super::clock::{now_ms, sleep};
use super::transport;

/// The platform's network.
pub(super) struct WorkerNetwork {
    models: Option<AiBinding>,
}

impl WorkerNetwork {
    /// Of this Worker, with the binding `AI` if it has one.
    pub(super) fn new(env: &Env) -> Self {
        Self {
            models: AiBinding::of(env),
        }
    }
}

impl Network for WorkerNetwork {
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
        match AiBinding::model_of(&request) {
            None => transport::send(request, bytes_max).await,
            Some(model) => match &self.models {
                Some(models) => models.run(&model, request.body(), bytes_max).await,
                None => Err(TransportError::Broken),
            },
        }
    }
}
