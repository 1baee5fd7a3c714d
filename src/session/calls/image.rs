//! Fetches a photo: by its own address first, then by those of its copies; never more than is allowed.

use http::StatusCode;
use http::header::{ACCEPT, LOCATION, USER_AGENT};
use url::Url;

use crate::domain::{PhotoCopy, PhotoFailure};
use crate::providers::{WireRequest, WireResponse, retry_after_ms};
use crate::session::effects::{Effects, TransportError, timeout};
use crate::session::pace::Pace;
use crate::session::settings::{AddressError, AddressPolicy};

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
    addresses: &'run AddressPolicy,
    /// Many hosts refuse a missing or generic one.
    agent: &'run str,
}

impl<'run, E: Effects> PhotoFetcher<'run, E> {
    /// From these addresses only, telling hosts who fetches.
    pub(super) fn new(effects: &'run E, addresses: &'run AddressPolicy, agent: &'run str) -> Self {
        Self {
            effects,
            addresses,
            agent,
        }
    }

    /// The photo, or else its original, or else its small copy, within `time_left_ms`.
    pub(super) async fn fetch(
        &self,
        addresses: PhotoAddresses<'_>,
        time_left_ms: u64,
    ) -> Result<FetchedPhoto, PhotoFailure> {
        let deadline_ms = self.effects.now_ms().saturating_add(time_left_ms);
        let mut first_failure = None;
        for (address, copy) in addresses.in_order() {
            let fetched = self.fetch_patiently(address, deadline_ms).await;
            let fetched = fetched.and_then(|bytes| {
                inspect(&bytes, copy)?;
                Ok(FetchedPhoto { bytes, copy })
            });
            match fetched {
                Ok(photo) => return Ok(photo),
                // The photo's own failure is the one to tell.
                Err(failure) => first_failure = first_failure.or(Some(failure)),
            }
        }
        Err(first_failure.unwrap_or_else(|| PhotoFailure::Unfetchable("it has no address".into())))
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
        let pace = effects.paces().of(host, effects.now_ms());
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
            url = redirected(&url, &response)?;
            self.addresses.check_url(&url).map_err(refused)?;
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

fn redirected(from: &Url, response: &WireResponse) -> Result<Url, PhotoFailure> {
    response
        .headers()
        .get(LOCATION)
        .and_then(|location| location.to_str().ok())
        .and_then(|location| from.join(location).ok())
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

/// What the first bytes say counts; content type, name and extension lie.
fn inspect(bytes: &[u8], copy: PhotoCopy) -> Result<(), PhotoFailure> {
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
    let longer_side = size.width.max(size.height);
    if copy == PhotoCopy::Thumbnail && longer_side < THUMBNAIL_SIDE_PIXELS_MIN {
        return unreadable("its small copy is under 300 pixels");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn a_small_copy_has_300_pixels_on_its_longer_side() {
        let check = |width, height, copy| inspect(&png(width, height), copy);
        assert_eq!(check(300, 100, PhotoCopy::Thumbnail), Ok(()));
        assert_eq!(check(100, 300, PhotoCopy::Thumbnail), Ok(()));
        assert!(check(299, 299, PhotoCopy::Thumbnail).is_err());
        assert_eq!(check(299, 299, PhotoCopy::Image), Ok(()));
        assert_eq!(check(299, 299, PhotoCopy::Original), Ok(()));
    }

    #[test]
    fn each_address_is_tried_once() {
        let order = |original, thumbnail| {
            let addresses = PhotoAddresses {
                image: "a",
                original,
                thumbnail,
            };
            let order = addresses.in_order();
            order
                .map(|(url, copy)| format!("{url} {copy:?}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(order(None, None), ["a Image"]);
        let all = ["a Image", "b Original", "c Thumbnail"];
        assert_eq!(order(Some("b"), Some("c")), all);
        assert_eq!(order(None, Some("a")), ["a Thumbnail"]);
    }

    #[test]
    fn photos_are_known_by_their_first_bytes() {
        assert_eq!(inspect(&png(80, 80), PhotoCopy::Image), Ok(()));
        assert_eq!(inspect(&png(640, 480), PhotoCopy::Thumbnail), Ok(()));
        for unreadable in [
            &png(79, 640)[..],
            &png(640, 79),
            b"",
            b"<html>",
            b"GIF89a",
            b"RIFF\0\0\0\0WEBPVP8 ",
            b"\0\0\0 ftypavif",
            b"\xFF\xD8\xFF",
            b"\x89PNG\r\n\x1A\n",
        ] {
            assert!(matches!(
                inspect(unreadable, PhotoCopy::Image),
                Err(PhotoFailure::Unreadable(_))
            ));
        }
    }
}
