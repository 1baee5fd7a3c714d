//! What becomes of every failure of Wikidata: what a caller of `GET /people` reads.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use visual_degrees::domain::{Failure, FailureKind};
use visual_degrees::providers::{WireRequest, WireResponse, wikidata};
use visual_degrees::sandbox::{
    BodyEnding, FaultPlan, ReplyBody, Sandbox, SandboxOptions, own_world,
};
use visual_degrees::session::{Network, TransportError, suggest_people};

/// The handler whose answers are told here; it is built for the platform alone.
const HANDLER: &str = include_str!("../../src/edge/people.rs");
/// Slower answers are not waited for.
const ANSWER_MS_MAX: u64 = 4_000;

/// A sandbox that is asked at once, or never.
struct SandboxNetwork {
    sandbox: RefCell<Sandbox>,
    sent: Cell<u32>,
}

impl Network for SandboxNetwork {
    fn now_ms(&self) -> u64 {
        0
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    /// Time passes as soon as somebody waits for nothing else.
    async fn sleep(&self, _ms: u64) {}

    async fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> Result<WireResponse, TransportError> {
        self.sent.set(self.sent.get() + 1);
        let reply = self.sandbox.borrow_mut().respond(request, 0);
        if reply.latency_ms >= ANSWER_MS_MAX {
            std::future::pending::<()>().await;
        }
        let (head, body) = reply.response.into_parts();
        let is_cut = matches!(
            body,
            ReplyBody::Pieces { ending, .. } if ending != BodyEnding::Complete
        );
        let promised = head.headers.get("content-length");
        let promised = promised.map(|length| length.to_str().unwrap().to_owned());
        let bytes = body.bytes();
        if bytes.len() > bytes_max {
            return Err(TransportError::TooLarge);
        }
        if is_cut || promised.is_some_and(|length| length != bytes.len().to_string()) {
            return Err(TransportError::Broken);
        }
        Ok(http::Response::from_parts(head, bytes))
    }
}

/// Asks for people where each call of Wikidata fails so.
fn asked(kind: &str) -> (Result<usize, Failure>, u32) {
    let plan = format!(r#"[{{"provider":"wikidata","from":1,"kind":"{kind}"}}]"#);
    let options = SandboxOptions {
        faults: FaultPlan::parse(&plan).unwrap(),
        ..SandboxOptions::default()
    };
    let settings = wikidata::WikidataSettings {
        base: format!("{}/wikidata", options.origin),
        contact: "operator@example.org".into(),
    };
    let network = SandboxNetwork {
        sandbox: RefCell::new(Sandbox::new(own_world().unwrap(), options)),
        sent: Cell::new(0),
    };
    let people = {
        let mut asked = pin!(suggest_people(&network, &settings, "Jean Valjean"));
        match asked.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(people) => people.map(|people| people.len()),
            Poll::Pending => panic!("{kind}: nothing here waits"),
        }
    };
    (people, network.sent.get())
}

/// The row of a failure in the table.
pub fn people_row(kind: &str) -> String {
    let (people, sent) = asked(kind);
    let failure = match people {
        Ok(count) => return format!("\nwikidata {kind}: {count} people; requests: {sent}\n"),
        Err(failure) => failure,
    };
    let hint = failure.retry_after_ms;
    let hint = hint.map_or(String::new(), |hint| format!(", hint {hint} ms"));
    let (status, reads) = if failure.kind == FailureKind::Throttled {
        let reads = "Wikidata is asked too often at the moment; try again in a few seconds.";
        assert!(HANDLER.contains(reads));
        (429, reads.to_owned())
    } else {
        assert!(HANDLER.contains("\"Wikidata gives no suggestions ({}).\", failure.detail"));
        let reads = format!("Wikidata gives no suggestions ({}).", failure.detail);
        (503, reads)
    };
    format!(
        "\nwikidata {kind}: {} ({}){hint}; requests: {sent}\n  /people: HTTP {status}, {reads}\n",
        failure.kind.as_str(),
        failure.detail
    )
}
