//! Converts photos by the platform's own converter, by the binding `IMAGES`, where `wrangler.toml` has one.
//!
//! The binding is called as JavaScript would call it, since the `worker` crate has no type for it.
//! <https://developers.cloudflare.com/images/transform-images/bindings/>

use js_sys::{Array, ArrayBuffer, Function, JSON, Promise, Reflect, Uint8Array, global};
use wasm_bindgen::{JsCast as _, JsValue};
use worker::Env;
use worker::wasm_bindgen_futures::JsFuture;

use platform::isolate::IMAGE_BYTES_MAX;

use super::ai_binding::words;

const BINDING: &str = "IMAGES";
/// The sides of the JPEG, in pixels at most: so large a photo shows small faces, too, and stays below the size that
/// the recogniser takes.
const TRANSFORM: &str = r#"{"width":4096,"height":4096,"fit":"scale-down"}"#;
/// The quality at which a WebP photo is encoded anew, too.
const OUTPUT: &str = r#"{"format":"image/jpeg","quality":90}"#;

/// The binding `IMAGES`.
pub(super) struct ImagesBinding(JsValue);

impl ImagesBinding {
    /// Returns the binding of this Worker, if it has one.
    pub(super) fn of(env: &Env) -> Option<Self> {
        let binding = Reflect::get(env.as_ref(), &BINDING.into()).ok()?;
        binding.is_object().then_some(Self(binding))
    }

    /// Makes a JPEG of a photo. Fails in the platform's words.
    pub(super) async fn jpeg_of(&self, photo: &[u8]) -> Result<Vec<u8>, String> {
        let body = self.convert(photo).await.map_err(|error| words(&error))?;
        let bytes = usize::try_from(body.byte_length()).unwrap_or(usize::MAX);
        if bytes > IMAGE_BYTES_MAX {
            return Err("it is over 5 MB as a JPEG".to_owned());
        }
        Ok(Uint8Array::new(&body).to_vec())
    }

    /// Calls `IMAGES.input(photo).transform(...).output(...)`, and reads the body of its response.
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
