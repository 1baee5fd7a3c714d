//! Answers that are late, lost, wrong or hostile.

use std::cell::RefCell;

use domain::page::{
    ActionFailure, BrowserGone, By, ElementLocator, ElementTarget, Look, MouseButton, PageAction,
    TypedText,
};
use platform::Browser as _;
use serde_json::{Value, json};

use super::scripted::{Does, begun, function, in_virtual_time};

fn click() -> PageAction {
    PageAction::Click {
        target: target(),
        button: MouseButton::Left,
        clicks: 1,
        percentage: 0.5,
    }
}

fn target() -> ElementTarget {
    ElementTarget {
        locator: ElementLocator {
            by: By::CssSelector,
            selector: "#s3cret".into(),
        },
        timeout_ms: 500,
        is_scrolled_to: true,
        fallback: None,
    }
}

pub fn typing(origins: Option<&str>) -> PageAction {
    let text = if origins.is_some() {
        "hunter2"
    } else {
        "hunting"
    };
    typing_text(text, origins)
}

pub fn typing_text(text: &str, origins: Option<&str>) -> PageAction {
    PageAction::Type {
        target: target(),
        text: TypedText {
            text: text.into(),
            origins: origins.map(|origin| vec![origin.to_owned()]),
        },
        interval_ms: 0,
    }
}

fn navigation() -> PageAction {
    PageAction::Navigate {
        url: TypedText {
            text: "https://shop.example/?q=hunter2".into(),
            origins: None,
        },
    }
}

/// Returns the methods sent, with the names of the script's functions.
pub fn methods(log: &[String]) -> Vec<String> {
    let short = |line: &String| {
        let (method, params) = line.rsplit_once(" {").unwrap_or((line, ""));
        let method = method.split(" {").next().unwrap_or(method);
        let event = [
            "mouseMoved",
            "mousePressed",
            "mouseReleased",
            "rawKeyDown",
            "keyDown",
            "keyUp",
        ];
        let event = event
            .iter()
            .find(|event| line.contains(&format!("\"type\":\"{event}\"")));
        let called = line
            .split("{\"value\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let _ = params;
        match (event, called) {
            (Some(event), _) => (*event).to_owned(),
            (_, Some(called)) if method.ends_with("callFunctionOn") => called.to_owned(),
            _ => method.to_owned(),
        }
    };
    log.iter().map(short).collect()
}

#[test]
fn a_click_is_measured_twice_and_pressed_once() {
    in_virtual_time(async {
        let (browser, log) = begun(|_, _| None).await;
        let done = browser.act(&click(), 5_000).await.unwrap();
        let point = done.point.unwrap();
        assert_eq!((point.x, point.y), (10.0, 120.0), "in the document");
        let expected = [
            "page Page.addScriptToEvaluateOnNewDocument",
            "page Page.createIsolatedWorld",
            "page Runtime.evaluate",
            "aim",
            "mouseMoved",
            "ready",
            "mousePressed",
            "mouseReleased",
            "released",
        ];
        assert_eq!(methods(&log.borrow()), expected);
        log.borrow_mut().clear();
        browser.look(&Look::default(), 5_000).await.unwrap();
        assert_eq!(methods(&log.borrow()), ["look"], "one question a look");
    });
}

/// Returns the outcome of an action if the browser does this at one point, and what had been sent by then.
async fn outcome(
    action: &PageAction,
    at: &'static str,
    does: fn() -> Does,
) -> (Result<(), ActionFailure>, Vec<String>) {
    let script = move |method: &str, params: &Value| {
        let event = params["type"].as_str().unwrap_or_default();
        (method == at || event == at || function(method, params) == at).then(does)
    };
    let (browser, log) = begun(script).await;
    let outcome = browser.act(action, 2_000).await.map(drop);
    let sent = methods(&log.borrow());
    (outcome, sent)
}

#[derive(Debug, PartialEq)]
enum Kind {
    Failed,
    Unknown,
    Gone,
    Refused,
}

#[test]
fn what_was_sent_before_a_failure_says_what_it_means() {
    let closes: fn() -> Does = || Does::Closes;
    let silent: fn() -> Does = || Does::Nothing;
    let refuses: fn() -> Does = || Does::Refuses("it cannot be done");
    let shop = Some("https://shop.example");
    in_virtual_time(async {
        for (action, at, does, kind) in [
            (click(), "aim", closes, Kind::Gone),
            (click(), "aim", silent, Kind::Gone),
            (click(), "mouseMoved", closes, Kind::Gone),
            (click(), "mouseMoved", refuses, Kind::Failed),
            (click(), "ready", silent, Kind::Gone),
            (click(), "mousePressed", closes, Kind::Unknown),
            (click(), "mousePressed", silent, Kind::Unknown),
            (click(), "mouseReleased", closes, Kind::Unknown),
            (click(), "mouseReleased", silent, Kind::Unknown),
            (click(), "released", silent, Kind::Unknown),
            (typing(None), "aimField", closes, Kind::Gone),
            (typing(None), "aimField", silent, Kind::Gone),
            (typing(None), "focused", closes, Kind::Gone),
            (typing(None), "rawKeyDown", closes, Kind::Unknown),
            (typing(None), "keyDown", closes, Kind::Unknown),
            (typing(None), "keyDown", silent, Kind::Unknown),
            (typing(None), "held", closes, Kind::Unknown),
            (typing(None), "held", silent, Kind::Unknown),
            (typing(shop), "held", closes, Kind::Unknown),
            (typing(shop), "insert", silent, Kind::Unknown),
            (typing(shop), "insert", closes, Kind::Unknown),
            (
                typing(Some("https://other.example")),
                "none",
                closes,
                Kind::Refused,
            ),
            (navigation(), "Page.navigate", closes, Kind::Unknown),
            (navigation(), "Page.navigate", silent, Kind::Unknown),
        ] {
            let (outcome, sent) = outcome(&action, at, does).await;
            let (found, words) = match outcome.unwrap_err() {
                ActionFailure::Failed(words) => (Kind::Failed, words),
                ActionFailure::UnknownOutcome(words) => (Kind::Unknown, words),
                ActionFailure::BrowserGone(words) => (Kind::Gone, words),
                ActionFailure::Refused(words) => (Kind::Refused, words),
            };
            assert_eq!(found, kind, "{at}: {words}; {sent:?}");
            assert!(
                !words.contains("hunter2") && !words.contains("s3cret"),
                "{words}"
            );
            let presses = sent.iter().filter(|one| *one == "mousePressed").count();
            assert!(presses <= 1, "{at}: {sent:?}");
        }
    });
}

#[test]
fn a_press_that_missed_is_tried_again_with_a_limit() {
    in_virtual_time(async {
        let script = |method: &str, params: &Value| {
            let missed = json!({"result": {"value": {"came": "missed", "isFrame": false}}});
            (function(method, params) == "released").then_some(Does::Answers(missed))
        };
        let (browser, log) = begun(script).await;
        let outcome = browser.act(&click(), 5_000).await;
        assert!(
            matches!(outcome, Err(ActionFailure::Failed(words)) if words.contains("moves away"))
        );
        let sent = methods(&log.borrow());
        let pressed = sent.iter().filter(|one| *one == "mousePressed").count();
        assert!((6..=20).contains(&pressed), "{pressed} in half a second");
    });
}

#[test]
fn a_document_that_is_replaced_is_asked_anew() {
    in_virtual_time(async {
        let refusals = std::cell::Cell::new(2);
        let script = move |method: &str, params: &Value| {
            if function(method, params) == "look" && refusals.get() > 0 {
                refusals.set(refusals.get() - 1);
                return Some(Does::Refuses("Cannot find context with specified id"));
            }
            None
        };
        let (browser, log) = begun(script).await;
        let seen = browser.look(&Look::default(), 5_000).await.unwrap();
        assert_eq!(seen.view.signals.title, "Shop");
        let worlds = methods(&log.borrow())
            .iter()
            .filter(|one| one.ends_with("createIsolatedWorld"))
            .count();
        assert_eq!(worlds, 3);
    });
}

#[test]
fn a_document_that_is_replaced_for_ever_ends_in_words() {
    in_virtual_time(async {
        let script = |method: &str, params: &Value| {
            (function(method, params) == "look")
                .then_some(Does::Refuses("Cannot find context with specified id"))
        };
        let (browser, _) = begun(script).await;
        let gone = browser.look(&Look::default(), 5_000).await.unwrap_err();
        assert!(gone.0.contains("again and again"), "{gone:?}");
    });
}

#[test]
fn a_script_that_fails_sees_nothing() {
    in_virtual_time(async {
        let script = |method: &str, params: &Value| {
            let thrown =
                json!({"result": {"type": "object"}, "exceptionDetails": {"text": "Uncaught"}});
            (function(method, params) == "look").then_some(Does::Answers(thrown))
        };
        let (browser, _) = begun(script).await;
        let seen = browser.look(&Look::default(), 5_000).await.unwrap();
        assert_eq!(
            (seen.view.signals.items, seen.view.signals.url),
            (None, None)
        );
    });
}

/// Returns the outcome of a look if the browser sends these messages before its answer.
async fn look_among(messages: Vec<String>) -> Result<String, BrowserGone> {
    let answer =
        json!({"id": "ID", "result": {"result": {"value": {"quiet": 99, "title": "Shop"}}}});
    let answer = answer.to_string().replace("\"ID\"", "ID");
    let messages = RefCell::new(messages);
    let script = move |method: &str, params: &Value| {
        let mut all = messages.take();
        all.push(answer.clone());
        (function(method, params) == "look").then_some(Does::Says(all))
    };
    let (browser, _) = begun(script).await;
    let seen = browser.look(&Look::default(), 1_000).await?;
    Ok(seen.view.signals.title)
}

#[test]
fn what_is_no_answer_to_a_command_is_passed_over() {
    in_virtual_time(async {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let long = format!(
            "{{\"method\":\"x\",\"params\":\"{}\"}}",
            "x".repeat(5 * 1024 * 1024)
        );
        for message in [
            String::new(),
            "not JSON".to_owned(),
            "[]".to_owned(),
            "{\"id\":999999,\"result\":{}}".to_owned(),
            "{\"id\":-1,\"result\":{}}".to_owned(),
            "{\"id\":1,\"result\":{\"result\":{\"value\":{\"title\":\"another\"}}}}".to_owned(),
            "{\"method\":\"Fetch.requestPaused\",\"params\":null}".to_owned(),
            "{\"method\":\"Fetch.requestPaused\",\"sessionId\":\"P1\",\"params\":{\"requestId\":[]}}".to_owned(),
            "{\"method\":\"Target.attachedToTarget\",\"params\":{\"targetInfo\":7}}".to_owned(),
            "{\"method\":\"Page.frameNavigated\",\"params\":[],\"sessionId\":\"P1\"}".to_owned(),
            "{\"method\":\"Page.javascriptDialogOpening\",\"params\":{}}".to_owned(),
            deep,
            long,
        ] {
            let title = look_among(vec![message.clone()]).await;
            assert_eq!(title.as_deref(), Ok("Shop"), "{message:.80}");
        }
    });
}

#[test]
fn an_answer_that_is_no_look_is_no_page() {
    in_virtual_time(async {
        for value in [
            json!(null),
            json!(7),
            json!("x"),
            json!([]),
            json!({}),
            json!({"quiet": -1e300}),
        ] {
            let answer = json!({"result": {"value": value}});
            let script = move |method: &str, params: &Value| {
                let answer = answer.clone();
                (function(method, params) == "look").then_some(Does::Answers(answer))
            };
            let (browser, _) = begun(script).await;
            let seen = browser.look(&Look::default(), 1_000).await.unwrap();
            assert_eq!(seen.view.signals.items, None);
        }
    });
}

#[test]
fn every_command_has_a_deadline() {
    in_virtual_time(async {
        let script =
            |_: &str, params: &Value| params["arguments"].is_array().then_some(Does::Nothing);
        let (browser, _) = begun(script).await;
        let gone = browser.look(&Look::default(), 700).await.unwrap_err();
        assert_eq!(
            gone.0,
            "the browser did not answer Runtime.callFunctionOn in time"
        );
        let silent =
            |method: &str, _: &Value| (method == "Target.closeTarget").then_some(Does::Nothing);
        let (browser, log) = begun(silent).await;
        browser.end().await;
        assert_eq!(log.borrow().last().unwrap(), "end S1");
    });
}

#[test]
fn no_picture_is_taken_where_its_covers_are_gone() {
    in_virtual_time(async {
        let script = |method: &str, params: &Value| {
            let value = match function(method, params).as_str() {
                "inspect" => {
                    json!({"values": [{"frame": false, "always": true, "value": ""}], "shown": ""})
                }
                "uncover" => json!(false),
                _ => return None,
            };
            Some(Does::Answers(json!({"result": {"value": value}})))
        };
        let (browser, log) = begun(script).await;
        let wish = Look {
            wants_picture: true,
            ..Look::default()
        };
        assert_eq!(browser.look(&wish, 5_000).await.unwrap().picture, None);
        let sent = methods(&log.borrow());
        let is_stopped = sent
            .iter()
            .any(|one| one.ends_with("setScriptExecutionDisabled"));
        assert!(!is_stopped, "the page's scripts go on");
    });
}
