//! Handles the browser's events about the run's page as soon as they arrive: requests, dialogs, windows, downloads,
//! navigation. They show when the page is quiet, and which pages must not be shown.

use std::rc::Rc;

use mask::Mask;
use serde_json::{Value, json};

use crate::connection::{Command, Event, Reaction};
use crate::driven_browser::Remarks;
use crate::guard::Guard;
use crate::setup::{self, Network, Place};

/// The most consecutive dialogs that are answered. A page that opens more is abandoned, and the last dialog stays open.
const DIALOGS_MAX: u32 = 20;
/// The most out-of-process frames and workers of a page.
const CHILDREN_MAX: usize = 100;
/// The most windows that are remembered while they are being closed.
const CLOSED_MAX: usize = 1_000;
/// The most characters that are shown of a dialog's text or a file's name.
const TOLD_CHARS_MAX: usize = 100;
/// The page that is opened in place of one that must not be shown.
const EMPTY_PAGE: &str = "about:blank";
/// The types of requests on which a page's content may depend.
const WATCHED: [&str; 5] = ["Document", "Stylesheet", "Script", "XHR", "Fetch"];
/// How long a page must stay unchanged to be quiet, in milliseconds.
const QUIET_MS: u64 = 30;
/// The longest wait for a page to load, in milliseconds.
const LOAD_MS_MAX: u64 = 5_000;
/// The longest wait, in milliseconds, for requests that began after an action, since the action may have caused them.
const REQUEST_MS_MAX: u64 = 2_000;
/// The longest wait for a page that keeps changing, in milliseconds.
const RESTLESS_MS_MAX: u64 = 1_000;
/// The most requests that are tracked at once.
const REQUESTS_MAX: usize = 200;
/// The pause between checks of a page that is loading, in milliseconds.
const LOADING_AGAIN_MS: u64 = 5;

/// The state of the run's page, as the browser's events report it.
pub(crate) struct PageEvents {
    guard: Rc<Guard>,
    mask: Rc<Mask>,
    accepts_questions: bool,
    network: Network,
    place: Option<Place>,
    pub(crate) settling: Settling,
    pub(crate) remarks: Remarks,
    pub(crate) refused_pages: RefusedPages,
    /// How many times the page has navigated.
    navigations: u64,
    dialogs_in_a_row: u32,
    children: usize,
    /// The sessions of windows that are being closed, whose events are handled differently.
    closed: Vec<String>,
}

impl PageEvents {
    /// Creates the state of a page without any events yet.
    pub(crate) fn new(guard: Rc<Guard>, mask: Rc<Mask>, accepts_questions: bool) -> Self {
        Self {
            guard,
            mask,
            accepts_questions,
            network: Network::KeptIn,
            place: None,
            settling: Settling::default(),
            remarks: Remarks::default(),
            refused_pages: RefusedPages::default(),
            navigations: 0,
            dialogs_in_a_row: 0,
            children: 0,
            closed: Vec::new(),
        }
    }

    /// Sets how the browser's pages reach the web.
    pub(crate) fn set_network(&mut self, network: Network) {
        self.network = network;
    }

    /// Sets where the run's page is, once it is created.
    pub(crate) fn set_place(&mut self, place: Place) {
        self.place = Some(place);
    }

    /// Returns how many times the page has navigated.
    pub(crate) fn navigations(&self) -> u64 {
        self.navigations
    }

    /// Notes that the page has answered, so that dialogs before and after it are not consecutive.
    pub(crate) fn forgive_dialogs(&mut self) {
        self.dialogs_in_a_row = 0;
    }

    /// Handles an event, and returns what to do in response.
    pub(crate) fn take(&mut self, event: &Event, now_ms: u64) -> Reaction {
        let mut reaction = Reaction::default();
        let params = &event.params;
        match event.method.as_str() {
            "Fetch.requestPaused" => reaction.commands.extend(self.take_request(event)),
            "Network.responseReceived" => reaction.commands.extend(self.take_response(event)),
            "Page.javascriptDialogOpening" => self.take_dialog(event, &mut reaction),
            "Target.attachedToTarget" => self.take_attached(event, &mut reaction),
            "Target.targetCrashed" | "Target.targetDestroyed"
                if self.is_own(text(params, "targetId")) =>
            {
                reaction.gone = Some("the page crashed or was closed".to_owned());
            }
            "Inspector.targetCrashed" if self.is_page(event) => {
                reaction.gone = Some("the process of the page crashed".to_owned());
            }
            // A shared browser reports the downloads of all runs, so only those of this run's frames count.
            "Page.downloadWillBegin" | "Browser.downloadWillBegin"
                if event.session.is_some() || self.is_own(text(params, "frameId")) =>
            {
                let name = self.told(text(params, "suggestedFilename"));
                self.remarks
                    .add(&format!("A download was refused: {name:?}."));
            }
            "Target.detachedFromTarget" => {
                let session = text(params, "sessionId");
                self.closed.retain(|one| one != session);
            }
            "Page.fileChooserOpened" => self
                .remarks
                .add("A file chooser was closed: nothing is uploaded."),
            "Network.webSocketCreated" | "Network.webTransportCreated" => {
                self.remarks.add("A WebSocket was refused.");
            }
            _ if self.is_page(event) => self.take_progress(event, now_ms),
            _ => {}
        }
        reaction
    }

    fn take_request(&mut self, event: &Event) -> Option<Command> {
        let session = event.session.as_deref();
        let id = event.params.get("requestId")?;
        let url = event
            .params
            .get("request")
            .map_or("", |request| text(request, "url"));
        let resource = text(&event.params, "resourceType");
        let closed = || "the window was closed".to_owned();
        let is_closed = session.is_some_and(|session| self.closed.iter().any(|one| one == session));
        let refusal = || self.guard.refusal_of(url, resource);
        let Some(words) = is_closed.then(closed).or_else(refusal) else {
            let params = json!({"requestId": id});
            return Some(Command::answering(event, "Fetch.continueRequest", params));
        };
        let words = self.mask.hide(&words);
        if resource == "Document" && self.is_own(text(&event.params, "frameId")) {
            let words = format!("the page led to an address that is refused: {words}");
            self.remarks.add_words(&words);
            self.refused_pages.refuse(words);
        } else {
            self.remarks
                .add(&format!("A request was refused: {words}."));
        }
        let params = json!({"requestId": id, "errorReason": "BlockedByClient"});
        Some(Command::answering(event, "Fetch.failRequest", params))
    }

    /// Handles a response that may have become part of the page. If it must not be shown, the page is left for an empty
    /// one.
    fn take_response(&mut self, event: &Event) -> Option<Command> {
        let place = self.place.as_ref()?;
        let response = event.params.get("response")?;
        if self.network == Network::Provided {
            // With a provider's proxy, the network address is the proxy's, so it says nothing about the response.
            return None;
        }
        let at = text(response, "remoteIPAddress");
        let refusal = self.guard.refusal_of_answer(text(response, "url"), at)?;
        let words = format!("the page was left: {}", self.mask.hide(&refusal));
        self.remarks.add_words(&words);
        self.refused_pages.leave(words);
        let params = json!({"url": EMPTY_PAGE});
        Some(Command::to_page(&place.session, "Page.navigate", params))
    }

    fn take_dialog(&mut self, event: &Event, reaction: &mut Reaction) {
        let kind = text(&event.params, "type");
        self.dialogs_in_a_row = self.dialogs_in_a_row.saturating_add(1);
        if self.dialogs_in_a_row > DIALOGS_MAX {
            let words = format!("the page opened more than {DIALOGS_MAX} dialogs in a row");
            reaction.gone = Some(words);
            return;
        }
        let is_question = matches!(kind, "confirm" | "prompt");
        let is_accepted = !is_question || self.accepts_questions;
        let answer = if is_accepted { "accepted" } else { "dismissed" };
        let message = self.told(text(&event.params, "message"));
        let kind: String = kind.chars().take(20).collect();
        self.remarks
            .add(&format!("A dialog ({kind}) was {answer}: {message:?}."));
        if let Some(session) = &event.session {
            let proposed = text(&event.params, "defaultPrompt");
            let params = json!({"accept": is_accepted, "promptText": proposed});
            reaction.commands.push(Command::to_page(
                session,
                "Page.handleJavaScriptDialog",
                params,
            ));
        }
    }

    /// Handles a new target of the page or of the browser, which waits until it is resumed.
    fn take_attached(&mut self, event: &Event, reaction: &mut Reaction) {
        let Some(info) = event.params.get("targetInfo") else {
            return;
        };
        let target = text(info, "targetId");
        let session = text(&event.params, "sessionId");
        if self.is_own(target) {
            return;
        }
        if event.session.is_none() && !self.is_in_context(info) {
            // If the target belongs to another run, that run resumes it once its guard is set up. Resuming it here at
            // once would leave it unguarded. It is resumed later, in case nobody else does so.
            if event.params.get("waitingForDebugger") == Some(&Value::Bool(true)) {
                reaction.later.push(setup::resume(session));
            }
            return;
        }
        let commands = &mut reaction.commands;
        let kind = text(info, "type");
        // A window may share its opener's process, which is blocked while the window waits. So the window is resumed at
        // once, and closed.
        if kind == "page" {
            self.tell_closed(kind);
            if self.closed.len() < CLOSED_MAX {
                self.closed.push(session.to_owned());
            }
            commands.extend(setup::window(session, self.network));
            commands.push(close(target));
            return;
        }
        self.children = self.children.saturating_add(1);
        match kind {
            "iframe" if self.children <= CHILDREN_MAX => {
                commands.extend(setup::frame(session, self.network));
            }
            "worker" if self.children <= CHILDREN_MAX => {
                commands.extend(setup::worker(session, self.network));
            }
            _ => {
                self.tell_closed(kind);
                commands.push(close(target));
            }
        }
    }

    fn tell_closed(&mut self, kind: &str) {
        self.remarks.add(match kind {
            "page" | "tab" | "popup" => "A new window was closed.",
            "service_worker" => "A service worker was refused.",
            "shared_worker" => "A shared worker was refused.",
            "iframe" | "worker" => "A frame or a worker was refused: the page has too many.",
            _ => "Something that the page began in the background was refused.",
        });
    }

    fn take_progress(&mut self, event: &Event, now_ms: u64) {
        let params = &event.params;
        let is_main = || self.is_own(text(params, "frameId"));
        match event.method.as_str() {
            "Page.frameStartedLoading" if is_main() => self.settling.begin_loading(now_ms),
            "Page.frameStoppedLoading" if is_main() => self.settling.end_loading(now_ms),
            "Page.documentOpened" if is_main_frame(params) => {
                self.remarks
                    .add("The page's own script emptied it (document.open).");
            }
            "Page.frameRequestedNavigation" if is_main() => self.settling.commit(now_ms),
            "Page.frameNavigated" => {
                let frame = params.get("frame").unwrap_or(&Value::Null);
                if frame.get("parentId").is_none() {
                    self.refused_pages.arrive(text(frame, "url") == EMPTY_PAGE);
                    self.navigations = self.navigations.saturating_add(1);
                    // The frames and workers of the previous page ended with it, so they are no longer counted.
                    self.children = 0;
                    self.settling.commit(now_ms);
                }
            }
            "Network.requestWillBeSent" if WATCHED.contains(&text(params, "type")) => {
                self.settling
                    .begin_request(text(params, "requestId"), now_ms);
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                self.settling.end_request(text(params, "requestId"), now_ms);
            }
            _ => {}
        }
    }

    /// Returns words of the page with secrets hidden, cut to the limit.
    fn told(&self, words: &str) -> String {
        let words: Vec<&str> = words.split_whitespace().collect();
        self.mask.shortened(&words.join(" "), TOLD_CHARS_MAX, "")
    }

    fn is_own(&self, target: &str) -> bool {
        self.place
            .as_ref()
            .is_some_and(|place| place.target == target)
    }

    fn is_page(&self, event: &Event) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|place| event.session.as_ref() == Some(&place.session))
    }

    fn is_in_context(&self, info: &Value) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|place| text(info, "browserContextId") == place.context)
    }
}

/// Returns whether an event about a frame concerns the page itself and not a frame inside it.
fn is_main_frame(params: &Value) -> bool {
    params
        .get("frame")
        .is_some_and(|frame| frame.get("parentId").is_none())
}

fn close(target: &str) -> Command {
    Command::to_browser("Target.closeTarget", json!({"targetId": target}))
}

fn text<'value>(value: &'value Value, name: &str) -> &'value str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The documents that the run's page must not show. Some were refused before they were requested; others are left as
/// soon as their network address is known.
#[derive(Debug, Default)]
pub(crate) struct RefusedPages {
    refused: Option<String>,
    /// Why the page is being left; `None` once the empty page has loaded.
    leaving: Option<String>,
    left: u64,
    is_empty: bool,
}

impl RefusedPages {
    /// Notes why a document to which the page navigated was refused.
    fn refuse(&mut self, words: String) {
        self.refused = Some(words);
    }

    /// Notes that the page is being left, with the reason in words.
    fn leave(&mut self, words: String) {
        self.left = self.left.saturating_add(1);
        self.refused = Some(words.clone());
        self.leaving = Some(words);
    }

    /// Notes that the page has navigated; `is_empty` states whether it navigated to the empty page.
    fn arrive(&mut self, is_empty: bool) {
        self.is_empty = is_empty && (self.is_empty || self.leaving.is_some());
        if is_empty {
            self.leaving = None;
        }
    }

    /// Takes the reason why the last document was refused; `None` if none was refused since the last call.
    pub(crate) fn take_refusal(&mut self) -> Option<String> {
        self.refused.take()
    }

    /// Returns why the page is being left; `None` if it is not.
    pub(crate) fn leaving(&self) -> Option<&str> {
        self.leaving.as_deref()
    }

    /// Returns how many pages have been left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Returns whether the page is now the empty one that replaced a page which was left.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// What must end before a page is worth looking at: navigation, requests, changes. Times are in milliseconds since
/// 1970.
#[derive(Debug, Default)]
pub(crate) struct Settling {
    /// The time at which the last action on the page began.
    caused_ms: u64,
    /// The time since which the page has been loading; `None` if it is not.
    loading_since_ms: Option<u64>,
    requests: Vec<Request>,
    /// The time at which a navigation or a request last ended.
    ended_ms: u64,
}

#[derive(Debug)]
struct Request {
    id: String,
    since_ms: u64,
}

impl Settling {
    /// Notes that an action on the page begins.
    pub(crate) fn cause(&mut self, now_ms: u64) {
        self.caused_ms = now_ms;
        // Older requests have already been waited for, so they are no longer tracked.
        let is_new = |request: &Request| request.since_ms + REQUEST_MS_MAX > now_ms;
        self.requests.retain(is_new);
    }

    /// Notes that the page begins to load.
    pub(crate) fn begin_loading(&mut self, now_ms: u64) {
        self.loading_since_ms.get_or_insert(now_ms);
    }

    /// Notes that the page has navigated. Requests after that are waited for like those after an action.
    fn commit(&mut self, now_ms: u64) {
        self.requests.clear();
        self.caused_ms = now_ms;
    }

    /// Notes that the page has loaded.
    fn end_loading(&mut self, now_ms: u64) {
        if self.loading_since_ms.take().is_some() {
            self.ended_ms = now_ms;
        }
    }

    /// Notes that a request has begun on which the page's content may depend.
    fn begin_request(&mut self, id: &str, now_ms: u64) {
        if self.requests.len() < REQUESTS_MAX && !self.requests.iter().any(|one| one.id == id) {
            self.requests.push(Request {
                id: id.to_owned(),
                since_ms: now_ms,
            });
        }
    }

    /// Notes that a request ended.
    fn end_request(&mut self, id: &str, now_ms: u64) {
        let before = self.requests.len();
        self.requests.retain(|request| request.id != id);
        if self.requests.len() < before {
            self.ended_ms = now_ms;
        }
    }

    /// Returns how long the page must have been unchanged to be quiet, in milliseconds. It is 0 if the page keeps
    /// changing and is no longer waited for.
    pub(crate) fn quiet_ms(&self, now_ms: u64) -> u64 {
        let since_ms = self
            .caused_ms
            .max(self.loading_since_ms.unwrap_or_default());
        let is_patient = now_ms < since_ms.saturating_add(RESTLESS_MS_MAX);
        if is_patient { QUIET_MS } else { 0 }
    }

    /// Returns how many milliseconds to wait until the page is worth looking at; 0 if it is already.
    pub(crate) fn wait_ms(&self, now_ms: u64) -> u64 {
        let is_loading = self
            .loading_since_ms
            .is_some_and(|since_ms| now_ms < since_ms.saturating_add(LOAD_MS_MAX));
        let is_caused = now_ms < self.caused_ms.saturating_add(REQUEST_MS_MAX);
        let is_asking = |request: &Request| {
            now_ms < request.since_ms.saturating_add(REQUEST_MS_MAX) && is_caused
        };
        if is_loading || self.requests.iter().any(is_asking) {
            return LOADING_AGAIN_MS;
        }
        if self.quiet_ms(now_ms) == 0 {
            return 0;
        }
        let since_ms = self.caused_ms.max(self.ended_ms);
        since_ms.saturating_add(QUIET_MS).saturating_sub(now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_an_action() -> Settling {
        let mut settling = Settling::default();
        settling.cause(10_000);
        settling
    }

    #[test]
    fn a_page_that_nobody_opened_is_quiet_at_once() {
        let settling = Settling::default();
        assert_eq!(settling.wait_ms(10_000), 0);
        assert_eq!(settling.quiet_ms(10_000), 0);
    }

    #[test]
    fn after_an_action_the_page_has_a_moment() {
        let settling = after_an_action();
        assert_eq!(settling.wait_ms(10_000), QUIET_MS);
        assert_eq!(settling.wait_ms(10_010), QUIET_MS - 10);
        assert_eq!(settling.wait_ms(10_000 + QUIET_MS), 0);
        assert_eq!(settling.quiet_ms(10_999), QUIET_MS);
        assert_eq!(settling.quiet_ms(11_000), 0, "it changes again and again");
    }

    #[test]
    fn a_page_that_loads_is_waited_for_with_a_limit() {
        let mut settling = after_an_action();
        settling.begin_loading(10_020);
        settling.begin_loading(12_000);
        assert_eq!(settling.wait_ms(15_019), LOADING_AGAIN_MS);
        assert_eq!(settling.wait_ms(15_020), 0);
        settling.end_loading(10_500);
        assert_eq!(settling.wait_ms(10_510), QUIET_MS - 10);
        assert_eq!(settling.wait_ms(10_530), 0);
    }

    #[test]
    fn requests_of_an_action_are_waited_for_and_old_ones_are_not() {
        let mut settling = after_an_action();
        settling.begin_request("1", 10_010);
        assert_eq!(settling.wait_ms(10_100), LOADING_AGAIN_MS);
        assert_eq!(settling.wait_ms(12_000), 0, "it never ends");
        settling.end_request("1", 10_200);
        settling.end_request("2", 10_300);
        assert_eq!(settling.wait_ms(10_210), QUIET_MS - 10);
        let mut settling = after_an_action();
        settling.begin_request("1", 60_000);
        assert_eq!(settling.wait_ms(60_001), 0, "nothing was done for long");
        settling.cause(70_000);
        assert_eq!(settling.wait_ms(70_100), 0);
        settling.begin_request("2", 70_050);
        settling.commit(70_060);
        assert_eq!(
            settling.wait_ms(70_060),
            QUIET_MS,
            "the page is another one"
        );
        assert_eq!(settling.wait_ms(70_100), 0);
    }

    #[test]
    fn so_many_requests_are_watched() {
        let mut settling = after_an_action();
        for number in 0..1_000 {
            settling.begin_request(&number.to_string(), 10_000);
        }
        assert_eq!(settling.requests.len(), REQUESTS_MAX);
    }
}
