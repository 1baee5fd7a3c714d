//! Whether the box of a fallback is used: the place of an element that was never there is somebody else's.

use domain::page::Done;

use crate::machine::actions::{BrowserAction, Step};
use crate::machine::visit::{Turn, Visit};

use super::AutomatonRun;

const HAS_SECRET: &str = "the action has a secret in it";
const NEVER_THERE: &str =
    "the element was never there in this run; fallback='always' uses it all the same";

impl AutomatonRun {
    /// Returns an action with its fallback as it counts now. No box is typed into or chosen by a secret.
    pub(super) fn with_fallback_decided(&self, action: BrowserAction) -> BrowserAction {
        let Some(target) = action.target().filter(|it| it.fallback.is_some()) else {
            return action;
        };
        let secrets = &self.terms.parameters.secret;
        let is_certain = target.always_falls_back || self.seen_elements.has(&target.locator);
        let refused = if action.parameters().any(|name| secrets.contains(name)) {
            Some(HAS_SECRET)
        } else {
            (!is_certain).then_some(NEVER_THERE)
        };
        match refused {
            Some(why) => action.with_fallback_refused(why),
            None => action,
        }
    }

    /// Notes the element of an action that was carried out on it.
    pub(super) fn note_seen_target(&mut self, visit: Visit, done: &Done) {
        let turn = visit.turn(&self.automaton, &self.terms.parameters);
        let Turn::Do(_, Step::Act(action)) = turn else {
            return;
        };
        // Only scrolling to an element is done without it.
        let is_gone = matches!(action, BrowserAction::ScrollTo { .. }) && done.point.is_none();
        if let Some(locator) = action.locator()
            && !done.has_fallen_back
            && !is_gone
        {
            self.seen_elements.add(locator);
        }
    }
}
