//! What the runs of one isolate share: turns, paces, and memory for photos, of which an isolate has 128 MB for
//! everything.
//!
//! A photo's bytes are reserved before they are there, in one of three parts: while it arrives, while
//! it is kept until the run sends it, and while the recogniser has it. Its decoded picture has a fourth.
//! A run that finds a part full waits, first come, first served. No run waits for ever: a photo that arrives ends by its time or
//! goes on to be sent, a photo that is sent waits for no other, and to keep a photo no run waits at
//! all.
//!
//! The `sleep` that each function is given waits for so many milliseconds.

mod pace;
mod semaphore;

use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Poll, Waker};

use semaphore::ByteSemaphore;

pub use pace::{NoTurn, Pace, Paces};
pub use semaphore::{BytePermit, Turn, Turns};

/// The largest photo that the recogniser takes, in bytes.
pub const IMAGE_BYTES_MAX: usize = 5_242_880;
/// The largest photo that the platform converts for the recogniser, in bytes.
pub const CONVERTED_BYTES_MAX: usize = 10 * 1024 * 1024;
/// The bytes for photos that arrive: two of the largest.
const ARRIVING_BYTES_MAX: usize = 12 * 1024 * 1024;
/// The bytes for photos that wait until their runs send them; a larger photo is fetched again.
const KEPT_BYTES_MAX: usize = 12 * 1024 * 1024;
/// The bytes for pictures that were decoded from kept photos; where there are more, photos are decoded
/// again. They take no room from the photos, which would have to be fetched again.
const PICTURE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// The bytes for photos that the recogniser has: two of the largest.
const SENT_BYTES_MAX: usize = 40 * 1024 * 1024;

/// The memory that the photos of an isolate may take.
#[derive(Debug)]
pub struct PhotoPool {
    arriving: Rc<ByteSemaphore>,
    kept: Rc<ByteSemaphore>,
    pictures: Rc<ByteSemaphore>,
    sent: Rc<ByteSemaphore>,
}

impl Default for PhotoPool {
    fn default() -> Self {
        Self {
            arriving: ByteSemaphore::new(ARRIVING_BYTES_MAX),
            kept: ByteSemaphore::new(KEPT_BYTES_MAX),
            pictures: ByteSemaphore::new(PICTURE_BYTES_MAX),
            sent: ByteSemaphore::new(SENT_BYTES_MAX),
        }
    }
}

impl PhotoPool {
    /// Makes a pool so small that a single photo fills it, and none is kept, for rehearsals.
    #[must_use]
    pub fn of_one_photo() -> Self {
        Self {
            arriving: ByteSemaphore::new(1),
            kept: ByteSemaphore::new(0),
            pictures: ByteSemaphore::new(0),
            sent: ByteSemaphore::new(1),
        }
    }

    /// Waits while other photos wait for room to arrive: a run that asks for a photo and does not
    /// read it keeps its host waiting.
    pub async fn to_ask(&self, sleep: &impl AsyncFn(u64)) {
        drop(self.arriving.reserve(sleep, 1).await);
    }

    /// Waits for room for so many bytes to come.
    pub async fn to_arrive(&self, sleep: &impl AsyncFn(u64), bytes: usize) -> BytePermit {
        self.arriving.reserve(sleep, bytes).await
    }

    /// Reserves room for so many bytes to come. Returns `None` where that would need a wait.
    #[must_use]
    pub fn to_arrive_now(&self, bytes: usize) -> Option<BytePermit> {
        self.arriving.reserve_now(bytes)
    }

    /// Keeps a photo that arrived and will be sent later. Returns `None` where there is no room for
    /// it now.
    #[must_use]
    pub fn keep(&self, photo: HeldPhoto) -> Option<HeldPhoto> {
        let permit = self.kept.reserve_now(photo.bytes.len())?;
        Some(HeldPhoto {
            bytes: photo.bytes,
            _permit: permit,
        })
    }

    /// Reserves room for the decoded picture of a photo, of so many bytes. Returns `None` where there is
    /// none now.
    #[must_use]
    pub fn keep_picture(&self, bytes: usize) -> Option<BytePermit> {
        self.pictures.reserve_now(bytes)
    }

    /// Waits for room for a photo on its way up. There it is in memory nearly four times: as it came,
    /// in base64, and as the platform has that.
    pub async fn to_send(&self, sleep: &impl AsyncFn(u64), photo: HeldPhoto) -> HeldPhoto {
        let bytes = photo.bytes.len().saturating_mul(11) / 3;
        let permit = self.sent.reserve(sleep, bytes).await;
        HeldPhoto {
            bytes: photo.bytes,
            _permit: permit,
        }
    }
}

/// A photo's bytes, and the room that they take.
#[derive(Debug)]
pub struct HeldPhoto {
    bytes: Vec<u8>,
    _permit: BytePermit,
}

impl HeldPhoto {
    /// Holds these bytes, which came with that permit. The room that they do not need is given back.
    #[must_use]
    pub fn new(bytes: Vec<u8>, mut permit: BytePermit) -> Self {
        permit.shrink_to(bytes.len());
        Self {
            bytes,
            _permit: permit,
        }
    }

    /// Holds other bytes in place of these: the same photo in another format. Room for what they take more is
    /// reserved once the photo is kept or sent.
    #[must_use]
    pub fn converted(self, bytes: Vec<u8>) -> Self {
        Self { bytes, ..self }
    }

    /// Returns the file's bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    async fn sleep(_ms: u64) {
        std::future::pending::<()>().await;
    }

    fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        future.now_or_never()
    }

    fn arrived(pool: &PhotoPool, bytes: usize) -> HeldPhoto {
        let permit = now(pool.to_arrive(&sleep, bytes)).unwrap();
        HeldPhoto::new(vec![0; bytes], permit)
    }

    #[test]
    fn what_a_photo_does_not_need_is_given_back() {
        let pool = PhotoPool::default();
        let permit = now(pool.to_arrive(&sleep, ARRIVING_BYTES_MAX)).unwrap();
        assert!(now(pool.to_arrive(&sleep, 1)).is_none());
        let small = HeldPhoto::new(vec![0; 30_000], permit);
        let free = |part: &Rc<ByteSemaphore>| part.free_bytes();
        assert_eq!(free(&pool.arriving), ARRIVING_BYTES_MAX - 30_000);
        let kept = pool.keep(small).unwrap();
        assert_eq!(free(&pool.arriving), ARRIVING_BYTES_MAX);
        let sent = now(pool.to_send(&sleep, kept)).unwrap();
        assert_eq!(free(&pool.kept), KEPT_BYTES_MAX);
        assert_eq!(free(&pool.sent), SENT_BYTES_MAX - 110_000);
        drop(sent);
        assert_eq!(free(&pool.sent), SENT_BYTES_MAX);
    }

    #[test]
    fn two_of_the_largest_photos_are_sent_and_two_kept() {
        let pool = PhotoPool::default();
        let one = || arrived(&pool, IMAGE_BYTES_MAX);
        let sent = [one(), one()].map(|photo| now(pool.to_send(&sleep, photo)).unwrap());
        let kept = [one(), one()].map(|photo| pool.keep(photo));
        assert!(kept.iter().all(Option::is_some));
        assert!(pool.keep(one()).is_none());
        assert!(now(pool.to_send(&sleep, one())).is_none());
        drop(sent);
        assert!(now(pool.to_send(&sleep, one())).is_some());
    }

    #[test]
    fn who_would_only_keep_a_host_waiting_does_not_ask() {
        let pool = PhotoPool::default();
        let most = now(pool.to_arrive(&sleep, ARRIVING_BYTES_MAX - 1)).unwrap();
        assert!(now(pool.to_ask(&sleep)).is_some(), "nobody waits yet");
        let mut waits = Box::pin(pool.to_arrive(&sleep, 2));
        assert!((&mut waits).now_or_never().is_none());
        assert!(now(pool.to_ask(&sleep)).is_none());
        drop(waits);
        assert!(
            now(pool.to_ask(&sleep)).is_some(),
            "who waited has given up"
        );
        drop(most);
    }
}
