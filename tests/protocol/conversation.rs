//! The session's side: the same exchanges over a network, with notes before anything is sent.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use futures::FutureExt as _;
use http::Response;
use mcp::{CallFailure, Connection, Exchange, Reply, Server};
use platform::{IncomingBody, Network, TransportError, WriteError};
use serde_json::json;
use workflow::effects::converse;

use super::script::{call, said, server};

/// A body that comes in pieces.
struct Pieces(VecDeque<Result<Vec<u8>, TransportError>>);

impl IncomingBody for Pieces {
    fn promised_bytes(&self) -> Option<usize> {
        None
    }

    async fn read(self, _bytes_max: usize) -> Result<Vec<u8>, TransportError> {
        let pieces: Result<Vec<_>, _> = self.0.into_iter().collect();
        pieces.map(|pieces| pieces.concat())
    }

    async fn next(&mut self) -> Option<Result<Vec<u8>, TransportError>> {
        let next = self.0.pop_front();
        if let Some(Ok(piece)) = &next
            && piece == b"SILENT"
        {
            std::future::pending::<()>().await;
        }
        next
    }
}

/// A network with predefined answers.
struct Scripted {
    answers: RefCell<VecDeque<Option<Response<Pieces>>>>,
    sent: Cell<usize>,
    slept_ms: Cell<u64>,
}

impl Network for Scripted {
    type Body = Pieces;

    fn now_ms(&self) -> u64 {
        0
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        self.slept_ms.set(self.slept_ms.get() + ms);
    }

    async fn open(
        &self,
        _request: http::Request<Vec<u8>>,
    ) -> Result<Response<Pieces>, TransportError> {
        self.sent.set(self.sent.get() + 1);
        let answer = self.answers.borrow_mut().pop_front();
        answer
            .expect("an answer is scripted")
            .ok_or(TransportError::Broken)
    }
}

fn answer(kind: &str, pieces: &[&str]) -> Option<Response<Pieces>> {
    let pieces = pieces.iter().map(|piece| match *piece {
        "BROKEN" => Err(TransportError::Broken),
        piece => Ok(piece.as_bytes().to_vec()),
    });
    let answer = Response::builder().header("content-type", kind);
    Some(answer.body(Pieces(pieces.collect())).unwrap())
}

fn network(answers: impl IntoIterator<Item = Option<Response<Pieces>>>) -> Scripted {
    Scripted {
        answers: RefCell::new(answers.into_iter().collect()),
        sent: Cell::new(0),
        slept_ms: Cell::new(0),
    }
}

fn tools() -> Option<Response<Pieces>> {
    answer(
        "application/json",
        &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","#,
            r#""inputSchema":{"type":"object"}}]}}"#,
        ],
    )
}

#[test]
fn a_call_is_noted_before_it_is_sent_and_answered_in_pieces() {
    let said = json!({"jsonrpc": "2.0", "id": 2, "result": said("hi")}).to_string();
    let (first, second) = said.split_at(20);
    let network = network([
        tools(),
        answer("text/event-stream", &["da", "ta: ", first, second, "\n\n"]),
    ]);
    let mut exchange = Exchange::new(Connection::new(server(), 0), call());
    let mut noted = Vec::new();
    let result = converse(&network, &mut exchange, async |exchange| {
        noted.push((network.sent.get(), exchange.has_sent_call()));
        Ok(())
    });
    let result = result.now_or_never().expect("nothing here waits").unwrap();
    assert!(matches!(result, Ok(Reply::Called(_))), "{result:?}");
    // The call's request is noted, and only the list of tools was sent.
    assert!(noted.contains(&(1, true)), "{noted:?}");
    assert_eq!(network.sent.get(), 2);
}

#[test]
fn a_stream_that_is_silent_after_it_was_taken_up_is_asked_for_anew() {
    let handshake = json!({"jsonrpc": "2.0", "id": 1, "result": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"},
    }});
    let listed = json!({"jsonrpc": "2.0", "id": 2, "result": {
        "tools": [{"name": "echo", "inputSchema": {"type": "object"}}],
    }});
    let said = json!({"jsonrpc": "2.0", "id": 3, "result": said("hi")});
    let network = network([
        answer("application/json", &[&handshake.to_string()]),
        answer("application/json", &[""]),
        answer("application/json", &[&listed.to_string()]),
        answer("text/event-stream", &["id: e1\ndata:\n\n"]),
        answer("text/event-stream", &["SILENT"]),
        answer("text/event-stream", &["SILENT"]),
        answer("text/event-stream", &[&format!("id: e2\ndata: {said}\n\n")]),
    ]);
    let server = Server {
        version: Some("2025-11-25".to_owned()),
        ..server()
    };
    let mut exchange = Exchange::new(Connection::new(server, 0), call());
    let result = converse(&network, &mut exchange, async |_| Ok(()));
    let result = result.now_or_never().expect("nothing here waits").unwrap();
    assert!(matches!(result, Ok(Reply::Called(_))), "{result:?}");
    assert_eq!(network.sent.get(), 7);
    // The pause after the break, and twice the silence.
    assert!(
        network.slept_ms.get() >= 30_000,
        "{}",
        network.slept_ms.get()
    );
}

#[test]
fn where_nothing_can_be_noted_nothing_more_is_sent() {
    let network = network([tools()]);
    let mut exchange = Exchange::new(Connection::new(server(), 0), call());
    let result = converse(&network, &mut exchange, async |exchange| {
        if exchange.has_sent_call() {
            return Err(WriteError);
        }
        Ok(())
    });
    assert_eq!(
        result.now_or_never().expect("nothing here waits"),
        Err(WriteError)
    );
    assert_eq!(network.sent.get(), 1);
}

#[test]
fn a_broken_answer_leaves_the_outcome_of_a_call_unknown() {
    let broken = answer("application/json", &["{\"jsonrpc\":", "BROKEN"]);
    for lost in [broken, None] {
        let network = network([tools(), lost]);
        let mut exchange = Exchange::new(Connection::new(server(), 0), call());
        let result = converse(&network, &mut exchange, async |_| Ok(()));
        let result = result.now_or_never().expect("nothing here waits").unwrap();
        assert!(matches!(result, Err(CallFailure::Unknown(_))), "{result:?}");
        assert_eq!(network.sent.get(), 2);
    }
}
