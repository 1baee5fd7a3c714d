//! The commands that prepare a page, an out-of-process frame and a worker.

use domain::page::BrowserTerms;
use serde_json::{Value, json};
use url::Url;

use crate::connection::{Command, Sharing};
use crate::guard::Guard;
use crate::world::{LIBRARY, WORLD};

/// A script that removes what could bypass the guard of requests and the context's proxy, or could outlive its page.
/// `WebSocket` stays, since the proxy refuses its connections and pages can handle connections that fail.
const PAGE_REMOVALS: &str = "for (const name of ['WebSocketStream', 'WebTransport', \
    'RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker']) delete globalThis[name]; \
    delete Navigator.prototype.serviceWorker;";
const WORKER_REMOVALS: &str = "for (const name of ['WebSocketStream', 'WebTransport', \
    'RTCPeerConnection']) delete globalThis[name];";
/// The proxy of a context, at which nobody listens. Only requests to the run's origins bypass it, and, if pages may
/// load resources from elsewhere, requests to the standard port of `https`. It also protects a page without a guard.
const NO_PROXY: &str = "http://127.0.0.1:9";
const ADD_SCRIPT: &str = "Page.addScriptToEvaluateOnNewDocument";

/// How the pages of a browser reach the web.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Network {
    /// The context's proxy lets only requests to the run's origins through.
    KeptIn,
    /// The browser has a proxy that its provider has chosen.
    Provided,
}

/// A command that prepares a page, and whether the page is unusable if the browser refuses the command.
pub(crate) struct Step {
    pub command: Command,
    pub is_needed: bool,
}

/// Returns the arguments with which a run's browser context is created.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/tot/Target/#method-createBrowserContext>
pub(crate) fn context(guard: &Guard, network: Network) -> Value {
    if network == Network::Provided {
        return json!({"disposeOnDetach": false});
    }
    let mut direct = "<-loopback>".to_owned();
    if guard.loads_from_elsewhere() {
        direct.push_str(";https://*:443");
    }
    for origin in guard.origins() {
        let Ok(url) = Url::parse(origin) else {
            continue;
        };
        if let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) {
            direct = format!("{direct};{}://{host}:{port}", url.scheme());
        }
    }
    json!({"disposeOnDetach": false, "proxyServer": NO_PROXY, "proxyBypassList": direct})
}

/// Returns the commands that prepare a page. The needed ones must succeed before an address is opened in the page.
pub(crate) fn page(
    place: &Place,
    terms: &BrowserTerms,
    agent: &str,
    sharing: Sharing,
    network: Network,
) -> Vec<Step> {
    let to_page = |method, params| Command::to_page(&place.session, method, params);
    let context = &place.context;
    let mut needed = guarded(&place.session, network);
    needed.extend([
        to_page(
            "Page.setInterceptFileChooserDialog",
            json!({"enabled": true}),
        ),
        to_page(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        ),
        to_page(
            "Emulation.setDeviceMetricsOverride",
            json!({
                "width": terms.viewport.width, "height": terms.viewport.height,
                "deviceScaleFactor": 1, "mobile": false,
            }),
        ),
        to_page(
            "Emulation.setUserAgentOverride",
            json!({
                "userAgent": agent, "acceptLanguage": terms.language,
            }),
        ),
        Command::to_browser(
            "Browser.setDownloadBehavior",
            json!({
                "behavior": "deny", "browserContextId": context, "eventsEnabled": true,
            }),
        ),
    ]);
    // A new page waits until every client that waits for windows has resumed it, possibly including the client of
    // another run.
    needed.push(resume(&place.session));
    needed.push(Command::to_browser(
        "Target.setAutoAttach",
        json!({
            "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
            "filter": [{"type": "page"}, {"type": "shared_worker"}, {"type": "service_worker"}],
        }),
    ));
    // These commands may fail, since another connection to the same page may have made the settings.
    let unneeded = settings(place, terms);
    // A page's own interception ends with its session and then releases pending requests. So a window that is being
    // closed could still send some. If the browser belongs to this run alone, the requests are also intercepted in the
    // whole browser.
    let everywhere =
        (sharing == Sharing::Own).then(|| Command::to_browser("Fetch.enable", all_requests()));
    let step = |is_needed| move |command| Step { command, is_needed };
    let needed = needed.into_iter().map(step(true));
    let unneeded = unneeded.into_iter().chain(everywhere);
    needed.chain(unneeded.map(step(false))).collect()
}

/// Returns the commands whose settings belong to the connection that makes them. The first command is refused as long
/// as another connection has made the settings.
pub(crate) fn settings(place: &Place, terms: &BrowserTerms) -> Vec<Command> {
    let to_page = |method, params| Command::to_page(&place.session, method, params);
    vec![
        to_page(
            "Emulation.setLocaleOverride",
            json!({"locale": terms.language.replace('-', "_")}),
        ),
        to_page(
            "Emulation.setTimezoneOverride",
            json!({"timezoneId": terms.time_zone}),
        ),
        Command::to_browser(
            "Browser.grantPermissions",
            json!({
                "permissions": [], "browserContextId": place.context,
            }),
        ),
    ]
}

/// Returns the commands that prepare an out-of-process frame and then resume it.
pub(crate) fn frame(session: &str, network: Network) -> Vec<Command> {
    let mut commands = guarded(session, network);
    commands.push(resume(session));
    commands
}

/// Returns the commands that prepare a worker and then resume it. Its requests are guarded like those of its page.
pub(crate) fn worker(session: &str, network: Network) -> Vec<Command> {
    let removals = json!({"expression": removals(WORKER_REMOVALS, network)});
    vec![
        Command::to_page(session, "Runtime.evaluate", removals),
        tell_requests(session),
        Command::to_page(session, "Target.setAutoAttach", attached()),
        resume(session),
    ]
}

/// Returns the commands that resume a window that is being closed. The window's scripts do not run, its opener finds
/// nothing in it that reaches the network, and its requests never leave the browser.
pub(crate) fn window(session: &str, network: Network) -> Vec<Command> {
    let rest = json!({"value": true});
    vec![
        stop_requests(session),
        Command::to_page(session, "Emulation.setScriptExecutionDisabled", rest),
        Command::to_page(session, "Page.enable", json!({})),
        remove(session, network),
        resume(session),
    ]
}

/// Returns the command that resumes a waiting target.
pub(crate) fn resume(session: &str) -> Command {
    Command::to_page(session, "Runtime.runIfWaitingForDebugger", json!({}))
}

/// Returns the commands after which nothing in a page or frame bypasses the guard.
fn guarded(session: &str, network: Network) -> Vec<Command> {
    let to_page = |method, params| Command::to_page(session, method, params);
    vec![
        stop_requests(session),
        to_page("Target.setAutoAttach", attached()),
        to_page("Page.enable", json!({})),
        tell_requests(session),
        to_page("Network.setBypassServiceWorker", json!({"bypass": true})),
        remove(session, network),
        to_page(ADD_SCRIPT, json!({"source": LIBRARY, "worldName": WORLD})),
    ]
}

/// Returns the command that removes what bypasses the guard from new documents, and from those that were loaded without
/// a guard. It works only if `Page` is enabled.
fn remove(session: &str, network: Network) -> Command {
    let source = removals(PAGE_REMOVALS, network);
    let params = json!({"source": source, "runImmediately": true});
    Command::to_page(session, ADD_SCRIPT, params)
}

/// Returns the script that removes what bypasses the guard. No guard stops the handshake of a `WebSocket`, so
/// `WebSocket` is removed too, unless the context's proxy refuses the handshake.
fn removals(always: &str, network: Network) -> String {
    match network {
        Network::KeptIn => always.to_owned(),
        Network::Provided => format!("{always} delete globalThis.WebSocket;"),
    }
}

/// Returns the command that enables events about requests, without buffering their bodies.
fn tell_requests(session: &str) -> Command {
    let params = json!({"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0});
    Command::to_page(session, "Network.enable", params)
}

/// Returns the command that makes each request wait for the guard's decision.
fn stop_requests(session: &str) -> Command {
    Command::to_page(session, "Fetch.enable", all_requests())
}

fn all_requests() -> Value {
    json!({"patterns": [{"urlPattern": "*"}]})
}

fn attached() -> Value {
    json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
}

/// The ids by which the run's page is addressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub context: String,
    pub target: String,
    pub session: String,
}
