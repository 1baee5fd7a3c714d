//! Wakes the tasks that wait for something to change.

use std::cell::RefCell;
use std::task::{Poll, Waker};

/// A list of waiting tasks. Its owner notifies it whenever what they wait for has changed.
#[derive(Debug, Default)]
pub struct Notify {
    waiting: RefCell<Vec<Waker>>,
}

impl Notify {
    /// Wakes every task that waits by now.
    pub fn notify_all(&self) {
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits until `is_so` is true, which is looked at now and after each notification.
    pub async fn wait_until(&self, is_so: impl Fn() -> bool) {
        std::future::poll_fn(|context| {
            if is_so() {
                return Poll::Ready(());
            }
            let mut waiting = self.waiting.borrow_mut();
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}
