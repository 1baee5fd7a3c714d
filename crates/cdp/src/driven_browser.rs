//! A browser that a run has opened and drives.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Done, DownloadedFile, Look,
    PageAction, PageView, Query, Seen, Viewport,
};
use mask::Mask;
use platform::Browser;
use serde_json::{Value, json};

use crate::connection::{CallError, Command, Connection, DevTools, Sharing};
use crate::guard::Guard;
use crate::look::{Glance, Sight};
use crate::page_events::PageEvents;
use crate::setup::{self, Place, Preparation};
use crate::world::{Frame, ScriptError, World};
use crate::{actions, look};

/// The longest time for closing the browser, in milliseconds.
const END_MS_MAX: u64 = 5_000;
/// The most attempts to repeat settings that still belong to another connection. The next constant is the pause between
/// attempts, in milliseconds.
const TAKE_OVER_MAX: u32 = 20;
const TAKE_OVER_AGAIN_MS: u64 = 25;
/// The pause between checks whether a page that must not be shown has been left, in milliseconds.
const LEAVE_AGAIN_MS: u64 = 5;
/// The longest time that a look waits until the page is quiet, in milliseconds.
const PATIENCE_MS: u64 = 6_000;
/// The most UTF-16 units of a selector that is quoted in a message.
const SELECTOR_UNITS_MAX: usize = 200;
/// The longest wait, in milliseconds, for any answer that shows that the browser still exists.
const ALIVE_MS_MAX: u64 = 5_000;
/// The most UTF-16 units in a failure's message.
const WORDS_UNITS_MAX: usize = 4_000;
const TAB_LOST: &str = "the tab was closed or crashed before the action was done";
/// The longest time for the answer of a frame to an action, in milliseconds.
const FRAME_MS_MAX: u64 = 5_000;
const FRAME_GONE: &str = "the frame is gone, or does not answer";
/// The most remarks that are kept until the run takes them.
const REMARKS_MAX: usize = 40;
/// The most characters of a remark.
const REMARK_CHARS_MAX: usize = 300;

/// A browser that a run has opened and drives, with the run's page.
pub struct DrivenBrowser<D: DevTools> {
    pub(crate) connection: Connection<D>,
    pub(crate) events: Rc<RefCell<PageEvents>>,
    pub(crate) world: World,
    pub(crate) preparation: Rc<Preparation>,
    /// Whether the page's script was registered for all documents to come.
    pub(crate) has_preloaded_script: Cell<bool>,
    /// The document in which the last action has found its element; `None` for the page's own.
    pub(crate) aimed: RefCell<Option<Rc<Frame>>>,
    /// The file that the last action has downloaded.
    pub(crate) file: RefCell<Option<DownloadedFile>>,
    pub(crate) allows_downloads: bool,
    pub(crate) guard: Rc<Guard>,
    pub(crate) mask: Rc<Mask>,
    pub(crate) context: String,
    pub(crate) viewport: Viewport,
    /// The id of the session at the provider of the browser.
    pub(crate) session: String,
    /// This browser's slot in the limit of browsers that are open at once. Dropping it frees the slot.
    pub(crate) turn: Rc<D::Turn>,
}

impl<D: DevTools> DrivenBrowser<D> {
    pub(crate) fn now_ms(&self) -> u64 {
        self.connection.devtools().now_ms()
    }

    /// Sends a command to the page.
    pub(crate) async fn command(
        &self,
        method: &'static str,
        params: Value,
        until_ms: u64,
    ) -> Result<Value, CallError> {
        let command = Command::to_page(&self.place().session, method, params);
        self.connection.call(command, until_ms).await
    }

    /// Registers the page's script for all documents to come, once. The browser compiles it while the first request is
    /// under way.
    fn preload_script(&self) {
        if !self.has_preloaded_script.replace(true) {
            let session = self.place().session;
            self.connection
                .post(&self.preparation.preload_script(&session));
        }
    }

    /// Returns where the run's page is now.
    pub(crate) fn place(&self) -> Place {
        self.events.borrow().page.place.clone()
    }

    /// Calls a function of the script in the page's own document.
    pub(crate) async fn script(
        &self,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        let page = self.world.page();
        self.script_in(&page, name, argument, until_ms).await
    }

    /// Calls a function of the script in one of the page's documents.
    pub(crate) async fn script_in(
        &self,
        frame: &Frame,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        if frame.around().is_none() {
            let call = self
                .world
                .call(&self.connection, frame, name, argument, until_ms);
            return call.await;
        }
        // A frame that is gone or hangs is no reason to give the browser up.
        let until_ms = until_ms.min(self.now_ms().saturating_add(FRAME_MS_MAX));
        let call = self
            .world
            .call(&self.connection, frame, name, argument, until_ms);
        call.await.map_err(|error| match error {
            ScriptError::Call(CallError::Unanswered(_)) if self.connection.is_open() => {
                ScriptError::Call(CallError::Refused(FRAME_GONE.to_owned()))
            }
            error => error,
        })
    }

    /// Lets the script know closed shadow roots, if an answer of it says that there may be some. Returns whether there
    /// were.
    pub(crate) async fn reveal(&self, frame: &Frame, answer: &Value, until_ms: u64) -> bool {
        let hosts = answer.get("hosts").and_then(Value::as_u64);
        if hosts.unwrap_or_default() == 0 {
            return false;
        }
        // If it fails, what is in these roots stays unseen, like the document that is gone by then.
        let revealing = self.world.reveal(&self.connection, frame, until_ms);
        revealing.await.unwrap_or(false)
    }

    /// Returns the document in which the last action has found its element.
    pub(crate) fn aimed(&self) -> Rc<Frame> {
        let aimed = self.aimed.borrow().clone();
        aimed.unwrap_or_else(|| self.world.page())
    }

    /// Calls a function of the script once, in the document in which the last action has found its element.
    pub(crate) async fn call_once(
        &self,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        let frame = self.aimed();
        self.world
            .call_once(&self.connection, &frame, name, argument, until_ms)
            .await
    }

    /// Returns the middle of the viewport.
    pub(crate) fn middle(&self) -> (f64, f64) {
        let half = |pixels: u32| f64::from(pixels) / 2.0;
        (half(self.viewport.width), half(self.viewport.height))
    }

    /// Waits until a page that must not be shown has been left. Fails if that lasts until `until_ms`.
    pub(crate) async fn wait_until_left(&self, until_ms: u64) -> Result<(), BrowserGone> {
        loop {
            if let Some(words) = self.events.borrow().page.refused_pages.leaving() {
                if self.now_ms().saturating_add(LEAVE_AGAIN_MS) >= until_ms {
                    return Err(BrowserGone(words.to_owned()));
                }
            } else {
                return Ok(());
            }
            self.connection.devtools().sleep(LEAVE_AGAIN_MS).await;
        }
    }

    /// Takes the page over from the lost connection `lost`. Closes that connection, which also guarded the page, and
    /// repeats the settings that belonged to it.
    pub(crate) async fn take_over(&self, terms: &BrowserTerms, lost: &Self, until_ms: u64) {
        lost.connection.close();
        for _ in 0..TAKE_OVER_MAX {
            let settings = setup::settings(&self.place(), terms);
            let results = self.connection.call_all(settings, until_ms).await;
            if !matches!(results.first(), Some(Err(CallError::Refused(_)))) {
                return;
            }
            self.connection.devtools().sleep(TAKE_OVER_AGAIN_MS).await;
        }
    }

    /// Notes that an action on the page begins or ends, so that requests after it are waited for, and that the tabs that
    /// it opens are kept if it may open some.
    pub(crate) fn note_cause(&self, may_open: bool) {
        let now_ms = self.now_ms();
        self.events.borrow_mut().note_cause(may_open, now_ms);
    }

    /// Returns a failure's words with secrets hidden, cut to the limit.
    fn told(&self, words: &str) -> String {
        self.mask.shortened(words, WORDS_UNITS_MAX, "...")
    }

    fn gone(&self, error: ScriptError) -> BrowserGone {
        BrowserGone(self.told(&error.into_words()))
    }

    /// Looks at the page, and takes a picture if one is wanted.
    async fn see(&self, look: &Look, until_ms: u64) -> Result<Seen, BrowserGone> {
        loop {
            self.wait_until_left(until_ms).await?;
            let left = self.events.borrow().page.refused_pages.left();
            let view = self.view(look, until_ms).await?;
            self.events.borrow_mut().forgive_dialogs();
            let picture = if look.wants_picture {
                look::take_picture(self, &view.elements, until_ms).await
            } else {
                None
            };
            let refused_pages = &self.events.borrow().page.refused_pages;
            // If the page was not left during the look, the look saw nothing that must not be shown.
            if refused_pages.left() == left {
                let picture = picture.filter(|_| !refused_pages.is_empty());
                return Ok(Seen { view, picture });
            }
        }
    }

    /// Looks at the page once it is quiet, and again as long as elements are missing that the look waits for.
    async fn view(&self, look: &Look, until_ms: u64) -> Result<PageView, BrowserGone> {
        let is_blank = self.events.borrow().page.is_blank;
        let known = if is_blank {
            look::blank_view(self, look, until_ms).await
        } else {
            None
        };
        self.preload_script();
        if let Some(view) = known {
            return Ok(view);
        }
        let began_ms = self.now_ms();
        let mut found: Vec<usize> = Vec::new();
        loop {
            let sight = self.quiet_sight(look, began_ms, until_ms).await?;
            let Some(Sight {
                mut view,
                unreadable,
            }) = sight
            else {
                return Ok(PageView::default());
            };
            self.remark_unreadable(look, &unreadable);
            found.append(&mut view.signals.found);
            let waited_ms = self.now_ms().saturating_sub(began_ms);
            let is_awaited =
                |(at, query): (usize, &Query)| query.timeout_ms > waited_ms && !found.contains(&at);
            // Nothing appears in the empty page, so nothing is waited for there.
            let is_over =
                is_blank || self.now_ms().saturating_add(look::ELEMENT_AGAIN_MS * 2) >= until_ms;
            if is_over || !look.queries.iter().enumerate().any(is_awaited) {
                found.sort_unstable();
                found.dedup();
                view.signals.found = found;
                return Ok(view);
            }
            self.connection
                .devtools()
                .sleep(look::ELEMENT_AGAIN_MS)
                .await;
        }
    }

    /// Adds a remark about each query of a look whose selector is invalid. Such a query never finds anything.
    fn remark_unreadable(&self, look: &Look, unreadable: &[usize]) {
        for query in unreadable.iter().filter_map(|at| look.queries.get(*at)) {
            let selector = self
                .mask
                .shortened(&query.selector, SELECTOR_UNITS_MAX, "...");
            let way = query.by.as_str();
            self.events.borrow_mut().remarks.add(&format!(
                "A check finds nothing, since its selector is none of the kind \"{way}\" that can be read: \
                 {selector}"
            ));
        }
    }

    /// Returns what the page's documents show once they are quiet; `None` if the script fails on the page.
    async fn quiet_sight(
        &self,
        look: &Look,
        began_ms: u64,
        until_ms: u64,
    ) -> Result<Option<Sight>, BrowserGone> {
        // A page that never becomes quiet is looked at as it is, while there is still time for that.
        let half_ms = until_ms.saturating_sub(began_ms) / 2;
        let patient_until_ms = began_ms.saturating_add(PATIENCE_MS.min(half_ms));
        loop {
            let now_ms = self.now_ms();
            let is_patient = now_ms < patient_until_ms;
            let (mut wait_ms, quiet_ms) = {
                let settling = &self.events.borrow().page.settling;
                (settling.wait_ms(now_ms), settling.quiet_ms(now_ms))
            };
            if wait_ms == 0 || !is_patient {
                let quiet_ms = if is_patient { quiet_ms } else { 0 };
                match look::glance(self, look, quiet_ms, until_ms).await {
                    Ok(Glance::Restless(_)) if quiet_ms == 0 => return Ok(None),
                    Ok(Glance::Restless(quiet)) => {
                        wait_ms = quiet_ms.saturating_sub(quiet).max(1);
                    }
                    Ok(Glance::Seen(sight)) => {
                        // The page may have begun to load during the look, so the wait is computed again.
                        wait_ms = self.events.borrow().page.settling.wait_ms(self.now_ms());
                        if wait_ms == 0 || !is_patient {
                            return Ok(Some(sight));
                        }
                    }
                    Err(ScriptError::Thrown) => return Ok(None),
                    Err(error) => return Err(self.gone(error)),
                }
            }
            self.connection.devtools().sleep(wait_ms).await;
        }
    }
}

impl<D: DevTools> Browser for DrivenBrowser<D> {
    async fn look(&self, look: &Look, ms_max: u64) -> Result<Seen, BrowserGone> {
        let until_ms = self.now_ms().saturating_add(ms_max);
        loop {
            self.events.borrow_mut().hold();
            let seen = self.see(look, until_ms).await;
            // What was seen of a tab that is gone is not what the page shows now.
            if !self.events.borrow_mut().release() {
                return seen;
            }
        }
    }

    async fn act(&self, action: &PageAction, ms_max: u64) -> Result<Done, ActionFailure> {
        let until_ms = self.now_ms().saturating_add(ms_max);
        self.preload_script();
        self.events.borrow_mut().hold();
        self.file.borrow_mut().take();
        let acted = actions::act(self, action, until_ms).await;
        let was_lost = self.events.borrow_mut().release();
        acted.map_err(|failure| match failure {
            // The browser's own words would not help a viewer.
            ActionFailure::Failed(_) if was_lost => ActionFailure::Failed(TAB_LOST.to_owned()),
            failure => failure.with_words(|words| self.told(&words)),
        })
    }

    async fn reload(&self, ms_max: u64) -> Result<(), BrowserGone> {
        let now_ms = self.now_ms();
        self.note_cause(false);
        self.events.borrow_mut().page.settling.begin_loading(now_ms);
        let reloaded = self
            .command("Page.reload", json!({}), now_ms.saturating_add(ms_max))
            .await;
        reloaded
            .map(drop)
            .map_err(|error| self.gone(ScriptError::Call(error)))
    }

    fn why_over(&self) -> Option<String> {
        self.connection.page_end()
    }

    fn take_remarks(&self) -> Vec<String> {
        self.events.borrow_mut().remarks.take()
    }

    fn take_file(&self) -> Option<DownloadedFile> {
        self.file.borrow_mut().take()
    }

    fn address(&self) -> BrowserAddress {
        let events = self.events.borrow();
        BrowserAddress {
            session: self.session.clone(),
            context: Some(self.context.clone()),
            target: Some(events.page.place.target.clone()),
            tabs: events.several_tabs().to_vec(),
        }
    }

    async fn keep_alive(&self) {
        let until_ms = self.now_ms().saturating_add(ALIVE_MS_MAX);
        let command = Command::to_browser("Browser.getVersion", json!({}));
        // A failure is ignored, since the next look notices that the browser is gone.
        let _ = self.connection.call(command, until_ms).await;
    }

    async fn end(&self) {
        let targets = self.events.borrow().targets();
        close(&self.connection, &targets, Some(&self.context)).await;
        let devtools = self.connection.devtools();
        if devtools.sharing() == Sharing::Own {
            devtools.end_session(&self.session).await;
        }
    }
}

/// Closes tabs and their context. This works even if a page hangs.
pub(crate) async fn close<D: DevTools>(
    connection: &Connection<D>,
    targets: &[String],
    context: Option<&str>,
) {
    let until_ms = connection.devtools().now_ms().saturating_add(END_MS_MAX);
    let targets = targets
        .iter()
        .map(|target| ("Target.closeTarget", json!({"targetId": target})));
    let context = context.map(|context| {
        (
            "Target.disposeBrowserContext",
            json!({"browserContextId": context}),
        )
    });
    let commands = targets
        .chain(context)
        .map(|(method, params)| Command::to_browser(method, params));
    // Failures are ignored, since what cannot be closed does not exist any more.
    connection.call_all(commands.collect(), until_ms).await;
}

/// Remarks on events that the run's own actions did not cause. A repeated remark is kept once.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    kept: VecDeque<String>,
    left_out: usize,
}

impl Remarks {
    /// Keeps a remark, which must be a sentence.
    pub(crate) fn add(&mut self, sentence: &str) {
        let sentence: String = sentence.chars().take(REMARK_CHARS_MAX).collect();
        if self.kept.contains(&sentence) {
            return;
        }
        if self.kept.len() >= REMARKS_MAX {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.kept.push_back(sentence);
    }

    /// Keeps words that begin in lower case as a remark, in the form of a sentence.
    pub(crate) fn add_words(&mut self, words: &str) {
        let mut letters = words.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let sentence: String = first.into_iter().chain(letters).chain(['.']).collect();
        self.add(&sentence);
    }

    /// Takes all remarks that are kept.
    fn take(&mut self) -> Vec<String> {
        let mut taken: Vec<String> = std::mem::take(&mut self.kept).into();
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            taken.push(format!(
                "So much more happened that was not noted: {left_out}."
            ));
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_kept_once_and_bounded() {
        let mut remarks = Remarks::default();
        for _ in 0..3 {
            remarks.add("A window was closed.");
        }
        assert_eq!(remarks.take(), ["A window was closed."]);
        assert_eq!(remarks.take(), [""; 0]);
        for number in 0..100 {
            remarks.add(&format!("{number} {}", "x".repeat(1_000)));
        }
        let taken = remarks.take();
        assert_eq!(taken.len(), REMARKS_MAX + 1);
        assert!(
            taken
                .iter()
                .all(|one| one.chars().count() <= REMARK_CHARS_MAX)
        );
        assert_eq!(
            taken.last().unwrap(),
            "So much more happened that was not noted: 60."
        );
    }
}
