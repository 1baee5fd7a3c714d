//! Which states a page is in.
//!
//! //= seed 001, Triggers and Actions

use super::actions::By;
use super::dialect::Dialect;
use super::interface::Unmet;
use super::page::{Query, Signals};
use super::states::{Automaton, Check, CheckKind, State};

/// The addresses of an empty page, which the strict dialect takes for one and the same.
const EMPTY_PAGES: [&str; 3] = ["chrome://new-tab-page/", "chrome://newtab/", "about:blank"];

/// The most characters of a text that the page's script shows, in UTF-16 units.
const SHOWN_UNITS_MAX: usize = 100;

/// The states that pass at a look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Passed {
    /// The positions of the states, in order.
    pub(super) states: Vec<usize>,
    /// The first check that did not hold of each other state.
    pub(super) unmet: Vec<Unmet>,
}

/// The check at which the original program breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) state: usize,
    pub(super) check: usize,
    /// Whether the page's script has failed; otherwise nobody knows the check.
    pub(super) is_script: bool,
}

/// Returns the states that a page passes. Fails where the original program breaks.
pub(super) fn passed(
    automaton: &Automaton,
    signals: &Signals,
    dialect: Dialect,
) -> Result<Passed, Broken> {
    let queries = queries(automaton);
    let mut passed = Passed::default();
    for (at, state) in automaton.states.iter().enumerate() {
        match first_unmet(at, state, signals, &queries, dialect)? {
            None => passed.states.push(at),
            Some(unmet) => passed.unmet.push(unmet),
        }
    }
    Ok(passed)
}

/// Returns the questions for the browser that an automaton has, each once, in order.
pub(super) fn queries(automaton: &Automaton) -> Vec<Query> {
    let mut queries: Vec<Query> = Vec::new();
    for check in automaton.states.iter().flat_map(|state| &state.checks) {
        if let Check::Query(query) = check
            && !queries.contains(query)
        {
            queries.push(query.clone());
        }
    }
    queries
}

/// Returns the first check of a state that does not hold. Returns `None` where the state passes.
fn first_unmet(
    at: usize,
    state: &State,
    signals: &Signals,
    queries: &[Query],
    dialect: Dialect,
) -> Result<Option<Unmet>, Broken> {
    if state.checks.is_empty() && dialect == Dialect::Strict {
        return Ok(Some(Unmet {
            state: at,
            check: None,
        }));
    }
    for (check_at, check) in state.checks.iter().enumerate() {
        let holds = match check {
            Check::Query(query) => finds(query, signals, queries),
            Check::Signal { kind, value } => match dialect {
                Dialect::Strict => holds_strictly(kind, value.as_deref(), signals),
                Dialect::NetgentBe8a03a => {
                    let holds = holds_as_in_the_original(kind, value.as_deref(), signals);
                    holds.map_err(|is_script| Broken {
                        state: at,
                        check: check_at,
                        is_script,
                    })?
                }
            },
        };
        if !holds {
            return Ok(Some(Unmet {
                state: at,
                check: Some(check_at),
            }));
        }
    }
    Ok(None)
}

/// Returns whether the browser found the element, or the page's script lists it.
fn finds(query: &Query, signals: &Signals, queries: &[Query]) -> bool {
    let at = queries.iter().position(|known| known == query);
    let is_found = at.is_some_and(|at| signals.found.contains(&at));
    let mut items = signals.items.iter().flatten();
    is_found
        || (query.by == By::CssSelector
            && items.any(|item| !item.selector.is_empty() && item.selector == query.selector))
}

/// Compares as the original does: plain equality of text. Fails with whether the page's script has
/// failed, where the original breaks.
fn holds_as_in_the_original(
    kind: &CheckKind,
    value: Option<&str>,
    signals: &Signals,
) -> Result<bool, bool> {
    if *kind == CheckKind::Url {
        return Ok(value.is_some() && signals.url.as_deref() == value);
    }
    let items = signals.items.as_ref().ok_or(true)?;
    let has = |shown: &str| !shown.is_empty() && Some(shown) == value;
    match kind {
        CheckKind::Unknown if !items.is_empty() => Err(false),
        CheckKind::Text => Ok(items.iter().any(|item| has(&item.text))),
        CheckKind::Element => Ok(items.iter().any(|item| has(&item.selector))),
        CheckKind::Unknown | CheckKind::Url => Ok(false),
    }
}

/// Compares as the seed's text says: an address by equality, a text without regard to the blanks
/// around its words, an element by its selector. Nothing holds on a page that cannot be read.
fn holds_strictly(kind: &CheckKind, value: Option<&str>, signals: &Signals) -> bool {
    let Some(value) = value else { return false };
    let mut items = signals.items.iter().flatten();
    match kind {
        CheckKind::Url => signals.url.as_deref().is_some_and(|url| {
            url == value || (EMPTY_PAGES.contains(&url) && EMPTY_PAGES.contains(&value))
        }),
        CheckKind::Text => {
            let wanted = shown(&words(value));
            !wanted.is_empty() && items.any(|item| shown(&words(&item.text)) == wanted)
        }
        CheckKind::Element => !value.is_empty() && items.any(|item| item.selector == value),
        CheckKind::Unknown => false,
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
