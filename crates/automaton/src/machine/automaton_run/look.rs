//! What follows from a look: the loop's decision, how to continue a state after an action that may have been executed,
//! and the report of what was missing when the run fails.
//!
//! An action that may have been executed is never repeated, unless it is repeatable.

use std::collections::BTreeSet;

use domain::page::{BrowserGone, Condition, PageView, Query, Signals};

use crate::machine::actions::{BrowserAction, Locator, Step};
use crate::machine::drift::{Drift, Fault, presence};
use crate::machine::grammar::Text;
use crate::machine::interface::{
    Action, Decision, Ending, Looked, NoticeKind, OnUnknown, Pause, Place, Unmet, WhyFailed,
};
use crate::machine::states::{Automaton, Line};
use crate::machine::walk::{Next, Passed, Walk, first_unmet, nearest_to_pass, passed};

use super::visit::{Turn, Visit};
use super::{AutomatonRun, Examined, Phase};

/// The most actions with a fallback whose elements one look queries.
const FALLBACKS_MAX: usize = 200;
/// The most browsers that a run opens, one after the other.
const BROWSERS_MAX: u32 = 3;

impl AutomatonRun {
    /// Begins the loop of looks and states with an immediate look.
    pub(super) fn begin_loop(&mut self) {
        self.walk = Walk::default();
        if self.automaton.states.is_empty() {
            return self.end_loop(WhyFailed::NoStatesProvided, Vec::new());
        }
        self.begin_round(false);
    }

    /// Begins the next round of the loop: a look, after a wait if `waits`.
    pub(super) fn begin_round(&mut self, waits: bool) {
        if self.walk.is_over(&self.terms.settings) {
            let limit = self.terms.settings.recursion_limit;
            let message = format!("The run has executed all of its {limit} states.");
            return self.fail(WhyFailed::RecursionLimit, message);
        }
        let ms = self.terms.settings.transition_period_ms;
        if waits && ms > 0 {
            self.wait(ms, Pause::Transition, Phase::Pausing);
        } else {
            self.look(Phase::Looking);
        }
    }

    pub(super) fn look(&mut self, phase: Phase) {
        let look = self.look_action();
        self.begin(look, phase);
    }

    fn look_action(&self) -> Action {
        Action::Look {
            queries: self.queries.clone(),
            wants_elements: false,
            wants_picture: self.terms.keeps_pictures,
        }
    }

    /// Ends the run with the message of a state's end. If the state has acted since the last look and the budget allows
    /// it, looks at the result first.
    pub(super) fn close(&mut self, message: String) {
        let mut look = self.look_action();
        if let Action::Look { queries, .. } = &mut look {
            // No action follows this look, so there is no reason to wait for elements.
            for query in queries {
                query.timeout_ms = 0;
            }
        }
        if self.has_acted_unseen && self.send(look).is_ok() {
            self.phase = Phase::Closing(message);
        } else {
            self.complete(message);
        }
    }

    /// Handles the look at the result of the last actions, and ends the run with the message.
    pub(super) fn take_last_look(&mut self, message: String, looked: &Looked) {
        let signals = &looked.view.signals;
        let passed = passed(&self.automaton, signals, &self.queries);
        self.tell_look(looked, passed.states, Decision::End);
        self.complete(message);
    }

    pub(super) fn wait(&mut self, ms: u64, pause: Pause, phase: Phase) {
        self.tell(NoticeKind::Waiting { ms, pause });
        self.begin(Action::Wait { ms }, phase);
    }

    /// Decides by a look how the loop continues.
    pub(super) fn decide(&mut self, looked: &Looked) {
        let passed = self.passed(looked);
        let terms = &self.terms;
        let next = self.walk.decide(
            &passed.states,
            self.budget.meter.runtime_ms,
            &self.automaton,
            &terms.settings,
        );
        self.remember(&looked.view, passed.states.first().copied());
        self.tell_look(looked, passed.states, next.decision());
        match next {
            Next::Run(state) => {
                self.prove_again(state);
                self.enter(state);
            }
            Next::Wait => self.begin_round(true),
            Next::Repeat(state, surprise) => {
                if let Some(surprise) = surprise {
                    self.warn(Some(state), surprise);
                }
                self.begin_round(true);
            }
            Next::End(why) => {
                if !self.reviews(&why, looked) {
                    self.end_loop(why, passed.unmet);
                }
            }
        }
    }

    /// Ends the loop. This also ends the run, unless models can make a state for the page.
    fn end_loop(&mut self, why: WhyFailed, unmet: Vec<Unmet>) {
        if self.can_make(&why) {
            return self.begin_composing(why);
        }
        let message = self.says(&why);
        let is_missing = why == WhyFailed::NoStatesTimeout;
        let ending = Ending::Failed {
            why,
            message,
            unmet,
        };
        if is_missing {
            self.examine(ending, None);
        } else {
            self.end(ending);
        }
    }

    pub(super) fn passed(&self, looked: &Looked) -> Passed {
        passed(&self.automaton, &looked.view.signals, &self.queries)
    }

    pub(super) fn tell_look(&mut self, looked: &Looked, passed: Vec<usize>, decision: Decision) {
        self.tell(NoticeKind::Looked {
            url: looked.view.signals.url.clone(),
            picture: looked.picture.clone(),
            passed,
            decision,
        });
    }

    /// Continues after a lost browser. If no action was sent, the loop begins again in a new browser; otherwise the run
    /// fails.
    pub(super) fn lose_browser(&mut self, says: String) {
        self.give_back_unfinished();
        // The look may have failed only because it had too little time or money left, which is then the reason to
        // report.
        if let Some(refusal) = self.budget.take_cut() {
            return self.refuse(refusal);
        }
        self.lost_browsers = self.lost_browsers.saturating_add(1);
        let has_acted = self.budget.spent(0).actions > 0;
        if has_acted || self.lost_browsers >= BROWSERS_MAX {
            return self.fail(WhyFailed::Browser, says);
        }
        let message = format!("The browser is gone, and a new one begins from the start: {says}");
        self.warn(None, message);
        self.begin_loop();
    }

    /// Looks at the page, since it is unknown whether the action in flight was executed.
    pub(super) fn recover(&mut self) {
        let visit = match self.phase {
            Phase::Acting(visit) => visit,
            // Counting changes nothing, so it is done again.
            Phase::Counting(state) => return self.begin_visit(state),
            _ => return,
        };
        let place = visit.place();
        self.tell(NoticeKind::Recovering { place });
        self.look(Phase::Recovering(visit));
    }

    /// Continues a state after an action that may have been executed, by a look at the page.
    pub(super) fn take_up(&mut self, visit: Visit, looked: &Looked) {
        let passed = self.passed(looked);
        let still_passes = passed.states.contains(&visit.state);
        let is_safe = self.is_repeatable(visit) || self.terms.on_unknown == OnUnknown::Again;
        let place = visit.place();
        match (still_passes, is_safe) {
            (true, true) => {
                self.tell_look(looked, passed.states, Decision::Run);
                let message = format!("action {} is carried out again.", place.line);
                self.warn(Some(visit.state), message);
                self.act(visit);
            }
            (true, false) => {
                self.tell_look(looked, passed.states, Decision::End);
                let message = self.where_to_look(place);
                self.fail(WhyFailed::UnknownOutcome { place }, message);
            }
            (false, _) => {
                self.tell_look(looked, passed.states, Decision::Wait);
                self.leave_behind(visit);
            }
        }
    }

    /// Leaves a state that no longer matches the page, since its last action was probably executed.
    fn leave_behind(&mut self, visit: Visit) {
        let next = visit.pass();
        if next.is_over(&self.automaton) && next.next_round().is_none() {
            return self.go_on(next);
        }
        let message = "the page is no longer in it, so its other actions are left out.";
        self.warn(Some(visit.state), message);
        self.walk.note(visit.state);
        self.pages.leave();
        let state = visit.state;
        self.tell(NoticeKind::StateLeft { state });
        self.begin_round(true);
    }

    fn is_repeatable(&self, visit: Visit) -> bool {
        match self.turn(visit) {
            Turn::Do(_, Step::Act(action)) => action.is_repeatable(),
            _ => true,
        }
    }

    fn where_to_look(&self, place: Place) -> String {
        let visit_name = self.name(place.state);
        let what = match self.action_at(place) {
            Some(BrowserAction::Click { target, .. }) => format!("the click on {}", target.locator),
            Some(BrowserAction::Type { target, .. }) => {
                format!("the text typed into {}", target.locator)
            }
            Some(BrowserAction::PressKey { .. }) => "the key".to_owned(),
            _ => "it".to_owned(),
        };
        format!(
            "Action {} of state {visit_name} was sent, and nobody knows whether it was carried out. \
             Look at whether {what} has had its effect.",
            place.line
        )
    }

    fn action_at(&self, place: Place) -> Option<BrowserAction> {
        let mut visit = Visit::begin(place.state);
        while visit.place().line < place.line {
            visit = visit.pass();
        }
        match self.turn(visit) {
            Turn::Do(_, Step::Act(action)) => Some(action),
            _ => None,
        }
    }

    /// Looks at the page once more before the run ends, to report what is missing. If `failed` names no failed part of
    /// a state, the unmet checks of the states nearest to matching count as failed. If the budget allows no look, the
    /// run ends without a report.
    pub(super) fn examine(&mut self, ending: Ending, failed: Option<(usize, Fault)>) {
        if self.automaton.states.is_empty() {
            return self.end(ending);
        }
        let failed = match (failed, &self.last_look) {
            (Some(failed), _) => vec![failed],
            (None, Some(last)) => self.nearest_faults(&last.view),
            (None, None) => Vec::new(),
        };
        let action = Action::Look {
            queries: self.queries_for(&failed),
            wants_elements: true,
            wants_picture: self.terms.keeps_pictures,
        };
        match self.send(action) {
            Ok(()) => self.phase = Phase::Examining(Examined { ending, failed }),
            Err(_) => self.end(ending),
        }
    }

    /// Ends the run after the look of [`Self::examine`].
    pub(super) fn conclude(&mut self, examined: Examined, result: Result<Looked, BrowserGone>) {
        if let Ok(looked) = result {
            self.note_failure(&examined.failed, &looked.view);
        }
        self.end(examined.ending);
    }

    /// Returns the unmet checks of the states nearest to matching.
    pub(super) fn nearest_faults(&self, view: &PageView) -> Vec<(usize, Fault)> {
        nearest_to_pass(&self.automaton, &view.signals, &self.queries)
            .into_iter()
            .map(|(state, position)| (state, Fault::Check { position }))
            .collect()
    }

    /// Returns the queries of a look that examines these failed parts: the queries of every look, and for each part one
    /// that checks whether its element is present.
    pub(super) fn queries_for(&self, failed: &[(usize, Fault)]) -> Vec<Query> {
        let presence = |(state, fault): &(usize, Fault)| presence(&self.automaton, *state, *fault);
        let mut queries = self.queries.clone();
        queries.extend(failed.iter().filter_map(presence));
        queries
    }

    /// Records the failed part whose missing element is most similar to something on the page. The look must have made
    /// the queries of [`Self::queries_for`].
    pub(super) fn note_failure(&mut self, failed: &[(usize, Fault)], view: &PageView) {
        let queries = self.queries_for(failed);
        let mut worst: Option<Drift> = None;
        for (state, fault) in failed {
            let drift = Drift::of(&self.automaton, *state, *fault, view, &queries);
            let is_nearer = |drift: &Drift| {
                let known = worst.as_ref();
                known.is_none_or(|known| known.likeness_permille() < drift.likeness_permille())
            };
            if let Some(drift) = drift.filter(is_nearer) {
                worst = Some(drift);
            }
        }
        if let Some(drift) = worst {
            self.changes.add_failure(&drift);
        }
    }

    /// Records the first check of a state that does not hold on a page.
    pub(super) fn note_unmet(&mut self, state: usize, view: &PageView) {
        let unmet = first_unmet(&self.automaton, state, &view.signals, &self.queries);
        if let Some(position) = unmet {
            self.note_failure(&[(state, Fault::Check { position })], view);
        }
    }
}

/// The elements that were found during a run, by their locators.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenElements {
    /// The locators as written in the file, with references instead of the values of parameters.
    locators: BTreeSet<String>,
}

impl SeenElements {
    pub(super) fn has(&self, locator: &Locator) -> bool {
        self.locators.contains(&locator.to_string())
    }

    pub(super) fn add(&mut self, locator: &Locator) {
        self.locators.insert(locator.to_string());
    }

    /// Adds the elements that were found by a look with these queries.
    pub(super) fn add_seen(&mut self, queries: &[Query], signals: &Signals) {
        for query in signals.found.iter().filter_map(|at| queries.get(*at)) {
            self.add(&Locator {
                by: query.by,
                selector: Text::literal(query.selector.as_str()),
            });
        }
    }
}

/// Returns the queries that each look makes: those of the checks, and one for each element of an action with a
/// fallback.
pub(super) fn look_queries(automaton: &Automaton) -> Vec<Query> {
    let mut queries = automaton.queries();
    for locator in with_fallbacks(automaton).take(FALLBACKS_MAX) {
        let Some(selector) = locator.selector.as_literal() else {
            continue;
        };
        let query = Query {
            by: locator.by,
            selector: selector.to_owned(),
            condition: Condition::Present,
            timeout_ms: 0,
        };
        if !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}

/// Returns the locators of the actions with a fallback.
fn with_fallbacks(automaton: &Automaton) -> impl Iterator<Item = &Locator> {
    let lines = automaton.states.iter().flat_map(|state| &state.lines);
    lines.filter_map(|line| match line {
        Line::Call {
            step: Ok(Step::Act(action)),
            ..
        } => {
            let target = action.target()?;
            target.fallback.as_ref().map(|_| &target.locator)
        }
        _ => None,
    })
}
