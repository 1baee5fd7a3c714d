//! A call that waits for its run, in virtual time.

use std::cell::Cell;
use std::rc::Rc;

use engine::run::EventLog;
use futures::{FutureExt as _, StreamExt as _};
use mcp::Era;
use platform::events::WireEvent;
use serde_json::{Value, json};
use visual_degrees::engines::EngineName;
use visual_degrees::mcp_server::{Watch, WatchedCall, watched};

use super::point;

/// A clock that only advances while somebody sleeps.
#[derive(Clone, Default)]
struct Clock {
    now_ms: Rc<Cell<u64>>,
    expires_ms: Option<u64>,
}

impl Watch for Clock {
    async fn sleep(&self, ms: u64) {
        self.now_ms.set(self.now_ms.get() + ms);
    }

    fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    fn has_expired(&self) -> bool {
        self.expires_ms
            .is_some_and(|expires_ms| expires_ms <= self.now_ms.get())
    }
}

fn call(after: u32, until_ms: Option<u64>, era: Era) -> WatchedCall {
    WatchedCall {
        point: point(after, until_ms, era),
        address: "https://d.example/runs/s1.k3".into(),
        secret: Some("S".into()),
    }
}

fn show(log: &EventLog, number: u32, kind: &'static str, members: &str) {
    log.show(&WireEvent {
        run: "s1.k3".into(),
        number,
        kind,
        json: format!(r#"{{"type":"{kind}",{members}}}"#),
        is_last: kind == "no_path",
    });
}

fn log(numbers: std::ops::RangeInclusive<u32>) -> Rc<EventLog> {
    let log = EventLog::of("s1.k3");
    for number in numbers {
        show(&log, number, "status", &format!(r#""message":"m{number}""#));
    }
    Rc::new(log)
}

fn ended(numbers: std::ops::RangeInclusive<u32>) -> Rc<EventLog> {
    let last = numbers.end() + 1;
    let log = log(numbers);
    show(
        &log,
        last,
        "no_path",
        r#""reason":"hop_limit","message":"None.","spent":{}"#,
    );
    log
}

/// Returns the messages of a stream so far.
fn messages(frames: &[String]) -> Vec<Value> {
    let lines = frames.iter().flat_map(|frames| frames.lines());
    let data = lines.filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str(data).ok())
        .collect()
}

fn told(call: WatchedCall, log: Rc<EventLog>, clock: Clock) -> Vec<String> {
    let stream = watched(call, EngineName::Investigation, log, clock);
    stream.collect::<Vec<_>>().now_or_never().unwrap()
}

#[test]
fn progress_comes_before_the_answer() {
    let frames = told(call(0, None, Era::Modern), ended(1..=2), Clock::default());
    let messages = messages(&frames);
    let progress: Vec<_> = messages
        .iter()
        .map(|message| &message["params"]["progress"])
        .collect();
    assert_eq!(progress, [&json!(1), &json!(2), &Value::Null]);
    assert_eq!(messages[1]["params"]["message"], "“m2”");
    let answer = &messages[2];
    assert_eq!(
        (
            &answer["id"],
            &answer["result"]["structuredContent"]["state"]
        ),
        (&json!(7), &json!("not_found"))
    );
    assert_eq!(frames[0], ":\n\n", "the head is sent at once");
}

#[test]
fn a_client_that_comes_back_is_told_the_rest() {
    let frames = told(call(2, None, Era::Legacy), ended(1..=3), Clock::default());
    let messages = messages(&frames);
    assert_eq!(messages.len(), 2, "{frames:?}");
    assert_eq!(messages[0]["params"]["progress"], 3);
    assert!(frames[0].starts_with("id: "));
    // It had received everything but the answer.
    let frames = told(call(4, None, Era::Legacy), ended(1..=3), Clock::default());
    assert_eq!(self::messages(&frames).len(), 1);
}

#[test]
fn a_call_that_may_wait_no_longer_is_answered_with_the_run() {
    let clock = Clock::default();
    let frames = told(
        call(0, Some(25_000), Era::Modern),
        log(1..=2),
        clock.clone(),
    );
    assert_eq!(clock.now_ms(), 25_000);
    // Two silences of ten seconds, each with its comment, and the one at the start.
    assert_eq!(frames.iter().filter(|frame| *frame == ":\n\n").count(), 3);
    let messages = messages(&frames);
    let answer = &messages.last().unwrap()["result"]["structuredContent"];
    assert_eq!(
        (&answer["state"], &answer["secret"]),
        (&json!("going_on"), &json!("S"))
    );
    assert_eq!(answer["message"], "“m2”");
    let at_once = told(
        call(0, Some(0), Era::Modern),
        Rc::new(EventLog::of("s1.k3")),
        Clock::default(),
    );
    assert_eq!(self::messages(&at_once).len(), 1);
}

#[test]
fn news_wake_a_call_that_waits() {
    let log = log(1..=1);
    let clock = NoClock;
    let stream = watched(
        call(0, None, Era::Modern),
        EngineName::Investigation,
        log.clone(),
        clock,
    );
    let mut stream = std::pin::pin!(stream);
    let mut next = || stream.next().now_or_never();
    let has = |frame: Option<Option<String>>, words: &str| frame.unwrap().unwrap().contains(words);
    assert!(next().unwrap().is_some());
    assert!(has(next(), "m1"));
    assert!(next().is_none(), "nothing is new");
    show(&log, 2, "status", r#""message":"m2""#);
    assert!(has(next(), "m2"));
    assert!(next().is_none());
    show(
        &log,
        3,
        "no_path",
        r#""reason":"stopped","message":"","spent":{}"#,
    );
    assert!(has(next(), "not_found"));
    assert!(next().unwrap().is_none());
}

/// A clock on which nothing ever happens.
struct NoClock;

impl Watch for NoClock {
    async fn sleep(&self, _ms: u64) {
        futures::future::pending::<()>().await;
    }

    fn now_ms(&self) -> u64 {
        0
    }

    fn has_expired(&self) -> bool {
        false
    }
}

#[test]
fn a_run_that_is_gone_is_told_and_one_that_cannot_be_read_is_not_answered() {
    let deleted = log(1..=1);
    deleted.delete();
    let frames = told(call(1, None, Era::Modern), deleted, Clock::default());
    let answer = messages(&frames).pop().unwrap();
    assert_eq!(answer["result"]["isError"], true);
    let broken = log(1..=1);
    broken.break_off();
    let frames = told(call(1, None, Era::Modern), broken, Clock::default());
    assert_eq!(
        messages(&frames).len(),
        0,
        "the client comes back by its era's rules"
    );
    let clock = Clock {
        expires_ms: Some(15_000),
        ..Clock::default()
    };
    let frames = told(call(1, None, Era::Modern), log(1..=1), clock);
    let answer = messages(&frames).pop().unwrap();
    assert_eq!(answer["result"]["isError"], true);
}
