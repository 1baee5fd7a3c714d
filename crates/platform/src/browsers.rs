//! The browsers of runs: how a run begins, reattaches to, pays for and ends its browser.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Done, DownloadedFile, Look,
    PageAction, Seen,
};

use crate::effects::{Effects, Stop, WriteError};

/// Begins and ends browsers for runs. Callers set the timeout of every wait, in milliseconds.
pub trait Browsers {
    /// A browser for one run.
    type Browser: Browser;

    /// Begins a browser in a context that belongs to the run. Waits in a queue if the limit of open browsers is
    /// reached. Passes each part of the address to `note` before using that part.
    fn begin_browser(
        &self,
        terms: &BrowserTerms,
        note: AddressWriter<'_>,
        ms_max: u64,
    ) -> impl Future<Output = Result<Self::Browser, BrowserError>>;

    /// Attaches to the browser of an earlier process, or to that of a `lost` connection of this process. The lost
    /// connection guards the page until the new one does. Both count as one towards the limit of open browsers. Fails
    /// with [`Stop::Failed`] if the browser, its context or its page no longer exists.
    fn attach_browser(
        &self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        lost: Option<&Self::Browser>,
        ms_max: u64,
    ) -> impl Future<Output = Result<Self::Browser, BrowserError>>;

    /// Ends whatever remains of an earlier process's browser if its page is no longer usable.
    fn end_browser(&self, address: &BrowserAddress) -> impl Future<Output = ()>;
}

/// A function that records the address of a browser.
pub type AddressWriter<'a> = &'a dyn Fn(&BrowserAddress) -> Result<(), WriteError>;

/// A browser for one run. Dropping the value leaves the browser open, so that another process can continue with it.
pub trait Browser {
    /// Looks at the page once navigation has ended and the page is quiet, at the latest after `ms_max`. Does not change
    /// the page.
    fn look(&self, look: &Look, ms_max: u64) -> impl Future<Output = Result<Seen, BrowserGone>>;

    /// Performs an action on the page. The action is never repeated.
    fn act(
        &self,
        action: &PageAction,
        ms_max: u64,
    ) -> impl Future<Output = Result<Done, ActionFailure>>;

    /// Reloads the page.
    fn reload(&self, ms_max: u64) -> impl Future<Output = Result<(), BrowserGone>>;

    /// Returns why the page is no longer usable, if the browser or the page reported that. If so, reconnecting would
    /// not help.
    fn why_over(&self) -> Option<String>;

    /// Takes the sentences that inform viewers of what happened since the last call, such as dialogs answered,
    /// windows and downloads closed, or addresses refused. Their number is bounded.
    fn take_remarks(&self) -> Vec<String>;

    /// Takes the file that the last action has downloaded.
    fn take_file(&self) -> Option<DownloadedFile>;

    /// Returns where the page is now. It changes if another tab becomes the page, and if tabs are opened or closed.
    fn address(&self) -> BrowserAddress;

    /// Keeps the browser from being ended for idleness while the run waits.
    fn keep_alive(&self) -> impl Future<Output = ()>;

    /// Ends the context with its cookies and storage. Also ends the browser if it belongs to this run alone.
    fn end(&self) -> impl Future<Output = ()>;
}

/// The reason why there is no browser. The text says why the browser is closed or unavailable.
pub type BrowserError = Stop<String>;

/// A function that records the address of the run's browser, or `None` once the browser is closed.
pub type AddressNoter<'run> = Box<dyn Fn(Option<&BrowserAddress>) -> Result<(), WriteError> + 'run>;

/// The browser of one run.
pub struct RunBrowser<'run, E: Browsers> {
    effects: &'run E,
    note: AddressNoter<'run>,
    second_nano_usd: u64,
    open: RefCell<Option<Rc<E::Browser>>>,
    /// The browser with a connection that is no longer usable. It guards the page until a new connection does.
    lost: RefCell<Option<Rc<E::Browser>>>,
    /// The last recorded address, if the browser at that address may still exist.
    known: RefCell<Option<BrowserAddress>>,
    /// The time up to which the open browser is charged, in milliseconds since 1970.
    charged_until_ms: Cell<u64>,
}

impl<'run, E: Effects + Browsers> RunBrowser<'run, E> {
    /// Makes the browser of a run, without opening it. `known` is the address that an earlier process recorded with
    /// `note`, if the browser at that address may still exist.
    #[must_use]
    pub fn new(
        effects: &'run E,
        second_nano_usd: u64,
        known: Option<BrowserAddress>,
        note: AddressNoter<'run>,
    ) -> Self {
        Self {
            effects,
            note,
            second_nano_usd,
            open: RefCell::default(),
            lost: RefCell::default(),
            known: RefCell::new(known),
            charged_until_ms: Cell::default(),
        }
    }

    /// Returns the browser that this process has open, if any.
    #[must_use]
    pub fn opened(&self) -> Option<Rc<E::Browser>> {
        self.open.borrow().clone()
    }

    /// Returns the open browser, that of an earlier process, or a new one. Fails with a sentence if no browser is
    /// available, or if the page of the last browser is no longer usable. In the latter case, the next call begins a
    /// new browser.
    pub async fn get(
        &self,
        terms: &BrowserTerms,
        ms_max: u64,
    ) -> Result<Rc<E::Browser>, BrowserError> {
        if let Some(open) = self.opened() {
            return Ok(open);
        }
        let lost = self.lost.borrow().clone();
        if let Some(says) = lost.as_ref().and_then(|lost| lost.why_over()) {
            self.give_up().await?;
            return Err(says.into());
        }
        let known = self.known.borrow().clone();
        let opened = match known {
            Some(known) if known.target.is_some() => {
                let attached = self
                    .effects
                    .attach_browser(terms, &known, lost.as_deref(), ms_max);
                attached.await
            }
            Some(half_made) => {
                self.effects.end_browser(&half_made).await;
                self.forget()?;
                self.begin(terms, ms_max).await
            }
            None => self.begin(terms, ms_max).await,
        };
        match opened {
            Ok(browser) => {
                let browser = Rc::new(browser);
                self.charged_until_ms.set(self.effects.now_ms());
                *self.open.borrow_mut() = Some(browser.clone());
                *self.lost.borrow_mut() = None;
                Ok(browser)
            }
            Err(stop) => {
                let says = stop.failure()?;
                self.end().await;
                self.forget()?;
                Err(says.into())
            }
        }
    }

    async fn begin(&self, terms: &BrowserTerms, ms_max: u64) -> Result<E::Browser, BrowserError> {
        let note = |address: &BrowserAddress| {
            (self.note)(Some(address))?;
            *self.known.borrow_mut() = Some(address.clone());
            Ok(())
        };
        self.effects.begin_browser(terms, &note, ms_max).await
    }

    /// Records the address of the open browser if another tab has become the page.
    pub fn note_moved(&self) -> Result<(), WriteError> {
        let Some(open) = self.opened() else {
            return Ok(());
        };
        let address = open.address();
        if self.known.borrow().as_ref() == Some(&address) {
            return Ok(());
        }
        (self.note)(Some(&address))?;
        *self.known.borrow_mut() = Some(address);
        Ok(())
    }

    /// Drops the connection, so that the next call of [`Self::get`] reattaches. The old connection closes only after
    /// that.
    pub fn disconnect(&self) {
        let open = self.open.borrow_mut().take();
        if open.is_some() {
            *self.lost.borrow_mut() = open;
        }
    }

    /// Returns whether the run has a browser, or may still have one from an earlier process.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.known.borrow().is_some()
    }

    /// Ends the browser. The next call of [`Self::get`] begins a new one.
    pub async fn give_up(&self) -> Result<(), WriteError> {
        self.end().await;
        self.forget()
    }

    fn forget(&self) -> Result<(), WriteError> {
        *self.open.borrow_mut() = None;
        *self.lost.borrow_mut() = None;
        let known = self.known.borrow_mut().take();
        match known {
            Some(_) => (self.note)(None),
            None => Ok(()),
        }
    }

    /// Ends the browser, even if an earlier process began it.
    pub async fn end(&self) {
        let open = self.open.borrow_mut().take();
        let known = self.known.borrow().clone();
        // Nothing is charged until another browser is open.
        self.charged_until_ms.set(0);
        match (open, known) {
            (Some(open), _) => open.end().await,
            (None, Some(known)) => self.effects.end_browser(&known).await,
            (None, None) => {}
        }
        *self.lost.borrow_mut() = None;
    }

    /// Returns the most that a browser costs in `ms` milliseconds, in billionths of a dollar.
    #[must_use]
    pub fn price(&self, ms: u64) -> u64 {
        ms.saturating_mul(self.second_nano_usd).div_ceil(1_000)
    }

    /// Returns the cost of the browser since the last call of this function, in billionths of a dollar.
    #[must_use]
    pub fn charge(&self) -> u64 {
        let since_ms = self.charged_until_ms.get();
        if since_ms == 0 {
            return 0;
        }
        let now_ms = self.effects.now_ms();
        self.charged_until_ms.set(now_ms);
        self.price(now_ms.saturating_sub(since_ms))
    }
}
