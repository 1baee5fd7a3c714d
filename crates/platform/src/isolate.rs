//! What the runs of one isolate share.

mod byte_semaphore;
mod notify;
mod pace;
mod paces;
mod photo_pool;
mod turns;

pub use byte_semaphore::BytePermit;
pub use notify::Notify;
pub use pace::{NoTurn, Pace};
pub use paces::Paces;
pub use photo_pool::{CONVERTED_BYTES_MAX, HeldPhoto, IMAGE_BYTES_MAX, PhotoPool};
pub use turns::{Turn, Turns};
