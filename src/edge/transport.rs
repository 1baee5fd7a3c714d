//! Sends requests by the platform's fetch: no redirect followed, bodies bounded, aborted on drop.

use futures::StreamExt as _;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use worker::wasm_bindgen_futures::JsFuture;
use worker::{
    AbortController, ByteStream, Fetch, Headers, Method, Request, RequestInit, RequestRedirect,
    Response, ResponseBody,
};

use platform::{IncomingBody, TransportError, WireRequest};

/// A guard that aborts its fetch when it is dropped: dropping a future alone does not stop the
/// platform's work.
pub(super) struct AbortOnDrop(Option<AbortController>);

impl AbortOnDrop {
    /// Keeps the guard from aborting, since there is nothing left to abort.
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(controller) = self.0.take() {
            controller.abort();
        }
    }
}

/// An answer's body, on its way or here.
pub(super) enum TransportBody {
    /// The body comes by the platform's fetch.
    Coming {
        response: Response,
        promised: Option<usize>,
        guard: AbortOnDrop,
    },
    /// The body is read piece by piece.
    Streaming {
        stream: ByteStream,
        guard: AbortOnDrop,
    },
    /// The body came otherwise and is here whole.
    Here(Vec<u8>),
    /// The body is read to its end.
    Over,
}

impl IncomingBody for TransportBody {
    fn promised_bytes(&self) -> Option<usize> {
        match self {
            Self::Coming { promised, .. } => *promised,
            Self::Here(bytes) => Some(bytes.len()),
            Self::Streaming { .. } | Self::Over => None,
        }
    }

    async fn read(self, bytes_max: usize) -> Result<Vec<u8>, TransportError> {
        let (response, promised, guard) = match self {
            Self::Coming {
                response,
                promised,
                guard,
            } => (response, promised, guard),
            Self::Here(bytes) => return bytes.read(bytes_max).await,
            // A body that is read piece by piece cannot be read whole.
            Self::Streaming { .. } | Self::Over => return Err(TransportError::Broken),
        };
        let bytes = match promised {
            Some(promised) if promised > bytes_max => return Err(TransportError::TooLarge),
            // The body is read in one piece: each chunk that comes over by itself costs more than
            // its bytes.
            Some(promised) => {
                let read = read_whole(response).await;
                let bytes = read.map_err(|_| TransportError::Broken)?;
                // An aborted body looks like a short complete one.
                if bytes.len() != promised {
                    return Err(TransportError::Broken);
                }
                bytes
            }
            None => read_pieces(response, bytes_max).await?,
        };
        guard.disarm();
        Ok(bytes)
    }

    async fn next(&mut self) -> Option<Result<Vec<u8>, TransportError>> {
        let (mut stream, guard) = match std::mem::replace(self, Self::Over) {
            Self::Coming {
                mut response,
                guard,
                ..
            } => {
                let Ok(stream) = response.stream() else {
                    // An empty answer has no body to read.
                    guard.disarm();
                    return None;
                };
                (stream, guard)
            }
            Self::Streaming { stream, guard } => (stream, guard),
            Self::Here(bytes) => return Some(Ok(bytes)),
            Self::Over => return None,
        };
        match stream.next().await {
            None => {
                guard.disarm();
                None
            }
            Some(piece) => {
                *self = Self::Streaming { stream, guard };
                Some(piece.map_err(|_| TransportError::Broken))
            }
        }
    }
}

/// Sends a request and waits for the head of its answer.
pub(super) async fn open(
    request: WireRequest,
) -> Result<http::Response<TransportBody>, TransportError> {
    let platform_request = platform_request(&request).map_err(|_| TransportError::Broken)?;
    // The platform has its own copy of what goes up.
    drop(request);
    let controller = AbortController::default();
    let signal = controller.signal();
    let guard = AbortOnDrop(Some(controller));
    let response = Fetch::Request(platform_request)
        .send_with_signal(&signal)
        .await
        .map_err(|_| TransportError::Broken)?;
    let mut answer = http::Response::builder().status(response.status_code());
    for (name, value) in response.headers().entries() {
        answer = answer.header(name, value);
    }
    let promised = promised_bytes(response.headers());
    let body = TransportBody::Coming {
        response,
        promised,
        guard,
    };
    answer.body(body).map_err(|_| TransportError::Broken)
}

fn platform_request(request: &WireRequest) -> worker::Result<Request> {
    let headers = Headers::new();
    for (name, value) in request.headers() {
        headers.set(name.as_str(), value.to_str().unwrap_or_default())?;
    }
    let mut init = RequestInit::new();
    init.with_headers(headers)
        .with_redirect(RequestRedirect::Manual);
    if request.method() == http::Method::POST {
        let body = Uint8Array::from(request.body().as_slice());
        init.with_method(Method::Post)
            .with_body(Some(JsValue::from(body)));
    } else if request.method() == http::Method::DELETE {
        init.with_method(Method::Delete);
    }
    Request::new_with_init(&request.uri().to_string(), &init)
}

/// Reads a body whose length is known.
async fn read_whole(response: Response) -> Result<Vec<u8>, JsValue> {
    match response.body() {
        ResponseBody::Empty => Ok(Vec::new()),
        ResponseBody::Body(bytes) => Ok(bytes.clone()),
        ResponseBody::Stream(stream) => {
            let body = worker::web_sys::Response::new_with_opt_readable_stream(Some(stream))?;
            let buffer = JsFuture::from(body.array_buffer()?).await?;
            Ok(Uint8Array::new(&buffer).to_vec())
        }
    }
}

/// Reads a body whose length is not known before: its pieces, then all of them at once, which takes
/// twice as many bytes and no more. Fails where there are more than `bytes_max`.
pub(super) async fn read_pieces(
    mut response: Response,
    bytes_max: usize,
) -> Result<Vec<u8>, TransportError> {
    let (mut pieces, mut length) = (Vec::new(), 0_usize);
    // A redirect or an empty answer has no body to read.
    if let Ok(mut stream) = response.stream() {
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(|_| TransportError::Broken)?;
            length = length.saturating_add(piece.len());
            if length > bytes_max {
                return Err(TransportError::TooLarge);
            }
            pieces.push(piece);
        }
    }
    Ok(pieces.concat())
}

/// Returns the length that the body must have, or `None` where it is compressed on the way.
fn promised_bytes(headers: &Headers) -> Option<usize> {
    let is_encoded = headers.get("content-encoding").ok().flatten().is_some();
    let length = headers.get("content-length").ok().flatten()?;
    if is_encoded {
        None
    } else {
        length.parse().ok()
    }
}
