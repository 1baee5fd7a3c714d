//! Browsers that are driven for runs, and the browser of one run: begun, attached to again, charged, and ended.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Done, Look, PageAction, Seen,
};

use crate::effects::{Effects, Stop, WriteError};

/// Gives runs their browsers. Every wait has a limit that its caller gives, in milliseconds.
pub trait Browsers {
    /// A browser that is driven for one run.
    type Browser: Browser;

    /// Begins a browser in a context of the run's own. Waits in turn where as many are open as may be.
    /// Each part of its address goes to `note` before it is used.
    fn begin_browser(
        &self,
        terms: &BrowserTerms,
        note: AddressWriter<'_>,
        ms_max: u64,
    ) -> impl Future<Output = Result<Self::Browser, BrowserError>>;

    /// Goes on with the browser of an earlier process, or with that of a connection of this one that is
    /// `lost`: that one guards its page until this one does, and counts as the same browser. Fails with [`BrowserError::Failed`] where that
    /// browser, its context or its page is there no more.
    fn attach_browser(
        &self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        lost: Option<&Self::Browser>,
        ms_max: u64,
    ) -> impl Future<Output = Result<Self::Browser, BrowserError>>;

    /// Ends what is left of the browser of an earlier process, where its page is of no use any more.
    fn end_browser(&self, address: &BrowserAddress) -> impl Future<Output = ()>;
}

/// Writes an address of a browser down.
pub type AddressWriter<'a> = &'a dyn Fn(&BrowserAddress) -> Result<(), WriteError>;

/// A browser that is driven for one run. Dropping it leaves the browser as it is, so that another
/// process can go on with it.
pub trait Browser {
    /// Waits until navigation has ended and the page is quiet, or for a bounded time, and looks at the
    /// page. Looking changes nothing.
    fn look(&self, look: &Look, ms_max: u64) -> impl Future<Output = Result<Seen, BrowserGone>>;

    /// Does something on the page, once.
    fn act(
        &self,
        action: &PageAction,
        ms_max: u64,
    ) -> impl Future<Output = Result<Done, ActionFailure>>;

    /// Loads the page anew.
    fn reload(&self, ms_max: u64) -> impl Future<Output = Result<(), BrowserGone>>;

    /// Returns why the page is of no use any more, where the browser or the page itself has said so: another
    /// connection would find it the same.
    fn why_over(&self) -> Option<String>;

    /// Takes what happened since the last call and viewers should know, in sentences: dialogs that were
    /// answered, windows and downloads that were closed, addresses that were refused. Bounded.
    fn take_remarks(&self) -> Vec<String>;

    /// Keeps the browser from being ended for idleness while the run waits.
    fn keep_alive(&self) -> impl Future<Output = ()>;

    /// Ends the context with its cookies and storage, and the browser where it is the run's own.
    fn end(&self) -> impl Future<Output = ()>;
}

/// The reason why there is no browser, in words.
pub type BrowserError = Stop<String>;

/// Writes down where the run's browser is, or that it is gone.
pub type AddressNoter<'run> = Box<dyn Fn(Option<&BrowserAddress>) -> Result<(), WriteError> + 'run>;

/// The browser of one run.
pub struct RunBrowser<'run, E: Browsers> {
    effects: &'run E,
    note: AddressNoter<'run>,
    second_nano_usd: u64,
    open: RefCell<Option<Rc<E::Browser>>>,
    /// The browser over a connection that is of no use any more. It guards the page until another one does.
    lost: RefCell<Option<Rc<E::Browser>>>,
    /// The address that was written down last, of a browser that may still be there.
    known: RefCell<Option<BrowserAddress>>,
    /// The time until which the open browser is charged, in milliseconds since 1970.
    charged_until_ms: Cell<u64>,
}

impl<'run, E: Effects + Browsers> RunBrowser<'run, E> {
    /// Makes the browser of a run. `known` is what an earlier process has written down by `note`, as long as
    /// that browser may still be there.
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

    /// Returns the open browser, or `None` where none is open in this process.
    #[must_use]
    pub fn opened(&self) -> Option<Rc<E::Browser>> {
        self.open.borrow().clone()
    }

    /// Returns the browser: the open one, that of an earlier process, or a new one. Fails with words
    /// where there is none, or where the page of the last one is of no use any more; the next call begins a new
    /// one then.
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

    /// Has the browser attached to again, where it is still there. The connection goes once that is done.
    pub fn disconnect(&self) {
        let open = self.open.borrow_mut().take();
        if open.is_some() {
            *self.lost.borrow_mut() = open;
        }
    }

    /// Returns whether there is a browser, or may be one.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.known.borrow().is_some()
    }

    /// Gives the browser up: it is ended, and a new one begins with the next call.
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

    /// Ends the browser, also one of an earlier process.
    pub async fn end(&self) {
        let open = self.open.borrow_mut().take();
        let known = self.known.borrow().clone();
        // Until another one is open, there is nothing to pay for.
        self.charged_until_ms.set(0);
        match (open, known) {
            (Some(open), _) => open.end().await,
            (None, Some(known)) => self.effects.end_browser(&known).await,
            (None, None) => {}
        }
        *self.lost.borrow_mut() = None;
    }

    /// Returns the most that a browser costs in a time, in billionths of a dollar.
    #[must_use]
    pub fn price(&self, ms: u64) -> u64 {
        ms.saturating_mul(self.second_nano_usd).div_ceil(1_000)
    }

    /// Returns what the browser has cost since the last call, in billionths of a dollar.
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
