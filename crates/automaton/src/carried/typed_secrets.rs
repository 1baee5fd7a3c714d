//! The secrets of one run: which of them pages may show, and how they are kept out of all that is told.

use std::cell::RefCell;
use std::collections::BTreeSet;

use domain::Secret;
use engine::{NoteWriter, RunToCarry};
use mask::Mask;
use platform::WriteError;

use crate::stored::{AutomatonEngine, AutomatonNote};

use super::values::Values;

/// The secrets of one run, among the values of its parameters.
pub(super) struct TypedSecrets<'run> {
    note: NoteWriter<'run, AutomatonEngine>,
    values: Values,
    mask: Mask,
    /// The secrets that pages may show, since an action had them.
    typed: RefCell<BTreeSet<String>>,
}

impl<'run> TypedSecrets<'run> {
    /// Returns the secrets of a run as its journal tells them; `sent` gives those that this process was sent.
    pub(super) fn of(
        run: &RunToCarry<'run, '_, AutomatonEngine>,
        sent: impl Fn(&str) -> Option<Secret>,
    ) -> Self {
        let order = run.order;
        let kept = &run.providers.kept_secrets;
        let (names, sent_names) = (order.secrets(), order.sent());
        let values = Values::new(order.parameters(), names, sent_names, kept, sent);
        let typed = run.notes.iter().filter_map(|note| match note {
            AutomatonNote::Typed { secret } => Some(secret.clone()),
            _ => None,
        });
        Self {
            note: run.note,
            mask: Mask::new(&values.secrets()),
            values,
            typed: RefCell::new(typed.collect()),
        }
    }

    /// Returns the values of the run's parameters.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Returns what hides the secrets in all that is told or kept.
    pub(super) fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Returns whether any secret was used in an action of the run, in this process or an earlier one.
    pub(super) fn has_typed(&self) -> bool {
        !self.typed.borrow().is_empty()
    }

    /// Returns why pages can be neither looked at nor acted on: a secret was typed that this process does not
    /// know, so that nobody could mask it.
    pub(super) fn why_blind(&self) -> Option<String> {
        let typed = self.typed.borrow();
        let lost = typed.iter().find(|name| !self.values.knows(name))?;
        Some(format!(
            "the secret {lost} was typed, and is gone with the process that had it, so that nobody could \
             keep what the page shows of it out of this run. Look at what the page has done before the \
             run is started again"
        ))
    }

    /// Writes down which secrets pages may show from here on.
    pub(super) fn note_typed(&self, names: &[String]) -> Result<(), WriteError> {
        for name in names {
            if self.typed.borrow_mut().insert(name.clone()) {
                (self.note)(AutomatonNote::Typed {
                    secret: name.clone(),
                })?;
            }
        }
        Ok(())
    }
}
