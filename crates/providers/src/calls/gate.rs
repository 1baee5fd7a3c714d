//! A gate before each attempt. While it is shut nothing new is sent; what was sent before is still
//! answered.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// A gate for every call of a run, which is open at first.
#[derive(Debug, Default)]
pub struct Gate {
    is_shut: Cell<bool>,
    waiting: RefCell<Vec<Waker>>,
}

impl Gate {
    /// Shuts the gate: no attempt passes until it is opened.
    pub fn shut(&self) {
        self.is_shut.set(true);
    }

    /// Opens the gate: every waiting attempt passes.
    pub fn open(&self) {
        self.is_shut.set(false);
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits while the gate is shut.
    pub async fn pass(&self) {
        poll_fn(|context| {
            if self.is_shut.get() {
                self.waiting.borrow_mut().push(context.waker().clone());
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::FutureExt as _;
    use futures::stream::{FuturesUnordered, StreamExt as _};

    #[test]
    fn who_waits_before_it_passes_once_it_is_open() {
        let gate = Gate::default();
        gate.shut();
        let mut waiting: FuturesUnordered<_> = (0..3).map(|_| gate.pass()).collect();
        assert_eq!(waiting.next().now_or_never(), None);
        gate.open();
        let passed = std::iter::from_fn(|| waiting.next().now_or_never().flatten());
        assert_eq!(passed.count(), 3);
        assert_eq!(gate.pass().now_or_never(), Some(()));
    }
}
