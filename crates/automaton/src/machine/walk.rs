//! The loop's decisions: which states match a page, which of them is executed next, and which timeout ends the run. The
//! decisions depend only on the page's signals and the run time.
//!
//! //= seed 001, Execution semantics
//! //= seed 001, Triggers and Actions

use std::collections::BTreeSet;

use domain::page::{By, Condition, Query, Signals};

use super::interface::{Decision, Settings, Unmet, WhyFailed};
use super::states::{Automaton, Check, CheckKind, State};

const AFTER_GAP: &str =
    "it comes again after a time in which no state passed, and does not run again.";
/// The addresses of an empty page. Checks treat them as equal.
const EMPTY_PAGES: [&str; 3] = ["chrome://new-tab-page/", "chrome://newtab/", "about:blank"];
/// The most characters of a text that the page's script returns, in UTF-16 units. Texts to compare are truncated
/// likewise.
const SHOWN_UNITS_MAX: usize = 100;
/// The most states that are reported as equally near to matching.
const NEAREST_MAX: usize = 20;

/// The states executed so far, and the timers of the loop.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    /// The positions of the executed states, in the order of execution.
    executed: Vec<usize>,
    /// The run time at the first look at which the last executed state still matched, in milliseconds.
    repeated_since_ms: Option<u64>,
    /// The run time at the first of the consecutive looks at which no state matched, in milliseconds.
    none_since_ms: Option<u64>,
    /// Whether no state matched at some look since the last state was executed.
    has_gap: bool,
}

/// What the loop does after a look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Execute the state with this position.
    Run(usize),
    /// Wait until a state matches.
    Wait,
    /// Wait until the last executed state no longer matches. The text is a warning to emit, if any.
    Repeat(usize, Option<&'static str>),
    /// End the run, unless models can make a state.
    End(WhyFailed),
}

impl Next {
    /// Returns the decision in the form for viewers.
    pub(super) fn decision(&self) -> Decision {
        match self {
            Self::Run(_) => Decision::Run,
            Self::Wait => Decision::Wait,
            Self::Repeat(..) => Decision::Repeat,
            Self::End(_) => Decision::End,
        }
    }
}

impl Walk {
    /// Returns the positions of the executed states, in the order of execution.
    pub(super) fn executed(&self) -> &[usize] {
        &self.executed
    }

    /// Records that a state was executed. The wait for a matching state then begins anew.
    pub(super) fn note(&mut self, state: usize) {
        self.executed.push(state);
        self.none_since_ms = None;
        self.has_gap = false;
    }

    /// Records that a state was inserted before all others. The positions of the others rise by one.
    pub(super) fn shift(&mut self) {
        for state in &mut self.executed {
            *state = state.saturating_add(1);
        }
    }

    /// Returns whether the run has executed as many states as its limit allows.
    pub(super) fn is_over(&self, settings: &Settings) -> bool {
        let limit = usize::try_from(settings.recursion_limit).unwrap_or(usize::MAX);
        self.executed.len() >= limit
    }

    /// Decides what to do after a look at which the states in `passed` match.
    pub(super) fn decide(
        &mut self,
        passed: &[usize],
        now_ms: u64,
        automaton: &Automaton,
        settings: &Settings,
    ) -> Next {
        let Some(&first) = passed.first() else {
            return self.decide_without(now_ms, settings);
        };
        self.none_since_ms = None;
        if passed.len() > 1 && !settings.allows_multiple_states {
            return Next::End(WhyFailed::MultipleStates {
                states: passed.to_vec(),
            });
        }
        if self.executed.last() != Some(&first) {
            self.repeated_since_ms = None;
            return Next::Run(first);
        }
        let first_state = automaton.states.get(first);
        if first_state.is_some_and(|state| state.continuity.holds()) {
            return Next::Run(first);
        }
        let is_first = self.repeated_since_ms.is_none();
        let since_ms = *self.repeated_since_ms.get_or_insert(now_ms);
        if is_over(since_ms, now_ms, settings.state_timeout_ms) {
            return Next::End(WhyFailed::StateTimeout { state: first });
        }
        Next::Repeat(first, (is_first && self.has_gap).then_some(AFTER_GAP))
    }

    fn decide_without(&mut self, now_ms: u64, settings: &Settings) -> Next {
        self.has_gap = true;
        if settings.no_states_timeout_ms == 0 {
            return Next::End(WhyFailed::NoStatesTimeout);
        }
        let since_ms = *self.none_since_ms.get_or_insert(now_ms);
        if is_over(since_ms, now_ms, settings.no_states_timeout_ms) {
            return Next::End(WhyFailed::NoStatesTimeout);
        }
        Next::Wait
    }
}

/// Returns whether more than `limit_ms` have passed since `since_ms`.
fn is_over(since_ms: u64, now_ms: u64, limit_ms: i64) -> bool {
    let passed_ms = now_ms.saturating_sub(since_ms);
    u64::try_from(limit_ms).map_or(true, |limit_ms| passed_ms > limit_ms)
}

/// Which states matched at a look, and which did not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Passed {
    /// The positions of the matching states, in order.
    pub(super) states: Vec<usize>,
    /// The first unmet check of each state that does not match.
    pub(super) unmet: Vec<Unmet>,
}

/// A look at a page, prepared for comparing it with many checks.
struct Seen<'look> {
    signals: &'look Signals,
    /// The queries that the browser answered at this look.
    queries: &'look [Query],
    /// The normalised texts of the visible elements.
    texts: BTreeSet<String>,
}

/// Returns which states match a page, by its signals and by the browser's answers to `queries`.
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

/// Returns the states that have the largest share of met checks, each with the position of its first unmet check.
pub(super) fn nearest_to_pass(
    automaton: &Automaton,
    signals: &Signals,
    queries: &[Query],
) -> Vec<(usize, usize)> {
    let seen = Seen::of(signals, queries);
    let (mut best, mut nearest) = (0, Vec::new());
    for (at, state) in automaton.states.iter().enumerate() {
        let holds: Vec<bool> = state.checks.iter().map(|it| seen.holds(it)).collect();
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

/// Returns the position of a state's first unmet check; `None` if the state matches or has no checks.
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
    /// Returns the first unmet check of a state; `None` if the state matches.
    fn first_unmet(&self, at: usize, state: &State) -> Option<Unmet> {
        let check = state.checks.iter().position(|check| !self.holds(check));
        (check.is_some() || state.checks.is_empty()).then_some(Unmet { state: at, check })
    }

    /// Returns whether a check holds on the page.
    fn holds(&self, check: &Check) -> bool {
        match check {
            Check::Query(query) => self.finds(query),
            Check::UrlPattern(pattern) => {
                let url = self.signals.url.as_deref();
                url.is_some_and(|url| pattern.fits(url))
            }
            // Nothing holds on a page that could not be read, not even that something is missing.
            Check::Not(check) => {
                let is_read = self.signals.url.is_some() && self.signals.items.is_some();
                is_read && self.is_answered(check) && !self.holds(check)
            }
            Check::Signal { kind, value } => self.shows(kind, value.as_deref()),
        }
    }

    /// Returns whether the browser could answer what a check asks. What is not listed may be among what was left out.
    fn is_answered(&self, check: &Check) -> bool {
        match check.without_not() {
            Check::Query(query) => {
                let at = self.queries.iter().position(|known| known == query);
                at.is_some_and(|at| !self.signals.unanswered.contains(&at))
            }
            Check::Signal { kind, .. } => *kind == CheckKind::Url || !self.signals.is_cut,
            Check::UrlPattern(_) | Check::Not(_) => true,
        }
    }

    /// Returns whether the browser found the element. An element that the page's script lists counts as found, too.
    fn finds(&self, query: &Query) -> bool {
        let at = self.queries.iter().position(|known| known == query);
        at.is_some_and(|at| self.signals.found.contains(&at))
            || (query.by == By::CssSelector
                && matches!(query.condition, Condition::Present | Condition::Visible)
                && self.lists(&query.selector))
    }

    /// Returns whether the page's script lists a visible element with this selector.
    fn lists(&self, selector: &str) -> bool {
        let mut items = self.signals.items.iter().flatten();
        !selector.is_empty() && items.any(|item| item.selector == selector)
    }

    /// Compares a signal with a text as the specification (seed 001) requires: addresses must be equal, texts may
    /// differ in surrounding and repeated blanks, and elements are compared by selector. Nothing holds on a page that
    /// could not be read.
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

/// Returns a text with single blanks between words and none around them, as `normalize-space` of `XPath` does.
fn words(text: &str) -> String {
    let blanks = [' ', '\t', '\n', '\r'];
    let words = text.split(blanks).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Truncates a text in the same way as the page's script.
fn shown(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    match units.get(..SHOWN_UNITS_MAX) {
        Some(cut) if units.len() > SHOWN_UNITS_MAX && !text.ends_with("...") => {
            format!("{}...", String::from_utf16_lossy(cut))
        }
        _ => text.to_owned(),
    }
}
