//! The child runs of a workflow.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use domain::RunToken;
use engine::run::RecordLimits;
use settings::{Caps, Providers};

/// The terms for conducting a child run.
#[derive(Clone)]
pub(super) struct ChildTerms {
    pub(super) providers: Providers,
    pub(super) caps: Caps,
    pub(super) record: RecordLimits,
}

/// The child runs of one workflow, each with its environment.
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
    /// Allows child runs from now on.
    pub(super) fn allow(&self, terms: ChildTerms) {
        self.terms.replace(Some(terms));
    }

    /// Returns the terms for conducting runs, or `None` if none can be begun.
    pub(super) fn terms(&self) -> Option<ChildTerms> {
        self.terms.borrow().clone()
    }

    /// Begins a run, or finds it begun.
    pub(super) fn begin(&self, run: &RunToken, child: impl FnOnce() -> Outside) {
        let mut runs = self.runs.borrow_mut();
        runs.entry(run.to_string())
            .or_insert_with(|| Rc::new(child()));
    }

    /// Returns the run with this token.
    pub(super) fn get(&self, run: &RunToken) -> Option<Rc<Outside>> {
        self.runs.borrow().get(&run.to_string()).cloned()
    }

    /// Returns the next unused number.
    pub(super) fn next_number(&self) -> u8 {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        number
    }

    /// Counts the runs that match.
    pub(super) fn count(&self, is_so: impl Fn(&Outside) -> bool) -> usize {
        let runs = self.runs.borrow();
        runs.values().filter(|run| is_so(run)).count()
    }

    /// Counts the runs that were begun.
    pub(super) fn len(&self) -> usize {
        self.runs.borrow().len()
    }
}
