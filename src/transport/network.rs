//! The network for calls to providers. It is the platform's fetch, or the binding to the platform's own models.

use futures::StreamExt as _;
use js_sys::{Array, ArrayBuffer, Function, JSON, Promise, Reflect, Uint8Array, global};
use providers::workers_ai::AI_BINDING;
use serde_json::json;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::{
    AbortController, ByteStream, Env, Fetch, Headers, Method, Request, RequestInit,
    RequestRedirect, Response, ResponseBody,
};

use platform::isolate::IMAGE_BYTES_MAX;
use platform::{IncomingBody, Network, TransportError, WireRequest, WireResponse};

use super::bindings::{now_ms, sleep};

/// The platform's network.
pub(crate) struct WorkerNetwork {
    models: Option<AiBinding>,
}

impl WorkerNetwork {
    /// Makes this Worker's network. It includes the binding `AI` if that is configured.
    pub(crate) fn new(env: &Env) -> Self {
        Self {
            models: AiBinding::of(env),
        }
    }
}

impl Network for WorkerNetwork {
    type Body = TransportBody;

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn jitter(&self) -> f64 {
        let mut bytes = [0; 4];
        // If there are no random numbers, the middle of the range suffices.
        match getrandom::fill(&mut bytes) {
            Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
            Err(_) => 0.5,
        }
    }

    async fn sleep(&self, ms: u64) {
        sleep(ms).await;
    }

    async fn open(
        &self,
        request: WireRequest,
    ) -> Result<http::Response<TransportBody>, TransportError> {
        let Some(model) = AiBinding::model_of(&request) else {
            return open(request).await;
        };
        match &self.models {
            Some(models) => {
                let answer = models.run(&model, request.body()).await?;
                Ok(answer.map(TransportBody::Here))
            }
            None => Err(TransportError::Broken),
        }
    }
}

/// Aborts a fetch when dropped. Dropping the fetch's future alone would not stop the platform's work.
pub(crate) struct AbortOnDrop(Option<AbortController>);

impl AbortOnDrop {
    /// Disarms the guard once there is nothing left to abort.
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

/// The body of a response.
pub(crate) enum TransportBody {
    /// A body from the platform's fetch that was not read yet.
    Coming {
        response: Response,
        promised: Option<usize>,
        guard: AbortOnDrop,
    },
    /// A body that is being read piece by piece.
    Streaming {
        stream: ByteStream,
        guard: AbortOnDrop,
    },
    /// A complete body that did not come from a fetch.
    Here(Vec<u8>),
    /// A body of which everything was read.
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
            // A body that was partly read piece by piece cannot be read as a whole any more.
            Self::Streaming { .. } | Self::Over => return Err(TransportError::Broken),
        };
        let bytes = match promised {
            Some(promised) if promised > bytes_max => return Err(TransportError::TooLarge),
            // A body of known length is read in one go, because passing a chunk from the platform costs more than its
            // bytes.
            Some(promised) => {
                let read = read_whole(response).await;
                let bytes = read.map_err(|_| TransportError::Broken)?;
                // An aborted body looks like a complete but shorter one, so the length is compared.
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
                    // An empty response has no body to read.
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

/// Sends a request and waits for the head of the response.
pub(crate) async fn open(
    request: WireRequest,
) -> Result<http::Response<TransportBody>, TransportError> {
    let platform_request = platform_request(&request).map_err(|_| TransportError::Broken)?;
    // The platform has its own copy of the request's body by now, so this copy need not occupy memory.
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

/// Reads a body whose length is unknown by collecting its pieces. This takes twice the body's size in memory. Fails
/// if the body exceeds `bytes_max`.
pub(crate) async fn read_pieces(
    mut response: Response,
    bytes_max: usize,
) -> Result<Vec<u8>, TransportError> {
    let (mut pieces, mut length) = (Vec::new(), 0_usize);
    // A redirect or an empty response has no body to read.
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

/// Returns the length of the body that the headers declare; `None` if the body is compressed in transit.
fn promised_bytes(headers: &Headers) -> Option<usize> {
    let is_encoded = headers.get("content-encoding").ok().flatten().is_some();
    let length = headers.get("content-length").ok().flatten()?;
    if is_encoded {
        None
    } else {
        length.parse().ok()
    }
}

const AI: &str = "AI";
/// The status of the response to a failed call of the binding. It matters only if the body contains no known error.
const STATUS_OF_FAILURE: u16 = 500;

/// The binding `AI`.
pub(crate) struct AiBinding(JsValue);

impl AiBinding {
    /// Returns the binding, if configured.
    pub(crate) fn of(env: &Env) -> Option<Self> {
        let binding = Reflect::get(env.as_ref(), &AI.into()).ok()?;
        binding.is_object().then_some(Self(binding))
    }

    /// Returns the model in the binding to which a request is addressed; `None` if the request goes to the web. Photos
    /// are fetched with `GET`, so the address of a photo never names a model.
    pub(crate) fn model_of(request: &WireRequest) -> Option<String> {
        if request.method() != http::Method::POST {
            return None;
        }
        let address = request.uri().to_string();
        address.strip_prefix(AI_BINDING).map(str::to_owned)
    }

    /// Runs a model with JSON inputs. An error thrown by the binding becomes an error response.
    pub(crate) async fn run(
        &self,
        model: &str,
        inputs: &[u8],
    ) -> Result<WireResponse, TransportError> {
        let broken = |_| TransportError::Broken;
        let inputs = JSON::parse(&String::from_utf8_lossy(inputs)).map_err(broken)?;
        let member = Reflect::get(&self.0, &"run".into()).map_err(broken)?;
        let run: Function = member.dyn_into().map_err(broken)?;
        // If the binding is a proxy, `run.call` would name another method of it. `Reflect.apply` calls `run` itself.
        let arguments = Array::of2(&model.into(), &inputs);
        let called = Reflect::apply(&run, &self.0, &arguments);
        let answered = match called {
            Ok(promise) => JsFuture::from(Promise::resolve(&promise)).await,
            Err(error) => Err(error),
        };
        let (status, body) = match answered {
            Ok(answer) => {
                // `JSON.stringify` returns `undefined` for `undefined`.
                let text: JsValue = JSON::stringify(&answer).map_err(broken)?.into();
                let body = text.as_string().ok_or(TransportError::Broken)?.into_bytes();
                (200, body)
            }
            Err(error) => {
                let body = json!({"success": false, "errors": [{"message": words(&error)}]});
                (STATUS_OF_FAILURE, body.to_string().into_bytes())
            }
        };
        let response = http::Response::builder().status(status).body(body);
        response.map_err(|_| TransportError::Broken)
    }
}

/// Returns the message of a thrown value of any type.
pub(crate) fn words(error: &JsValue) -> String {
    let member = Reflect::get(error, &"message".into()).ok();
    let message = member.and_then(|message| message.as_string());
    message.unwrap_or_default()
}

const IMAGES: &str = "IMAGES";
/// The largest width and height of the JPEG, in pixels. They suffice for small faces, and keep the file below the
/// recogniser's size limit.
const TRANSFORM: &str = r#"{"width":4096,"height":4096,"fit":"scale-down"}"#;
/// The format and quality of the JPEG.
const OUTPUT: &str = r#"{"format":"image/jpeg","quality":90}"#;

/// The binding `IMAGES`.
pub(crate) struct ImagesBinding(JsValue);

impl ImagesBinding {
    /// Returns the binding, if configured.
    pub(crate) fn of(env: &Env) -> Option<Self> {
        let binding = Reflect::get(env.as_ref(), &IMAGES.into()).ok()?;
        binding.is_object().then_some(Self(binding))
    }

    /// Converts a photo to a JPEG. Fails with the platform's message.
    pub(crate) async fn jpeg_of(&self, photo: &[u8]) -> Result<Vec<u8>, String> {
        let body = self.convert(photo).await.map_err(|error| words(&error))?;
        let bytes = usize::try_from(body.byte_length()).unwrap_or(usize::MAX);
        if bytes > IMAGE_BYTES_MAX {
            return Err("it is over 5 MB as a JPEG".to_owned());
        }
        Ok(Uint8Array::new(&body).to_vec())
    }

    /// Calls `IMAGES.input(photo).transform(...).output(...)`, and reads the response's body.
    async fn convert(&self, photo: &[u8]) -> Result<ArrayBuffer, JsValue> {
        let photo = stream_of(photo)?;
        let input = call(&self.0, "input", &photo)?;
        let transformed = call(&input, "transform", &JSON::parse(TRANSFORM)?)?;
        let output = call(&transformed, "output", &JSON::parse(OUTPUT)?)?;
        let output = JsFuture::from(Promise::resolve(&output)).await?;
        let response = call(&output, "response", &JsValue::UNDEFINED)?;
        let body = call(&response, "arrayBuffer", &JsValue::UNDEFINED)?;
        let body = JsFuture::from(Promise::resolve(&body)).await?;
        body.dyn_into()
    }
}

/// Returns `new Response(bytes).body`.
fn stream_of(bytes: &[u8]) -> Result<JsValue, JsValue> {
    let response: Function = Reflect::get(&global(), &"Response".into())?.dyn_into()?;
    let bytes = Array::of1(&Uint8Array::from(bytes));
    let response = Reflect::construct(&response, &bytes)?;
    Reflect::get(&response, &"body".into())
}

fn call(object: &JsValue, method: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
    let method: Function = Reflect::get(object, &method.into())?.dyn_into()?;
    Reflect::apply(&method, object, &Array::of1(argument))
}
