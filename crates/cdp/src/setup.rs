//! The commands that prepare a tab, an out-of-process frame and a worker.

use domain::page::{BrowserTerms, Viewport};
use serde_json::{Value, json};
use url::Url;

use crate::connection::{Command, Sharing};
use crate::guard::Guard;
use crate::world::{self, WORLD};

/// The script that runs in the world of each page before its own scripts.
const PAGE_WORLD: &str = include_str!("script/page_world.js");
/// What could bypass the guard of requests and the context's proxy, or could outlive its page.
const TAKEN: [&str; 2] = ["WebTransport", "SharedWorker"];
/// What sends packets past the guard, unless the run allows it.
const WEB_RTC: [&str; 2] = ["RTCPeerConnection", "webkitRTCPeerConnection"];
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
            let socket = if url.scheme() == "https" { "wss" } else { "ws" };
            for scheme in [url.scheme(), socket] {
                direct = format!("{direct};{scheme}://{host}:{port}");
            }
        }
    }
    json!({"disposeOnDetach": false, "proxyServer": NO_PROXY, "proxyBypassList": direct})
}

/// What the tabs, frames and workers of a run are prepared with.
#[derive(Debug)]
pub(crate) struct Preparation {
    viewport: Viewport,
    language: String,
    /// The browser's own name for itself, which is kept.
    agent: String,
    /// The script for the world of pages and workers.
    page_world: String,
    /// The expression whose value is the page's script.
    pub library: String,
}

impl Preparation {
    /// Makes the preparation of a run's tabs. `target` is the id of its first one, which no page knows.
    pub(crate) fn new(
        terms: &BrowserTerms,
        guard: &Guard,
        network: Network,
        agent: String,
        target: &str,
    ) -> Self {
        let channel = format!("visual-degrees-{target}");
        // No guard stops the handshake of a `WebSocket`, unless the context's proxy does.
        let origins = (network == Network::Provided).then(|| guard.origins());
        let web_rtc = WEB_RTC.iter().filter(|_| !terms.allows_web_rtc);
        let taken: Vec<&str> = TAKEN.iter().chain(web_rtc).copied().collect();
        let arguments = json!([channel, origins, taken, terms.allows_downloads]);
        Self {
            viewport: terms.viewport,
            language: terms.language.clone(),
            agent,
            page_world: format!("({PAGE_WORLD})(...{arguments});"),
            library: world::library(&channel),
        }
    }

    /// Returns the commands that prepare the run's page. The needed ones must succeed before an address is opened in it.
    pub(crate) fn page(&self, place: &Place, terms: &BrowserTerms, sharing: Sharing) -> Vec<Step> {
        let mut needed = self.tab(&place.session);
        needed.push(Command::to_browser(
            "Browser.setDownloadBehavior",
            json!({
                "behavior": "deny", "browserContextId": place.context, "eventsEnabled": true,
            }),
        ));
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
        // closed could still send some. If the browser belongs to this run alone, the requests are also intercepted in
        // the whole browser.
        let everywhere =
            (sharing == Sharing::Own).then(|| Command::to_browser("Fetch.enable", all_requests()));
        let step = |is_needed| move |command| Step { command, is_needed };
        let needed = needed.into_iter().map(step(true));
        let unneeded = unneeded.into_iter().chain(everywhere);
        needed.chain(unneeded.map(step(false))).collect()
    }

    /// Returns the commands that prepare a tab, without resuming it.
    fn tab(&self, session: &str) -> Vec<Command> {
        let to_page = |method, params| Command::to_page(session, method, params);
        let mut commands = self.guarded(session);
        commands.extend([
            stop_choosers(session),
            to_page(
                "Emulation.setFocusEmulationEnabled",
                json!({"enabled": true}),
            ),
            to_page(
                "Emulation.setDeviceMetricsOverride",
                json!({
                    "width": self.viewport.width, "height": self.viewport.height,
                    "deviceScaleFactor": 1, "mobile": false,
                }),
            ),
            to_page(
                "Emulation.setUserAgentOverride",
                json!({"userAgent": self.agent, "acceptLanguage": self.language}),
            ),
        ]);
        commands
    }

    /// Returns the commands that prepare a tab that a page has opened, and then resume it.
    pub(crate) fn opened_tab(&self, place: &Place, terms: &BrowserTerms) -> Vec<Command> {
        let mut commands = self.tab(&place.session);
        commands.push(self.preload_script(&place.session));
        commands.extend(settings(place, terms));
        commands.push(resume(&place.session));
        commands
    }

    /// Returns the commands that prepare an out-of-process frame and then resume it.
    pub(crate) fn frame(&self, session: &str) -> Vec<Command> {
        let mut commands = self.guarded(session);
        commands.push(self.preload_script(session));
        commands.push(stop_choosers(session));
        commands.push(resume(session));
        commands
    }

    /// Returns the commands that prepare a worker and then resume it. Its requests are guarded like those of its page.
    pub(crate) fn worker(&self, session: &str) -> Vec<Command> {
        let script = json!({"expression": self.page_world});
        vec![
            Command::to_page(session, "Runtime.evaluate", script),
            tell_requests(session),
            Command::to_page(session, "Target.setAutoAttach", attached()),
            resume(session),
        ]
    }

    /// Returns the commands that resume a window that is being closed. The window's scripts do not run, its opener finds
    /// nothing in it that reaches the network, and its requests never leave the browser.
    pub(crate) fn closed_window(&self, session: &str) -> Vec<Command> {
        let rest = json!({"value": true});
        vec![
            stop_requests(session),
            Command::to_page(session, "Emulation.setScriptExecutionDisabled", rest),
            Command::to_page(session, "Page.enable", json!({})),
            self.enter_page_world(session),
            resume(session),
        ]
    }

    /// Returns the commands after which nothing in a page or frame bypasses the guard.
    fn guarded(&self, session: &str) -> Vec<Command> {
        let to_page = |method, params| Command::to_page(session, method, params);
        vec![
            stop_requests(session),
            to_page("Target.setAutoAttach", attached()),
            to_page("Page.enable", json!({})),
            tell_requests(session),
            to_page("Network.setBypassServiceWorker", json!({"bypass": true})),
            self.enter_page_world(session),
        ]
    }

    /// Returns the command that runs the page's script in its world, in the document that is there and in new ones.
    /// Without it, documents get the script when they are first looked at.
    pub(crate) fn preload_script(&self, session: &str) -> Command {
        let params = json!({"source": self.library, "worldName": WORLD, "runImmediately": true});
        Command::to_page(session, ADD_SCRIPT, params)
    }

    /// Returns the command that runs a script in the own world of new documents, and of those that were loaded without a
    /// guard. It works only if `Page` is enabled.
    fn enter_page_world(&self, session: &str) -> Command {
        let params = json!({"source": self.page_world, "runImmediately": true});
        Command::to_page(session, ADD_SCRIPT, params)
    }
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

/// Returns the command that resumes a waiting target.
pub(crate) fn resume(session: &str) -> Command {
    Command::to_page(session, "Runtime.runIfWaitingForDebugger", json!({}))
}

/// Returns the command that keeps file choosers closed.
fn stop_choosers(session: &str) -> Command {
    let params = json!({"enabled": true});
    Command::to_page(session, "Page.setInterceptFileChooserDialog", params)
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

/// The ids by which a tab of the run is addressed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Place {
    pub context: String,
    pub target: String,
    pub session: String,
}
