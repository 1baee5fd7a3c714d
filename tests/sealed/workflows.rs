//! A workflow's run as one file, replayed without a server.

use domain::Sha256Digest;
use domain::chat::{ChatReply, ImageRef, ModelToolCall};
use engine::journal::{AnswerEntry, ENTRY_VERSION, Entry, RebuiltRun, read_entries, rebuild};
use engine::{Opened, PendingCommand};
use kernel::{Input, Millis};
use providers::calls::AnswerSource;
use serde_json::{Value, json};
use visual_degrees::sealed::{Difference, ReplayLimits, Verdict, replay, seal};
use workflow::machine::{Block, Dialect, LeftOut, Limits, ToolFailure, ToolResult};
use workflow::wire::{WorkflowEngine, WorkflowOrder};

use crate::workflow::table::{
    Table, answer, chain, edge, equals, id, node, reply, texts, tool, workflow,
};

/// A run with a tool call, a loop, an AI step with a picture, a retry and a wait.
fn every_kind() -> (Value, Table) {
    let mut retried = tool(5, "late");
    retried["retries"] = json!(1);
    retried["settle_ms"] = json!(20);
    let nodes = [
        tool(1, "look"),
        node(
            2,
            "Round",
            "Loop",
            json!({"exit_condition": equals("poll.state", json!("done")), "max_iterations": 5}),
        ),
        tool(3, "poll"),
        node(4, "End", "EndLoop", json!({"loop_id": id(2)})),
        retried,
        node(6, "Step", "AiStep", json!({"prompt": "p"})),
    ];
    let edges = [
        edge(1, 2, ""),
        edge(2, 3, "LoopBody"),
        edge(2, 5, "LoopDone"),
        edge(3, 4, ""),
        edge(4, 2, ""),
        edge(5, 6, ""),
    ];
    let json = workflow(&nodes, &edges);
    let image = ImageRef {
        digest: Sha256Digest::of(b"png"),
        mime_type: "image/png".into(),
    };
    let seen = ToolResult {
        blocks: vec![
            Block::Image(image),
            Block::Text("seen".into()),
            Block::LeftOut(LeftOut {
                is_picture: true,
                bytes: 1_500_000,
                why: "no room".into(),
            }),
            Block::Other(json!({"type": "resource_link"})),
        ],
        structured: Some(json!({"n": 1.5})),
        is_error: false,
    };
    let call = ModelToolCall {
        id: "c".into(),
        tool: "look".into(),
        arguments: "{}".into(),
    };
    let calls = ChatReply {
        calls: vec![call],
        ..ChatReply::default()
    };
    let mut table = Table::new(&json)
        .answers("look", [Ok(seen)])
        .answers(
            "poll",
            [
                texts(&[r#"{"state":"wait"}"#]),
                texts(&[r#"{"state":"done"}"#]),
            ],
        )
        .answers(
            "late",
            [Err(ToolFailure::Refused("busy".into())), texts(&["now"])],
        )
        .replies([Ok(calls), reply("{\"window\":\"open\"}"), reply("Done.")]);
    table.listed = vec!["look"];
    (json, table)
}

/// Conducts a run with a journal like the conductor's; returns its entries and the JSON of its events.
fn recorded(json: &Value, table: &mut Table) -> (Vec<String>, Vec<String>) {
    let order = WorkflowOrder::new(
        json.clone(),
        Dialect::Clickweave,
        vec!["desk".into()],
        Limits::default(),
    );
    let opened: Opened<WorkflowEngine> = Opened {
        version: ENTRY_VERSION,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        run: "s1.AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
        order,
        expires_ms: 7,
        forked_from: None,
        host: None,
    };
    let mut entries = vec![Entry::Opened(opened.clone()).to_json()];
    let mut events = Vec::new();
    let mut run = RebuiltRun::new(opened).unwrap().into_state().0;
    let mut now_ms = 1_000;
    let mut give = |input: Input<_>,
                    now_ms,
                    entries: &mut Vec<String>,
                    run: &mut engine::RunState<WorkflowEngine>| {
        entries.push(Entry::<WorkflowEngine>::input(&input, Millis(now_ms)).to_json());
        let made = run.handle(input, Millis(now_ms)).unwrap();
        events.extend(made.into_iter().map(|event| event.json));
    };
    give(Input::Start, now_ms, &mut entries, &mut run);
    loop {
        let pending: Option<PendingCommand<WorkflowEngine>> = run.pending().next().cloned();
        let Some(pending) = pending else {
            assert!(run.is_ended());
            break;
        };
        entries.push(Entry::<WorkflowEngine>::intent(pending.id(), 1, pending.key(), 0).to_json());
        now_ms += 5;
        let outcome = table.outcome(pending.command(), &mut now_ms);
        let answered = answer(pending.command(), outcome);
        let entry = AnswerEntry::new(pending.key().clone(), &answered, AnswerSource::default());
        entries.push(Entry::<WorkflowEngine>::Answer(entry).to_json());
        give(Input::Answer(answered), now_ms, &mut entries, &mut run);
    }
    (entries, events)
}

#[test]
fn a_run_is_made_again_from_its_journal_at_every_entry() {
    let (json, mut table) = every_kind();
    let (entries, events) = recorded(&json, &mut table);
    for length in 1..=entries.len() {
        let read = read_entries::<WorkflowEngine>(&entries[..length]).unwrap();
        let rebuilt = rebuild(read).unwrap();
        let made: Vec<_> = rebuilt
            .events()
            .iter()
            .map(|event| event.json.clone())
            .collect();
        assert_eq!(made, events[..made.len()], "after entry {length}");
    }
}

#[test]
fn a_sealed_workflow_is_executed_again_to_the_byte() {
    let (json, mut table) = every_kind();
    let (entries, events) = recorded(&json, &mut table);
    let kinds: Vec<Value> = events
        .iter()
        .map(|event| serde_json::from_str::<Value>(event).unwrap()["type"].clone())
        .collect();
    for kind in [
        "tool_call",
        "retry",
        "loop_exited",
        "vision_summary",
        "variable_set",
        "completed",
    ] {
        assert!(kinds.contains(&json!(kind)), "{kind}: {kinds:?}");
    }
    let file = seal(&entries, &events, None).unwrap();
    let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(
        (report.result, report.events),
        (Verdict::Identical, events.len()),
        "{report:?}"
    );
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let (json, mut table) = every_kind();
    let (entries, events) = recorded(&json, &mut table);
    let file = seal(&entries, &events, None).unwrap();
    let (mut found, mut tried) = (0, 0);
    for at in (0..file.len()).step_by(37) {
        let mut bytes = file.clone().into_bytes();
        bytes[at] = match bytes[at] {
            byte @ (b'0'..=b'8' | b'a'..=b'y' | b'A'..=b'Y') => byte + 1,
            _ => continue,
        };
        tried += 1;
        let changed = String::from_utf8(bytes).unwrap();
        let is_found = replay(&changed, None, ReplayLimits::SERVER)
            .map_or(true, |report| report.result == Verdict::Different);
        found += usize::from(is_found);
    }
    assert_eq!(found, tried);
    assert!(tried > 100, "{tried}");
    let changed = file.replacen("\"state\\\":\\\"done", "\"state\\\":\\\"gone", 1);
    assert_ne!(changed, file);
    let report = replay(&changed, None, ReplayLimits::SERVER).unwrap();
    assert!(
        matches!(
            report.difference,
            Some(Difference::Event { .. } | Difference::Answer { .. })
        ),
        "{report:?}"
    );
}

#[test]
fn an_order_that_would_never_end_is_refused() {
    let json = chain(&[tool(1, "a")]);
    let limits = Limits {
        steps_max: u32::MAX,
        ..Limits::default()
    };
    let order = WorkflowOrder::new(json.clone(), Dialect::Strict, Vec::new(), limits);
    assert!(order.order().is_err());
    let order = WorkflowOrder::new(json, Dialect::Strict, Vec::new(), Limits::default());
    let stored: WorkflowOrder =
        serde_json::from_str(&serde_json::to_string(&order).unwrap()).unwrap();
    assert_eq!(stored.order().unwrap().dialect, Dialect::Strict);
}
