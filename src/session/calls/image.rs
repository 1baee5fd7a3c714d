//! Fetches a photo: the original first, then the smaller copy; never more than is allowed.

use http::header::{ACCEPT, LOCATION, USER_AGENT};
use url::Url;

use crate::domain::PhotoFailure;
use crate::providers::{WireRequest, WireResponse};
use crate::session::effects::{Network, TransportError, timeout};
use crate::session::settings::AddressPolicy;

/// The recogniser takes no larger photo.
pub const IMAGE_BYTES_MAX: usize = 5_242_880;
/// Nor a smaller one, in pixels a side.
pub const IMAGE_SIDE_PIXELS_MIN: usize = 80;
/// Redirects followed at most, each checked again.
pub const REDIRECTS_MAX: usize = 3;
/// For one address with all its redirects, in milliseconds.
const FETCH_MS_MAX: u64 = 5_000;
/// Content is negotiated by some hosts; the recogniser knows these two formats only.
const FORMATS: &str = "image/jpeg,image/png;q=0.9,*/*;q=0.1";

/// A photo's bytes, and which of its two addresses gave them.
pub(super) struct FetchedPhoto {
    pub(super) bytes: Vec<u8>,
    pub(super) is_thumbnail: bool,
}

/// Fetches photos that the recogniser will take.
pub(super) struct PhotoFetcher<'run, E> {
    effects: &'run E,
    addresses: &'run AddressPolicy,
    /// Many hosts refuse a missing or generic one.
    agent: &'run str,
}

impl<'run, E: Network> PhotoFetcher<'run, E> {
    /// From these addresses only, telling hosts who fetches.
    pub(super) fn new(effects: &'run E, addresses: &'run AddressPolicy, agent: &'run str) -> Self {
        Self {
            effects,
            addresses,
            agent,
        }
    }

    /// The original, or else the smaller copy, within `time_left_ms`.
    pub(super) async fn fetch(
        &self,
        image_url: &str,
        thumbnail_url: Option<&str>,
        time_left_ms: u64,
    ) -> Result<FetchedPhoto, PhotoFailure> {
        let effects = self.effects;
        let deadline_ms = effects.now_ms().saturating_add(time_left_ms);
        let mut first_failure = None;
        let addresses = [(Some(image_url), false), (thumbnail_url, true)];
        for (address, is_thumbnail) in addresses {
            let Some(address) = address else { continue };
            let left_ms = deadline_ms
                .saturating_sub(effects.now_ms())
                .min(FETCH_MS_MAX);
            let fetched = timeout(effects, left_ms, self.fetch_from(address)).await;
            let fetched = fetched
                .unwrap_or_else(|| Err(PhotoFailure::Unfetchable("its host is too slow".into())));
            match fetched {
                Ok(bytes) => {
                    return Ok(FetchedPhoto {
                        bytes,
                        is_thumbnail,
                    });
                }
                // The original's failure is the one to tell.
                Err(failure) => first_failure = first_failure.or(Some(failure)),
            }
        }
        Err(first_failure.unwrap_or_else(|| PhotoFailure::Unfetchable("it has no address".into())))
    }

    async fn fetch_from(&self, address: &str) -> Result<Vec<u8>, PhotoFailure> {
        let refused = |error| PhotoFailure::Unfetchable(format!("{error}"));
        let mut url = self.addresses.check(address).map_err(refused)?;
        for _ in 0..=REDIRECTS_MAX {
            let response = self
                .effects
                .send(self.request(&url)?, IMAGE_BYTES_MAX)
                .await
                .map_err(broken)?;
            if !response.status().is_redirection() {
                return photo(response);
            }
            let location = location(&response)?;
            url = self
                .addresses
                .check_redirect(&url, location)
                .map_err(refused)?;
        }
        Err(PhotoFailure::Unfetchable(format!(
            "it redirects more than {REDIRECTS_MAX} times"
        )))
    }

    fn request(&self, url: &Url) -> Result<WireRequest, PhotoFailure> {
        http::Request::get(url.as_str())
            .header(USER_AGENT, self.agent)
            .header(ACCEPT, FORMATS)
            .body(Vec::new())
            .map_err(|_| PhotoFailure::Unfetchable("its address cannot be read".into()))
    }
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
    let bytes = response.into_body();
    check_photo(&bytes)?;
    Ok(bytes)
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
