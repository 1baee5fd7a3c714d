//! The browser of one run: begun, attached to again, charged, and ended.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::domain::Secret;
use crate::effects::{Browser, BrowserError, Browsers, Effects, WriteError};
use crate::engine::{NoteWriter, RunToCarry};
use crate::engines::automaton::stored::{
    AutomatonEngine, AutomatonNote, AutomatonOrder, DialogAnswer,
};
use crate::page::{BrowserAddress, BrowserTerms};

/// The browser of one run.
pub(super) struct RunBrowser<'run, E: Browsers> {
    effects: &'run E,
    note: NoteWriter<'run, AutomatonEngine>,
    terms: BrowserTerms,
    second_nano_usd: u64,
    open: RefCell<Option<Rc<E::Browser>>>,
    /// The address that was written down last, of a browser that may still be there.
    known: RefCell<Option<BrowserAddress>>,
    /// The time until which the open browser is charged, in milliseconds since 1970.
    charged_until_ms: Cell<u64>,
}

impl<'run, E: Effects + Browsers> RunBrowser<'run, E> {
    /// Returns the browser of a run as its journal tells it.
    pub(super) fn new(
        effects: &'run E,
        run: &RunToCarry<'run, '_, AutomatonEngine>,
        secrets: Vec<Secret>,
    ) -> Self {
        let known = run.notes.iter().fold(None, |known, note| match note {
            AutomatonNote::Browser {
                session,
                context,
                target,
            } => Some(BrowserAddress {
                session: session.clone(),
                context: context.clone(),
                target: target.clone(),
            }),
            AutomatonNote::Gone => None,
            AutomatonNote::Child { .. } | AutomatonNote::Typed { .. } => known,
        });
        let settings = run.providers.browser.as_ref();
        Self {
            effects,
            note: run.note,
            terms: terms(run.order, secrets),
            second_nano_usd: settings.map_or(0, |settings| settings.second_nano_usd),
            open: RefCell::default(),
            known: RefCell::new(known),
            charged_until_ms: Cell::default(),
        }
    }

    /// Returns the open browser, or `None` where none is open in this process.
    pub(super) fn opened(&self) -> Option<Rc<E::Browser>> {
        self.open.borrow().clone()
    }

    /// Returns the browser: the open one, that of an earlier process, or a new one. Fails with words
    /// where there is none; the next call begins a new one then.
    pub(super) async fn get(
        &self,
        ms_max: u64,
    ) -> Result<Result<Rc<E::Browser>, String>, WriteError> {
        if let Some(open) = self.opened() {
            return Ok(Ok(open));
        }
        let known = self.known.borrow().clone();
        let opened = match known {
            Some(known) if known.target.is_some() => {
                self.effects
                    .attach_browser(&self.terms, &known, ms_max)
                    .await
            }
            Some(half_made) => {
                self.effects.end_browser(&half_made).await;
                self.forget()?;
                self.begin(ms_max).await
            }
            None => self.begin(ms_max).await,
        };
        match opened {
            Ok(browser) => {
                let browser = Rc::new(browser);
                self.charged_until_ms.set(self.effects.now_ms());
                *self.open.borrow_mut() = Some(browser.clone());
                Ok(Ok(browser))
            }
            Err(BrowserError::Unwritten) => Err(WriteError),
            Err(BrowserError::Gone(says)) => {
                self.end().await;
                self.forget()?;
                Ok(Err(says))
            }
        }
    }

    async fn begin(&self, ms_max: u64) -> Result<E::Browser, BrowserError> {
        let note = |address: &BrowserAddress| {
            (self.note)(AutomatonNote::Browser {
                session: address.session.clone(),
                context: address.context.clone(),
                target: address.target.clone(),
            })?;
            *self.known.borrow_mut() = Some(address.clone());
            Ok(())
        };
        self.effects.begin_browser(&self.terms, &note, ms_max).await
    }

    /// Lets the connection go. The browser is attached to again where it is still there.
    pub(super) fn disconnect(&self) {
        *self.open.borrow_mut() = None;
    }

    /// Gives the browser up: it is ended, and a new one begins with the next call.
    pub(super) async fn give_up(&self) -> Result<(), WriteError> {
        self.end().await;
        self.forget()
    }

    fn forget(&self) -> Result<(), WriteError> {
        self.disconnect();
        let known = self.known.borrow_mut().take();
        match known {
            Some(_) => (self.note)(AutomatonNote::Gone),
            None => Ok(()),
        }
    }

    /// Ends the browser, also one of an earlier process.
    pub(super) async fn end(&self) {
        let open = self.open.borrow_mut().take();
        let known = self.known.borrow().clone();
        match (open, known) {
            (Some(open), _) => open.end().await,
            (None, Some(known)) => self.effects.end_browser(&known).await,
            (None, None) => {}
        }
    }

    /// Returns the most that a browser costs in a time, in billionths of a dollar.
    pub(super) fn price(&self, ms: u64) -> u64 {
        ms.saturating_mul(self.second_nano_usd).div_ceil(1_000)
    }

    /// Returns what the browser has cost since the last call, in billionths of a dollar.
    pub(super) fn charge(&self) -> u64 {
        let now_ms = self.effects.now_ms();
        let since_ms = self.charged_until_ms.replace(now_ms);
        if since_ms == 0 {
            return 0;
        }
        self.price(now_ms.saturating_sub(since_ms))
    }
}

fn terms(order: &AutomatonOrder, secrets: Vec<Secret>) -> BrowserTerms {
    let browser = order.browser();
    BrowserTerms {
        accepts_questions: browser.dialogs == DialogAnswer::Accept,
        origins: order.origins().to_vec(),
        viewport: browser.viewport(),
        language: browser.language.clone(),
        time_zone: browser.time_zone.clone(),
        secrets,
    }
}
