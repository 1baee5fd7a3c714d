//! A browser that is driven for one run.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::effects::Browser;
use crate::page::{ActionFailure, BrowserGone, Done, Look, PageAction, PageView, Seen, Viewport};

use super::connection::{CallError, Connection};
use super::devtools::{DevTools, Sharing};
use super::guard::Guard;
use super::mask::Mask;
use super::message::Command;
use super::page_events::{PageEvents, Place};
use super::world::{ScriptError, World};
use super::{looking, picture};

/// How long a look waits at most until the page is quiet, in milliseconds.
const PATIENCE_MS: u64 = 6_000;
/// How long ending may take, in milliseconds.
const END_MS_MAX: u64 = 5_000;
/// How long the browser may take to answer that it is there, in milliseconds.
const ALIVE_MS_MAX: u64 = 5_000;

/// A browser that is driven for one run.
pub struct DrivenBrowser<D: DevTools> {
    pub(super) connection: Connection<D>,
    pub(super) events: Rc<RefCell<PageEvents>>,
    pub(super) world: World,
    pub(super) guard: Rc<Guard>,
    pub(super) mask: Rc<Mask>,
    pub(super) place: Place,
    pub(super) viewport: Viewport,
    /// The id of the provider's session.
    pub(super) session: String,
    /// The place among all browsers, which is free for others once this is dropped.
    pub(super) _turn: D::Turn,
}

impl<D: DevTools> DrivenBrowser<D> {
    pub(super) fn now_ms(&self) -> u64 {
        self.connection.devtools().now_ms()
    }

    /// Sends a command to the page.
    pub(super) async fn command(
        &self,
        method: &'static str,
        params: Value,
        until_ms: u64,
    ) -> Result<Value, CallError> {
        let command = Command::to_page(&self.place.session, method, params);
        self.connection.call(command, until_ms).await
    }

    /// Calls a function of the page's script.
    pub(super) async fn script(
        &self,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        self.world
            .call(&self.connection, name, argument, until_ms)
            .await
    }

    /// Returns the middle of the viewport.
    pub(super) fn middle(&self) -> (f64, f64) {
        let half = |pixels: u32| f64::from(pixels) / 2.0;
        (half(self.viewport.width), half(self.viewport.height))
    }

    /// Takes down that something is done to the page now.
    pub(super) fn note_cause(&self) {
        let now_ms = self.now_ms();
        self.events.borrow_mut().settling.cause(now_ms);
    }

    /// Looks once the page is quiet, and again as long as elements are waited for.
    async fn view(&self, look: &Look, until_ms: u64) -> Result<PageView, BrowserGone> {
        let began_ms = self.now_ms();
        let mut found: Vec<usize> = Vec::new();
        loop {
            let answer = self.quiet_answer(look, began_ms, until_ms).await?;
            let Some(answer) = answer else {
                return Ok(PageView::default());
            };
            let mut view = looking::view(answer, &self.mask);
            found.append(&mut view.signals.found);
            let waited_ms = self.now_ms().saturating_sub(began_ms);
            let is_awaited = |(at, query): (usize, &crate::page::Query)| {
                query.timeout_ms > waited_ms && !found.contains(&at)
            };
            let is_over = self.now_ms().saturating_add(looking::AGAIN_MS * 2) >= until_ms;
            if is_over || !look.queries.iter().enumerate().any(is_awaited) {
                found.sort_unstable();
                found.dedup();
                view.signals.found = found;
                return Ok(view);
            }
            self.connection.devtools().sleep(looking::AGAIN_MS).await;
        }
    }

    /// Returns what the page's script sees once the page is quiet. Returns `None` where the script fails.
    async fn quiet_answer(
        &self,
        look: &Look,
        began_ms: u64,
        until_ms: u64,
    ) -> Result<Option<Value>, BrowserGone> {
        loop {
            let now_ms = self.now_ms();
            let is_patient = now_ms < began_ms.saturating_add(PATIENCE_MS);
            let (mut wait_ms, quiet_ms) = {
                let settling = &self.events.borrow().settling;
                (settling.wait_ms(now_ms), settling.quiet_ms(now_ms))
            };
            if wait_ms == 0 || !is_patient {
                let quiet_ms = if is_patient { quiet_ms } else { 0 };
                let question = looking::question(look, quiet_ms);
                let answer = match self.script("look", &question, until_ms).await {
                    Ok(answer) => answer,
                    Err(ScriptError::Thrown) => return Ok(None),
                    Err(error) => return Err(BrowserGone(error.into_words())),
                };
                match looking::restless_for_ms(&answer) {
                    Some(quiet) => wait_ms = quiet_ms.saturating_sub(quiet).max(1),
                    // The page may have begun to load while it was looked at.
                    None => {
                        let busy_ms = self.events.borrow().settling.wait_ms(self.now_ms());
                        if busy_ms == 0 || !is_patient {
                            return Ok(Some(answer));
                        }
                        wait_ms = busy_ms;
                    }
                }
            }
            if self.now_ms().saturating_add(wait_ms) >= until_ms {
                return Err(BrowserGone(
                    "the page did not become quiet in time".to_owned(),
                ));
            }
            self.connection.devtools().sleep(wait_ms).await;
        }
    }
}

impl<D: DevTools> Browser for DrivenBrowser<D> {
    async fn look(&self, look: &Look, ms_max: u64) -> Result<Seen, BrowserGone> {
        let until_ms = self.now_ms().saturating_add(ms_max);
        let view = self.view(look, until_ms).await?;
        self.events.borrow_mut().forgive_dialogs();
        let picture = if look.wants_picture {
            picture::take(self, &view.elements, until_ms).await
        } else {
            None
        };
        Ok(Seen { view, picture })
    }

    async fn act(&self, action: &PageAction, ms_max: u64) -> Result<Done, ActionFailure> {
        let until_ms = self.now_ms().saturating_add(ms_max);
        super::acting::act(self, action, until_ms).await
    }

    async fn reload(&self, ms_max: u64) -> Result<(), BrowserGone> {
        let now_ms = self.now_ms();
        self.note_cause();
        self.events.borrow_mut().settling.begin_loading(now_ms);
        let reloaded = self
            .command("Page.reload", json!({}), now_ms.saturating_add(ms_max))
            .await;
        reloaded
            .map(drop)
            .map_err(|error| BrowserGone(error.into_words()))
    }

    fn take_remarks(&self) -> Vec<String> {
        self.events.borrow_mut().remarks.take()
    }

    async fn keep_alive(&self) {
        let until_ms = self.now_ms().saturating_add(ALIVE_MS_MAX);
        let command = Command::to_browser("Browser.getVersion", json!({}));
        // A browser that is gone is noticed by the next look.
        let _ = self.connection.call(command, until_ms).await;
    }

    async fn end(&self) {
        close(
            &self.connection,
            Some(&self.place.target),
            Some(&self.place.context),
        )
        .await;
        let devtools = self.connection.devtools();
        if devtools.sharing() == Sharing::Own {
            devtools.end_session(&self.session).await;
        }
    }
}

/// Closes a page and its context, which the browser does where the page itself hangs, too.
pub(super) async fn close<D: DevTools>(
    connection: &Connection<D>,
    target: Option<&str>,
    context: Option<&str>,
) {
    let until_ms = connection.devtools().now_ms().saturating_add(END_MS_MAX);
    let target = target.map(|target| ("Target.closeTarget", json!({"targetId": target})));
    let context = context.map(|context| {
        (
            "Target.disposeBrowserContext",
            json!({"browserContextId": context}),
        )
    });
    let commands = target.into_iter().chain(context);
    let commands = commands.map(|(method, params)| Command::to_browser(method, params));
    // What cannot be closed any more is gone.
    connection.call_all(commands.collect(), until_ms).await;
}
