//! Drift: how a page differs from what its automaton expects. Reports what is missing, what on the page is nearest to
//! it, and how the mended automaton differs from the original one.

mod distance;
mod words;

use domain::page::{By, Condition, PageView, Query};
use serde_json::{Value, json};

use super::actions::{BrowserAction, Step};
use super::role_selector::RoleSelector;
use super::states::{Automaton, Check, CheckKind, Line, State};
use distance::{Features, Selector};

pub use distance::{Nearest, nearest};

/// The longest page text in a report, in characters.
const TEXT_CHARS_MAX: usize = 2_000;
/// The most states that a difference shows in full. Further ones are only counted.
const STATES_MAX: usize = 100;

/// A part of a state that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A check that does not hold.
    Check {
        /// The position of the check in its state, from 0.
        position: usize,
    },
    /// An action that has failed.
    Action {
        /// The number of the action in its state, from 1.
        line: u32,
    },
}

/// A state that failed on a page, with the part of the page nearest to the missing one.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    state: usize,
    name: String,
    fault: Fault,
    written: Value,
    url: Option<String>,
    title: String,
    gone: Option<Gone>,
    nearest: Option<Nearest>,
}

impl Drift {
    /// Compares a failed state with the page. `queries` are those of the look that returned `view`, and must include
    /// the one that [`presence`] returns. Returns `None` if the state has no such check or action.
    #[must_use]
    pub fn of(
        automaton: &Automaton,
        state: usize,
        fault: Fault,
        view: &PageView,
        queries: &[Query],
    ) -> Option<Self> {
        let (written, gone) = part_of(automaton, state, fault)?;
        let failed = automaton.states.get(state)?;
        // If the element is on the page, the part failed for another reason, so nothing is reported as missing.
        let gone = gone.filter(|gone| {
            let query = gone.query();
            let at = queries
                .iter()
                .position(|asked| Some(asked) == query.as_ref());
            !at.is_some_and(|at| view.signals.found.contains(&at))
        });
        Some(Self {
            state,
            name: failed.name.clone(),
            fault,
            written,
            url: view.signals.url.clone(),
            title: view.signals.title.clone(),
            nearest: gone.as_ref().and_then(|gone| nearest(gone, view)),
            gone,
        })
    }

    /// Returns the missing selector or text, and the part of the page nearest to it. Returns `None` if nothing is
    /// missing.
    #[must_use]
    pub fn gone(&self) -> Option<(&str, Option<&Nearest>)> {
        let gone = self.gone.as_ref()?;
        Some((&gone.written, self.nearest.as_ref()))
    }

    /// Returns the similarity of the missing part to the nearest one on the page, in thousandths; 0 if there is none.
    #[must_use]
    pub fn likeness_permille(&self) -> u32 {
        let nearest = self.nearest.as_ref();
        nearest.map_or(0, |nearest| nearest.likeness_permille)
    }

    /// Returns the report for viewers: `{state: {position, name}, check: {position, is} | action: {line, is}, page:
    /// {url, title}, gone, nearest: {selector, text, likeness_permille}, says}`. `says` is a sentence on what has
    /// become of what is gone; it is absent if nothing is.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let (word, part) = match self.fault {
            Fault::Check { position } => {
                ("check", json!({"position": position, "is": self.written}))
            }
            Fault::Action { line } => ("action", json!({"line": line, "is": self.written})),
        };
        let nearest = self.nearest.as_ref().map(|nearest| {
            json!({
                "selector": cut(&nearest.selector),
                "text": cut(&nearest.text),
                "likeness_permille": nearest.likeness_permille,
            })
        });
        let mut report = json!({
            "state": {"position": self.state, "name": self.name},
            word: part,
            "page": {"url": self.url.as_deref().map(cut), "title": cut(&self.title)},
            "gone": self.gone.as_ref().map(|gone| cut(&gone.written)),
            "nearest": nearest,
        });
        if let (Some(gone), Some(members)) = (&self.gone, report.as_object_mut()) {
            let says = words::says(gone, self.nearest.as_ref());
            members.insert("says".to_owned(), says.into());
        }
        report
    }
}

/// Returns the query that asks whether the element of a state's part is on the page, visible or not.
#[must_use]
pub fn presence(automaton: &Automaton, state: usize, fault: Fault) -> Option<Query> {
    part_of(automaton, state, fault)?.1?.query()
}

/// Returns a part of a state as written, and what it looks for on a page. Returns `None` if there is no such part.
fn part_of(automaton: &Automaton, state: usize, fault: Fault) -> Option<(Value, Option<Gone>)> {
    let failed = automaton.states.get(state)?;
    Some(match fault {
        Fault::Check { position } => {
            let check = failed.checks.get(position)?;
            (check.to_json(), Gone::of_check(check))
        }
        Fault::Action { line } => {
            let at = usize::try_from(line).ok()?.checked_sub(1)?;
            let line = failed.lines.get(at)?;
            let action = match line {
                Line::Call {
                    step: Ok(Step::Act(action)),
                    ..
                } => Some(action),
                _ => None,
            };
            (line.to_json(), action.and_then(Gone::of_action))
        }
    })
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT_CHARS_MAX).collect()
}

/// What a check or an action looks for on a page and does not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// The selector or the text, as written.
    pub written: String,
    /// The type of the selector; `None` for a text.
    by: Option<By>,
    features: Features,
}

impl Gone {
    /// Returns what a check looks for; `None` if that is no part of a page, such as an address.
    #[must_use]
    pub fn of_check(check: &Check) -> Option<Self> {
        match check {
            Check::Query(query) => Some(Self::found_by(query.by, &query.selector)),
            Check::Signal {
                kind: CheckKind::Element,
                value: Some(selector),
            } => Some(Self::found_by(By::CssSelector, selector)),
            Check::Signal {
                kind: CheckKind::Text,
                value: Some(text),
            } => Some(Self {
                written: text.clone(),
                by: None,
                features: Features {
                    text: text.clone(),
                    ..Features::default()
                },
            }),
            Check::Signal { .. } | Check::UrlPattern(_) | Check::Not(_) => None,
        }
    }

    /// Returns the element that an action looks for; `None` if the action has none, or if its selector depends on a
    /// parameter.
    #[must_use]
    pub fn of_action(action: &BrowserAction) -> Option<Self> {
        let locator = action.locator()?;
        Some(Self::found_by(locator.by, locator.selector.as_literal()?))
    }

    fn found_by(by: By, written: &str) -> Self {
        let attribute = |name: &str| Selector {
            attributes: vec![(name.to_owned(), written.to_owned())],
            ..Selector::default()
        };
        let mut features = Features::default();
        match by {
            By::CssSelector => features.selector = Selector::read(written),
            By::Id => features.selector = attribute("id"),
            By::Name => features.selector = attribute("name"),
            By::TagName => features.selector.tag = written.to_lowercase(),
            By::ClassName => features.selector.classes.push(written.to_owned()),
            By::LinkText | By::PartialLinkText => {
                features.selector.tag.push('a');
                features.text.push_str(written);
            }
            By::XPath => features.text.push_str(quoted(written)),
            By::Role => {
                if let Some(read) = RoleSelector::read(written) {
                    features.selector = words::selector_of_role(read.role);
                    features.text = unescaped(read.name.unwrap_or_default());
                }
            }
            By::Text => features.text.push_str(written),
        }
        Self {
            written: written.to_owned(),
            by: Some(by),
            features,
        }
    }

    /// Returns the query that asks whether the element is on the page after all, visible or not; `None` for a text.
    #[must_use]
    pub fn query(&self) -> Option<Query> {
        Some(Query {
            by: self.by?,
            selector: self.written.clone(),
            condition: Condition::Present,
            timeout_ms: 0,
        })
    }
}

/// Returns the first string in an `XPath` expression, which is usually the text that the expression looks for.
fn quoted(xpath: &str) -> &str {
    let quotes = ['\'', '"'];
    let Some((_, rest)) = xpath.split_once(quotes) else {
        return "";
    };
    rest.split_once(quotes).map_or(rest, |(text, _)| text)
}

/// Returns a text in which each backslash was before a sign.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    plain
}

/// Returns how a new automaton differs from an old one: `{added: [state], removed: [name], changed: [{name, position,
/// checks: {removed, added}, actions: {removed, added}}], left_out}`. Positions refer to the new automaton; states,
/// checks and actions are as in a file. States are matched by name, and several states with one name are matched in
/// order.
#[must_use]
pub fn difference(old: &Automaton, new: &Automaton) -> Value {
    let (mut added, mut removed, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_taken = vec![false; old.states.len()];
    for (position, state) in new.states.iter().enumerate() {
        let mut places = old.states.iter().zip(&is_taken).enumerate();
        let place = places.position(|(_, (known, is_taken))| !is_taken && known.name == state.name);
        let found = place.and_then(|at| Some((old.states.get(at)?, is_taken.get_mut(at)?)));
        match found {
            None => added.push(state.to_json()),
            Some((known, is_taken)) => {
                *is_taken = true;
                changed.extend(change(known, state, position));
            }
        }
    }
    for (state, is_taken) in old.states.iter().zip(&is_taken) {
        if !is_taken {
            removed.push(Value::from(state.name.as_str()));
        }
    }
    let mut left_out = 0;
    for list in [&mut added, &mut removed, &mut changed] {
        left_out += list.len().saturating_sub(STATES_MAX);
        list.truncate(STATES_MAX);
    }
    json!({"added": added, "removed": removed, "changed": changed, "left_out": left_out})
}

fn change(old: &State, new: &State, position: usize) -> Option<Value> {
    // Both versions are compared in the same format, so that a state that was only rewritten counts as unchanged.
    let checks = |state: &State| state.checks.iter().map(Check::to_json).collect();
    let lines = |state: &State| state.lines.iter().map(Line::to_json).collect();
    let (checks, has_other_checks) = lists(checks(old), checks(new));
    let (actions, has_other_actions) = lists(lines(old), lines(new));
    (has_other_checks || has_other_actions).then(|| {
        json!({
            "name": new.name,
            "position": position,
            "checks": checks,
            "actions": actions,
        })
    })
}

/// Returns the members that only one of the lists has, as `{removed, added}`, and whether there are any.
fn lists(old: Vec<Value>, mut new: Vec<Value>) -> (Value, bool) {
    let mut removed = Vec::new();
    for part in old {
        match new.iter().position(|known| *known == part) {
            Some(at) => drop(new.remove(at)),
            None => removed.push(part),
        }
    }
    let is_any = !(removed.is_empty() && new.is_empty());
    (json!({"removed": removed, "added": new}), is_any)
}
