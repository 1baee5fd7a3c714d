//! The network by which the Worker asks providers: the platform's fetch, or the binding of its own
//! models.

use worker::Env;

use platform::{Network, TransportError, WireRequest};

use super::ai_binding::AiBinding;
use super::clock::{now_ms, sleep};
use super::transport::{self, TransportBody};

/// The platform's network.
pub(super) struct WorkerNetwork {
    models: Option<AiBinding>,
}

impl WorkerNetwork {
    /// Makes the network of this Worker, with the binding `AI` if it has one.
    pub(super) fn new(env: &Env) -> Self {
        Self {
            models: AiBinding::of(env),
        }
    }
}

impl Network for WorkerNetwork {
    type Body = TransportBody;

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn jitter(&self) -> f64 {
        let mut bytes = [0; 4];
        // Where there is no randomness, the middle of the range serves.
        match getrandom::fill(&mut bytes) {
            Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
            Err(_) => 0.5,
        }
    }

    async fn sleep(&self, ms: u64) {
        sleep(ms).await;
    }

    async fn open(
        &self,
        request: WireRequest,
    ) -> Result<http::Response<TransportBody>, TransportError> {
        let Some(model) = AiBinding::model_of(&request) else {
            return transport::open(request).await;
        };
        match &self.models {
            Some(models) => {
                let answer = models.run(&model, request.body()).await?;
                Ok(answer.map(TransportBody::Here))
            }
            None => Err(TransportError::Broken),
        }
    }
}
