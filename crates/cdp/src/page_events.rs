//! Handles the browser's events about the run's page as soon as they arrive: requests, dialogs, windows, downloads,
//! navigation. They show when the page is quiet, and which pages must not be shown.

use std::rc::Rc;

use domain::page::BrowserTerms;
use mask::Mask;
use serde_json::{Value, json};

use crate::connection::{Command, Event, Reaction};
use crate::download::{Downloads, RequestDecision};
use crate::drag::OwnDrag;
use crate::driven_browser::Remarks;
use crate::guard::Guard;
use crate::setup::{self, Network, Place, Preparation};
use crate::tab::Tab;
use crate::upload::Chooser;

/// The most consecutive dialogs that are answered. A page that opens more is abandoned, and the last dialog stays open.
const DIALOGS_MAX: u32 = 20;
/// The most out-of-process frames and workers of a page.
const CHILDREN_MAX: usize = 100;
/// The most tabs of a run, the page's own included.
pub(crate) const TABS_MAX: usize = 5;
/// The most tabs that a run has, one after the other.
const TABS_HAD_MAX: usize = 100;
/// How long after an action a tab that opens counts as opened by the action, in milliseconds.
const OPENS_MS_MAX: u64 = 2_000;
/// The most windows that are remembered while they are being closed.
const CLOSED_MAX: usize = 1_000;
/// The most characters that are shown of a dialog's text or a file's name.
const TOLD_CHARS_MAX: usize = 100;
/// The page that is opened in place of one that must not be shown.
const EMPTY_PAGE: &str = "about:blank";
/// The types of requests on which a page's content may depend.
const WATCHED: [&str; 5] = ["Document", "Stylesheet", "Script", "XHR", "Fetch"];

/// The events which tell that something happens.
const ACTIVITY: [&str; 10] = [
    "Network.webSocketCreated",
    "Fetch.requestPaused",
    "Page.javascriptDialogOpening",
    "Target.attachedToTarget",
    "Page.downloadWillBegin",
    "Page.fileChooserOpened",
    "Page.frameRequestedNavigation",
    "Page.frameNavigated",
    "Page.navigatedWithinDocument",
    "Page.frameAttached",
];

/// The state of the run's tabs, as the browser's events report it.
pub(crate) struct PageEvents {
    guard: Rc<Guard>,
    mask: Rc<Mask>,
    terms: BrowserTerms,
    network: Network,
    /// What new tabs and frames are prepared with; `None` until the page is created.
    preparation: Option<Rc<Preparation>>,
    /// The tab that is the run's page.
    pub(crate) page: Tab,
    /// The other tabs, in the order in which they were last the run's page.
    pub(crate) others: Vec<Tab>,
    /// The targets of all tabs that the run has had, in the order in which they were opened. A tab keeps its number, even
    /// if one before it is closed.
    all_tabs: Vec<String>,
    /// The time until which a new tab counts as opened by the run's action, in milliseconds since 1970.
    opens_until_ms: u64,
    /// Whether an action or a look is under way, which goes on in no other tab than the one in which it began.
    is_held: bool,
    /// Whether the tab that is the page was lost while it was held.
    pub(crate) is_page_lost: bool,
    pub(crate) remarks: Remarks,
    /// How many events have told that something happens: requests, navigations, dialogs, windows, downloads.
    pub(crate) activity: u64,
    /// Whether the mouse's button was pressed for a drag and not yet released.
    pub(crate) is_button_down: bool,
    /// What the browser drags, if it drags something itself.
    pub(crate) dragged: Option<OwnDrag>,
    pub(crate) downloads: Downloads,
    pub(crate) chooser: Chooser,
    /// The sessions of windows that are being closed, whose events are handled differently.
    closed: Vec<String>,
}

impl PageEvents {
    /// Creates the state of a page without any events yet.
    pub(crate) fn new(guard: Rc<Guard>, mask: Rc<Mask>, terms: &BrowserTerms) -> Self {
        Self {
            guard,
            mask,
            terms: terms.clone(),
            network: Network::KeptIn,
            preparation: None,
            page: Tab::new(Place::default(), 1),
            others: Vec::new(),
            all_tabs: Vec::new(),
            opens_until_ms: 0,
            is_held: false,
            is_page_lost: false,
            remarks: Remarks::default(),
            activity: 0,
            is_button_down: false,
            dragged: None,
            downloads: Downloads::default(),
            chooser: Chooser::default(),
            closed: Vec::new(),
        }
    }

    /// Sets how the browser's pages reach the web.
    pub(crate) fn set_network(&mut self, network: Network) {
        self.network = network;
    }

    /// Sets where the run's page is, once it is created, and what new tabs and frames are prepared with. `tabs` are the
    /// targets of the tabs that an earlier process has known.
    pub(crate) fn set_place(
        &mut self,
        place: Place,
        tabs: &[String],
        preparation: Rc<Preparation>,
    ) {
        self.all_tabs = tabs.to_vec();
        self.page.number = self.number_of(&place.target);
        self.page.place = place;
        self.page.was_shown = true;
        self.preparation = Some(preparation);
    }

    /// Notes that the page has answered, so that dialogs before and after it are not consecutive.
    pub(crate) fn forgive_dialogs(&mut self) {
        self.page.dialogs_in_a_row = 0;
        for tab in &mut self.others {
            tab.dialogs_in_a_row = 0;
        }
    }

    /// Notes that an action on the page begins or ends, so that requests after it are waited for. If the action may
    /// open a tab, one that opens soon is kept.
    pub(crate) fn note_cause(&mut self, may_open: bool, now_ms: u64) {
        self.page.is_blank = false;
        self.page.settling.cause(now_ms);
        self.opens_until_ms = if may_open {
            now_ms.saturating_add(OPENS_MS_MAX)
        } else {
            0
        };
    }

    /// Makes the tab at this position of [`Self::others`] the run's page. Returns whether there is one.
    pub(crate) fn show(&mut self, position: usize) -> bool {
        if position >= self.others.len() {
            return false;
        }
        let shown = self.others.remove(position);
        let before = std::mem::replace(&mut self.page, shown);
        self.page.was_shown = true;
        if !std::mem::take(&mut self.is_page_lost) {
            self.others.push(before);
        }
        true
    }

    /// Returns the targets of all tabs that the run has had, in the order in which they were opened; none if there was
    /// only one.
    pub(crate) fn several_tabs(&self) -> &[String] {
        if self.all_tabs.len() > 1 {
            &self.all_tabs
        } else {
            &[]
        }
    }

    /// Returns the targets of the tabs that are open.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.tabs().map(|tab| tab.place.target.clone()).collect()
    }

    /// Returns the number of a tab, from 1. One that was not known before gets the next number.
    fn number_of(&mut self, target: &str) -> usize {
        let known = self.all_tabs.iter().position(|known| known == target);
        let position = known.unwrap_or_else(|| {
            self.all_tabs.push(target.to_owned());
            self.all_tabs.len().saturating_sub(1)
        });
        position.saturating_add(1)
    }

    fn tabs(&self) -> impl Iterator<Item = &Tab> {
        std::iter::once(&self.page).chain(&self.others)
    }

    fn tab_where(&mut self, is_meant: impl Fn(&Tab) -> bool) -> Option<&mut Tab> {
        let mut tabs = std::iter::once(&mut self.page).chain(&mut self.others);
        tabs.find(|tab| is_meant(tab))
    }

    /// Returns the tab in which an event happened, in its page, a frame or a worker.
    fn tab_of(&mut self, event: &Event) -> Option<&mut Tab> {
        let session = event.session.as_deref()?;
        self.tab_where(|tab| tab.owns(session))
    }

    /// Handles an event, and returns what to do in response.
    pub(crate) fn take(&mut self, event: &Event, now_ms: u64) -> Reaction {
        let mut reaction = Reaction::default();
        let params = &event.params;
        if ACTIVITY.contains(&event.method.as_str()) {
            self.activity = self.activity.saturating_add(1);
        }
        match event.method.as_str() {
            "Fetch.requestPaused" => reaction.commands.extend(self.take_request(event)),
            "Network.responseReceived" => reaction.commands.extend(self.take_response(event)),
            "Page.javascriptDialogOpening" => self.take_dialog(event, &mut reaction),
            "Target.attachedToTarget" => self.take_attached(event, now_ms, &mut reaction),
            "Target.targetCrashed" | "Target.targetDestroyed" => {
                let target = text(params, "targetId");
                self.lose_tab(|tab| tab.place.target == target, &mut reaction);
            }
            "Inspector.targetCrashed" => {
                let session = event.session.clone().unwrap_or_default();
                self.lose_tab(|tab| tab.place.session == session, &mut reaction);
            }
            "Target.detachedFromTarget" => {
                let session = text(params, "sessionId");
                reaction.ended = Some(session.to_owned());
                self.closed.retain(|one| one != session);
                self.lose_tab(|tab| tab.place.session == session, &mut reaction);
                if let Some(tab) = self.tab_where(|tab| tab.owns(session)) {
                    tab.end_session(session);
                }
            }
            // A shared browser reports the downloads of all runs, so only those of this run's frames count.
            "Page.downloadWillBegin" | "Browser.downloadWillBegin"
                if event.session.is_some() || self.is_own(text(params, "frameId")) =>
            {
                if self.downloads.note(params) {
                    return reaction;
                }
                let name = self.told(text(params, "suggestedFilename"));
                self.remarks
                    .add(&format!("A download was refused: {name:?}."));
            }
            "Page.fileChooserOpened" => {
                let field = params.get("backendNodeId").and_then(Value::as_u64);
                if !self.chooser.open(field, event.session.as_deref()) {
                    self.remarks
                        .add("A file chooser was closed: nothing is uploaded.");
                }
            }
            "Network.responseReceivedExtraInfo" => self.downloads.note_address_space(params),
            "Network.webSocketCreated" if !self.may_open_socket(text(params, "url")) => {
                self.remarks.add("A WebSocket was refused.");
            }
            "Input.dragIntercepted" => {
                let data = params.get("data").cloned();
                self.dragged = data.map(|data| OwnDrag {
                    data,
                    has_entered: false,
                });
            }
            "Network.webTransportCreated" => self.remarks.add("A WebTransport was refused."),
            _ => self.take_progress(event, now_ms),
        }
        reaction
    }

    /// Returns whether the browser's proxy lets a `WebSocket` connect to an address.
    fn may_open_socket(&self, url: &str) -> bool {
        let web = url.strip_prefix("ws").map(|rest| format!("http{rest}"));
        web.is_some_and(|web| self.guard.refusal_of(&web, "WebSocket").is_none())
    }

    /// Keeps the page from becoming another tab, until [`Self::release`] is called.
    pub(crate) fn hold(&mut self) {
        self.is_held = true;
    }

    /// Lets the page become another tab again, if its own was lost. Returns whether it was.
    pub(crate) fn release(&mut self) -> bool {
        self.is_held = false;
        let was_lost = std::mem::take(&mut self.is_page_lost);
        if was_lost {
            self.show_before();
        }
        was_lost
    }

    /// Handles the end of a tab. If it was the run's page, the tab that was the page before becomes it again.
    fn lose_tab(&mut self, is_lost: impl Fn(&Tab) -> bool, reaction: &mut Reaction) {
        self.others.retain(|tab| !is_lost(tab));
        if !is_lost(&self.page) && !self.is_page_lost {
            return;
        }
        if self.others.is_empty() {
            reaction.gone = Some("the page crashed or was closed".to_owned());
        } else if self.is_held {
            self.is_page_lost = true;
        } else {
            self.show_before();
        }
    }

    /// Makes the tab that was the page before the page again.
    fn show_before(&mut self) {
        let before = self.others.iter().rposition(|tab| tab.was_shown);
        let Some(before) = before.or(self.others.len().checked_sub(1)) else {
            return;
        };
        self.page = self.others.remove(before);
        self.page.was_shown = true;
        let number = self.page.number;
        self.remarks.add(&format!(
            "The tab was closed or crashed, so tab {number} is the page again."
        ));
    }

    /// Returns why an answer from a private address must not be shown; `None` if it may, or if nobody knows from where
    /// answers come.
    pub(crate) fn refusal_of_private(&self, url: &str) -> Option<String> {
        let is_known = self.network == Network::KeptIn;
        let refusal = is_known.then(|| self.guard.refusal_of_answer(url, "10.0.0.1"));
        refusal.flatten()
    }

    fn take_request(&mut self, event: &Event) -> Option<Command> {
        if event.params.get("responseStatusCode").is_some()
            || event.params.get("responseErrorReason").is_some()
        {
            let goes_on = || {
                let params = json!({"requestId": event.params.get("requestId")});
                Command::answering(event, "Fetch.continueRequest", params)
            };
            let is_held = self.downloads.holds_response(event);
            return (!is_held).then(goes_on);
        }
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
            let decision = if event.session.is_some() {
                self.downloads.decide_request(&event.params)
            } else {
                RequestDecision::Continue
            };
            let (method, params) = match decision {
                RequestDecision::Continue => ("Fetch.continueRequest", json!({"requestId": id})),
                RequestDecision::InterceptResponse => (
                    "Fetch.continueRequest",
                    json!({"requestId": id, "interceptResponse": true}),
                ),
                RequestDecision::Abort => (
                    "Fetch.failRequest",
                    json!({"requestId": id, "errorReason": "Aborted"}),
                ),
            };
            return Some(Command::answering(event, method, params));
        };
        let words = self.mask.hide(&words);
        let frame = text(&event.params, "frameId").to_owned();
        let tab = self.tab_where(|tab| resource == "Document" && tab.place.target == frame);
        if let Some(tab) = tab {
            let words = format!("the page led to an address that is refused: {words}");
            tab.refused_pages.refuse(words.clone());
            self.remarks.add_words(&words);
        } else {
            self.remarks
                .add(&format!("A request was refused: {words}."));
        }
        let params = json!({"requestId": id, "errorReason": "BlockedByClient"});
        Some(Command::answering(event, "Fetch.failRequest", params))
    }

    /// Handles a response that may have become part of a page. If it must not be shown, the page is left for an empty
    /// one.
    fn take_response(&mut self, event: &Event) -> Option<Command> {
        let response = event.params.get("response")?;
        if self.network == Network::Provided {
            // With a provider's proxy, the network address is the proxy's, so it says nothing about the response.
            return None;
        }
        let at = text(response, "remoteIPAddress");
        let refusal = self.guard.refusal_of_answer(text(response, "url"), at)?;
        let words = format!("the page was left: {}", self.mask.hide(&refusal));
        let is_of_tab = self.tab_of(event).is_some();
        let tab = if is_of_tab {
            self.tab_of(event)?
        } else {
            &mut self.page
        };
        tab.refused_pages.leave(words.clone());
        let params = json!({"url": EMPTY_PAGE});
        let command = Command::to_page(&tab.place.session, "Page.navigate", params);
        self.remarks.add_words(&words);
        Some(command)
    }

    fn take_dialog(&mut self, event: &Event, reaction: &mut Reaction) {
        let kind = text(&event.params, "type");
        let in_a_row = match self.tab_of(event) {
            Some(tab) => {
                tab.dialogs_in_a_row = tab.dialogs_in_a_row.saturating_add(1);
                tab.dialogs_in_a_row
            }
            None => 0,
        };
        if in_a_row > DIALOGS_MAX {
            let words = format!("the page opened more than {DIALOGS_MAX} dialogs in a row");
            reaction.gone = Some(words);
            return;
        }
        let is_question = matches!(kind, "confirm" | "prompt");
        let is_accepted = !is_question || self.terms.accepts_questions;
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

    /// Handles a new target of a tab or of the browser, which waits until it is resumed.
    fn take_attached(&mut self, event: &Event, now_ms: u64, reaction: &mut Reaction) {
        let Some(info) = event.params.get("targetInfo") else {
            return;
        };
        let target = text(info, "targetId");
        let session = text(&event.params, "sessionId");
        if self.is_own(target) {
            return;
        }
        let is_waiting = event.params.get("waitingForDebugger") == Some(&Value::Bool(true));
        let Some(preparation) = self.preparation.clone().filter(|_| {
            event.session.is_some() || text(info, "browserContextId") == self.page.place.context
        }) else {
            // If the target belongs to another run, that run resumes it once its guard is set up. Resuming it here at
            // once would leave it unguarded. It is resumed later, in case nobody else does so, but not if it is a window
            // that its opener can use: resuming one ends the wait of any other in the same process.
            let is_used = info.get("canAccessOpener") == Some(&Value::Bool(true));
            if is_waiting && !is_used {
                reaction.later.push(setup::resume(session));
            }
            return;
        };
        let commands = &mut reaction.commands;
        let kind = text(info, "type");
        // A window may share its opener's process, which is blocked while the window waits. So the window is resumed at
        // once, and kept or closed.
        if kind == "page" {
            // A window that does not wait was opened before this process drove the browser.
            let is_wanted = !is_waiting || now_ms < self.opens_until_ms;
            let is_kept = is_wanted && self.all_tabs.len() < TABS_HAD_MAX;
            if is_kept && self.others.len().saturating_add(1) < TABS_MAX {
                return self.keep_tab(target, session, &preparation, commands);
            }
            self.tell_closed(kind);
            if self.closed.len() < CLOSED_MAX {
                self.closed.push(session.to_owned());
            }
            commands.extend(preparation.closed_window(session));
            commands.push(close(target));
            return;
        }
        let tab = event.session.as_deref();
        let tab = tab.and_then(|session| self.tab_where(|tab| tab.owns(session)));
        let Some(tab) = tab else {
            self.tell_closed(kind);
            commands.push(close(target));
            return;
        };
        tab.children = tab.children.saturating_add(1);
        match kind {
            "iframe" if tab.children <= CHILDREN_MAX => {
                tab.add_frame(target, session);
                commands.extend(preparation.frame(session));
            }
            "worker" if tab.children <= CHILDREN_MAX => {
                tab.add_worker(session);
                commands.extend(preparation.worker(session));
            }
            _ => {
                self.tell_closed(kind);
                commands.push(close(target));
            }
        }
    }

    /// Keeps a tab that an action has opened.
    fn keep_tab(
        &mut self,
        target: &str,
        session: &str,
        preparation: &Preparation,
        commands: &mut Vec<Command>,
    ) {
        let had = self.all_tabs.len();
        let number = self.number_of(target);
        let place = Place {
            context: self.page.place.context.clone(),
            target: target.to_owned(),
            session: session.to_owned(),
        };
        commands.extend(preparation.opened_tab(&place, &self.terms));
        let mut tab = Tab::new(place, number);
        // Which of the tabs of an earlier process were the page is not known. None of them is new.
        tab.was_shown = number <= had;
        self.others.push(tab);
        if number <= had {
            return;
        }
        self.remarks.add(&format!(
            "A new tab was opened, number {number}. The page stays the one before: switch_to goes to the new one."
        ));
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

    /// Handles an event that tells how far a tab's page and its frames are.
    fn take_progress(&mut self, event: &Event, now_ms: u64) {
        let params = &event.params;
        let session = event.session.as_deref().unwrap_or_default();
        let Some(tab) = self.tab_where(|tab| tab.shows(session)) else {
            return;
        };
        let is_main = text(params, "frameId") == tab.place.target;
        match event.method.as_str() {
            "Page.frameStartedLoading" if is_main => tab.settling.begin_loading(now_ms),
            "Page.frameStoppedLoading" if is_main => tab.settling.end_loading(now_ms),
            "Page.documentOpened" if text_of_frame(params, "id") == tab.place.target => {
                self.remarks
                    .add("The page's own script emptied it (document.open).");
            }
            "Page.frameRequestedNavigation" if is_main => tab.settling.commit(now_ms),
            "Page.frameNavigated" => {
                let id = text_of_frame(params, "id");
                tab.navigate(id);
                if id == tab.place.target {
                    let is_empty = text_of_frame(params, "url") == EMPTY_PAGE;
                    tab.refused_pages.arrive(is_empty);
                    // The frames and workers of the previous page ended with it, so they are no longer counted.
                    tab.children = 0;
                    tab.settling.commit(now_ms);
                }
            }
            "Page.frameDetached" if text(params, "reason") != "swap" => {
                tab.remove_frame(text(params, "frameId"));
            }
            "Network.requestWillBeSent" if WATCHED.contains(&text(params, "type")) => {
                tab.settling
                    .begin_request(text(params, "requestId"), now_ms);
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                tab.settling.end_request(text(params, "requestId"), now_ms);
            }
            _ => {}
        }
    }

    /// Returns words of the page with secrets hidden, cut to the limit.
    fn told(&self, words: &str) -> String {
        let words: Vec<&str> = words.split_whitespace().collect();
        self.mask.shortened(&words.join(" "), TOLD_CHARS_MAX, "")
    }

    /// Returns whether a target is one of the run's tabs.
    fn is_own(&self, target: &str) -> bool {
        !target.is_empty() && self.tabs().any(|tab| tab.place.target == target)
    }
}

/// Returns a text member of the frame that an event is about; empty if it is missing.
fn text_of_frame<'value>(params: &'value Value, name: &str) -> &'value str {
    params.get("frame").map_or("", |frame| text(frame, name))
}

fn close(target: &str) -> Command {
    Command::to_browser("Target.closeTarget", json!({"targetId": target}))
}

pub(crate) fn text<'value>(value: &'value Value, name: &str) -> &'value str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
