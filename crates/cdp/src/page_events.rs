//! What the browser tells of the run's page, and how it is answered at once: requests, dialogs, windows,
//! downloads, navigation.

use std::rc::Rc;

use serde_json::{Value, json};

use mask::Mask;

use crate::connection::Reaction;
use crate::guard::Guard;
use crate::message::{Command, Event};
use crate::place::Place;
use crate::refused_pages::RefusedPages;
use crate::remarks::Remarks;
use crate::settling::Settling;
use crate::setup::{self, Network};

/// The most dialogs in a row that are answered; a page that opens more is left alone with the last one.
const DIALOGS_MAX: u32 = 20;
/// The most frames and workers of a page that may begin in processes of their own.
const CHILDREN_MAX: usize = 100;
/// The most windows that are known as being closed.
const CLOSED_MAX: usize = 1_000;
/// The most characters that are told of a dialog or a file's name.
const TOLD_CHARS_MAX: usize = 100;
/// The page for which one is left that must not be seen.
const EMPTY_PAGE: &str = "about:blank";
/// The requests on which a page's content may depend.
const WATCHED: [&str; 5] = ["Document", "Stylesheet", "Script", "XHR", "Fetch"];

/// What the browser told of the run's page.
pub(crate) struct PageEvents {
    guard: Rc<Guard>,
    mask: Rc<Mask>,
    accepts_questions: bool,
    network: Network,
    place: Option<Place>,
    pub(crate) settling: Settling,
    pub(crate) remarks: Remarks,
    pub(crate) refused_pages: RefusedPages,
    /// How often the page became another one.
    navigations: u64,
    dialogs_in_a_row: u32,
    children: usize,
    /// The sessions of windows that are being closed.
    closed: Vec<String>,
}

impl PageEvents {
    /// Makes the state of a page of which nothing has been told.
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

    /// Takes down how pages reach the web.
    pub(crate) fn set_network(&mut self, network: Network) {
        self.network = network;
    }

    /// Takes down where the page is.
    pub(crate) fn set_place(&mut self, place: Place) {
        self.place = Some(place);
    }

    /// Returns how often the page became another one.
    pub(crate) fn navigations(&self) -> u64 {
        self.navigations
    }

    /// Takes down that the page answered: the dialogs before do not count any more.
    pub(crate) fn forgive_dialogs(&mut self) {
        self.dialogs_in_a_row = 0;
    }

    /// Takes an event, and returns what follows from it.
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
            // The browser tells of the downloads of all runs.
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

    /// Something came that may be in the page by now. Where it must not be, the page is left for an empty one.
    fn take_response(&mut self, event: &Event) -> Option<Command> {
        let place = self.place.as_ref()?;
        let response = event.params.get("response")?;
        if self.network == Network::Provided {
            // It is the address of a proxy.
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

    /// Something begins that belongs to the page, or to the browser. It waits until it is let go.
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
            // Another run's guard lets it go once it is armed: whoever is faster lets it go as it is. Where there
            // is none, nobody else does.
            if event.params.get("waitingForDebugger") == Some(&Value::Bool(true)) {
                reaction.later.push(setup::resume(session));
            }
            return;
        }
        let commands = &mut reaction.commands;
        let kind = text(info, "type");
        // A window may live in its opener's process, which stands still as long as the window waits.
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
                    // The frames and workers of the page before are gone with it.
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

    /// Returns words of a page as they may be told.
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

/// Returns whether an event of a frame is about the page itself.
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
