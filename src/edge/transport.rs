//! Sends requests by the platform's fetch: no redirect followed, bodies bounded, aborted on drop.

use futures::StreamExt as _;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use worker::wasm_bindgen_futures::JsFuture;
use worker::{
    AbortController, Fetch, Headers, Method, Request, RequestInit, RequestRedirect, Response,
    ResponseBody,
};

use crate::providers::{WireRequest, WireResponse};
use crate::session::TransportError;

/// Aborts its fetch when it is dropped: dropping a future alone does not stop the platform's work.
struct AbortOnDrop(Option<AbortController>);

impl AbortOnDrop {
    /// There is nothing left to abort.
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

/// Sends and reads the whole answer.
pub(super) async fn send(
    request: WireRequest,
    bytes_max: usize,
) -> Result<WireResponse, TransportError> {
    let request = platform_request(&request).map_err(|_| TransportError::Broken)?;
    let controller = AbortController::default();
    let signal = controller.signal();
    let guard = AbortOnDrop(Some(controller));
    let response = Fetch::Request(request)
        .send_with_signal(&signal)
        .await
        .map_err(|_| TransportError::Broken)?;
    let answer = read(response, bytes_max).await?;
    guard.disarm();
    Ok(answer)
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
    }
    Request::new_with_init(&request.uri().to_string(), &init)
}

async fn read(response: Response, bytes_max: usize) -> Result<WireResponse, TransportError> {
    let broken = |_: JsValue| TransportError::Broken;
    let mut answer = http::Response::builder().status(response.status_code());
    for (name, value) in response.headers().entries() {
        answer = answer.header(name, value);
    }
    let bytes = match promised_bytes(response.headers()) {
        Some(promised) if promised > bytes_max => return Err(TransportError::TooLarge),
        // In one piece: each chunk that comes over by itself costs more than its bytes.
        Some(promised) => {
            let bytes = read_whole(response).await.map_err(broken)?;
            // An aborted body looks like a short complete one.
            if bytes.len() != promised {
                return Err(TransportError::Broken);
            }
            bytes
        }
        None => read_chunks(response, bytes_max).await?,
    };
    answer.body(bytes).map_err(|_| TransportError::Broken)
}

/// A body whose length is known.
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

/// A body whose length nobody knows before.
async fn read_chunks(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, TransportError> {
    let mut bytes = Vec::new();
    // A redirect or an empty answer has no body to read.
    if let Ok(mut chunks) = response.stream() {
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| TransportError::Broken)?;
            if bytes.len().saturating_add(chunk.len()) > bytes_max {
                return Err(TransportError::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok(bytes)
}

/// The length that the body must have; none where it is compressed on the way.
fn promised_bytes(headers: &Headers) -> Option<usize> {
    let is_encoded = headers.get("content-encoding").ok().flatten().is_some();
    let length = headers.get("content-length").ok().flatten()?;
    if is_encoded {
        None
    } else {
        length.parse().ok()
    }
}
