//! The one place where an automaton's answers lose the values of secrets, before anything is told or kept of them.

use domain::page::{ActionFailure, BrowserGone, PageView};
use mask::Mask;

use crate::machine::{Answer, ChainEnd, ChainFailure, Looked, Outcome};

/// Takes the secrets out of every text of an answer.
pub(super) fn hide_in_answer(mask: &Mask, answer: &mut Answer) {
    match &mut answer.outcome {
        Outcome::Looked(Ok(Looked { view, .. })) => hide_in_view(mask, view),
        Outcome::Looked(Err(BrowserGone(says))) | Outcome::Reloaded(Err(BrowserGone(says))) => {
            mask.hide_in([says]);
        }
        Outcome::Acted(Err(
            ActionFailure::Failed(says)
            | ActionFailure::Refused(says)
            | ActionFailure::UnknownOutcome(says)
            | ActionFailure::BrowserGone(says),
        )) => mask.hide_in([says]),
        Outcome::Asked(result) => mask.hide_in_reply(result),
        Outcome::Investigated(Ok(ChainEnd { message, .. }) | Err(ChainFailure { message, .. })) => {
            mask.hide_in([message]);
        }
        // Nothing of these comes from elsewhere.
        Outcome::Unchanged
        | Outcome::Acted(Ok(_))
        | Outcome::Reloaded(Ok(()))
        | Outcome::Waited => {}
    }
    mask.hide_in(&mut answer.remarks);
}

fn hide_in_view(mask: &Mask, view: &mut PageView) {
    let items = view.signals.items.iter_mut().flatten();
    mask.hide_in(items.map(|item| &mut item.text));
    mask.hide_in(view.elements.iter_mut().map(|one| &mut one.text));
    let selectors = view.signals.items.iter_mut().flatten();
    let selectors = selectors.map(|item| &mut item.selector);
    let elements = view.elements.iter_mut();
    let elements = elements.flat_map(|one| [&mut one.selector, &mut one.tag, &mut one.role]);
    let others = view.signals.url.iter_mut().chain([&mut view.title]);
    for text in selectors.chain(elements).chain(others) {
        mask.hide_in([text]);
    }
}
