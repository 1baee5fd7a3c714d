//! What the runs of one isolate share: turns, paces, and memory for photos. An isolate has 128 MB of memory in total.
//!
//! Memory for a photo is reserved before its bytes exist, from one of three parts: one for photos that arrive, one
//! for photos that are kept until the run sends them, and one for photos that are being sent to the recogniser. A
//! fourth part is for decoded pictures. A run that finds a part full waits in a queue. No run waits forever, because
//! an arriving photo times out or is sent, a photo being sent waits for no other photo, and keeping a photo never
//! waits.
//!
//! The `sleep` argument of these functions waits for the given number of milliseconds.

mod pace;
mod semaphore;

use std::cell::RefCell;
use std::rc::Rc;
use std::task::{Poll, Waker};

use semaphore::ByteSemaphore;

pub use pace::{NoTurn, Pace, Paces};
pub use semaphore::{BytePermit, Turn, Turns};

/// The largest photo that the recogniser accepts, in bytes.
pub const IMAGE_BYTES_MAX: usize = 5_242_880;
/// The largest photo that the platform converts for the recogniser, in bytes.
pub const CONVERTED_BYTES_MAX: usize = 10 * 1024 * 1024;
/// The memory for arriving photos, in bytes. Two of the largest that the recogniser accepts fit into it.
const ARRIVING_BYTES_MAX: usize = 12 * 1024 * 1024;
/// The memory for kept photos, in bytes. A photo for which there is no memory is fetched again.
const KEPT_BYTES_MAX: usize = 12 * 1024 * 1024;
/// The memory for pictures decoded from kept photos, in bytes. A photo whose picture does not fit is decoded again.
/// This memory is separate from that of the photos, since fetching a photo again costs more than decoding it again.
const PICTURE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// The memory for photos that are being sent to the recogniser, in bytes. A photo takes nearly four times its size
/// while it is sent, so two photos of [`IMAGE_BYTES_MAX`] fit.
const SENT_BYTES_MAX: usize = 40 * 1024 * 1024;

/// The memory in which photos are held. All runs of an isolate share it.
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
    /// Makes a pool for tests. A single photo fills it, and it keeps no photos.
    #[must_use]
    pub fn of_one_photo() -> Self {
        Self {
            arriving: ByteSemaphore::new(1),
            kept: ByteSemaphore::new(0),
            pictures: ByteSemaphore::new(0),
            sent: ByteSemaphore::new(1),
        }
    }

    /// Waits while other photos queue for the memory in which they arrive. Call it before requesting a photo: a run
    /// that requests a photo and then delays reading it would block the photo's host.
    pub async fn to_ask(&self, sleep: &impl AsyncFn(u64)) {
        drop(self.arriving.reserve(sleep, 1).await);
    }

    /// Waits for the memory in which a photo with this many bytes can arrive.
    pub async fn to_arrive(&self, sleep: &impl AsyncFn(u64), bytes: usize) -> BytePermit {
        self.arriving.reserve(sleep, bytes).await
    }

    /// Reserves the memory in which a photo with this many bytes can arrive; `None` if that would have to wait.
    #[must_use]
    pub fn to_arrive_now(&self, bytes: usize) -> Option<BytePermit> {
        self.arriving.reserve_now(bytes)
    }

    /// Keeps an arrived photo until it is sent; `None` if there is no memory for it now.
    #[must_use]
    pub fn keep(&self, photo: HeldPhoto) -> Option<HeldPhoto> {
        let permit = self.kept.reserve_now(photo.bytes.len())?;
        Some(HeldPhoto {
            bytes: photo.bytes,
            _permit: permit,
        })
    }

    /// Reserves memory for a photo's decoded picture; `None` if there is not enough now.
    #[must_use]
    pub fn keep_picture(&self, bytes: usize) -> Option<BytePermit> {
        self.pictures.reserve_now(bytes)
    }

    /// Waits for the memory to send a photo. While it is being sent, the photo takes nearly four times its size: its
    /// bytes, their base64 form, and the platform's copy of that form.
    pub async fn to_send(&self, sleep: &impl AsyncFn(u64), photo: HeldPhoto) -> HeldPhoto {
        let bytes = photo.bytes.len().saturating_mul(11) / 3;
        let permit = self.sent.reserve(sleep, bytes).await;
        HeldPhoto {
            bytes: photo.bytes,
            _permit: permit,
        }
    }
}

/// A photo's bytes with the memory that is reserved for them.
#[derive(Debug)]
pub struct HeldPhoto {
    bytes: Vec<u8>,
    _permit: BytePermit,
}

impl HeldPhoto {
    /// Holds these bytes under the given permit. The permit's excess is released.
    #[must_use]
    pub fn new(bytes: Vec<u8>, mut permit: BytePermit) -> Self {
        permit.shrink_to(bytes.len());
        Self {
            bytes,
            _permit: permit,
        }
    }

    /// Replaces the bytes by the same photo in another format. If that is larger, the additional memory is reserved
    /// only when the photo is kept or sent.
    #[must_use]
    pub fn converted(self, bytes: Vec<u8>) -> Self {
        Self { bytes, ..self }
    }

    /// Returns the bytes of the photo's file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A list of waiting tasks. Its owner must notify it whenever the tasks' conditions may have changed.
#[derive(Debug, Default)]
pub struct Notify {
    waiting: RefCell<Vec<Waker>>,
}

impl Notify {
    /// Wakes every waiting task.
    pub fn notify_all(&self) {
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    /// Waits until `is_so` returns true. The condition is evaluated at once and after each notification.
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
