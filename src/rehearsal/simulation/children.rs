//! Runs that a workflow has begun.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::domain::RunToken;
use crate::run::RecordLimits;
use crate::settings::{Caps, Providers};

/// What a run that is begun is conducted with.
#[derive(Clone)]
pub(super) struct ChildTerms {
    pub(super) providers: Providers,
    pub(super) caps: Caps,
    pub(super) record: RecordLimits,
}

/// The runs that one workflow has begun, each with everything outside it.
pub(super) struct Children<Outside> {
    terms: RefCell<Option<ChildTerms>>,
    runs: RefCell<BTreeMap<String, Rc<Outside>>>,
    last: Cell<u8>,
}

impl<Outside> Default for Children<Outside> {
    fn default() -> Self {
        Self {
            terms: RefCell::default(),
            runs: RefCell::default(),
            last: Cell::default(),
        }
    }
}

impl<Outside> Children<Outside> {
    /// Runs can be begun from here on.
    pub(super) fn allow(&self, terms: ChildTerms) {
        self.terms.replace(Some(terms));
    }

    /// What they are conducted with, where they can be begun.
    pub(super) fn terms(&self) -> Option<ChildTerms> {
        self.terms.borrow().clone()
    }

    /// Begins a run, or finds it begun.
    pub(super) fn begin(&self, run: &RunToken, child: impl FnOnce() -> Outside) {
        let mut runs = self.runs.borrow_mut();
        runs.entry(run.to_string())
            .or_insert_with(|| Rc::new(child()));
    }

    /// The run of this token.
    pub(super) fn get(&self, run: &RunToken) -> Option<Rc<Outside>> {
        self.runs.borrow().get(&run.to_string()).cloned()
    }

    /// Another number than before.
    pub(super) fn next_number(&self) -> u8 {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        number
    }

    /// How many were begun.
    pub(super) fn len(&self) -> usize {
        self.runs.borrow().len()
    }
}
