//! Pictures of the pages that show a chain's photos. They prove nothing.

use domain::{EvidenceRef, Sha256Digest};
use kernel::Millis;

/// A page that shows photos of the final chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoPage {
    /// The photos that it shows, in the order of the chain's edges.
    pub photos: Vec<EvidenceRef>,
    /// The page's address; `None` where the image search gave none of the web.
    pub url: Option<String>,
}

/// A picture of a page as it was at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The digest of the picture's file.
    pub digest: Sha256Digest,
    /// The type of the file, like `image/jpeg`.
    pub media_type: String,
    /// The picture's width and height in pixels, where the file says them.
    pub size: Option<(u32, u32)>,
    /// The time at which the picture was taken.
    pub at: Millis,
}

/// What came of opening a page: its picture, or why there is none as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureReport {
    /// The page.
    pub page: PhotoPage,
    /// The picture.
    pub result: Result<Captured, String>,
}
