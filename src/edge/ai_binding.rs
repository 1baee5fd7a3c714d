//! Runs the platform's own models by the binding `AI`, where `wrangler.toml` has one.
//!
//! The binding is called as JavaScript would call it, with an object that the platform itself parses
//! from JSON: the crate's `Ai::run` makes maps of JSON objects, in which the model's schema is lost.

use js_sys::{Array, Function, JSON, Promise, Reflect};
use serde_json::json;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::Env;
use worker::wasm_bindgen_futures::JsFuture;

use platform::{TransportError, WireRequest, WireResponse};
use providers::workers_ai::AI_BINDING;

const BINDING: &str = "AI";
/// The status of the answer that tells of a failed call. Its reader looks at the error's code
/// first.
const STATUS_OF_FAILURE: u16 = 500;

/// The binding `AI`.
pub(super) struct AiBinding(JsValue);

impl AiBinding {
    /// Returns the binding of this Worker, if it has one.
    pub(super) fn of(env: &Env) -> Option<Self> {
        let binding = Reflect::get(env.as_ref(), &BINDING.into()).ok()?;
        binding.is_object().then_some(Self(binding))
    }

    /// Returns the model that a request asks the binding for, or `None` where the request goes to
    /// the web. A photo's address never comes here: photos are fetched by `GET`.
    pub(super) fn model_of(request: &WireRequest) -> Option<String> {
        if request.method() != http::Method::POST {
            return None;
        }
        let address = request.uri().to_string();
        address.strip_prefix(AI_BINDING).map(str::to_owned)
    }

    /// Runs a model with inputs in JSON. An error that the binding throws is returned as an error's
    /// answer.
    pub(super) async fn run(
        &self,
        model: &str,
        inputs: &[u8],
    ) -> Result<WireResponse, TransportError> {
        let broken = |_| TransportError::Broken;
        let inputs = JSON::parse(&String::from_utf8_lossy(inputs)).map_err(broken)?;
        let run = Reflect::get(&self.0, &"run".into()).map_err(broken)?;
        let run: Function = run.dyn_into().map_err(broken)?;
        // This is not `run.call`: where the binding is a proxy, that would be another method.
        let arguments = Array::of2(&model.into(), &inputs);
        let called = Reflect::apply(&run, &self.0, &arguments);
        let answered = match called {
            Ok(promise) => JsFuture::from(Promise::resolve(&promise)).await,
            Err(error) => Err(error),
        };
        let (status, body) = match answered {
            Ok(answer) => {
                // `JSON.stringify` makes no text of `undefined`.
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

/// Returns the message of an error that was thrown, whatever its type is.
pub(super) fn words(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    message.unwrap_or_default()
}
