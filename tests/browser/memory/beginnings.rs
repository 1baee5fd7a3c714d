//! Opening, resuming and closing a browser: every command in order, and where progress is noted.

use std::cell::RefCell;

use cdp::Sharing;
use domain::page::BrowserAddress;
use platform::{Browser as _, BrowserError, Browsers as _, WriteError};
use serde_json::Value;

use super::scripted::{Does, client, in_virtual_time, terms};

fn address(context: Option<&str>, target: Option<&str>) -> BrowserAddress {
    BrowserAddress {
        session: "S1".to_owned(),
        context: context.map(str::to_owned),
        target: target.map(str::to_owned),
        tabs: Vec::new(),
    }
}

/// Returns the log without the two long scripts.
fn shortened(log: &[String]) -> Vec<String> {
    let short = |line: &String| {
        let at = line
            .find("\"source\"")
            .filter(|_| line.contains("addScriptToEvaluate"));
        at.map_or_else(|| line.clone(), |at| format!("{}...", &line[..at]))
    };
    log.iter().map(short).collect()
}

const CONTEXT: &str = "Target.createBrowserContext {\"disposeOnDetach\":false,\"proxyBypassList\":\"<-loopback>;\
    https://shop.example:443;wss://shop.example:443;http://127.0.0.1:8080;ws://127.0.0.1:8080\",\"proxyServer\":\"http://127.0.0.1:9\"}";

const READY: [&str; 17] = [
    "Browser.getVersion {}",
    "Target.attachToTarget {\"flatten\":true,\"targetId\":\"T1\"}",
    "page Fetch.enable {\"patterns\":[{\"urlPattern\":\"*\"}]}",
    "page Target.setAutoAttach {\"autoAttach\":true,\"flatten\":true,\"waitForDebuggerOnStart\":true}",
    "page Page.enable {}",
    "page Network.enable {\"maxPostDataSize\":0,\"maxResourceBufferSize\":0,\"maxTotalBufferSize\":0}",
    "page Network.setBypassServiceWorker {\"bypass\":true}",
    "page Page.addScriptToEvaluateOnNewDocument {\"runImmediately\":true,...",
    "page Page.setInterceptFileChooserDialog {\"enabled\":true}",
    "page Emulation.setFocusEmulationEnabled {\"enabled\":true}",
    "page Emulation.setDeviceMetricsOverride {\"deviceScaleFactor\":1,\"height\":600,\"mobile\":false,\"width\":800}",
    "page Emulation.setUserAgentOverride {\"acceptLanguage\":\"en-US\",\"userAgent\":\"Agent/1\"}",
    "Browser.setDownloadBehavior {\"behavior\":\"deny\",\"browserContextId\":\"C1\",\"eventsEnabled\":true}",
    "page Runtime.runIfWaitingForDebugger {}",
    "Target.setAutoAttach {\"autoAttach\":true,\"filter\":[{\"type\":\"page\"},{\"type\":\"shared_worker\"},\
     {\"type\":\"service_worker\"}],\"flatten\":true,\"waitForDebuggerOnStart\":true}",
    "page Emulation.setLocaleOverride {\"locale\":\"en_US\"}",
    "page Emulation.setTimezoneOverride {\"timezoneId\":\"Europe/Berlin\"}",
];

#[test]
fn a_browser_is_begun_with_each_part_noted_before_it_is_used() {
    in_virtual_time(async {
        let (client, log) = client(Sharing::Own, |_, _| None);
        let noted = log.clone();
        let note = |address: &BrowserAddress| {
            let parts =
                [&address.context, &address.target].map(|part| part.as_deref().unwrap_or("-"));
            noted
                .borrow_mut()
                .push(format!("noted {} {}", address.session, parts.join(" ")));
            Ok(())
        };
        let browser = client.begin_browser(&terms(), &note, 1_000).await.unwrap();
        browser.end().await;
        drop(browser);
        let mut expected = vec![
            "turn",
            "begin",
            "noted S1 - -",
            "connect S1",
            "SystemInfo.getInfo {}",
            CONTEXT,
            "noted S1 C1 -",
            "Target.createTarget {\"browserContextId\":\"C1\",\"url\":\"about:blank\"}",
            "noted S1 C1 T1",
        ];
        expected.extend(READY);
        expected.extend([
            "Browser.grantPermissions {\"browserContextId\":\"C1\",\"permissions\":[]}",
            "Fetch.enable {\"patterns\":[{\"urlPattern\":\"*\"}]}",
            "Target.closeTarget {\"targetId\":\"T1\"}",
            "Target.disposeBrowserContext {\"browserContextId\":\"C1\"}",
            "end S1",
            "close",
        ]);
        assert_eq!(shortened(&log.borrow()), expected);
    });
}

#[test]
fn a_shared_browser_is_begun_as_others_and_left_to_them() {
    in_virtual_time(async {
        let (client, log) = client(Sharing::Shared, |_, _| None);
        let note = |_: &BrowserAddress| Ok(());
        let browser = client.begin_browser(&terms(), &note, 1_000).await.unwrap();
        browser.end().await;
        let log = shortened(&log.borrow());
        for line in READY.iter().chain([&CONTEXT]) {
            assert!(log.iter().any(|one| one == line), "{line}: {log:?}");
        }
        let is_of_others = |line: &String| {
            ["end", "Fetch.enable"]
                .iter()
                .any(|begin| line.starts_with(begin))
        };
        assert!(!log.iter().any(is_of_others), "others use the browser");
    });
}

#[test]
fn another_process_attaches_where_context_and_page_are_there() {
    in_virtual_time(async {
        let (client, log) = client(Sharing::Own, |_, _| None);
        let whole = address(Some("C1"), Some("T1"));
        client
            .attach_browser(&terms(), &whole, None, 1_000)
            .await
            .unwrap();
        let mut expected = vec![
            "turn",
            "connect S1",
            "SystemInfo.getInfo {}",
            "Target.getTargetInfo {\"targetId\":\"T1\"}",
        ];
        expected.extend(READY);
        assert_eq!(shortened(&log.borrow())[..expected.len()], expected);
        for wrong in [
            address(Some("C2"), Some("T1")),
            address(None, None),
            address(Some("C1"), None),
        ] {
            let attached = client.attach_browser(&terms(), &wrong, None, 1_000).await;
            assert!(
                matches!(attached, Err(BrowserError::Failed(_))),
                "{wrong:?}"
            );
        }
    });
}

#[test]
fn what_is_left_of_a_browser_is_ended() {
    in_virtual_time(async {
        let (client, log) = client(Sharing::Own, |_, _| None);
        client.end_browser(&address(Some("C1"), None)).await;
        let expected = [
            "connect S1",
            "Target.disposeBrowserContext {\"browserContextId\":\"C1\"}",
            "close",
            "end S1",
        ];
        assert_eq!(log.borrow()[..], expected);
    });
}

/// Opens a browser that fails at one thing, and returns the message and the log from there on.
async fn begin_without(what: &'static str, does: fn() -> Does) -> (BrowserError, Vec<String>) {
    let (client, log) = client(Sharing::Own, move |method: &str, _: &Value| {
        (method == what).then(does)
    });
    let note = |_: &BrowserAddress| Ok(());
    let begun = client.begin_browser(&terms(), &note, 1_000).await;
    let log = log.borrow().clone();
    (begun.err().unwrap(), log)
}

#[test]
fn a_beginning_that_fails_says_why_and_leaves_nothing_behind() {
    in_virtual_time(async {
        let refuses: fn() -> Does = || Does::Refuses("no such thing");
        let silent: fn() -> Does = || Does::Nothing;
        let closes: fn() -> Does = || Does::Closes;
        for (what, does, words) in [
            ("begin", refuses, "no such thing"),
            ("begin", silent, "the beginning of a browser took too long"),
            ("connect", refuses, "no such thing"),
            (
                "connect",
                silent,
                "the connection to the browser took too long",
            ),
            (
                "Target.createBrowserContext",
                refuses,
                "the browser refused Target.createBrowserContext: no such thing",
            ),
            (
                "Target.createTarget",
                silent,
                "the browser did not answer Target.createTarget in time",
            ),
            (
                "Target.createTarget",
                closes,
                "the connection to the browser was closed",
            ),
            (
                "Fetch.enable",
                refuses,
                "the browser refused Fetch.enable: no such thing",
            ),
            (
                "Target.setAutoAttach",
                silent,
                "the browser did not answer Target.setAutoAttach in time",
            ),
        ] {
            let (error, log) = begin_without(what, does).await;
            assert_eq!(error, BrowserError::Failed(words.to_owned()), "{what}");
            let is_begun = what != "begin";
            assert_eq!(
                log.last().is_some_and(|line| line == "end S1"),
                is_begun,
                "{what}: {log:?}"
            );
        }
    });
}

#[test]
fn what_another_connection_has_set_is_no_failure() {
    in_virtual_time(async {
        let script = |method: &str, _: &Value| {
            (method == "Emulation.setLocaleOverride").then_some(Does::Refuses(
                "Another locale override is already in effect",
            ))
        };
        let (client, _) = client(Sharing::Own, script);
        let note = |_: &BrowserAddress| Ok(());
        assert!(client.begin_browser(&terms(), &note, 1_000).await.is_ok());
    });
}

#[test]
fn nothing_is_used_that_could_not_be_noted() {
    in_virtual_time(async {
        for (fails_at, sent) in [(1, 0), (2, 1), (3, 2)] {
            let (client, log) = client(Sharing::Own, |_, _| None);
            let notes = RefCell::new(0);
            let note = |_: &BrowserAddress| {
                *notes.borrow_mut() += 1;
                if *notes.borrow() == fails_at {
                    Err(WriteError)
                } else {
                    Ok(())
                }
            };
            let begun = client.begin_browser(&terms(), &note, 1_000).await;
            assert!(matches!(begun, Err(BrowserError::Write(WriteError))));
            let log = log.borrow();
            let created = log
                .iter()
                .filter(|line| line.starts_with("Target.create"))
                .count();
            assert_eq!(created, sent, "{log:?}");
            assert_eq!(log.last().unwrap(), "end S1");
        }
    });
}
