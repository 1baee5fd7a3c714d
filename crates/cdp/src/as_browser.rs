//! A driven browser as runs have it: looks, actions, and the end.

use serde_json::{Value, json};

use domain::page::{ActionFailure, BrowserGone, Done, Look, PageAction, PageView, Query, Seen};
use platform::Browser;

use crate::devtools::{DevTools, Sharing};
use crate::driven::{DrivenBrowser, close};
use crate::message::Command;
use crate::world::ScriptError;
use crate::{acting, looking, picture};

/// How long a look waits at most until the page is quiet, in milliseconds.
const PATIENCE_MS: u64 = 6_000;
/// The most UTF-16 units of a selector that are told.
const SELECTOR_UNITS_MAX: usize = 200;
/// How long the browser may take to answer that it is there, in milliseconds.
const ALIVE_MS_MAX: u64 = 5_000;
/// The most UTF-16 units that are told of a failure.
const WORDS_UNITS_MAX: usize = 4_000;

impl<D: DevTools> DrivenBrowser<D> {
    /// Returns the words of a failure as they may be told.
    fn told(&self, words: &str) -> String {
        self.mask.shortened(words, WORDS_UNITS_MAX, "...")
    }

    fn gone(&self, error: ScriptError) -> BrowserGone {
        BrowserGone(self.told(&error.into_words()))
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
            self.remark_unreadable(look, &answer);
            let mut view = looking::view(answer, &self.mask);
            found.append(&mut view.signals.found);
            let waited_ms = self.now_ms().saturating_sub(began_ms);
            let is_awaited =
                |(at, query): (usize, &Query)| query.timeout_ms > waited_ms && !found.contains(&at);
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

    /// Remarks each question of a look whose selector cannot be read: it never finds anything.
    fn remark_unreadable(&self, look: &Look, answer: &Value) {
        for query in looking::unreadable(look, answer) {
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

    /// Returns what the page's script sees once the page is quiet. Returns `None` where the script fails.
    async fn quiet_answer(
        &self,
        look: &Look,
        began_ms: u64,
        until_ms: u64,
    ) -> Result<Option<Value>, BrowserGone> {
        // A page that is not quiet is looked at as it is, while there is time for that.
        let half_ms = until_ms.saturating_sub(began_ms) / 2;
        let patient_until_ms = began_ms.saturating_add(PATIENCE_MS.min(half_ms));
        loop {
            let now_ms = self.now_ms();
            let is_patient = now_ms < patient_until_ms;
            let (mut wait_ms, quiet_ms) = {
                let settling = &self.events.borrow().settling;
                (settling.wait_ms(now_ms), settling.quiet_ms(now_ms))
            };
            if wait_ms == 0 || !is_patient {
                let quiet_ms = if is_patient { quiet_ms } else { 0 };
                let question = looking::question(look, quiet_ms, &self.mask);
                let answer = match self.script("look", &question, until_ms).await {
                    Ok(answer) => answer,
                    Err(ScriptError::Thrown) => return Ok(None),
                    Err(error) => return Err(self.gone(error)),
                };
                if let Some(quiet) = looking::restless_for_ms(&answer) {
                    if quiet_ms == 0 {
                        return Ok(None);
                    }
                    wait_ms = quiet_ms.saturating_sub(quiet).max(1);
                } else {
                    // The page may have begun to load while it was looked at.
                    wait_ms = self.events.borrow().settling.wait_ms(self.now_ms());
                    if wait_ms == 0 || !is_patient {
                        return Ok(Some(answer));
                    }
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
            self.wait_until_left(until_ms).await?;
            let left = self.events.borrow().refused_pages.left();
            let view = self.view(look, until_ms).await?;
            self.events.borrow_mut().forgive_dialogs();
            let picture = if look.wants_picture {
                picture::take(self, &view.elements, until_ms).await
            } else {
                None
            };
            let refused_pages = &self.events.borrow().refused_pages;
            // Nobody has seen a page that must not be seen.
            if refused_pages.left() == left {
                let picture = picture.filter(|_| !refused_pages.is_empty());
                return Ok(Seen { view, picture });
            }
        }
    }

    async fn act(&self, action: &PageAction, ms_max: u64) -> Result<Done, ActionFailure> {
        let until_ms = self.now_ms().saturating_add(ms_max);
        let acted = acting::act(self, action, until_ms).await;
        acted.map_err(|failure| failure.with_words(|words| self.told(&words)))
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
            .map_err(|error| self.gone(ScriptError::Call(error)))
    }

    fn why_over(&self) -> Option<String> {
        self.connection.page_end()
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
