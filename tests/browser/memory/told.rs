//! Events from the browser, and the reactions: windows of this run and of others, responses from private addresses, and
//! too many dialogs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cdp::{DrivenBrowser, Sharing};
use domain::page::{BrowserAddress, BrowserGone, Look};
use platform::{Browser as _, Browsers as _};
use serde_json::{Value, json};
use tokio::time::{Duration, sleep};

use super::scripted::{Does, Shared, begun, client, function, in_virtual_time, terms};

/// A browser that sends these messages with the answer to the next look, and the log from then on.
async fn told(messages: &[Value]) -> (DrivenBrowser<Shared>, Rc<RefCell<Vec<String>>>) {
    let answer =
        json!({"id": "ID", "result": {"result": {"value": {"quiet": 99, "title": "Shop"}}}});
    let answer = answer.to_string().replace("\"ID\"", "ID");
    let messages: Vec<String> = messages.iter().map(Value::to_string).collect();
    let is_told = Cell::new(false);
    let (browser, log) = begun(move |method: &str, params: &Value| {
        (function(method, params) == "look" && !is_told.replace(true)).then(|| {
            let mut all = messages.clone();
            all.push(answer.clone());
            Does::Says(all)
        })
    })
    .await;
    let looked = browser.look(&Look::default(), 1_000).await;
    assert!(looked.is_ok(), "{looked:?}");
    (browser, log)
}

fn attached(session: &str, context: &str, kind: &str, waits: bool) -> Value {
    json!({"method": "Target.attachedToTarget", "params": {
        "sessionId": session, "waitingForDebugger": waits,
        "targetInfo": {"targetId": format!("of {session}"), "type": kind, "browserContextId": context},
    }})
}

/// Returns what was sent with these methods, in order, but for the script that is sent ahead to the run's page.
fn sent(log: &RefCell<Vec<String>>, methods: &[&str]) -> Vec<String> {
    let name = |line: &String| {
        line.trim_start_matches("page ")
            .split(' ')
            .next()
            .map(str::to_owned)
    };
    let log = log.borrow();
    let lines = log.iter().filter(|line| !line.contains("worldName"));
    let names = lines.filter_map(name).collect::<Vec<_>>();
    names
        .into_iter()
        .filter(|name| methods.contains(&name.as_str()))
        .collect()
}

const WINDOW: [&str; 6] = [
    "Fetch.enable",
    "Emulation.setScriptExecutionDisabled",
    "Page.enable",
    "Page.addScriptToEvaluateOnNewDocument",
    "Runtime.runIfWaitingForDebugger",
    "Target.closeTarget",
];

#[test]
fn a_window_is_armed_before_it_is_let_go_and_closed() {
    in_virtual_time(async {
        let (browser, log) = told(&[attached("W1", "C1", "page", true)]).await;
        assert_eq!(sent(&log, &WINDOW), WINDOW);
        assert_eq!(browser.take_remarks(), ["A new window was closed."]);
    });
}

#[test]
fn a_window_of_another_run_is_left_to_its_guard_and_one_of_nobody_is_let_go_later() {
    in_virtual_time(async {
        let others = [
            attached("W1", "C2", "page", true),
            attached("W2", "C2", "page", false),
        ];
        let (browser, log) = told(&others).await;
        assert_eq!(sent(&log, &WINDOW), [""; 0]);
        sleep(Duration::from_secs(2)).await;
        assert_eq!(sent(&log, &WINDOW), ["Runtime.runIfWaitingForDebugger"]);
        assert_eq!(browser.take_remarks(), [""; 0]);
    });
}

#[test]
fn a_page_of_too_many_dialogs_says_why_it_is_over() {
    let dialog = json!({"method": "Page.javascriptDialogOpening", "sessionId": "P1",
        "params": {"type": "alert", "message": "x"}});
    let words = "the page opened more than 20 dialogs in a row";
    in_virtual_time(async {
        let (browser, _) = told(&vec![dialog.clone(); 20]).await;
        assert_eq!(browser.why_over(), None);
        let (browser, _) = begun({
            let storm: Vec<String> = vec![dialog.to_string(); 21];
            move |method: &str, params: &Value| {
                (function(method, params) == "look").then(|| Does::Says(storm.clone()))
            }
        })
        .await;
        let gone = browser.look(&Look::default(), 60_000).await;
        assert_eq!(gone.unwrap_err(), BrowserGone(words.to_owned()));
        assert_eq!(browser.why_over().as_deref(), Some(words));
    });
}

#[test]
fn words_of_dialogs_are_masked_before_they_are_cut() {
    let long = format!("{}{}hunter2", "x".repeat(95), " ".repeat(3_000));
    let cut = format!("{}hunter2", " ".repeat(1_997));
    in_virtual_time(async {
        for message in [long, cut] {
            let dialog = json!({"method": "Page.javascriptDialogOpening", "sessionId": "P1",
                "params": {"type": "alert", "message": message}});
            let (browser, _) = told(&[dialog]).await;
            let remarks = browser.take_remarks();
            assert!(
                remarks.len() == 1 && !remarks[0].contains("hun"),
                "{remarks:?}"
            );
        }
    });
}

#[test]
fn a_connection_that_takes_over_needs_no_place_of_its_own() {
    in_virtual_time(async {
        let (client, log) = client(Sharing::Own, |_, _| None);
        let noted = RefCell::new(None);
        let note = |address: &BrowserAddress| {
            *noted.borrow_mut() = Some(address.clone());
            Ok(())
        };
        let lost = client.begin_browser(&terms(), &note, 1_000).await.unwrap();
        let address = noted.borrow().clone().unwrap();
        let turns = |log: &RefCell<Vec<String>>| {
            let log = log.borrow();
            log.iter().filter(|line| *line == "turn").count()
        };
        assert_eq!(turns(&log), 1);
        client
            .attach_browser(&terms(), &address, Some(&lost), 1_000)
            .await
            .unwrap();
        assert_eq!(turns(&log), 1);
        client
            .attach_browser(&terms(), &address, None, 1_000)
            .await
            .unwrap();
        assert_eq!(turns(&log), 2);
    });
}
