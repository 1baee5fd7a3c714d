//! What one viewer receives from a run's log.

use std::cell::{Cell, RefCell};
use std::future::{pending, ready};
use std::pin::pin;
use std::rc::Rc;

use engine::run::{EventLog, StopSwitch};
use futures::{FutureExt as _, Stream, StreamExt as _};
use platform::events::{BROKEN_OFF, EXPIRED, HEARTBEAT, RETRY, WireEvent, frame};
use visual_degrees::engines::EngineName;

fn event(number: u32, kind: &str) -> WireEvent {
    WireEvent::stored(
        EngineName::Investigation.event_kinds(),
        "s1.run",
        number,
        kind,
        format!(r#"{{"number":{number}}}"#),
    )
    .unwrap()
}

/// A log with these kinds of events.
fn log(kinds: &[&str]) -> Rc<EventLog> {
    let log = EventLog::default();
    for (number, kind) in (1..).zip(kinds) {
        log.show(&event(number, kind));
    }
    Rc::new(log)
}

/// Returns what has arrived by now, and whether the stream has ended.
fn read(mut stream: impl Stream<Item = Vec<u8>> + Unpin) -> (String, bool) {
    let mut read = Vec::new();
    loop {
        match stream.next().now_or_never() {
            Some(Some(bytes)) => read.extend(bytes),
            over => return (String::from_utf8(read).unwrap(), over.is_some()),
        }
    }
}

/// A viewer for whom no time passes.
fn view(log: &Rc<EventLog>, after: u32) -> (String, bool) {
    read(Box::pin(log.clone().view(after, |_| pending(), || false)))
}

fn frames(events: &[WireEvent]) -> String {
    let frames = events.iter().map(frame);
    std::iter::once(RETRY.to_owned()).chain(frames).collect()
}

#[test]
fn a_late_viewer_gets_everything_from_the_beginning() {
    let log = log(&["status", "evidence", "final"]);
    let all = [event(1, "status"), event(2, "evidence"), event(3, "final")];
    assert_eq!(view(&log, 0), (frames(&all), true));
    assert_eq!(
        log.last().now_or_never().flatten().as_deref(),
        Some(r#"{"number":3}"#)
    );
}

#[test]
fn who_comes_back_gets_what_came_after_the_last_event_they_saw() {
    let log = log(&["status", "status"]);
    assert_eq!(view(&log, 1), (frames(&[event(2, "status")]), false));
    assert_eq!(view(&log, 2), (frames(&[]), false));
    log.show(&event(3, "final"));
    assert_eq!(view(&log, 2), (frames(&[event(3, "final")]), true));
    assert_eq!(view(&log, 3), (frames(&[]), true), "nothing comes any more");
    assert_eq!(
        view(&log, u32::MAX),
        (frames(&[]), true),
        "nor after what never was"
    );
}

#[test]
fn who_does_not_wait_gets_what_there_is() {
    let so_far = |log: &EventLog, after| String::from_utf8(log.so_far(after)).unwrap();
    let log = log(&["status", "status"]);
    let both = [event(1, "status"), event(2, "status")];
    assert_eq!(so_far(&log, 0), frames(&both));
    assert_eq!(so_far(&log, 1), frames(&both[1..]));
    assert_eq!(so_far(&log, 2), frames(&[]), "nothing yet");
    log.show(&event(3, "final"));
    assert_eq!(so_far(&log, 2), frames(&[event(3, "final")]));
    let named = EventLog::of("s1.run");
    assert_eq!(so_far(&named, 0), "id: s1.run.0\nretry: 1000\n\n");
    named.delete();
    let (told, _) = view(&Rc::new(named), 0);
    let deleted = EventLog::of("s1.run");
    deleted.delete();
    assert_eq!(so_far(&deleted, 0), told, "as to who waits");
}

#[test]
fn who_has_seen_nothing_knows_the_run_already() {
    let log = Rc::new(EventLog::of("s1.run"));
    let mut stream = Box::pin(log.clone().view(0, |_| pending(), || false));
    let (first, _) = read(&mut stream);
    assert_eq!(first, "id: s1.run.0\nretry: 1000\n\n");
    log.show(&event(1, "status"));
    assert_eq!(read(&mut stream).0, frame(&event(1, "status")));
    // A reconnecting viewer continues, and is not sent back to the start.
    let back = log.clone().view(1, |_| pending(), || false);
    assert_eq!(read(Box::pin(back)).0, "id: s1.run.1\nretry: 1000\n\n");
}

#[test]
fn who_stays_gets_each_event_as_it_comes() {
    let log = log(&[]);
    let mut stream = Box::pin(log.clone().view(0, |_| pending(), || false));
    assert_eq!(read(&mut stream), (RETRY.to_owned(), false));
    for (number, kind) in (1..).zip(["status", "path_update", "no_path"]) {
        let event = event(number, kind);
        log.show(&event);
        assert_eq!(read(&mut stream), (frame(&event), event.is_last));
    }
}

#[test]
fn silence_is_broken_every_ten_seconds() {
    let slept = RefCell::new(Vec::new());
    let log = log(&["status"]);
    let sleep = |ms| {
        slept.borrow_mut().push(ms);
        ready(())
    };
    let mut stream = pin!(log.clone().view(0, sleep, || false));
    let mut next = || stream.next().now_or_never().flatten();
    next();
    assert_eq!(next(), Some(frame(&event(1, "status")).into_bytes()));
    assert!(slept.borrow().is_empty(), "nobody waits for what is there");
    for _ in 0..2 {
        assert_eq!(next(), Some(HEARTBEAT.as_bytes().to_vec()));
    }
    assert_eq!(*slept.borrow(), [10_000; 2]);
    // An event that came in the meantime precedes the comment.
    log.show(&event(2, "final"));
    assert_eq!(next(), Some(frame(&event(2, "final")).into_bytes()));
    assert_eq!(next(), None);
}

#[test]
fn a_stream_that_is_broken_off_has_no_last_event() {
    let log = log(&["status"]);
    log.break_off();
    let told = frames(&[event(1, "status")]) + BROKEN_OFF;
    assert_eq!(view(&log, 0), (told, true));
    assert!(!log.is_ended());
    assert_eq!(
        log.last().now_or_never(),
        Some(None),
        "nobody waits for what does not come"
    );
}

/// If an expired run has not been deleted yet, its viewers are not left waiting.
#[test]
fn a_stream_of_an_expired_run_ends_with_the_next_silence() {
    let log = log(&["status"]);
    let has_expired = Cell::new(false);
    let mut stream = pin!(log.clone().view(1, |_| ready(()), || has_expired.get()));
    let mut next = || stream.next().now_or_never().flatten();
    next();
    assert_eq!(next(), Some(HEARTBEAT.as_bytes().to_vec()));
    has_expired.set(true);
    assert_eq!(next(), Some(EXPIRED.as_bytes().to_vec()));
    assert_eq!(next(), None);
}

#[test]
fn an_event_that_is_shown_again_is_shown_once() {
    let log = log(&["status", "status"]);
    for number in [1, 2, 2] {
        log.show(&event(number, "status"));
    }
    let both = [event(1, "status"), event(2, "status")];
    assert_eq!(view(&log, 0), (frames(&both), false));
    assert_eq!(log.jsons().len(), 2);
}

#[test]
fn who_waits_for_the_end_gets_the_last_event() {
    let log = log(&["status"]);
    let mut last = pin!(log.last());
    assert!(last.as_mut().now_or_never().is_none(), "it goes on");
    log.show(&event(2, "error"));
    assert_eq!(
        last.now_or_never().flatten().as_deref(),
        Some(r#"{"number":2}"#)
    );
}

#[test]
fn a_stop_reaches_everybody_who_waits_and_who_comes_later() {
    let stop = StopSwitch::default();
    let (mut first, mut second) = (pin!(stop.wait()), pin!(stop.wait()));
    assert!(first.as_mut().now_or_never().is_none());
    assert!(second.as_mut().now_or_never().is_none());
    stop.turn_on();
    stop.turn_on();
    assert!(first.now_or_never().is_some() && second.now_or_never().is_some());
    assert!(stop.wait().now_or_never().is_some());
}
