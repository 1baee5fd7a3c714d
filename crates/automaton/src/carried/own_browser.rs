//! The browser of an automaton's run, and the terms on which it is driven.

use domain::Secret;
use domain::page::{BrowserAddress, BrowserTerms};
use engine::{BrowserAddressForm, RunToCarry};
use platform::{Browsers, Effects, RunBrowser};

use crate::stored::{AutomatonEngine, AutomatonNote, AutomatonOrder, DialogAnswer};

/// Returns the browser of a run as its journal tells it.
pub(super) fn own_browser<'run, E: Effects + Browsers>(
    effects: &'run E,
    run: &RunToCarry<'run, '_, AutomatonEngine>,
) -> RunBrowser<'run, E> {
    let known = run.notes.iter().fold(None, |known, note| match note {
        AutomatonNote::Browser(address) => Some(address.read()),
        AutomatonNote::Gone => None,
        AutomatonNote::Child { .. } | AutomatonNote::Typed { .. } => known,
    });
    let write = run.note;
    let note = move |address: Option<&BrowserAddress>| {
        write(match address {
            Some(address) => AutomatonNote::Browser(BrowserAddressForm::of(address)),
            None => AutomatonNote::Gone,
        })
    };
    let settings = run.providers.browser.as_ref();
    let second_nano_usd = settings.map_or(0, |settings| settings.second_nano_usd);
    RunBrowser::new(effects, second_nano_usd, known, Box::new(note))
}

/// Returns the terms on which that browser is driven.
pub(super) fn terms(order: &AutomatonOrder, secrets: Vec<Secret>) -> BrowserTerms {
    let browser = order.browser();
    BrowserTerms {
        origins: order.origins().to_vec(),
        loads_from_elsewhere: false,
        accepts_questions: browser.dialogs == DialogAnswer::Accept,
        viewport: browser.viewport(),
        language: browser.language.clone(),
        time_zone: browser.time_zone.clone(),
        secrets,
    }
}
