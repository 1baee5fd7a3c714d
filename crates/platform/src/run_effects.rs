//! The effects of a run of any engine: natively an in-memory world, in production the run's object.

use domain::{CollageCheck, Face, Sha256Digest};
use pixels::SmallPicture;

use crate::events::WireEvent;
use crate::isolate::{Paces, PhotoPool};
use crate::network::Network;
use crate::photo_pixels::{PhotoPixels, collage_check};

/// The error that a write did not succeed, or may not have succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError;

/// The outside of a run. Every wait made here is given a limit by the conductor.
pub trait Effects: Network {
    /// Returns how fast each provider and photo host is asked by all runs of this process together.
    fn paces(&self) -> &Paces;

    /// Returns the memory for the photos of all runs of this process.
    fn photo_pool(&self) -> &PhotoPool;

    /// Writes a document to KV, where it stays for the run's time to live.
    fn put(&self, key: &str, document: &str) -> impl Future<Output = Result<(), WriteError>>;

    /// Writes an entry of the run's journal, before anything that comes of it. Entries are numbered
    /// from 1 without gaps; one written again under its number takes the place of the first.
    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError>;

    /// Stores an event, then shows it to every viewer. One that is stored again is shown once.
    fn publish(&self, event: WireEvent) -> Result<(), WriteError>;

    /// Returns what [`PhotoPixels::read`] finds. An implementation that sees the same photos again and
    /// again may remember the fingerprint, and give no picture.
    fn photo_pixels(&self, photo: &[u8]) -> PhotoPixels {
        PhotoPixels::read(photo)
    }

    /// Returns what [`collage_check`] finds. An implementation that sees the same photos again and again
    /// may remember it.
    fn collage_check(
        &self,
        photo: &[u8],
        picture: Option<&SmallPicture>,
        faces: &[Face],
    ) -> CollageCheck {
        collage_check(photo, picture, faces)
    }

    /// Returns the digest of some megabytes, where the platform has a faster way than this program.
    fn digest(&self, bytes: &[u8]) -> impl Future<Output = Sha256Digest> {
        std::future::ready(Sha256Digest::of(bytes))
    }

    /// Makes a JPEG of a photo that is too large for the recogniser, or in a format that it does not take. Fails in
    /// words, also where the platform has nothing that could. What comes back may be anything.
    fn jpeg_of(&self, photo: &[u8]) -> impl Future<Output = Result<Vec<u8>, String>> {
        let bytes = photo.len();
        std::future::ready(Err(format!("nothing here converts its {bytes} bytes")))
    }

    /// Resolves once the user has asked to end the run.
    fn stop_requested(&self) -> impl Future<Output = ()>;
}
