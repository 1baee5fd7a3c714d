//! Turns: so many of something at once, first come, first served.

use std::rc::Rc;

use super::byte_semaphore::{BytePermit, ByteSemaphore};

/// A place among those that may be taken at once. Dropping it makes room for others.
#[derive(Debug)]
pub struct Turn {
    _permit: BytePermit,
}

/// The places that may be taken at once.
#[derive(Debug)]
pub struct Turns(Rc<ByteSemaphore>);

impl Turns {
    /// Makes so many places, all of which are free.
    #[must_use]
    pub fn new(places_max: usize) -> Self {
        Self(ByteSemaphore::new(places_max))
    }

    /// Waits for a place.
    pub async fn take(&self, sleep: &impl AsyncFn(u64)) -> Turn {
        Turn {
            _permit: self.0.reserve(sleep, 1).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::FutureExt as _;
    use std::cell::RefCell;
    use std::future::ready;

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
