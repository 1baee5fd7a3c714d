//! The last look of a run that fails: what is gone from the page, and what is nearest to it.

use domain::page::{BrowserGone, PageView, Query};

use crate::machine::drift::{Drift, Fault, presence};
use crate::machine::interface::{Action, Ending, Looked};
use crate::machine::matching::{first_unmet, nearest_to_pass};

use super::pending::Examined;
use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Looks at the page once more before the run ends, so that its end says what is gone. Where no part of a
    /// state is known to have failed, it is what the state looks for that is nearest to passing. A run
    /// that may not look any more ends without it.
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
        match self.commands.begin(action, &mut self.budget) {
            Ok(()) => self.phase = Phase::Examining(Examined { ending, failed }),
            Err(_) => self.end(ending),
        }
    }

    /// Ends the run that was to end.
    pub(super) fn conclude(&mut self, examined: Examined, result: Result<Looked, BrowserGone>) {
        if let Ok(looked) = result {
            self.note_failure(&examined.failed, &looked.view);
        }
        self.end(examined.ending);
    }

    /// Returns the checks for which the states that are nearest to passing do not pass.
    pub(super) fn nearest_faults(&self, view: &PageView) -> Vec<(usize, Fault)> {
        nearest_to_pass(&self.automaton, &view.signals, &self.queries)
            .into_iter()
            .map(|(state, position)| (state, Fault::Check { position }))
            .collect()
    }

    /// Returns the questions of a look after which it is told what is gone: whether what these parts look for
    /// is there, too.
    pub(super) fn queries_for(&self, failed: &[(usize, Fault)]) -> Vec<Query> {
        let presence = |(state, fault): &(usize, Fault)| presence(&self.automaton, *state, *fault);
        let mut queries = self.queries.clone();
        queries.extend(failed.iter().filter_map(presence));
        queries
    }

    /// Notes what of a page is gone that parts of states look for; of several the one that is most like
    /// something on the page. The page was asked the questions for these parts.
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

    /// Notes the check of a state for which a page does not pass it.
    pub(super) fn note_unmet(&mut self, state: usize, view: &PageView) {
        let unmet = first_unmet(&self.automaton, state, &view.signals, &self.queries);
        if let Some(position) = unmet {
            self.note_failure(&[(state, Fault::Check { position })], view);
        }
    }
}
