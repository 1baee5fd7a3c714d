//! What follows where nobody knows whether an action was carried out: the page is looked at, and says
//! where the run is. An action that may have been done is never done twice, unless it may be repeated.

use crate::machine::actions::{BrowserAction, Step};
use crate::machine::interface::{Decision, Looked, NoticeKind, OnUnknown, Place, WhyFailed};
use crate::machine::visit::{Turn, Visit};

use super::{AutomatonRun, Phase};

/// The most browsers of a run.
const BROWSERS_MAX: u32 = 3;

impl AutomatonRun {
    /// Goes on without the browser, which is gone: a new one begins from the start where no action was
    /// sent. The next look opens it.
    pub(super) fn lose_browser(&mut self, says: String) {
        self.give_back_unfinished();
        // The browser might have answered, had the run had the time or the money to wait for it.
        if let Some(refusal) = self.budget.take_cut() {
            return self.refuse(refusal);
        }
        self.lost_browsers = self.lost_browsers.saturating_add(1);
        let has_acted = self.budget.spent(0).actions > 0;
        if has_acted || self.lost_browsers >= BROWSERS_MAX {
            return self.fail(WhyFailed::Browser, says);
        }
        let message = format!("The browser is gone, and a new one begins from the start: {says}");
        self.trace.warn(None, message);
        self.begin_loop();
    }

    /// Looks at the page, since nobody knows whether the action under way was carried out.
    pub(super) fn recover(&mut self) {
        let Phase::Acting(visit) = self.phase else {
            return;
        };
        let place = visit.place();
        self.trace.tell(NoticeKind::Recovering { place });
        self.look(Phase::Recovering(visit));
    }

    /// Takes a state up again whose last action may have been carried out.
    pub(super) fn take_up(&mut self, visit: Visit, looked: &Looked) {
        let passed = self.passed(looked);
        let still_passes = passed.states.contains(&visit.state);
        let is_safe = self.is_repeatable(visit) || self.terms.on_unknown == OnUnknown::Again;
        let place = visit.place();
        match (still_passes, is_safe) {
            (true, true) => {
                self.tell_look(looked, passed.states, Decision::Run);
                let message = format!("action {} is carried out again.", place.line);
                self.trace.warn(Some(visit.state), message);
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

    /// Leaves a state behind that the page is no longer in: its last action was probably carried out.
    fn leave_behind(&mut self, visit: Visit) {
        if visit.pass().is_over(&self.automaton) {
            return self.go_on(visit.pass());
        }
        let message = "the page is no longer in it, so its other actions are left out.";
        self.trace.warn(Some(visit.state), message);
        self.walk.note(visit.state);
        self.pages.leave();
        let state = visit.state;
        self.trace.tell(NoticeKind::StateLeft { state });
        self.begin_round(true);
    }

    fn is_repeatable(&self, visit: Visit) -> bool {
        match visit.turn(&self.automaton, &self.terms.parameters) {
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
            _ => "the key".to_owned(),
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
        match visit.turn(&self.automaton, &self.terms.parameters) {
            Turn::Do(_, Step::Act(action)) => Some(action),
            _ => None,
        }
    }
}
