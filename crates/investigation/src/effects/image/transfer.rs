//! A single fetch of a photo: its redirects, its time, and the memory for its bytes.

use http::StatusCode;
use http::header::{ACCEPT, LOCATION, USER_AGENT};
use url::Url;

use domain::PhotoFailure;
use platform::isolate::{BytePermit, CONVERTED_BYTES_MAX, HeldPhoto, IMAGE_BYTES_MAX, PhotoPool};
use platform::{IncomingBody as _, Network, TransportError, WireRequest, timeout};
use providers::retry_after_ms;
use settings::{AddressError, AddressPolicy};

/// The reason why no more requests are sent.
pub(super) const TIME_IS_OVER: &str = "the run's time is over";

/// The most redirects followed. Each target is checked.
pub const REDIRECTS_MAX: usize = 3;
/// The longest time for one address with all its redirects, in milliseconds.
const FETCH_MS_MAX: u64 = 5_000;
/// The value of `Accept`. Some hosts negotiate; the recogniser accepts only the first two formats, and a WebP must be
/// converted.
const FORMATS: &str = "image/jpeg,image/png;q=0.9,image/webp;q=0.5,*/*;q=0.1";
/// The expected longest photo without a declared length, in bytes. A longer one is fetched again with memory for the
/// longest allowed.
const UNPROMISED_BYTES: usize = 512 * 1024;

/// The reason why an address served no photo.
pub(super) enum FetchFailure {
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
    /// Returns the longest allowed photo of declared length, in bytes.
    fn promised_bytes_max(&self) -> usize {
        if self.may_convert {
            CONVERTED_BYTES_MAX
        } else {
            IMAGE_BYTES_MAX
        }
    }
}

/// One fetch, and its remaining time.
pub(super) struct Transfer<'run, N> {
    transport: &'run PhotoTransport<'run, N>,
    /// The end of the run's time, in milliseconds since 1970.
    deadline_ms: u64,
    /// The host's remaining time, in milliseconds. Waiting for memory is not its fault and does not count.
    left_ms: u64,
    /// Whether the photo has no declared length, and is longer than expected.
    is_long: bool,
}

impl<'run, N: Network> Transfer<'run, N> {
    /// Creates a fetch that has sent nothing yet.
    pub(super) fn new(transport: &'run PhotoTransport<'run, N>, deadline_ms: u64) -> Self {
        Self {
            transport,
            deadline_ms,
            left_ms: FETCH_MS_MAX,
            is_long: false,
        }
    }

    /// Fetches the photo at an allowed address.
    pub(super) async fn fetch(mut self, mut url: Url) -> Result<HeldPhoto, FetchFailure> {
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

    /// Sends a request, once there is memory for an answer, so that no host is kept waiting.
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

    /// Reads the body once there is memory for it; `None` if the body exceeded the memory. The photo is then fetched
    /// again with more.
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
    /// length arrives in chunks, which are then joined. It gets the memory for the longest photo if that is free, or
    /// known to be needed.
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

    /// Waits for the host, within its remaining time.
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

pub(super) fn refused(error: AddressError) -> PhotoFailure {
    PhotoFailure::Unfetchable(error.to_string())
}

/// Returns why a photo did not arrive; `bytes_max` is its limit.
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
