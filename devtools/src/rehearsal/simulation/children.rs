//! The runs that a workflow has begun.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use domain::RunToken;
use engine::run::RecordLimits;
use settings::{Caps, Providers};

/// The terms under which a begun run is conducted.
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
    /// Allows runs to be begun from here on.
    pub(super) fn allow(&self, terms: ChildTerms) {
        self.terms.replace(Some(terms));
    }

    /// Returns the terms under which runs are conducted, or `None` where none can be begun.
    pub(super) fn terms(&self) -> Option<ChildTerms> {
        self.terms.borrow().clone()
    }

    /// Begins a run, or finds it where it was begun before.
    pub(super) fn begin(&self, run: &RunToken, child: impl FnOnce() -> Outside) {
        let mut runs = self.runs.borrow_mut();
        runs.entry(run.to_string())
            .or_insert_with(|| Rc::new(child()));
    }

    /// Returns the run of this token.
    pub(super) fn get(&self, run: &RunToken) -> Option<Rc<Outside>> {
        self.runs.borrow().get(&run.to_string()).cloned()
    }

    /// Returns a number that differs from the one before.
    pub(super) fn next_number(&self) -> u8 {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        number
    }

    /// Returns the number of runs of which this is so.
    pub(super) fn count(&self, is_so: impl Fn(&Outside) -> bool) -> usize {
        let runs = self.runs.borrow();
        runs.values().filter(|run| is_so(run)).count()
    }

    /// Returns the number of runs that were begun.
    pub(super) fn len(&self) -> usize {
        self.runs.borrow().len()
    }
}
