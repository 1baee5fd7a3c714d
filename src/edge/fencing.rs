//! Decides which of an object's conductors may write: the last one. A conductor that the platform
//! broke off may still be running.

use std::cell::Cell;
use std::rc::Rc;

/// A giver of tokens; each token makes those before it invalid.
#[derive(Default)]
pub(super) struct Fence {
    last: Rc<Cell<u32>>,
}

impl Fence {
    /// Returns the token of the next conductor.
    pub(super) fn next(&self) -> FencingToken {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        FencingToken {
            number,
            last: self.last.clone(),
        }
    }
}

/// The right to write, until another conductor has it.
#[derive(Clone)]
pub(super) struct FencingToken {
    number: u32,
    last: Rc<Cell<u32>>,
}

impl FencingToken {
    /// Returns whether no other conductor has begun since.
    pub(super) fn is_valid(&self) -> bool {
        self.last.get() == self.number
    }
}
