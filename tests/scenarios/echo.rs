//! A provider that repeats to everybody what it was sent, key and all; around it the sandbox.

use std::cell::{Cell, RefCell};
use std::future::pending;
use std::pin::pin;

use futures::FutureExt as _;
use serde_json::json;
use visual_degrees::events::WireEvent;
use visual_degrees::investigation::Request;
use visual_degrees::journal::{Entry, Order};
use visual_degrees::providers::{WireRequest, WireResponse};
use visual_degrees::rehearsal::START_MS;
use visual_degrees::sandbox::SandboxOptions;
use visual_degrees::session::{
    Effects, Network, Providers, RunToken, SavedRun, TransportError, WriteError, conduct, opening,
};

use super::sandbox_network::SandboxNetwork;

/// Whoever is asked here repeats what it is sent.
pub const ECHO_BASE: &str = "https://echo.example";

const POLLS_MAX: usize = 1_000_000;

/// How it answers.
#[derive(Clone, Copy)]
pub struct Manner {
    pub status: u16,
    pub is_json: bool,
}

pub struct Echo {
    sandbox: SandboxNetwork,
    manner: Manner,
    now_ms: Cell<u64>,
    asked: Cell<u32>,
    told: RefCell<Vec<String>>,
    journal: RefCell<Vec<String>>,
}

impl Echo {
    pub fn new(options: SandboxOptions, manner: Manner) -> Self {
        Self {
            sandbox: SandboxNetwork::new(options, ""),
            manner,
            now_ms: Cell::new(START_MS),
            asked: Cell::new(0),
            told: RefCell::default(),
            journal: RefCell::default(),
        }
    }

    /// Both names of the world's example.
    pub fn example_pair(&self) -> (String, String) {
        self.sandbox.example_pair()
    }

    /// How often it was asked.
    pub fn asked(&self) -> u32 {
        self.asked.get()
    }

    /// Every event and document, and the journal.
    pub fn told(&self) -> (Vec<String>, Vec<String>) {
        (self.told.borrow().clone(), self.journal.borrow().clone())
    }

    /// A whole run, to its last write.
    pub fn conduct(&self, providers: &Providers, request: &Request) {
        let run = RunToken::new(Some("s1"), [7; 24]).unwrap();
        let opened = opening(providers, &run, Order::new(request), START_MS, 1_800);
        let opened = Entry::Opened(opened).to_json();
        self.journal.borrow_mut().push(opened.clone());
        let saved = SavedRun {
            entries: vec![opened],
            ..SavedRun::default()
        };
        // Its parts wait for each other, and for nothing else.
        let mut conducting = pin!(conduct(self, providers, &run, &saved, 1_800));
        let mut polls = (0..POLLS_MAX).filter_map(|_| conducting.as_mut().now_or_never());
        polls.next().expect("the run waits for nothing").unwrap();
    }

    fn echo(&self, request: &WireRequest) -> WireResponse {
        self.asked.set(self.asked.get() + 1);
        let headers = request.headers().iter();
        let headers: Vec<_> = headers
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        let all = format!("{} {}", request.uri(), headers.join("; "));
        // The key alone, in the place of a code.
        let mut keys = headers.iter().filter(|header| {
            ["authorization", "token", "key"]
                .iter()
                .any(|word| header.contains(word))
        });
        let key = keys.next().and_then(|header| header.rsplit(' ').next());
        let key = key.unwrap_or(&all).to_owned();
        let errors = json!([{"code": key, "reason": key, "message": all, "detail": all}]);
        let body = json!({
            "error": {"code": key, "status": key, "type": key, "reason": key, "message": all,
                "errors": errors, "details": errors},
            "errors": errors, "code": key, "__type": key, "type": key, "message": all,
            "detail": all, "success": false,
        });
        let body = if self.manner.is_json {
            body.to_string()
        } else {
            all
        };
        let response = http::Response::builder().status(self.manner.status);
        response.body(body.into_bytes()).unwrap()
    }
}

impl Network for Echo {
    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        self.now_ms.set(self.now_ms.get().saturating_add(ms));
    }

    async fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> Result<WireResponse, TransportError> {
        if request.uri().to_string().starts_with(ECHO_BASE) {
            return Ok(self.echo(&request));
        }
        self.sandbox.send(request, bytes_max).await
    }
}

impl Effects for Echo {
    async fn put(&self, key: &str, document: &str) -> Result<(), WriteError> {
        self.told.borrow_mut().push(format!("{key}: {document}"));
        Ok(())
    }

    fn keep(&self, _number: u32, entry: &str) -> Result<(), WriteError> {
        self.journal.borrow_mut().push(entry.to_owned());
        Ok(())
    }

    fn publish(&self, event: WireEvent) -> Result<(), WriteError> {
        self.told.borrow_mut().push(event.json);
        Ok(())
    }

    async fn stop_requested(&self) {
        pending::<()>().await;
    }
}
