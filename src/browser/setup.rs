//! The commands with which a page, a frame of its own process and a worker are made ready.

use serde_json::{Value, json};
use url::Url;

use crate::page::BrowserTerms;

use super::devtools::Sharing;
use super::guard::Guard;
use super::message::Command;
use super::page_script::{LIBRARY, WORLD};
use super::place::Place;

/// What would speak to others past the guard of requests, or go on without a page.
const PAGE_REMOVALS: &str = "for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport', \
    'RTCPeerConnection', 'webkitRTCPeerConnection', 'SharedWorker']) delete globalThis[name]; \
    delete Navigator.prototype.serviceWorker;";
const WORKER_REMOVALS: &str = "for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport', \
    'RTCPeerConnection']) delete globalThis[name];";
/// The proxy of a context that reaches no more than the run's origins, and the usual port of `https` where its
/// pages may load something from elsewhere: nobody listens there.
const NO_PROXY: &str = "http://127.0.0.1:9";

/// A command, and whether the page can be used without it.
pub(super) struct Step {
    pub command: Command,
    pub is_needed: bool,
}

/// Returns the arguments of the context of a run.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/tot/Target/#method-createBrowserContext>
pub(super) fn context(sharing: Sharing, guard: &Guard) -> Value {
    if sharing == Sharing::Own {
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

/// Returns the commands that make a page ready, before anything is opened in it.
pub(super) fn page(
    place: &Place,
    terms: &BrowserTerms,
    agent: &str,
    sharing: Sharing,
) -> Vec<Step> {
    let to_page = |method, params| Command::to_page(&place.session, method, params);
    let context = &place.context;
    let mut needed = guarded(&place.session);
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
    needed.push(match sharing {
        Sharing::Own => Command::to_browser(
            "Target.setAutoAttach",
            json!({
                "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
                "filter": [{"type": "page"}, {"type": "shared_worker"}, {"type": "service_worker"}],
            }),
        ),
        Sharing::Shared => Command::to_browser(
            "Target.setDiscoverTargets",
            json!({
                "discover": true, "filter": [{"type": "page"}],
            }),
        ),
    });
    // Another connection to the same page may have set these already; nothing is asked for in a new one.
    let unneeded = [
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
                "permissions": [], "browserContextId": context,
            }),
        ),
    ];
    // A page's own interception ends with its session, and lets go what waits: a window that is closed could
    // still ask. A browser of the run's own refuses it as a whole.
    let everywhere =
        (sharing == Sharing::Own).then(|| Command::to_browser("Fetch.enable", all_requests()));
    let step = |is_needed| move |command| Step { command, is_needed };
    let needed = needed.into_iter().map(step(true));
    let unneeded = unneeded.into_iter().chain(everywhere);
    needed.chain(unneeded.map(step(false))).collect()
}

/// Returns the commands that make a frame in a process of its own ready, and let it go.
pub(super) fn frame(session: &str) -> Vec<Command> {
    let mut commands = guarded(session);
    commands.push(resume(session));
    commands
}

/// Returns the commands that make a worker ready, and let it go. Its requests are those of its page.
pub(super) fn worker(session: &str) -> Vec<Command> {
    let removals = json!({"expression": WORKER_REMOVALS});
    vec![
        Command::to_page(session, "Runtime.evaluate", removals),
        Command::to_page(session, "Target.setAutoAttach", attached()),
        resume(session),
    ]
}

/// Returns the commands that let a window go, none of whose requests leaves the browser.
pub(super) fn window(session: &str) -> Vec<Command> {
    vec![stop_requests(session), resume(session)]
}

/// Returns the command that lets go what waits.
pub(super) fn resume(session: &str) -> Command {
    Command::to_page(session, "Runtime.runIfWaitingForDebugger", json!({}))
}

/// The commands after which nothing of a page or a frame gets past the guard.
fn guarded(session: &str) -> Vec<Command> {
    let to_page = |method, params| Command::to_page(session, method, params);
    let add_script = "Page.addScriptToEvaluateOnNewDocument";
    vec![
        stop_requests(session),
        to_page("Target.setAutoAttach", attached()),
        to_page("Page.enable", json!({})),
        to_page(
            "Network.enable",
            json!({
                "maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0,
            }),
        ),
        to_page("Network.setBypassServiceWorker", json!({"bypass": true})),
        to_page(add_script, json!({"source": PAGE_REMOVALS})),
        to_page(add_script, json!({"source": LIBRARY, "worldName": WORLD})),
    ]
}

/// The command after which each request waits for what the guard says.
fn stop_requests(session: &str) -> Command {
    Command::to_page(session, "Fetch.enable", all_requests())
}

fn all_requests() -> Value {
    json!({"patterns": [{"urlPattern": "*"}]})
}

fn attached() -> Value {
    json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
}
