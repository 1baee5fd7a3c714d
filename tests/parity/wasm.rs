//! The engine in WASM without the Worker: rehearses seeds and returns the events' digests.
//!
//! Built by `tests/parity/parity.mjs` with `--no-default-features` for
//! `wasm32-unknown-unknown`; it imports nothing.
#![allow(missing_docs)]

use devtools::rehearsal::rehearse;

/// Returns the first 64 bits of a rehearsal's digest, or 0 if a property was violated.
// A plain exported function is the module's whole interface.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn rehearsal_digest(seed: u64) -> u64 {
    rehearse(seed)
        .ok()
        .and_then(|outcome| u64::from_str_radix(outcome.digest.get(..16)?, 16).ok())
        .unwrap_or(0)
}
