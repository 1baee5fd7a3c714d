//! Which part of a page is nearest to one that is gone.

use domain::page::PageView;

use super::distance::{Features, likeness};
use super::gone::Gone;
use super::selector::Selector;

/// The most parts of a page that are compared.
const CANDIDATES_MAX: usize = 4_000;

/// The part of a page that is nearest to one that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The part's selector.
    pub selector: String,
    /// The part's text.
    pub text: String,
    /// The likeness to what is gone, in thousandths.
    pub likeness_permille: u32,
}

/// Returns which part of a page is nearest to one that is gone, by attributes and text; of several the
/// first one. Returns `None` where nothing on the page is like it at all.
#[must_use]
pub fn nearest(gone: &Gone, view: &PageView) -> Option<Nearest> {
    let items = view.signals.items.iter().flatten();
    let items = items.map(|item| (&item.selector, &item.text));
    let elements = view.elements.iter();
    let elements = elements.map(|element| (&element.selector, &element.text));
    let mut best: Option<Nearest> = None;
    for (selector, text) in elements.chain(items).take(CANDIDATES_MAX) {
        let present = Features {
            selector: Selector::read(selector),
            text: text.clone(),
        };
        let likeness_permille = likeness(&gone.features, &present);
        let known = best.as_ref().map_or(0, |best| best.likeness_permille);
        if likeness_permille > known {
            best = Some(Nearest {
                selector: selector.clone(),
                text: text.clone(),
                likeness_permille,
            });
        }
    }
    best
}
