//! The last look of a run that fails: what is gone from the page, and what is nearest to it.

use crate::engines::automaton::machine::dialect::Dialect;
use crate::engines::automaton::machine::drift::{Drift, Fault};
use crate::engines::automaton::machine::interface::{Action, Ending, Looked};
use crate::engines::automaton::machine::matching::{first_unmet, nearest_to_pass};
use crate::page::{BrowserGone, PageView};

use super::pending::Examined;
use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Looks at the page once more before the run ends, so that its end says what is gone. The original
    /// does not, and a run that may not look any more ends without it.
    pub(super) fn examine(&mut self, ending: Ending, failed: Option<(usize, Fault)>) {
        if self.terms.dialect != Dialect::Strict || self.automaton.states.is_empty() {
            return self.end(ending);
        }
        let action = Action::Look {
            queries: self.queries.clone(),
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
            self.note_failure(examined.failed, &looked.view);
        }
        self.end(examined.ending);
    }

    /// Notes what of a page is gone: what a part of a state looks for, or else what the state looks for
    /// that is nearest to passing; of several the one whose part is most like one on the page.
    pub(super) fn note_failure(&mut self, failed: Option<(usize, Fault)>, view: &PageView) {
        let failed = match failed {
            Some(failed) => vec![failed],
            None => nearest_to_pass(&self.automaton, &view.signals, &self.queries)
                .into_iter()
                .map(|(state, position)| (state, Fault::Check { position }))
                .collect(),
        };
        let mut worst: Option<Drift> = None;
        for (state, fault) in failed {
            let drift = Drift::of(&self.automaton, state, fault, view);
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
            self.note_failure(Some((state, Fault::Check { position })), view);
        }
    }
}
