//! Which states a page is in.
//!
//! //= seed 001, Triggers and Actions

use crate::page::{By, Query, Signals};
use crate::sorted::SortedSet;

use super::dialect::Dialect;
use super::interface::Unmet;
use super::states::{Automaton, Check, CheckKind, State};

/// The addresses of an empty page, which the strict dialect takes for one and the same.
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

/// The check at which the original program breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) state: usize,
    pub(super) check: usize,
    /// Whether the page's script has failed; otherwise nobody knows the check.
    pub(super) is_script: bool,
}

/// A page as checks compare with it.
struct Seen<'look> {
    signals: &'look Signals,
    /// The questions that the browser answered.
    queries: &'look [Query],
    dialect: Dialect,
    /// The texts of the visible elements in the form in which the strict dialect compares them.
    texts: SortedSet<String>,
}

/// Returns the states that a page passes, by its signals and the questions that the browser answered.
/// Fails where the original program breaks.
pub(super) fn passed(
    automaton: &Automaton,
    signals: &Signals,
    queries: &[Query],
    dialect: Dialect,
) -> Result<Passed, Broken> {
    let seen = match dialect {
        Dialect::Strict => Seen::strictly(signals, queries),
        Dialect::NetgentBe8a03a => Seen {
            signals,
            queries,
            dialect,
            texts: SortedSet::default(),
        },
    };
    let mut passed = Passed::default();
    for (at, state) in automaton.states.iter().enumerate() {
        match seen.first_unmet(at, state)? {
            None => passed.states.push(at),
            Some(unmet) => passed.unmet.push(unmet),
        }
    }
    Ok(passed)
}

/// Returns the states that are nearest to passing in the strict dialect, each with its first check that
/// does not hold: those of whose checks the largest share holds, in order.
pub(super) fn nearest_to_pass(
    automaton: &Automaton,
    signals: &Signals,
    queries: &[Query],
) -> Vec<(usize, usize)> {
    let seen = Seen::strictly(signals, queries);
    let (mut best, mut nearest) = (0, Vec::new());
    for (at, state) in automaton.states.iter().enumerate() {
        let holds = state.checks.iter().map(|it| seen.holds(it) == Ok(true));
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

/// Returns the first check of a state that does not hold in the strict dialect.
pub(super) fn first_unmet(
    automaton: &Automaton,
    state: usize,
    signals: &Signals,
    queries: &[Query],
) -> Option<usize> {
    let seen = Seen::strictly(signals, queries);
    let mut checks = automaton.states.get(state)?.checks.iter();
    checks.position(|check| seen.holds(check) != Ok(true))
}

/// Returns a text in the form in which the strict dialect compares it.
pub(super) fn compared_text(text: &str) -> String {
    shown(&words(text))
}

/// Returns an address in the form in which the strict dialect compares it.
pub(super) fn compared_url(url: &str) -> &str {
    match EMPTY_PAGES {
        [_, _, empty] if EMPTY_PAGES.contains(&url) => empty,
        _ => url,
    }
}

impl<'look> Seen<'look> {
    /// Returns a page as the strict dialect compares with it.
    fn strictly(signals: &'look Signals, queries: &'look [Query]) -> Self {
        let mut texts = SortedSet::default();
        for item in signals.items.iter().flatten() {
            texts.insert(compared_text(&item.text));
        }
        Self {
            signals,
            queries,
            dialect: Dialect::Strict,
            texts,
        }
    }
}

impl Seen<'_> {
    /// Returns the first check of a state that does not hold. Returns `None` where the state passes.
    fn first_unmet(&self, at: usize, state: &State) -> Result<Option<Unmet>, Broken> {
        if state.checks.is_empty() && self.dialect == Dialect::Strict {
            return Ok(Some(Unmet {
                state: at,
                check: None,
            }));
        }
        for (check_at, check) in state.checks.iter().enumerate() {
            let holds = self.holds(check).map_err(|is_script| Broken {
                state: at,
                check: check_at,
                is_script,
            })?;
            if !holds {
                return Ok(Some(Unmet {
                    state: at,
                    check: Some(check_at),
                }));
            }
        }
        Ok(None)
    }

    /// Returns whether a check holds. Fails with whether the page's script has failed, where the
    /// original breaks.
    fn holds(&self, check: &Check) -> Result<bool, bool> {
        match check {
            Check::Query(query) => Ok(self.finds(query)),
            Check::Signal { kind, value } => match self.dialect {
                Dialect::Strict => Ok(self.holds_strictly(kind, value.as_deref())),
                Dialect::NetgentBe8a03a => self.holds_as_in_the_original(kind, value.as_deref()),
            },
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

    /// Compares as the original does: plain equality of text.
    fn holds_as_in_the_original(
        &self,
        kind: &CheckKind,
        value: Option<&str>,
    ) -> Result<bool, bool> {
        if *kind == CheckKind::Url {
            return Ok(value.is_some() && self.signals.url.as_deref() == value);
        }
        let items = self.signals.items.as_ref().ok_or(true)?;
        let has = |shown: &str| !shown.is_empty() && Some(shown) == value;
        match kind {
            CheckKind::Unknown if !items.is_empty() => Err(false),
            CheckKind::Text => Ok(items.iter().any(|item| has(&item.text))),
            CheckKind::Element => Ok(value.is_some_and(|value| self.lists(value))),
            CheckKind::Unknown | CheckKind::Url => Ok(false),
        }
    }

    /// Compares as the seed's text says: an address by equality, a text without regard to the blanks
    /// around its words, an element by its selector. Nothing holds on a page that cannot be read.
    fn holds_strictly(&self, kind: &CheckKind, value: Option<&str>) -> bool {
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
