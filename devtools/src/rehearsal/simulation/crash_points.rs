//! The points of a run at which its process could die. At each, a copy of what the process would leave behind is made,
//! so that recovery is tested without repeating the part before the crash.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The virtual milliseconds until another process resumes a run whose process has died.
pub(super) const RESTART_MS: u64 = 7_000;

type Visit<Outside> = Rc<dyn Fn(Outside)>;

/// The visitor of a run's crash points, and the last point passed.
pub(super) struct CrashPoints<Outside> {
    visit: RefCell<Option<Visit<Outside>>>,
    effects: Cell<u32>,
    /// At the last point that was passed: the number of effects so far, and the time in milliseconds.
    last: Cell<Option<(u32, u64)>>,
}

impl<Outside> Default for CrashPoints<Outside> {
    fn default() -> Self {
        Self {
            visit: RefCell::default(),
            effects: Cell::default(),
            last: Cell::default(),
        }
    }
}

impl<Outside> CrashPoints<Outside> {
    /// Calls `visit` with the state at each crash point from now on.
    pub(super) fn show_to(&self, visit: impl Fn(Outside) + 'static) {
        self.visit.replace(Some(Rc::new(visit)));
    }

    /// Stops calling the visitor.
    pub(super) fn stop(&self) {
        self.visit.take();
    }

    /// Records that an operation has taken effect.
    pub(super) fn note_effect(&self) {
        self.effects.set(self.effects.get() + 1);
    }

    /// Visits the state that a process dying now would leave, unless nothing has taken effect and no time has passed
    /// since the last point.
    pub(super) fn pass(&self, now_ms: u64, left_behind: impl FnOnce() -> Outside) {
        let here = Some((self.effects.get(), now_ms));
        let is_new = self.last.replace(here) != here;
        let visit = self.visit.borrow().clone();
        if let (Some(visit), true) = (visit, is_new) {
            visit(left_behind());
        }
    }
}
