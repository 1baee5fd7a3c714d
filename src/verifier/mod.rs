//! The core in a reader's browser, which executes a sealed file again, with no server.
//!
//! The module is built by `scripts/verifier.mjs` with `--no-default-features --features verifier`;
//! `public/verifier/worker.js` calls it.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::sealed::verify_to_json;

/// Returns the JSON of a [`crate::sealed::Verification`], or `{"error"}` in words where the text is
/// no sealed run.
#[must_use]
#[wasm_bindgen]
pub fn verify(text: &str) -> String {
    verify_to_json(text)
}
