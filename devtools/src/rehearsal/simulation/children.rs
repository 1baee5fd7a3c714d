//! The child runs that a workflow begins.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use domain::RunToken;
use engine::run::RecordLimits;
use settings::{Caps, Providers};

/// What is needed to conduct a child run.
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

    /// Returns what is needed to conduct child runs, or `None` if they are not allowed.
    pub(super) fn terms(&self) -> Option<ChildTerms> {
        self.terms.borrow().clone()
    }

    /// Begins the child run with this token, unless it was begun before.
    pub(super) fn begin(&self, run: &RunToken, child: impl FnOnce() -> Outside) {
        let mut runs = self.runs.borrow_mut();
        runs.entry(run.to_string())
            .or_insert_with(|| Rc::new(child()));
    }

    /// Returns the run with this token.
    pub(super) fn get(&self, run: &RunToken) -> Option<Rc<Outside>> {
        self.runs.borrow().get(&run.to_string()).cloned()
    }

    /// Returns the next number that no child run has.
    pub(super) fn next_number(&self) -> u8 {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        number
    }

    /// Returns the number of child runs for which `is_so` holds.
    pub(super) fn count(&self, is_so: impl Fn(&Outside) -> bool) -> usize {
        let runs = self.runs.borrow();
        runs.values().filter(|run| is_so(run)).count()
    }

    /// Returns the number of child runs that were begun.
    pub(super) fn len(&self) -> usize {
        self.runs.borrow().len()
    }
}
