//! Which states a page is in.
//!
//! //= seed 001, Triggers and Actions

use std::collections::BTreeSet;

use domain::page::{By, Query, Signals};

use super::interface::Unmet;
use super::states::{Automaton, Check, CheckKind, State};

/// The addresses of an empty page, which count as one and the same.
const EMPTY_PAGES: [&str; 3] = ["chrome://new-tab-page/", "chrome://newtab/", "about:blank"];

/// The most characters of a text that the page's script shows, in UTF-16 units.
const SHOWN_UNITS_MAX: usize = 100;

/// The most states that are equally near to passing.
const NEAREST_MAX: usize = 20;

/// The states that pass at a look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Passed {
    /// The positions of the states, in order.
    pub(super) states: Vec<usize>,
    /// The first check that did not hold of each other state.
    pub(super) unmet: Vec<Unmet>,
}

/// A page as checks compare with it.
struct Seen<'look> {
    signals: &'look Signals,
    /// The questions that the browser answered.
    queries: &'look [Query],
    /// The texts of the visible elements in the form in which they are compared.
    texts: BTreeSet<String>,
}

/// Returns the states that a page passes, by its signals and the questions that the browser answered.
pub(super) fn passed(automaton: &Automaton, signals: &Signals, queries: &[Query]) -> Passed {
    let seen = Seen::of(signals, queries);
    let mut passed = Passed::default();
    for (at, state) in automaton.states.iter().enumerate() {
        match seen.first_unmet(at, state) {
            None => passed.states.push(at),
            Some(unmet) => passed.unmet.push(unmet),
        }
    }
    passed
}

/// Returns the states that are nearest to passing, each with its first check that does not hold: those of
/// whose checks the largest share holds, in order.
pub(super) fn nearest_to_pass(
    automaton: &Automaton,
    signals: &Signals,
    queries: &[Query],
) -> Vec<(usize, usize)> {
    let seen = Seen::of(signals, queries);
    let (mut best, mut nearest) = (0, Vec::new());
    for (at, state) in automaton.states.iter().enumerate() {
        let holds = state.checks.iter().map(|it| seen.holds(it));
        let holds: Vec<bool> = holds.collect();
        let Some(unmet) = holds.iter().position(|holds| !holds) else {
            continue;
        };
        let count = holds.iter().filter(|holds| **holds).count();
        let share = count.saturating_mul(1_000) / holds.len().max(1);
        if share > best {
            best = share;
            nearest.clear();
        }
        if share == best && nearest.len() < NEAREST_MAX {
            nearest.push((at, unmet));
        }
    }
    nearest
}

/// Returns the first check of a state that does not hold.
pub(super) fn first_unmet(
    automaton: &Automaton,
    state: usize,
    signals: &Signals,
    queries: &[Query],
) -> Option<usize> {
    let seen = Seen::of(signals, queries);
    let mut checks = automaton.states.get(state)?.checks.iter();
    checks.position(|check| !seen.holds(check))
}

/// Returns a text in the form in which texts are compared.
pub(super) fn compared_text(text: &str) -> String {
    shown(&words(text))
}

/// Returns an address in the form in which addresses are compared.
pub(super) fn compared_url(url: &str) -> &str {
    match EMPTY_PAGES {
        [_, _, empty] if EMPTY_PAGES.contains(&url) => empty,
        _ => url,
    }
}

impl<'look> Seen<'look> {
    fn of(signals: &'look Signals, queries: &'look [Query]) -> Self {
        let mut texts = BTreeSet::default();
        for item in signals.items.iter().flatten() {
            texts.insert(compared_text(&item.text));
        }
        Self {
            signals,
            queries,
            texts,
        }
    }
}

impl Seen<'_> {
    /// Returns the first check of a state that does not hold. Returns `None` where the state passes.
    fn first_unmet(&self, at: usize, state: &State) -> Option<Unmet> {
        let check = state.checks.iter().position(|check| !self.holds(check));
        (check.is_some() || state.checks.is_empty()).then_some(Unmet { state: at, check })
    }

    /// Returns whether a check holds.
    fn holds(&self, check: &Check) -> bool {
        match check {
            Check::Query(query) => self.finds(query),
            Check::Signal { kind, value } => self.shows(kind, value.as_deref()),
        }
    }

    /// Returns whether the browser found the element, or the page's script lists it.
    fn finds(&self, query: &Query) -> bool {
        let at = self.queries.iter().position(|known| known == query);
        at.is_some_and(|at| self.signals.found.contains(&at))
            || (query.by == By::CssSelector && self.lists(&query.selector))
    }

    /// Returns whether the page's script lists a visible element by this selector.
    fn lists(&self, selector: &str) -> bool {
        let mut items = self.signals.items.iter().flatten();
        !selector.is_empty() && items.any(|item| item.selector == selector)
    }

    /// Compares as the seed's text says: an address by equality, a text without regard to the blanks
    /// around its words, an element by its selector. Nothing holds on a page that cannot be read.
    fn shows(&self, kind: &CheckKind, value: Option<&str>) -> bool {
        let Some(value) = value else { return false };
        match kind {
            CheckKind::Url => {
                let url = self.signals.url.as_deref();
                url.is_some_and(|url| compared_url(url) == compared_url(value))
            }
            CheckKind::Text => {
                let wanted = compared_text(value);
                !wanted.is_empty() && self.texts.contains(wanted.as_str())
            }
            CheckKind::Element => self.lists(value),
            CheckKind::Unknown => false,
        }
    }
}

/// Returns a text with one blank between two words and none around them, as `normalize-space` does.
fn words(text: &str) -> String {
    let blanks = [' ', '\t', '\n', '\r'];
    let words = text.split(blanks).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Cuts a text as the page's script does.
fn shown(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    match units.get(..SHOWN_UNITS_MAX) {
        Some(cut) if units.len() > SHOWN_UNITS_MAX && !text.ends_with("...") => {
            format!("{}...", String::from_utf16_lossy(cut))
        }
        _ => text.to_owned(),
    }
}
