//! Virtual time: nothing waits; when nothing else is left to do, the next timer's time comes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A clock that only timers move.
#[derive(Debug)]
pub(super) struct Clock {
    now_ms: Cell<u64>,
    timers: RefCell<BTreeSet<(u64, u64)>>,
    last_timer: Cell<u64>,
}

/// Whether somebody called while the future was polled.
#[derive(Default)]
struct Call(AtomicBool);

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Clock {
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

    /// So long nobody is there.
    pub(super) fn pass(&self, ms: u64) {
        self.now_ms.set(self.now_ms.get().saturating_add(ms));
    }

    /// Polls to the end; none where it is broken off, as soon as that is so.
    pub(super) fn run<T>(
        &self,
        future: impl Future<Output = T>,
        is_broken_off: impl Fn() -> bool,
    ) -> Result<Option<T>, String> {
        let mut future = pin!(future);
        let call = Arc::new(Call::default());
        let waker = Waker::from(call.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            call.0.store(false, Ordering::Relaxed);
            let polled = future.as_mut().poll(&mut context);
            if is_broken_off() {
                return Ok(None);
            }
            if let Poll::Ready(output) = polled {
                return Ok(Some(output));
            }
            if call.0.load(Ordering::Relaxed) {
                continue;
            }
            let next = self.timers.borrow().first().copied();
            let (due_ms, _) = next.ok_or("the run waits for something that never comes")?;
            self.now_ms.set(due_ms.max(self.now_ms.get()));
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
    clock: &'clock Clock,
    entry: (u64, u64),
}

impl Future for Timer<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.clock.now_ms() >= self.entry.0 {
            return Poll::Ready(());
        }
        self.clock.timers.borrow_mut().insert(self.entry);
        Poll::Pending
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        self.clock.timers.borrow_mut().remove(&self.entry);
    }
}
