//! The triggers of a state that was just made, chosen again where they hold on the page that follows it.

use crate::machine::interface::{Looked, WhyFailed};
use crate::machine::making::{Making, PageDigest, Stage};

use super::AutomatonRun;

impl AutomatonRun {
    /// Chooses the triggers of the state that was made last again, where the loop would end since that
    /// state has run and still passes on another page. Returns whether it does.
    pub(super) fn reviews(&mut self, why: &WhyFailed, looked: &Looked) -> bool {
        let passes = |state: usize| match why {
            WhyFailed::StateTimeout { state: known } => *known == state,
            WhyFailed::MultipleStates { states } => states.contains(&state),
            _ => false,
        };
        let last = self.walk.executed().last().copied();
        let now = PageDigest::of(&looked.view.signals);
        let is_fresh = |making: &mut Box<Making>| {
            let state = making.old.unwrap_or(0);
            last == Some(state) && passes(state) && now != making.first
        };
        let Some(mut making) = self.fresh.take_if(is_fresh) else {
            return false;
        };
        making.old = making.old.or(Some(0));
        making.is_inserted = false;
        making.is_review = true;
        if let Some(triggers) = making.triggers.as_mut() {
            triggers.tell_from(now);
        }
        making.go_to(Stage::Identifying);
        self.making = Some(making);
        self.refuse_triggers("The triggers chosen also hold on the page that follows the state.");
        true
    }

    /// Gives the state the triggers that were chosen again, and goes on.
    pub(super) fn end_review(&mut self) {
        let state = self.making.as_ref().and_then(|making| making.old);
        let state = state.unwrap_or(0);
        self.change_checks(state);
        self.making = None;
        self.tell_kept(state, None);
        self.begin_round(false);
    }
}
