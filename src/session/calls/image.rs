//! Fetches a photo: by its own address first, then by those of its copies; never more than is allowed.

use http::StatusCode;
use http::header::{ACCEPT, LOCATION, USER_AGENT};
use url::Url;

use crate::domain::{PhotoCopy, PhotoFailure};
use crate::providers::{WireRequest, WireResponse, retry_after_ms};
use crate::session::effects::{Network, TransportError, WriteError, timeout};
use crate::session::pace::Pace;
use crate::session::paces::Paces;
use crate::session::settings::{AddressError, AddressPolicy};

use super::attempts::Attempts;
use super::retry::SEND_MS_MIN;

/// The recogniser takes no larger photo.
pub const IMAGE_BYTES_MAX: usize = 5_242_880;
/// Nor a smaller one, in pixels a side.
pub const IMAGE_SIDE_PIXELS_MIN: usize = 80;
/// A small copy under this length of its longer side, in pixels, shows faces that the recogniser
/// takes for others'.
const THUMBNAIL_SIDE_PIXELS_MIN: usize = 300;
/// Redirects followed at most, each checked again.
pub const REDIRECTS_MAX: usize = 3;
/// For one address with all its redirects, in milliseconds.
const FETCH_MS_MAX: u64 = 5_000;
/// A photo is waited for so long, in milliseconds, where its host is asked too often.
const THROTTLED_MS_MAX: u64 = 30_000;
/// How often that is tried.
const THROTTLED_MAX: u32 = 5;
/// Content is negotiated by some hosts; the recogniser knows these two formats only.
const FORMATS: &str = "image/jpeg,image/png;q=0.9,*/*;q=0.1";

/// A photo's bytes, and which of its addresses gave them.
pub(super) struct FetchedPhoto {
    pub(super) bytes: Vec<u8>,
    pub(super) copy: PhotoCopy,
}

/// Where a photo may be had.
#[derive(Clone, Copy)]
pub(super) struct PhotoAddresses<'call> {
    pub(super) image: &'call str,
    pub(super) original: Option<&'call str>,
    pub(super) thumbnail: Option<&'call str>,
}

impl<'call> PhotoAddresses<'call> {
    /// One address alone.
    pub(super) fn only(image: &'call str) -> Self {
        Self {
            image,
            original: None,
            thumbnail: None,
        }
    }

    /// Each once. Where the small copy is all there is, its address stands for the photo's.
    fn in_order(self) -> impl Iterator<Item = (&'call str, PhotoCopy)> {
        let image = Some(self.image).filter(|image| self.thumbnail != Some(image));
        let image = image.map(|url| (url, PhotoCopy::Image));
        let original = self.original.map(|url| (url, PhotoCopy::Original));
        let thumbnail = self.thumbnail.map(|url| (url, PhotoCopy::Thumbnail));
        [image, original, thumbnail].into_iter().flatten()
    }
}

/// Why an address gave no photo.
enum FetchFailure {
    /// For good.
    Photo(PhotoFailure),
    /// The host is asked too often; how long to wait, in milliseconds, where it says so.
    Throttled { hint_ms: Option<u64> },
}

impl From<PhotoFailure> for FetchFailure {
    fn from(failure: PhotoFailure) -> Self {
        Self::Photo(failure)
    }
}

/// Fetches photos that the recogniser will take.
pub(super) struct PhotoFetcher<'run, E> {
    effects: &'run E,
    paces: &'run Paces,
    addresses: &'run AddressPolicy,
    /// Many hosts refuse a missing or generic one.
    agent: &'run str,
}

impl<'run, E: Network> PhotoFetcher<'run, E> {
    /// From these addresses only, at the paces of their hosts, telling them who fetches.
    pub(super) fn new(
        effects: &'run E,
        paces: &'run Paces,
        addresses: &'run AddressPolicy,
        agent: &'run str,
    ) -> Self {
        Self {
            effects,
            paces,
            addresses,
            agent,
        }
    }

    /// The photo, or else its original, or else its small copy, within `time_left_ms`.
    ///
    /// The bytes of each are read as what came of these attempts. Fails where the journal cannot be
    /// written.
    pub(super) async fn fetch(
        &self,
        addresses: PhotoAddresses<'_>,
        time_left_ms: u64,
        attempts: Attempts<'_>,
    ) -> Result<Result<FetchedPhoto, PhotoFailure>, WriteError> {
        let deadline_ms = self.effects.now_ms().saturating_add(time_left_ms);
        let mut first_failure = None;
        for (address, copy) in addresses.in_order() {
            let fetched = self.fetch_patiently(address, deadline_ms).await;
            let inspected = match fetched {
                Ok(bytes) => attempts
                    .read(|| inspect(&bytes, copy))?
                    .map(|()| FetchedPhoto { bytes, copy }),
                Err(failure) => Err(failure),
            };
            match inspected {
                Ok(photo) => return Ok(Ok(photo)),
                // The photo's own failure is the one to tell.
                Err(failure) => first_failure = first_failure.or(Some(failure)),
            }
        }
        let failure =
            first_failure.unwrap_or_else(|| PhotoFailure::Unfetchable("it has no address".into()));
        Ok(Err(failure))
    }

    /// A host that is asked too often is left alone for a while by all runs of the isolate, and
    /// then asked again.
    async fn fetch_patiently(
        &self,
        address: &str,
        deadline_ms: u64,
    ) -> Result<Vec<u8>, PhotoFailure> {
        let effects = self.effects;
        let url = self.addresses.check(address).map_err(refused)?;
        let host = url.host_str().unwrap_or_default();
        let pace = self.paces.of(host, effects.now_ms());
        let patience_ms = effects.now_ms().saturating_add(THROTTLED_MS_MAX);
        for _ in 0..THROTTLED_MAX {
            let left_ms = deadline_ms.saturating_sub(effects.now_ms());
            if left_ms < SEND_MS_MIN {
                // An answer under way may still decide the run.
                effects.sleep(left_ms).await;
                let why = "the run's time is over";
                return Err(PhotoFailure::Unfetchable(why.into()));
            }
            if !self.has_turn(&pace, deadline_ms.min(patience_ms)).await {
                break;
            }
            let sent_ms = effects.now_ms();
            let left_ms = deadline_ms.saturating_sub(sent_ms).min(FETCH_MS_MAX);
            match timeout(effects, left_ms, self.fetch_from(url.clone())).await {
                Some(Ok(bytes)) => {
                    pace.speed_up(sent_ms);
                    return Ok(bytes);
                }
                Some(Err(FetchFailure::Photo(failure))) => return Err(failure),
                Some(Err(FetchFailure::Throttled { hint_ms })) => {
                    pace.slow_down(sent_ms, effects.now_ms(), hint_ms, effects.jitter());
                }
                None => return Err(PhotoFailure::Unfetchable("its host is too slow".into())),
            }
        }
        Err(PhotoFailure::Unfetchable(
            "its host is asked too often".into(),
        ))
    }

    /// Waits until the host may be asked; false where that is too late.
    async fn has_turn(&self, pace: &Pace, deadline_ms: u64) -> bool {
        let effects = self.effects;
        loop {
            let left_ms = deadline_ms.saturating_sub(effects.now_ms());
            let Some(wait_ms_max) = left_ms.checked_sub(SEND_MS_MIN) else {
                return false;
            };
            let Ok(turn) = pace.take_turn(effects.now_ms(), None, wait_ms_max) else {
                return false;
            };
            if turn.wait_ms == 0 {
                return true;
            }
            effects.sleep(turn.wait_ms).await;
            if pace.holds(turn) {
                return true;
            }
        }
    }

    async fn fetch_from(&self, mut url: Url) -> Result<Vec<u8>, FetchFailure> {
        for _ in 0..=REDIRECTS_MAX {
            let response = self
                .effects
                .send(self.request(&url)?, IMAGE_BYTES_MAX)
                .await
                .map_err(broken)?;
            if response.status() == StatusCode::TOO_MANY_REQUESTS {
                let hint_ms = retry_after_ms(&response);
                return Err(FetchFailure::Throttled { hint_ms });
            }
            if !response.status().is_redirection() {
                return Ok(photo(response)?);
            }
            let location = location(&response)?;
            url = self
                .addresses
                .check_redirect(&url, location)
                .map_err(refused)?;
        }
        let why = format!("it redirects more than {REDIRECTS_MAX} times");
        Err(PhotoFailure::Unfetchable(why).into())
    }

    fn request(&self, url: &Url) -> Result<WireRequest, PhotoFailure> {
        http::Request::get(url.as_str())
            .header(USER_AGENT, self.agent)
            .header(ACCEPT, FORMATS)
            .body(Vec::new())
            .map_err(|_| PhotoFailure::Unfetchable("its address cannot be read".into()))
    }
}

fn refused(error: AddressError) -> PhotoFailure {
    PhotoFailure::Unfetchable(error.to_string())
}

fn broken(error: TransportError) -> PhotoFailure {
    match error {
        TransportError::TooLarge => {
            PhotoFailure::Unreadable(format!("it is over {IMAGE_BYTES_MAX} bytes"))
        }
        TransportError::Broken => PhotoFailure::Unfetchable("its host did not send it".into()),
    }
}

fn location(response: &WireResponse) -> Result<&str, PhotoFailure> {
    let location = response.headers().get(LOCATION);
    location
        .and_then(|location| location.to_str().ok())
        .ok_or_else(|| PhotoFailure::Unfetchable("it redirects to nowhere".into()))
}

fn photo(response: WireResponse) -> Result<Vec<u8>, PhotoFailure> {
    if response.status() != 200 {
        let status = response.status().as_u16();
        return Err(PhotoFailure::Unfetchable(format!(
            "its host answered HTTP {status}"
        )));
    }
    Ok(response.into_body())
}

/// What the first bytes say counts, and for a small copy its size.
fn inspect(bytes: &[u8], copy: PhotoCopy) -> Result<(), PhotoFailure> {
    check_photo(bytes)?;
    let longer_side = imagesize::blob_size(bytes).map(|size| size.width.max(size.height));
    match longer_side {
        Ok(pixels) if copy == PhotoCopy::Thumbnail && pixels < THUMBNAIL_SIDE_PIXELS_MIN => {
            let why = "its small copy is under 300 pixels";
            Err(PhotoFailure::Unreadable(why.to_owned()))
        }
        _ => Ok(()),
    }
}

/// Whether the recogniser takes a photo, by its first bytes: content type, name and extension lie.
pub fn check_photo(bytes: &[u8]) -> Result<(), PhotoFailure> {
    const JPEG: &[u8] = &[0xFF, 0xD8, 0xFF];
    const PNG: &[u8] = &[0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n'];
    let unreadable = |what: &str| Err(PhotoFailure::Unreadable(what.to_owned()));
    if bytes.is_empty() {
        return unreadable("it is empty");
    }
    if !bytes.starts_with(JPEG) && !bytes.starts_with(PNG) {
        return unreadable("it is neither JPEG nor PNG");
    }
    let Ok(size) = imagesize::blob_size(bytes) else {
        return unreadable("its size cannot be read");
    };
    if size.width < IMAGE_SIDE_PIXELS_MIN || size.height < IMAGE_SIDE_PIXELS_MIN {
        return unreadable("it is under 80 pixels a side");
    }
    Ok(())
}

#[cfg(test)]
mod hostile_addresses;
#[cfg(test)]
mod tests;
