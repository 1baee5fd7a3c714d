//! The town as a run's outside.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use http::header::CONTENT_LENGTH;
use sha2::{Digest as _, Sha256};

use crate::domain::{Face, Veto};
use crate::events::WireEvent;
use crate::providers::{WireRequest, WireResponse};
use crate::sandbox::service::{Body, Ending};
use crate::sandbox::{Provider, Reply};
use crate::session::{Effects, TransportError, WriteError, collage_veto};

use super::town::{Put, Town};
use super::trouble::{Fate, Operation, When};

/// What was seen in photos, by their bytes and faces.
static VETOES: LazyLock<Mutex<BTreeMap<[u8; 32], Option<Veto>>>> = LazyLock::new(Mutex::default);

/// What a write of a document takes.
const PUT_MS: u64 = 20;

impl Town {
    /// An operation of the object's own store: it takes no time.
    fn store(&self, operation: Operation, effect: impl FnOnce()) -> Result<(), WriteError> {
        let fate = self.fortune.of_next(operation);
        if !matches!(fate, Fate::Fail(When::Before) | Fate::Never(When::Before)) {
            effect();
        }
        match fate {
            Fate::Fail(_) => Err(WriteError),
            // A dead process goes nowhere from here: everything it would wait for never comes.
            Fate::Fine | Fate::Never(_) => Ok(()),
        }
    }

    async fn whole(&self, reply: Reply, bytes_max: usize) -> Result<WireResponse, TransportError> {
        self.sleep(reply.latency_ms).await;
        let (head, body) = reply.response.into_parts();
        let mut is_whole = true;
        let mut bytes = Vec::new();
        match body {
            Body::Whole(whole) => bytes = whole,
            Body::Pieces { chunks, ending } => {
                for chunk in chunks {
                    self.sleep(chunk.pause_ms).await;
                    bytes.extend(chunk.bytes);
                    if bytes.len() > bytes_max {
                        return Err(TransportError::TooLarge);
                    }
                }
                is_whole = ending == Ending::Complete;
            }
        }
        if bytes.len() > bytes_max {
            return Err(TransportError::TooLarge);
        }
        let promised = head
            .headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok());
        let is_short = promised.is_some_and(|length| length != bytes.len().to_string());
        if is_short || !is_whole {
            return Err(TransportError::Broken);
        }
        Ok(http::Response::from_parts(head, bytes))
    }
}

/// Who is asked: every base address is the sandbox's, and each provider has its own paths.
fn asked(request: &WireRequest) -> Provider {
    match request.uri().path() {
        "/" => Provider::Rekognition,
        "/customsearch/v1" => Provider::Google,
        path if path.starts_with("/v1beta/") => Provider::Gemini,
        _ => Provider::Image,
    }
}

async fn never<T>() -> T {
    std::future::pending().await
}

impl Effects for Town {
    fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        self.clock.sleep(ms).await;
    }

    async fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> Result<WireResponse, TransportError> {
        let fate = self.fortune.of_next(Operation::Send(asked(&request)));
        match fate {
            Fate::Fail(When::Before) => return Err(TransportError::Broken),
            Fate::Never(When::Before) => return never().await,
            Fate::Fine | Fate::Fail(When::After) | Fate::Never(When::After) => {}
        }
        let now_ms = self.clock.now_ms();
        let reply = self.sandbox.borrow_mut().respond(request, now_ms);
        match fate {
            Fate::Fail(_) => Err(TransportError::Broken),
            Fate::Never(_) => never().await,
            Fate::Fine => self.whole(reply, bytes_max).await,
        }
    }

    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        let fate = self.fortune.of_next(Operation::Put);
        if fate == Fate::Never(When::Before) {
            return never().await;
        }
        self.sleep(PUT_MS).await;
        if fate != Fate::Fail(When::Before) {
            self.puts.borrow_mut().push(Put {
                at_ms: self.clock.now_ms(),
                key: key.to_owned(),
                document: document.to_owned(),
            });
        }
        match fate {
            Fate::Fine => Ok(()),
            Fate::Fail(_) => Err(WriteError),
            Fate::Never(_) => never().await,
        }
    }

    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError> {
        self.store(Operation::Keep, || {
            self.journal.borrow_mut().insert(number, entry.to_owned());
        })
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.store(Operation::Publish, || self.bulletin.keep(&event))?;
        // A process that died while it kept the event shows it to nobody.
        if !self.fortune.is_dead() {
            self.bulletin.show(&event);
            self.stop_when_due();
        }
        Ok(())
    }

    /// Each photo is looked at once, however many runs see it: in a rehearsal there are thousands.
    fn collage_veto(&self, photo: &[u8], faces: &[Face]) -> Option<Veto> {
        let mut key = Sha256::new_with_prefix(photo);
        for face in faces {
            key.update(format!("{:?} {:?}", face.confidence, face.face_box));
        }
        let key: [u8; 32] = key.finalize().into();
        let known = VETOES
            .lock()
            .ok()
            .and_then(|known| known.get(&key).copied());
        if let Some(veto) = known {
            return veto;
        }
        let veto = collage_veto(photo, faces);
        if let Ok(mut known) = VETOES.lock() {
            known.insert(key, veto);
        }
        veto
    }

    async fn stop_requested(&self) {
        self.stop.wait().await;
    }
}
