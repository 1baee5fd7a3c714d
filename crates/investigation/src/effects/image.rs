//! Fetches a photo: from its own address first, then from those of its copies, and never more bytes than allowed. Its
//! first bytes decide its format.

#[cfg(test)]
mod tests;
mod webp;

use domain::{PhotoCopy, PhotoFailure};
use http::StatusCode;
use http::header::{ACCEPT, LOCATION, USER_AGENT};
use platform::isolate::{
    BytePermit, CONVERTED_BYTES_MAX, HeldPhoto, IMAGE_BYTES_MAX, Pace, Paces, PhotoPool,
};
use platform::{IncomingBody as _, Network, TransportError, WireRequest, timeout};
use providers::calls::{Attempts, SEND_MS_MIN};
use providers::retry_after_ms;
use settings::{AddressError, AddressPolicy};
use url::Url;

use crate::effects::Stop;
use crate::effects::image::webp::is_webp;

pub use crate::effects::image::webp::{WebpError, jpeg_of_webp, webp_size};

/// The shortest side of a photo that the recogniser accepts, in pixels.
pub const IMAGE_SIDE_PIXELS_MIN: usize = 80;

/// The least length of a small copy's longer side, in pixels. In smaller copies, the recogniser mistakes people for
/// other people.
const THUMBNAIL_SIDE_PIXELS_MIN: usize = 300;

/// The longest wait for a photo whose host throttles, in milliseconds.
const THROTTLED_MS_MAX: u64 = 30_000;

/// The most attempts to fetch a photo from a host that throttles.
const THROTTLED_MAX: u32 = 5;

/// The brands of files that hold a still picture in AV1 or HEVC.
//= AVIF 1.1, section 8; ISO/IEC 23008-12, annex B
const BRANDS: [&[u8; 4]; 6] = [b"avif", b"avis", b"heic", b"heix", b"mif1", b"msf1"];

/// The most bytes that are read of a file's first box, which lists its brands.
const BOX_BYTES_MAX: usize = 64;

/// A photo, and the address that served it.
pub(super) struct FetchedPhoto {
    /// The bytes that the host sent.
    pub(super) held: HeldPhoto,
    pub(super) copy: PhotoCopy,
    /// The form in which the recogniser accepts the photo.
    pub(super) form: PhotoForm,
}

/// The reason why there is no photo, and what arrived in its place.
#[derive(Debug)]
pub(super) struct NoPhoto {
    pub(super) failure: PhotoFailure,
    pub(super) instead: Instead,
}

/// What the photo's own address served in place of a usable photo.
#[derive(Debug)]
pub(super) enum Instead {
    /// Nothing that says anything about the photo, which may still exist.
    Nothing,
    /// The host's statement that the photo was deleted.
    Gone,
    /// A complete body that the recogniser does not accept. It may be the remembered photo or another one.
    Bytes(HeldPhoto),
}

impl From<PhotoFailure> for NoPhoto {
    fn from(failure: PhotoFailure) -> Self {
        Self {
            failure,
            instead: Instead::Nothing,
        }
    }
}

/// The form in which the recogniser accepts a photo.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PhotoForm {
    /// The photo's bytes as they were fetched.
    AsItCame,
    /// A JPEG that this program made of the photo.
    Jpeg(Vec<u8>),
    /// A JPEG that the platform makes of the photo.
    ToConvert,
}

/// The addresses of a photo.
#[derive(Clone, Copy)]
pub(super) struct PhotoAddresses<'call> {
    pub(super) image: &'call str,
    pub(super) original: Option<&'call str>,
    pub(super) thumbnail: Option<&'call str>,
}

impl<'call> PhotoAddresses<'call> {
    /// Creates the addresses of a photo that has only one.
    pub(super) fn only(image: &'call str) -> Self {
        Self {
            image,
            original: None,
            thumbnail: None,
        }
    }

    /// Returns whether the photo has only one address.
    fn is_only(self) -> bool {
        self.in_order().count() == 1
    }

    /// Returns the addresses in the order in which they are tried, each once. If the photo's own address is that of the
    /// small copy, it counts as the small copy's.
    fn in_order(self) -> impl Iterator<Item = (&'call str, PhotoCopy)> {
        let image = Some(self.image)
            .filter(|image| self.thumbnail != Some(image))
            .map(|url| (url, PhotoCopy::Image));
        let original = self.original.map(|url| (url, PhotoCopy::Original));
        let thumbnail = self.thumbnail.map(|url| (url, PhotoCopy::Thumbnail));
        [image, original, thumbnail].into_iter().flatten()
    }
}

/// Fetches photos that the recogniser accepts.
pub(super) struct PhotoFetcher<'run, N> {
    pub(super) paces: &'run Paces,
    pub(super) transport: PhotoTransport<'run, N>,
}

impl<N: Network> PhotoFetcher<'_, N> {
    /// Fetches the photo from its own address, or else its original, or else its small copy, within `time_left_ms`.
    ///
    /// `attempts` journals that the bytes are about to be read, in case reading them ends the process. Fails if no
    /// address serves a photo, or if the journal is not writable.
    pub(super) async fn fetch(
        &self,
        addresses: PhotoAddresses<'_>,
        time_left_ms: u64,
        attempts: Attempts<'_>,
    ) -> Result<FetchedPhoto, Stop<NoPhoto>> {
        let deadline_ms = self.transport.network.now_ms().saturating_add(time_left_ms);
        let mut first = None;
        for (address, copy) in addresses.in_order() {
            let fetched = self.fetch_patiently(address, deadline_ms).await;
            let no_photo = match fetched {
                Ok(held) => {
                    let may_convert = self.transport.may_convert;
                    match attempts.read(|| form_of(held.bytes(), copy, may_convert))? {
                        Ok(form) => return Ok(FetchedPhoto { held, copy, form }),
                        Err(failure) if copy == PhotoCopy::Image && addresses.is_only() => {
                            NoPhoto {
                                failure,
                                instead: Instead::Bytes(held),
                            }
                        }
                        // The rejected bytes are released before another address is requested, because other photos
                        // need the memory.
                        Err(failure) => failure.into(),
                    }
                }
                Err(no_photo) if copy == PhotoCopy::Image => no_photo,
                Err(no_photo) => no_photo.failure.into(),
            };
            // If every address fails, the failure of the photo's own address is reported.
            first = first.or(Some(no_photo));
        }
        let none = || PhotoFailure::Unfetchable("it has no address".into()).into();
        Err(Stop::Failed(first.unwrap_or_else(none)))
    }

    /// Fetches from a host that may throttle. If it does, all runs of the isolate pause their requests to it for a
    /// while.
    async fn fetch_patiently(&self, address: &str, deadline_ms: u64) -> Result<HeldPhoto, NoPhoto> {
        let network = self.transport.network;
        let url = self.transport.addresses.check(address).map_err(refused)?;
        let host = url.host_str().unwrap_or_default();
        let pace = self.paces.of(host, network.now_ms());
        let patience_ms = network.now_ms().saturating_add(THROTTLED_MS_MAX);
        for _ in 0..THROTTLED_MAX {
            let left_ms = deadline_ms.saturating_sub(network.now_ms());
            if left_ms < SEND_MS_MIN {
                // The call waits until the run's time is over. If it failed at once, the run could end early, although
                // another call in flight may still complete a chain.
                network.sleep(left_ms).await;
                return Err(PhotoFailure::Unfetchable(TIME_IS_OVER.to_owned()).into());
            }
            if !self.has_turn(&pace, deadline_ms.min(patience_ms)).await {
                break;
            }
            let sent_ms = network.now_ms();
            match Transfer::new(&self.transport, deadline_ms)
                .fetch(url.clone())
                .await
            {
                Ok(photo) => {
                    pace.speed_up(sent_ms);
                    return Ok(photo);
                }
                Err(FetchFailure::Photo(failure)) => return Err(failure.into()),
                Err(FetchFailure::Gone(failure)) => {
                    return Err(NoPhoto {
                        failure,
                        instead: Instead::Gone,
                    });
                }
                Err(FetchFailure::Throttled { hint_ms }) => {
                    pace.slow_down(sent_ms, network.now_ms(), hint_ms, network.jitter());
                }
            }
        }
        let why = "its host is asked too often";
        Err(PhotoFailure::Unfetchable(why.into()).into())
    }

    /// Waits until a request to the host is allowed. Returns false if that would be too late.
    async fn has_turn(&self, pace: &Pace, deadline_ms: u64) -> bool {
        let network = self.transport.network;
        loop {
            let left_ms = deadline_ms.saturating_sub(network.now_ms());
            let Some(wait_ms_max) = left_ms.checked_sub(SEND_MS_MIN) else {
                return false;
            };
            let Ok(turn) = pace.take_turn(network.now_ms(), None, wait_ms_max) else {
                return false;
            };
            if turn.wait_ms == 0 {
                return true;
            }
            network.sleep(turn.wait_ms).await;
            if pace.holds(turn) {
                return true;
            }
        }
    }
}

/// Checks a photo by its first bytes, and a small copy also by its size. Returns the form in which the recogniser
/// accepts it; `may_convert` says whether the platform may convert what this program cannot.
fn form_of(bytes: &[u8], copy: PhotoCopy, may_convert: bool) -> Result<PhotoForm, PhotoFailure> {
    let unreadable = |what: &str| PhotoFailure::Unreadable(what.to_owned());
    if may_convert && is_heif(bytes) {
        return Ok(PhotoForm::ToConvert);
    }
    check_photo(bytes)?;
    if bytes.len() > IMAGE_BYTES_MAX {
        return Ok(PhotoForm::ToConvert);
    }
    let longer_side = size_of(bytes).map(|(width, height)| width.max(height));
    let is_too_small = |pixels: usize| pixels < THUMBNAIL_SIDE_PIXELS_MIN;
    if copy == PhotoCopy::Thumbnail && longer_side.is_some_and(is_too_small) {
        return Err(unreadable("its small copy is under 300 pixels"));
    }
    if !is_webp(bytes) {
        return Ok(PhotoForm::AsItCame);
    }
    match jpeg_of_webp(bytes) {
        Ok(jpeg) => Ok(PhotoForm::Jpeg(jpeg)),
        Err(error) if may_convert && error.leaves_it_to_the_platform() => Ok(PhotoForm::ToConvert),
        Err(error) => Err(unreadable(error.reason())),
    }
}

/// Returns the width and height of a photo, in pixels, from its header.
fn size_of(bytes: &[u8]) -> Option<(usize, usize)> {
    if is_webp(bytes) {
        let (width, height) = webp_size(bytes)?;
        return Some((width.try_into().ok()?, height.try_into().ok()?));
    }
    let size = imagesize::blob_size(bytes).ok()?;
    Some((size.width, size.height))
}

/// Checks by a photo's first bytes whether the recogniser accepts the photo, or a JPEG made of it. Content type, name
/// and extension are not used, because they may be wrong.
pub fn check_photo(bytes: &[u8]) -> Result<(), PhotoFailure> {
    const JPEG: &[u8] = &[0xFF, 0xD8, 0xFF];
    const PNG: &[u8] = &[0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n'];
    let unreadable = |what: &str| Err(PhotoFailure::Unreadable(what.to_owned()));
    if bytes.is_empty() {
        return unreadable("it is empty");
    }
    if !bytes.starts_with(JPEG) && !bytes.starts_with(PNG) && !is_webp(bytes) {
        return unreadable("it is neither JPEG, PNG nor WebP");
    }
    let Some((width, height)) = size_of(bytes) else {
        return unreadable("its size cannot be read");
    };
    if width < IMAGE_SIDE_PIXELS_MIN || height < IMAGE_SIDE_PIXELS_MIN {
        return unreadable("it is under 80 pixels a side");
    }
    Ok(())
}

/// Checks whether the recogniser accepts what the platform has made of a photo.
pub(super) fn check_converted(bytes: &[u8]) -> Result<(), PhotoFailure> {
    if bytes.len() > IMAGE_BYTES_MAX {
        return Err(PhotoFailure::Unreadable("it is over 5 MB as a JPEG".into()));
    }
    if is_webp(bytes) {
        return Err(PhotoFailure::Unreadable(
            "the platform did not convert it".into(),
        ));
    }
    check_photo(bytes)
}

/// Returns whether a file begins like an AVIF or HEIC: with a file type box that lists one of their brands.
//= ISO/IEC 14496-12, section 4.3
#[must_use]
fn is_heif(photo: &[u8]) -> bool {
    let Some((length, rest)) = photo.split_first_chunk::<4>() else {
        return false;
    };
    let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    let brands = rest
        .strip_prefix(b"ftyp")
        .unwrap_or_default()
        .get(..length.min(BOX_BYTES_MAX).saturating_sub(8));
    let (brands, _) = brands.unwrap_or_default().as_chunks::<4>();
    // The second word is the version of the first brand and no brand itself.
    brands
        .iter()
        .enumerate()
        .any(|(place, brand)| place != 1 && BRANDS.contains(&brand))
}

/// The reason that is reported if the run's time is over, so that no more requests are sent.
const TIME_IS_OVER: &str = "the run's time is over";

/// The most redirects that are followed. Each target is checked like the first address.
pub const REDIRECTS_MAX: usize = 3;
/// The longest time for one address with all its redirects, in milliseconds.
const FETCH_MS_MAX: u64 = 5_000;
/// The value of `Accept`. Some hosts choose a photo's format by it. JPEG and PNG come first, because the recogniser
/// accepts no others; a WebP must be converted.
const FORMATS: &str = "image/jpeg,image/png;q=0.9,image/webp;q=0.5,*/*;q=0.1";
/// The memory that is reserved for a photo without a declared length, in bytes. A longer photo is fetched again, with
/// memory for the longest allowed one.
const UNPROMISED_BYTES: usize = 512 * 1024;

/// The reason why an address served no photo.
enum FetchFailure {
    /// The address will not serve the photo now.
    Photo(PhotoFailure),
    /// The host says that the photo was deleted.
    Gone(PhotoFailure),
    /// The host throttles. `hint_ms` is the wait that the host suggests, in milliseconds.
    Throttled { hint_ms: Option<u64> },
}

impl From<PhotoFailure> for FetchFailure {
    fn from(failure: PhotoFailure) -> Self {
        Self::Photo(failure)
    }
}

/// What every fetch of a photo needs.
pub struct PhotoTransport<'run, N> {
    pub network: &'run N,
    pub pool: &'run PhotoPool,
    /// The policy for the addresses of photos.
    pub addresses: &'run AddressPolicy,
    /// The value of `User-Agent`. Many hosts refuse a missing or generic one.
    pub agent: &'run str,
    /// Whether photos that the recogniser does not accept are converted.
    pub may_convert: bool,
}

impl<N> PhotoTransport<'_, N> {
    /// Returns the greatest length that a photo may declare, in bytes.
    fn promised_bytes_max(&self) -> usize {
        if self.may_convert {
            CONVERTED_BYTES_MAX
        } else {
            IMAGE_BYTES_MAX
        }
    }
}

/// The fetch of one photo, and the host's remaining time.
struct Transfer<'run, N> {
    transport: &'run PhotoTransport<'run, N>,
    /// The end of the run's time, in milliseconds since 1970.
    deadline_ms: u64,
    /// The host's remaining time, in milliseconds. Waiting for memory is not the host's fault and does not count.
    left_ms: u64,
    /// Whether the photo has no declared length and has turned out to exceed [`UNPROMISED_BYTES`].
    is_long: bool,
}

impl<'run, N: Network> Transfer<'run, N> {
    /// Creates a fetch that has sent nothing yet.
    fn new(transport: &'run PhotoTransport<'run, N>, deadline_ms: u64) -> Self {
        Self {
            transport,
            deadline_ms,
            left_ms: FETCH_MS_MAX,
            is_long: false,
        }
    }

    /// Fetches the photo at an allowed address.
    async fn fetch(mut self, mut url: Url) -> Result<HeldPhoto, FetchFailure> {
        let mut redirects = 0;
        loop {
            let response = self.open(&url).await?;
            if response.status() == StatusCode::TOO_MANY_REQUESTS {
                let hint_ms = retry_after_ms(&response);
                return Err(FetchFailure::Throttled { hint_ms });
            }
            if !response.status().is_redirection() {
                if let Some(photo) = self.read(response).await? {
                    return Ok(photo);
                }
                continue;
            }
            if redirects == REDIRECTS_MAX {
                let why = format!("it redirects more than {REDIRECTS_MAX} times");
                return Err(PhotoFailure::Unfetchable(why).into());
            }
            redirects += 1;
            let location = location(&response)?;
            let addresses = self.transport.addresses;
            url = addresses.check_redirect(&url, location).map_err(refused)?;
        }
    }

    /// Waits for memory for the answer, then sends the request. In the opposite order, the host would have to wait.
    async fn open(&mut self, url: &Url) -> Result<http::Response<N::Body>, PhotoFailure> {
        let (network, pool) = (self.transport.network, self.transport.pool);
        let sleep = async |ms| network.sleep(ms).await;
        self.waiting(pool.to_ask(&sleep)).await?;
        let opening = network.open(self.request(url)?);
        let opened = self.within(opening).await?;
        opened.map_err(|error| broken(error, self.transport.promised_bytes_max()))
    }

    fn request(&self, url: &Url) -> Result<WireRequest, PhotoFailure> {
        http::Request::get(url.as_str())
            .header(USER_AGENT, self.transport.agent)
            .header(ACCEPT, FORMATS)
            .body(Vec::new())
            .map_err(|_| PhotoFailure::Unfetchable("its address cannot be read".into()))
    }

    /// Reads the body once there is memory for it. Returns `None` if the body exceeded that memory. The photo must then
    /// be fetched again, with more memory.
    async fn read(
        &mut self,
        response: http::Response<N::Body>,
    ) -> Result<Option<HeldPhoto>, FetchFailure> {
        if response.status() != StatusCode::OK {
            let status = response.status();
            let why = format!("its host answered HTTP {}", status.as_u16());
            let failure = PhotoFailure::Unfetchable(why);
            return Err(match status {
                StatusCode::NOT_FOUND | StatusCode::GONE => FetchFailure::Gone(failure),
                _ => FetchFailure::Photo(failure),
            });
        }
        let body = response.into_body();
        let promised_max = self.transport.promised_bytes_max();
        let is_too_large = |bytes: usize| bytes > promised_max;
        if body.promised_bytes().is_some_and(is_too_large) {
            return Err(broken(TransportError::TooLarge, promised_max).into());
        }
        let (permit, bytes_max) = self.room_for(body.promised_bytes()).await?;
        match self.within(body.read(bytes_max)).await? {
            Ok(bytes) => Ok(Some(HeldPhoto::new(bytes, permit))),
            Err(TransportError::TooLarge) if bytes_max < IMAGE_BYTES_MAX => {
                self.is_long = true;
                Ok(None)
            }
            Err(error) => Err(broken(error, bytes_max).into()),
        }
    }

    /// Waits for the memory for a body, and returns how many bytes of the body it can hold. A body without a declared
    /// length arrives in chunks, which are then joined. Such a body gets memory for the longest allowed photo if that
    /// much is free, or if the photo is known to need it.
    async fn room_for(
        &mut self,
        promised: Option<usize>,
    ) -> Result<(BytePermit, usize), PhotoFailure> {
        let (network, pool) = (self.transport.network, self.transport.pool);
        let sleep = async |ms| network.sleep(ms).await;
        if let Some(bytes) = promised {
            let permit = self.waiting(pool.to_arrive(&sleep, bytes)).await?;
            return Ok((permit, self.transport.promised_bytes_max()));
        }
        if let Some(permit) = pool.to_arrive_now(2 * IMAGE_BYTES_MAX) {
            return Ok((permit, IMAGE_BYTES_MAX));
        }
        let bytes = if self.is_long {
            IMAGE_BYTES_MAX
        } else {
            UNPROMISED_BYTES
        };
        let permit = self.waiting(pool.to_arrive(&sleep, 2 * bytes)).await?;
        Ok((permit, bytes))
    }

    /// Waits for something that the host sends, within the host's remaining time.
    async fn within<T>(&mut self, future: impl Future<Output = T>) -> Result<T, PhotoFailure> {
        let network = self.transport.network;
        let began_ms = network.now_ms();
        let left_ms = self.deadline_ms.saturating_sub(began_ms).min(self.left_ms);
        let output = timeout(network, left_ms, future).await;
        let took_ms = network.now_ms().saturating_sub(began_ms);
        self.left_ms = self.left_ms.saturating_sub(took_ms);
        output.ok_or_else(|| PhotoFailure::Unfetchable("its host is too slow".into()))
    }

    /// Waits for a future, until the run's time is over.
    async fn waiting<T>(&self, future: impl Future<Output = T>) -> Result<T, PhotoFailure> {
        let network = self.transport.network;
        let left_ms = self.deadline_ms.saturating_sub(network.now_ms());
        let output = timeout(network, left_ms, future).await;
        output.ok_or_else(|| PhotoFailure::Unfetchable(TIME_IS_OVER.to_owned()))
    }
}

fn refused(error: AddressError) -> PhotoFailure {
    PhotoFailure::Unfetchable(error.to_string())
}

/// Converts a transport error to the reason why a photo did not arrive; `bytes_max` is the longest allowed photo.
fn broken(error: TransportError, bytes_max: usize) -> PhotoFailure {
    match error {
        TransportError::TooLarge => {
            PhotoFailure::Unreadable(format!("it is over {bytes_max} bytes"))
        }
        TransportError::Broken => PhotoFailure::Unfetchable("its host did not send it".into()),
    }
}

fn location<T>(response: &http::Response<T>) -> Result<&str, PhotoFailure> {
    let location = response.headers().get(LOCATION);
    location
        .and_then(|location| location.to_str().ok())
        .ok_or_else(|| PhotoFailure::Unfetchable("it redirects to nowhere".into()))
}
