//! The sandbox as a network that answers at once or never, for requests outside of runs.

use std::cell::{Cell, RefCell};
use std::future::pending;

use devtools::rehearsal::START_MS;
use futures::FutureExt as _;
use platform::{Network, TransportError};
use platform::{WireRequest, WireResponse};
use sandbox::{BodyEnding, ReplyBody, Sandbox, SandboxOptions, own_world};

/// Slower answers count as missing.
const ANSWER_MS_MAX: u64 = 4_000;

/// The sandbox; one host does not answer.
pub struct SandboxNetwork {
    sandbox: RefCell<Sandbox>,
    unreachable: &'static str,
    sent: Cell<usize>,
}

impl SandboxNetwork {
    pub fn new(options: SandboxOptions, unreachable: &'static str) -> Self {
        Self {
            sandbox: RefCell::new(Sandbox::new(own_world().unwrap(), options)),
            unreachable,
            sent: Cell::new(0),
        }
    }

    /// The first name of the world's example.
    pub fn example(&self) -> String {
        self.sandbox.borrow().example().unwrap().0.clone()
    }

    /// Returns the result of a request that waits for nothing else, and the number of requests.
    pub fn answer_at_once<T>(&self, asking: impl Future<Output = T>) -> (T, usize) {
        let answer = asking.now_or_never().expect("nothing here waits");
        (answer, self.sent.get())
    }
}

impl Network for SandboxNetwork {
    type Body = Vec<u8>;

    fn now_ms(&self) -> u64 {
        START_MS
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    /// Time passes when nothing else is awaited.
    async fn sleep(&self, _ms: u64) {}

    async fn open(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
        self.sent.set(self.sent.get() + 1);
        if request.uri().host() == Some(self.unreachable) {
            return Err(TransportError::Broken);
        }
        let reply = self.sandbox.borrow_mut().respond(request, START_MS);
        if reply.latency_ms >= ANSWER_MS_MAX {
            pending::<()>().await;
        }
        let (head, body) = reply.response.into_parts();
        let is_cut = matches!(
            body,
            ReplyBody::Pieces { ending, .. } if ending != BodyEnding::Complete
        );
        let promised = head.headers.get("content-length");
        let promised = promised.map(|length| length.to_str().unwrap().to_owned());
        let bytes = body.bytes();
        if is_cut || promised.is_some_and(|length| length != bytes.len().to_string()) {
            return Err(TransportError::Broken);
        }
        Ok(http::Response::from_parts(head, bytes))
    }
}
