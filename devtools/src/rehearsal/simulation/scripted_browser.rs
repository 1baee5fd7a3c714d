//! Browsers with simulated pages: faults can be injected at each operation.

use std::rc::Rc;

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Done, DownloadedFile, Look,
    PageAction, PagePicture, Seen, Signals,
};
use platform::{AddressWriter, Browser, BrowserError, Browsers};

use super::fault_injector::{FaultDecision, FaultInjector, FaultTiming, Operation};
use super::in_memory_effects::InMemoryEffects;
use super::page_world::OpenPages;
use super::virtual_clock::VirtualClock;

/// The time that a look or an action takes, in virtual milliseconds.
const LOOK_MS: u64 = 20;
const ACT_MS: u64 = 30;

/// A browser with simulated pages.
pub struct ScriptedBrowser {
    pages: Rc<OpenPages>,
    clock: Rc<VirtualClock>,
    faults: Rc<FaultInjector>,
    context: String,
    target: String,
}

/// The error that a fault has cut the connection.
struct Cut;

impl ScriptedBrowser {
    /// Executes an operation on the browser. Fails if a fault cuts the connection before or after the effect.
    async fn operate<T>(&self, ms: u64, effect: impl FnOnce() -> T) -> Result<(T, bool), Cut> {
        let decision = self.faults.decide(Operation::Browser);
        match decision {
            FaultDecision::Fail(FaultTiming::Before) => return Err(Cut),
            FaultDecision::Hang(FaultTiming::Before) => return std::future::pending().await,
            _ => {}
        }
        let result = effect();
        self.clock.sleep(ms).await;
        match decision {
            FaultDecision::Hang(_) => std::future::pending().await,
            FaultDecision::Fail(_) => Ok((result, true)),
            FaultDecision::Proceed => Ok((result, false)),
        }
    }
}

/// The id of every session.
const SESSION: &str = "s1";

fn gone() -> BrowserGone {
    BrowserGone("The connection to the browser was cut.".to_owned())
}

impl Browser for ScriptedBrowser {
    async fn look(&self, look: &Look, _ms_max: u64) -> Result<Seen, BrowserGone> {
        let view = || self.pages.view(&self.target);
        let (view, is_cut) = self.operate(LOOK_MS, view).await.map_err(|Cut| gone())?;
        let mut view = view.filter(|_| !is_cut).ok_or_else(gone)?;
        let items = view.signals.items.iter().flatten();
        let selectors: Vec<&str> = items.map(|item| item.selector.as_str()).collect();
        let queries = look.queries.iter().enumerate();
        let found = queries.filter(|(_, query)| selectors.contains(&query.selector.as_str()));
        let found = found.map(|(at, _)| at).collect();
        view.signals.found = found;
        if !look.wants_elements {
            view.elements.clear();
        }
        let Signals {
            url, items, found, ..
        } = &view.signals;
        // The digest of this text is in committed runs, so its format must not change.
        let says = format!("Signals {{ url: {url:?}, items: {items:?}, found: {found:?} }}");
        let jpeg = format!("A picture of {says}.").into_bytes();
        Ok(Seen {
            picture: look.wants_picture.then_some(PagePicture { jpeg }),
            view,
        })
    }

    async fn act(&self, action: &PageAction, _ms_max: u64) -> Result<Done, ActionFailure> {
        let act = || self.pages.act(&self.target, action);
        match self.operate(ACT_MS, act).await {
            Err(Cut) => Err(ActionFailure::BrowserGone(gone().0)),
            Ok((_, true)) => Err(ActionFailure::UnknownOutcome(gone().0)),
            Ok((done, false)) => done,
        }
    }

    async fn reload(&self, _ms_max: u64) -> Result<(), BrowserGone> {
        let reload = || self.pages.has(&self.target);
        match self.operate(LOOK_MS, reload).await {
            Ok((true, false)) => Ok(()),
            _ => Err(gone()),
        }
    }

    fn why_over(&self) -> Option<String> {
        None
    }

    fn take_remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn take_file(&self) -> Option<DownloadedFile> {
        None
    }

    fn address(&self) -> BrowserAddress {
        BrowserAddress {
            session: SESSION.to_owned(),
            context: Some(self.context.clone()),
            target: Some(self.target.clone()),
            tabs: Vec::new(),
        }
    }

    async fn keep_alive(&self) {}

    async fn end(&self) {
        self.pages.close(&self.context);
    }
}

impl Drop for ScriptedBrowser {
    fn drop(&mut self) {
        self.pages.end_guard(&self.target);
    }
}

impl InMemoryEffects {
    fn browser(&self, context: &str, target: &str) -> ScriptedBrowser {
        self.pages().begin_guard(target);
        ScriptedBrowser {
            pages: self.pages(),
            clock: self.shared_clock(),
            faults: self.shared_faults(),
            context: context.to_owned(),
            target: target.to_owned(),
        }
    }
}

impl Browsers for InMemoryEffects {
    type Browser = ScriptedBrowser;

    async fn begin_browser(
        &self,
        _terms: &BrowserTerms,
        note: AddressWriter<'_>,
        _ms_max: u64,
    ) -> Result<ScriptedBrowser, BrowserError> {
        let mut address = BrowserAddress {
            session: SESSION.to_owned(),
            context: None,
            target: None,
            tabs: Vec::new(),
        };
        note(&address)?;
        let cut = || BrowserError::Failed(gone().0);
        let beginning = self.browser("", "");
        let make = || self.pages().make_context();
        let (context, is_cut) = beginning
            .operate(LOOK_MS, make)
            .await
            .map_err(|Cut| cut())?;
        if is_cut {
            return Err(cut());
        }
        address.context = Some(context.clone());
        note(&address)?;
        let open = || self.pages().open(&context);
        match beginning.operate(LOOK_MS, open).await {
            Ok((target, false)) => {
                address.target = Some(target.clone());
                note(&address)?;
                Ok(self.browser(&context, &target))
            }
            _ => Err(cut()),
        }
    }

    async fn attach_browser(
        &self,
        _terms: &BrowserTerms,
        address: &BrowserAddress,
        _lost: Option<&ScriptedBrowser>,
        _ms_max: u64,
    ) -> Result<ScriptedBrowser, BrowserError> {
        let target = address.target.clone().unwrap_or_default();
        let browser = self.browser(address.context.as_deref().unwrap_or_default(), &target);
        match browser.operate(LOOK_MS, || self.pages().has(&target)).await {
            Ok((true, false)) => Ok(browser),
            _ => Err(BrowserError::Failed("The browser is gone.".to_owned())),
        }
    }

    async fn end_browser(&self, address: &BrowserAddress) {
        if let Some(context) = &address.context {
            self.pages().close(context);
        }
    }
}
