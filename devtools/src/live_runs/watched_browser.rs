//! Observes the browser of a run over a separate connection, so that pages are seeded and judged without the engine.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::Value;

use cdp::{DevTools, DrivenBrowser};
use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, Done, DownloadedFile, Look, PageAction, Seen,
};
use platform::{Browser, BrowserError};

use super::bare_page::BarePage;
use super::clock::now_ms;

/// How the page of a run is observed.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The address of the browser; if it is empty, nothing is observed.
    pub(super) browser: String,
    /// The script that runs first in each document of the page.
    pub(super) script: String,
    /// The expression that is evaluated before the page is closed.
    pub(super) question: String,
    /// The last value of `question`; `None` before its first evaluation.
    pub(super) answer: RefCell<Option<Value>>,
    /// The time spent on observing in milliseconds, which does not count as the run's.
    pub(super) watching_ms: Cell<u64>,
}

impl Watch {
    /// Waits for something that the observer does, and adds its duration to the time spent on observing.
    async fn beside<T>(&self, watching: impl Future<Output = T>) -> T {
        let began_ms = now_ms();
        let done = watching.await;
        let took_ms = now_ms().saturating_sub(began_ms);
        self.watching_ms.set(self.watching_ms.get() + took_ms);
        done
    }
}

/// A run's browser with an observed page.
pub(super) struct WatchedBrowser<D: DevTools> {
    browser: DrivenBrowser<D>,
    watcher: Option<BarePage>,
    watch: Rc<Watch>,
}

impl<D: DevTools> WatchedBrowser<D> {
    /// Returns the observed browser.
    pub(super) fn driven(&self) -> &DrivenBrowser<D> {
        &self.browser
    }

    /// Starts observing the page of a browser.
    pub(super) async fn begun(
        browser: DrivenBrowser<D>,
        address: Option<BrowserAddress>,
        watch: Rc<Watch>,
    ) -> Result<Self, BrowserError> {
        let mut watcher = None;
        if let Some(address) = address.filter(|_| !watch.browser.is_empty()) {
            let page = watch.beside(async {
                let page = BarePage::attached(&watch.browser, &address).await?;
                page.begin_with(&watch.script).await?;
                Ok(page)
            });
            watcher = Some(page.await.map_err(BrowserError::Failed)?);
        }
        Ok(Self {
            browser,
            watcher,
            watch,
        })
    }
}

impl<D: DevTools> Browser for WatchedBrowser<D> {
    async fn look(&self, look: &Look, ms_max: u64) -> Result<Seen, BrowserGone> {
        self.browser.look(look, ms_max).await
    }

    async fn act(&self, action: &PageAction, ms_max: u64) -> Result<Done, ActionFailure> {
        self.browser.act(action, ms_max).await
    }

    async fn reload(&self, ms_max: u64) -> Result<(), BrowserGone> {
        self.browser.reload(ms_max).await
    }

    fn why_over(&self) -> Option<String> {
        self.browser.why_over()
    }

    fn take_remarks(&self) -> Vec<String> {
        self.browser.take_remarks()
    }

    fn take_file(&self) -> Option<DownloadedFile> {
        self.browser.take_file()
    }

    fn address(&self) -> BrowserAddress {
        self.browser.address()
    }

    async fn keep_alive(&self) {
        self.browser.keep_alive().await;
    }

    async fn end(&self) {
        if let Some(watcher) = &self.watcher
            && !self.watch.question.is_empty()
        {
            let answer = watcher.evaluate(&self.watch.question);
            let answer = self.watch.beside(answer).await;
            self.watch.answer.replace(answer.ok());
        }
        self.browser.end().await;
    }
}
