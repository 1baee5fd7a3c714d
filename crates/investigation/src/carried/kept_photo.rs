//! A photo that was fetched, until it is sent to the recogniser.

use domain::{PhotoToRemember, SearchToRemember};
use pixels::SmallPicture;
use platform::isolate::{BytePermit, HeldPhoto, PhotoPool};
use platform::{Effects, PhotoPixels, WriteError};
use providers::calls::Attempts;

use crate::machine::Fetched;

use super::image::{FetchedPhoto, PhotoForm};

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

    /// Makes a photo that came, in the format in which it is sent.
    pub(super) fn of(photo: FetchedPhoto) -> Self {
        Self::new(match photo.form {
            PhotoForm::Jpeg(bytes) => photo.held.converted(bytes),
            PhotoForm::AsItCame | PhotoForm::ToConvert => photo.held,
        })
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

/// What came with an answer and is kept beside it.
#[derive(Debug)]
pub enum KeptAnswer {
    /// The photo that was fetched.
    Photo(KeptPhoto),
    /// Nothing: the answer to the photo was remembered.
    Remembered,
    /// What other runs may need of a photo that was recognised.
    Recognised(Box<PhotoToRemember>),
    /// What an image search has answered, for other runs.
    Searched(Box<SearchToRemember>),
}

/// Looks at a photo that came: its digest, that of what will be sent of it where that is something else, and its
/// pixels.
pub(super) async fn looked_at<E: Effects>(
    photo: FetchedPhoto,
    effects: &E,
    attempts: Attempts<'_>,
) -> Result<(Fetched, KeptPhoto), WriteError> {
    let is_converted = matches!(photo.form, PhotoForm::Jpeg(_));
    let copy = photo.copy;
    let digest = effects.digest(photo.held.bytes()).await;
    let kept = KeptPhoto::of(photo);
    let sent = if is_converted {
        Some(effects.digest(kept.bytes()).await)
    } else {
        None
    };
    let pixels = attempts.read(|| effects.photo_pixels(kept.bytes()))?;
    let fetched = Fetched {
        digest,
        copy,
        sent,
        remembered: None,
        fingerprint: pixels.fingerprint.clone(),
    };
    Ok((fetched, kept.with_pixels(pixels, effects.photo_pool())))
}
