//! The verifier for browsers, which replays a sealed file without a server.
//!
//! `scripts/verifier.mjs` builds this module with `--no-default-features --features verifier`;
//! `public/verifier/worker.js` calls it.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::sealed::verify_to_json;

/// Returns the JSON of a [`crate::sealed::Verification`], or `{"error"}` if the text is not a sealed run.
#[must_use]
#[wasm_bindgen]
pub fn verify(text: &str) -> String {
    verify_to_json(text)
}
