//! Virtual time: the clock jumps to the next timer when all tasks wait.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// The longest time that anything simulated takes, in milliseconds.
const DAY_MS: u64 = 86_400_000;

/// A clock that only advances to timers.
#[derive(Debug)]
pub(super) struct VirtualClock {
    now_ms: Cell<u64>,
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
    last_timer: Cell<u64>,
}

/// Whether the future was woken while being polled.
#[derive(Default)]
struct WakeFlag(AtomicBool);

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl VirtualClock {
    pub(super) fn new(now_ms: u64) -> Self {
        Self {
            now_ms: Cell::new(now_ms),
            timers: RefCell::default(),
            last_timer: Cell::new(0),
        }
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.now_ms.get()
    }

    /// Polls a future to its end, advancing to the next timer whenever it waits.
    ///
    /// Fails if the future waits for something that never happens.
    pub(super) fn run<T>(&self, future: impl Future<Output = T>) -> Result<T, String> {
        let began_ms = self.now_ms();
        let mut future = pin!(future);
        let wake_flag = Arc::new(WakeFlag::default());
        let waker = Waker::from(wake_flag.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            wake_flag.0.store(false, Ordering::Relaxed);
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return Ok(output);
            }
            if wake_flag.0.load(Ordering::Relaxed) {
                continue;
            }
            let next = self.timers.borrow_mut().pop_first();
            let ((due_ms, _), timer) = next.ok_or("it waits for something that never comes")?;
            self.now_ms.set(due_ms.max(self.now_ms()));
            if self.now_ms() - began_ms > DAY_MS {
                return Err("it goes on for a day".to_owned());
            }
            timer.wake();
        }
    }

    pub(super) fn sleep(&self, ms: u64) -> Timer<'_> {
        self.last_timer.set(self.last_timer.get() + 1);
        Timer {
            clock: self,
            entry: (self.now_ms.get().saturating_add(ms), self.last_timer.get()),
        }
    }
}

pub(super) struct Timer<'clock> {
    clock: &'clock VirtualClock,
    entry: (u64, u64),
}

impl Future for Timer<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.clock.now_ms() >= self.entry.0 {
            return Poll::Ready(());
        }
        let mut timers = self.clock.timers.borrow_mut();
        timers.insert(self.entry, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        self.clock.timers.borrow_mut().remove(&self.entry);
    }
}
