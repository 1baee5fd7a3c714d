//! The conductor against the whole sandbox in memory, in virtual time: real requests, real bytes,
//! no socket and no waiting.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use http::header::CONTENT_LENGTH;

use crate::events::WireEvent;
use crate::investigation::Request;
use crate::providers::{WireRequest, WireResponse};
use crate::sandbox::service::{Body, Ending};
use crate::sandbox::{Options, Sandbox, World};
use crate::session::{Effects, RunToken, Settings, TransportError, WriteError, conduct};

/// When virtual time begins: 2026-11-21T10:00:00Z.
pub const START_MS: u64 = 1_795_255_200_000;

/// A document as it was put: when, under which key, what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// In milliseconds since 1970.
    pub at_ms: u64,
    /// The key.
    pub key: String,
    /// The stored text.
    pub document: String,
}

/// What fails beside the providers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Troubles {
    /// Every put fails.
    pub puts_fail: bool,
    /// Every put hangs.
    pub puts_hang: bool,
    /// The user stops the run when so many events are out.
    pub stop_after_events: Option<usize>,
}

/// What a conducted run left behind.
#[derive(Debug)]
pub struct Conducted {
    /// Its events, in order.
    pub events: Vec<WireEvent>,
    /// Its puts, in order.
    pub puts: Vec<Put>,
    /// The calls of the sandbox, in order, as `(provider, key, status)`.
    pub calls: Vec<(String, String, u16)>,
    /// How long it took, in virtual milliseconds.
    pub took_ms: u64,
}

/// Everything outside a run, in memory.
struct Town {
    sandbox: RefCell<Sandbox>,
    now_ms: Cell<u64>,
    timers: Rc<RefCell<BTreeSet<(u64, u64)>>>,
    last_timer: Cell<u64>,
    events: RefCell<Vec<WireEvent>>,
    puts: RefCell<Vec<Put>>,
    troubles: Troubles,
}

/// The settings that lead to the sandbox, and to nothing else.
#[must_use]
pub fn sandbox_settings(options: &Options, more: &[(&str, &str)]) -> Settings {
    let keys = &options.credentials;
    let mut settings: BTreeMap<&str, &str> = BTreeMap::from([
        ("GOOGLE_API_KEY", keys.google_key.as_str()),
        ("GOOGLE_CX", keys.google_cx.as_str()),
        ("GOOGLE_BASE", options.origin.as_str()),
        ("AWS_ACCESS_KEY_ID", keys.aws_access_key_id.as_str()),
        ("AWS_SECRET_ACCESS_KEY", keys.aws_secret_access_key.as_str()),
        ("AWS_REGION", keys.aws_region.as_str()),
        ("REKOGNITION_ENDPOINT", options.origin.as_str()),
        ("GEMINI_API_KEY", keys.gemini_key.as_str()),
        ("GEMINI_BASE", options.origin.as_str()),
        ("GEMINI_MODEL", keys.gemini_model()),
        ("IMAGE_ORIGIN_ALLOWED", options.origin.as_str()),
        ("PUBLIC", "1"),
    ]);
    settings.extend(more.iter().copied());
    Settings::read(|name| settings.get(name).map(|value| (*value).to_owned()))
}

/// Conducts a run from its first event to its last write.
///
/// Fails where the settings are incomplete, or where the run waits for something that never comes.
pub fn conduct_in_memory(
    world: World,
    options: Options,
    settings: &[(&str, &str)],
    request: Request,
    troubles: Troubles,
) -> Result<Conducted, String> {
    let settings = sandbox_settings(&options, settings);
    let providers = settings.providers.map_err(|missing| missing.join(", "))?;
    let run = RunToken::new(Some("s1"), [7; 24]).map_err(|error| error.to_string())?;
    let town = Town {
        sandbox: RefCell::new(Sandbox::new(world, options)),
        now_ms: Cell::new(START_MS),
        timers: Rc::default(),
        last_timer: Cell::new(0),
        events: RefCell::default(),
        puts: RefCell::default(),
        troubles,
    };
    town.finish(conduct(
        &town,
        &providers,
        &run,
        request,
        settings.time_to_live_s,
    ))?
    .map_err(|_| "an event could not be kept".to_owned())?;
    let calls = town.sandbox.borrow();
    let calls = calls.calls().map(|call| {
        (
            call.provider.name().to_owned(),
            call.key.clone(),
            call.status,
        )
    });
    Ok(Conducted {
        calls: calls.collect(),
        took_ms: town.now_ms.get() - START_MS,
        events: town.events.take(),
        puts: town.puts.take(),
    })
}

impl Town {
    /// Polls to the end; whenever nothing else is left to do, the next timer's time comes.
    fn finish<T>(&self, future: impl Future<Output = T>) -> Result<T, String> {
        let mut future = pin!(future);
        let call = Arc::new(Call::default());
        let waker = Waker::from(call.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            call.0.store(false, Ordering::Relaxed);
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return Ok(output);
            }
            if call.0.load(Ordering::Relaxed) {
                continue;
            }
            let next = self.timers.borrow().first().copied();
            let (due_ms, _) = next.ok_or("the run waits for something that never comes")?;
            self.now_ms.set(due_ms.max(self.now_ms.get()));
        }
    }

    fn timer(&self, ms: u64) -> Timer<'_> {
        self.last_timer.set(self.last_timer.get() + 1);
        Timer {
            town: self,
            entry: (self.now_ms.get().saturating_add(ms), self.last_timer.get()),
        }
    }
}

/// Whether somebody called while the future was polled.
#[derive(Default)]
struct Call(AtomicBool);

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Timer<'town> {
    town: &'town Town,
    entry: (u64, u64),
}

impl Future for Timer<'_> {
    type Output = ();

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.town.now_ms.get() >= self.entry.0 {
            return Poll::Ready(());
        }
        self.town.timers.borrow_mut().insert(self.entry);
        Poll::Pending
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        self.town.timers.borrow_mut().remove(&self.entry);
    }
}

impl Effects for Town {
    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        self.timer(ms).await;
    }

    async fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> Result<WireResponse, TransportError> {
        let now_ms = self.now_ms.get();
        let reply = self.sandbox.borrow_mut().respond(request, now_ms);
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

    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        if self.troubles.puts_hang {
            std::future::pending::<()>().await;
        }
        self.sleep(20).await;
        if self.troubles.puts_fail {
            return Err(WriteError);
        }
        let (key, document) = (key.to_owned(), document.to_owned());
        self.puts.borrow_mut().push(Put {
            at_ms: self.now_ms.get(),
            key,
            document,
        });
        Ok(())
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.events.borrow_mut().push(event);
        Ok(())
    }

    async fn stop_requested(&self) {
        std::future::poll_fn(|_| {
            let is_over = self
                .troubles
                .stop_after_events
                .is_some_and(|events| self.events.borrow().len() >= events);
            if is_over {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}
