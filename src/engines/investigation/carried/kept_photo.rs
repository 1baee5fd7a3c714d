//! A photo that was fetched, until it is sent to the recogniser.

use crate::effects::PhotoPixels;
use crate::isolate::{BytePermit, HeldPhoto, PhotoPool};
use crate::pixels::SmallPicture;

/// A photo's bytes, and its decoded picture as far as there is memory for it: it saves decoding the photo
/// once more.
#[derive(Debug)]
pub struct KeptPhoto {
    held: HeldPhoto,
    picture: Option<(SmallPicture, BytePermit)>,
}

impl KeptPhoto {
    /// Makes a photo of its bytes alone.
    pub fn new(held: HeldPhoto) -> Self {
        Self {
            held,
            picture: None,
        }
    }

    /// Adds the decoded picture where there is memory for it now.
    pub fn with_pixels(mut self, pixels: PhotoPixels, pool: &PhotoPool) -> Self {
        self.picture = pixels.picture.and_then(|picture| {
            let permit = pool.keep_picture(picture.memory_bytes())?;
            Some((picture, permit))
        });
        self
    }

    /// Returns the file's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.held.bytes()
    }

    /// Returns the decoded picture, if it is at hand.
    pub fn picture(&self) -> Option<&SmallPicture> {
        self.picture.as_ref().map(|(picture, _)| picture)
    }

    /// Keeps the photo until it is sent. Returns `None` where there is no memory for it.
    pub fn keep(self, pool: &PhotoPool) -> Option<Self> {
        let held = pool.keep(self.held)?;
        Some(Self {
            held,
            picture: self.picture,
        })
    }

    /// Waits for the memory that sending the photo takes.
    pub async fn ready_to_send(self, pool: &PhotoPool, sleep: &impl AsyncFn(u64)) -> Self {
        Self {
            held: pool.to_send(sleep, self.held).await,
            picture: self.picture,
        }
    }
}
