//! A semaphore that counts bytes. A task for which too few bytes are free waits, first come, first served.
//!
//! Waiting tasks poll instead of being woken. Runs are separate Durable Objects, and if code of one object woke a
//! task of another, that task would run in the first object's context. The platform refuses that ("Cannot perform I/O
//! on behalf of a different Durable Object").

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// The first and the longest time between two polls of a waiting task, in milliseconds. The time doubles after each
/// poll.
const LOOK_MS_MIN: u64 = 10;
const LOOK_MS_MAX: u64 = 160;

/// A number of bytes taken from the semaphore. They are released when the permit is dropped.
#[derive(Debug)]
pub struct BytePermit {
    semaphore: Rc<ByteSemaphore>,
    bytes: usize,
}

impl BytePermit {
    /// Releases the permit's bytes except this many.
    pub(super) fn shrink_to(&mut self, bytes: usize) {
        let spare = self.bytes.saturating_sub(bytes);
        self.bytes -= spare;
        self.semaphore.give_back(spare);
    }
}

impl Drop for BytePermit {
    fn drop(&mut self) {
        self.semaphore.give_back(self.bytes);
    }
}

/// A semaphore that counts bytes, with the queue of waiting tasks.
#[derive(Debug)]
pub(super) struct ByteSemaphore {
    bytes_max: usize,
    free_bytes: Cell<usize>,
    waiting: RefCell<VecDeque<Rc<Waiter>>>,
}

impl ByteSemaphore {
    /// Makes a semaphore with all of its `bytes_max` bytes free.
    pub(super) fn new(bytes_max: usize) -> Rc<Self> {
        Rc::new(Self {
            bytes_max,
            free_bytes: Cell::new(bytes_max),
            waiting: RefCell::default(),
        })
    }

    /// Returns the number of free bytes.
    #[cfg(test)]
    pub(super) fn free_bytes(&self) -> usize {
        self.free_bytes.get()
    }

    /// Waits in the queue until the bytes are free. A request for more bytes than the semaphore has gets all of them.
    pub(super) async fn reserve(
        self: &Rc<Self>,
        sleep: &impl AsyncFn(u64),
        bytes: usize,
    ) -> BytePermit {
        let place = Place::last(self, bytes.min(self.bytes_max));
        let mut look_ms = LOOK_MS_MIN;
        while !place.waiter.is_granted.get() {
            sleep(look_ms).await;
            look_ms = look_ms.saturating_mul(2).min(LOOK_MS_MAX);
        }
        // From here on the permit owns the bytes, so dropping the place must not release them.
        place.waiter.is_granted.set(false);
        BytePermit {
            semaphore: self.clone(),
            bytes: place.waiter.bytes,
        }
    }

    /// Takes the bytes at once; `None` if other tasks wait or too few bytes are free.
    pub(super) fn reserve_now(self: &Rc<Self>, bytes: usize) -> Option<BytePermit> {
        let left = self.free_bytes.get().checked_sub(bytes)?;
        if !self.waiting.borrow().is_empty() {
            return None;
        }
        self.free_bytes.set(left);
        Some(BytePermit {
            semaphore: self.clone(),
            bytes,
        })
    }

    fn give_back(&self, bytes: usize) {
        self.free_bytes.set(self.free_bytes.get() + bytes);
        self.serve();
    }

    /// Grants the first waiting tasks their bytes as long as enough bytes are free. No task overtakes another.
    fn serve(&self) {
        let mut waiting = self.waiting.borrow_mut();
        while let Some(first) = waiting.front() {
            let Some(left) = self.free_bytes.get().checked_sub(first.bytes) else {
                return;
            };
            self.free_bytes.set(left);
            first.is_granted.set(true);
            waiting.pop_front();
        }
    }
}

#[derive(Debug)]
struct Waiter {
    bytes: usize,
    /// Whether the waiting task's bytes were already taken from the free ones.
    is_granted: Cell<bool>,
}

/// A task's place in the queue. Dropping it leaves the queue and releases any granted bytes.
struct Place<'all> {
    semaphore: &'all ByteSemaphore,
    waiter: Rc<Waiter>,
}

impl<'all> Place<'all> {
    fn last(semaphore: &'all ByteSemaphore, bytes: usize) -> Self {
        let waiter = Rc::new(Waiter {
            bytes,
            is_granted: Cell::new(false),
        });
        semaphore.waiting.borrow_mut().push_back(waiter.clone());
        semaphore.serve();
        Self { semaphore, waiter }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.waiter.is_granted.get() {
            self.semaphore.give_back(self.waiter.bytes);
            return;
        }
        let is_other = |one: &Rc<Waiter>| !Rc::ptr_eq(one, &self.waiter);
        self.semaphore.waiting.borrow_mut().retain(is_other);
        self.semaphore.serve();
    }
}

/// One of the places of [`Turns`]. It is released when dropped.
#[derive(Debug)]
pub struct Turn {
    _permit: BytePermit,
}

/// A limited number of places, for which tasks wait in a queue.
#[derive(Debug)]
pub struct Turns(Rc<ByteSemaphore>);

impl Turns {
    /// Makes `places_max` places, all free.
    #[must_use]
    pub fn new(places_max: usize) -> Self {
        Self(ByteSemaphore::new(places_max))
    }

    /// Waits for a free place.
    pub async fn take(&self, sleep: &impl AsyncFn(u64)) -> Turn {
        Turn {
            _permit: self.0.reserve(sleep, 1).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::future::ready;

    use futures::FutureExt as _;

    /// Stands for a real sleep: is pending once and ready at the next poll.
    async fn sleep(_ms: u64) {
        let mut is_over = false;
        std::future::poll_fn(|_| {
            if std::mem::replace(&mut is_over, true) {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        })
        .await;
    }

    /// Compares the semaphore with a model queue under random arrivals, releases and cancellations.
    #[test]
    fn room_is_given_in_turn_and_never_more_than_there_is() {
        const ROOM: usize = 10;
        let mut random = numbers_from(7);
        for _ in 0..300 {
            let part = ByteSemaphore::new(ROOM);
            let mut waiting: Vec<(usize, _)> = Vec::new();
            let mut held: Vec<BytePermit> = Vec::new();
            for _ in 0..40 {
                match random() % 3 {
                    0 => {
                        let bytes = random() % ROOM + 1;
                        let mut future = Box::pin(part.reserve(&sleep, bytes));
                        match (&mut future).now_or_never() {
                            Some(permit) => held.push(permit),
                            None => waiting.push((bytes, future)),
                        }
                    }
                    1 if !held.is_empty() => {
                        held.swap_remove(random() % held.len());
                    }
                    _ if !waiting.is_empty() => {
                        drop(waiting.remove(random() % waiting.len()));
                    }
                    _ => {}
                }
                // Tasks are served in order as long as they fit, and no task behind one that does not fit is served.
                let mut used: usize = held.iter().map(|permit| permit.bytes).sum();
                let mut is_open = true;
                let mut still = Vec::new();
                for (bytes, mut future) in waiting {
                    is_open &= used + bytes <= ROOM;
                    let granted = (&mut future).now_or_never();
                    assert_eq!(granted.is_some(), is_open, "{bytes} beside {used}");
                    match granted {
                        Some(permit) => {
                            used += bytes;
                            held.push(permit);
                        }
                        None => still.push((bytes, future)),
                    }
                }
                waiting = still;
                assert_eq!(part.free_bytes(), ROOM - used);
            }
        }
    }

    /// Returns a generator of pseudo-random numbers that are the same on every machine.
    fn numbers_from(seed: u64) -> impl FnMut() -> usize {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(state >> 33).unwrap_or_default()
        }
    }

    #[test]
    fn who_comes_late_waits_until_a_place_is_left() {
        let turns = Turns::new(1);
        let first = turns.take(&async |_| ready(()).await).now_or_never();
        let first = RefCell::new(first);
        let waits = RefCell::new(0);
        let sleep = async |_| {
            let mut waits = waits.borrow_mut();
            *waits += 1;
            if *waits == 3 {
                first.borrow_mut().take();
            }
        };
        assert!(turns.take(&sleep).now_or_never().is_some());
        assert!(*waits.borrow() >= 3);
    }
}
