//! Tool calls in a session. Their responses are streams of events that can be replayed.

use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply};

use super::event_stream::EventStream;
use super::fault_replies::{
    LATE_MS, NEVER_MS, cut_json, message, pings, progress, question, reply,
};
use super::faults::McpFault;
use super::messages::{INVALID_PARAMS, RpcError, RpcRequest};
use super::sessions::{Session, StoredEvent};
use super::workbench::Workbench;

/// Responds to a tool call that has already been counted. If the plan has a fault for the call, the call fails.
pub(super) fn tool_call(
    session: &mut Session,
    bench: &mut Workbench,
    fault: Option<McpFault>,
    request: &ParsedRequest,
    asked: &RpcRequest,
) -> Reply {
    let refused = |session: &mut Session, says: &str| {
        let error = RpcError::new(INVALID_PARAMS, says).message(&asked.id);
        sent(&session.store(vec![error.to_string()], false), 0)
    };
    let Some((name, arguments)) = asked.tool_call() else {
        return refused(session, "Invalid params: name must be a string");
    };
    let mut result = Value::Null;
    if fault.is_none_or(McpFault::executes) {
        match bench.execute(name, &arguments, fault) {
            Some(executed) => result = executed,
            None => return refused(session, &format!("Unknown tool: {name}")),
        }
    }
    if let Some(reply) = fault.and_then(|fault| reply(fault, request, asked)) {
        return reply;
    }
    if fault == Some(McpFault::InputRequired) {
        return with_question(session, asked);
    }
    answered(session, fault, asked, &message(fault, asked, &result))
}

/// Responds with a question to the user. Servers of this era send the question on the stream of the call. The sandbox
/// continues without an answer.
fn with_question(session: &mut Session, asked: &RpcRequest) -> Reply {
    let mut question = question();
    if let Some(members) = question.as_object_mut() {
        members.insert("jsonrpc".to_owned(), json!("2.0"));
        members.insert("id".to_owned(), json!("question-1"));
    }
    let content = json!([{"type": "text", "text": "Nobody answered the question"}]);
    let answer = asked.result(&json!({"content": content, "isError": true}));
    let messages = vec![question.to_string(), answer.to_string()];
    sent(&session.store(messages, false), 0)
}

fn answered(
    session: &mut Session,
    fault: Option<McpFault>,
    asked: &RpcRequest,
    message: &Value,
) -> Reply {
    let told = progress(fault, asked);
    let pause_ms = told.first().map_or(0, |(pause_ms, _)| *pause_ms);
    let mut messages: Vec<_> = told.iter().map(|(_, told)| told.to_string()).collect();
    let is_endless = matches!(fault, Some(McpFault::Never | McpFault::Endless));
    if !is_endless {
        messages.push(message.to_string());
    }
    match fault {
        Some(McpFault::CutJson) => cut_json(message),
        Some(McpFault::EmptyStream) => EventStream::default().reply(),
        Some(McpFault::Never | McpFault::Endless) => {
            let events = session.store(messages, true);
            let mut stream = stream_of(&events, pause_ms);
            stream.comment();
            stream.silence(NEVER_MS);
            stream.reply()
        }
        Some(McpFault::ManyPings) => {
            let asked = pings().map(|ping| ping.to_string());
            let messages = asked.chain(messages).collect();
            sent(&session.store(messages, false), 0)
        }
        Some(McpFault::Flood) => {
            let mut stream = EventStream::default();
            stream.flood();
            stream.reply()
        }
        Some(McpFault::CutStream) => {
            // The connection breaks before the last event, so the client only gets the event that identifies the
            // stream.
            let events = session.store(messages, false);
            let before = events.split_last().map(|(_, before)| before);
            stream_of(before.unwrap_or_default(), 0).broken_off()
        }
        Some(McpFault::Slow | McpFault::Long) => {
            let events = session.store(messages, false);
            let mut stream = EventStream::default();
            if let Some((answer, before)) = events.split_last() {
                stream = stream_of(before, pause_ms);
                stream.event(LATE_MS, Some(&answer.id), &answer.data);
            }
            stream.reply()
        }
        _ => sent(&session.store(messages, false), 0),
    }
}

/// Returns a reply with all of these events, and this pause before each message.
pub(super) fn sent(events: &[StoredEvent], pause_ms: u64) -> Reply {
    stream_of(events, pause_ms).reply()
}

fn stream_of(events: &[StoredEvent], pause_ms: u64) -> EventStream {
    let mut stream = EventStream::default();
    for event in events {
        if event.data.is_empty() {
            stream.priming(&event.id);
        } else {
            stream.event(pause_ms, Some(&event.id), &event.data);
        }
    }
    stream
}
