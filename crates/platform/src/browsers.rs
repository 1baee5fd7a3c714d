//! Browsers that are driven for runs.

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Done, Look, PageAction, Seen,
};

use crate::run_effects::WriteError;

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
    /// `lost`: that one guards its page until this one does, and counts as the same browser. Fails with [`BrowserError::Gone`] where that
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

/// The reason why there is no browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrowserError {
    /// The browser is gone, or none can be had; the words say why.
    Gone(String),
    /// The journal could not be written.
    Unwritten,
}

impl From<WriteError> for BrowserError {
    fn from(_: WriteError) -> Self {
        Self::Unwritten
    }
}
