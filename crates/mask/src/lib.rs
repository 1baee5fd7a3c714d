//! What keeps secrets out of everything that is told or kept: one mask, by the canonical form of secrets and texts.
//!
//! A secret is found in whatever case and compatible letters it is written, with anything but letters and digits
//! between its own, in percent codes, HTML entities and escapes of JSON and CSS (several times over, too), as a part
//! of what is written in base64 or hexadecimal digits, in host names, and spread over texts that follow each other.
//! What stands there becomes `***`. A part of a secret is not hidden: whoever chooses what a page repeats would learn
//! the secret letter by letter from where the mask begins.
//!
//! ```text
//! secret ──> needles (its letters, base64, hexadecimal)        in canonical form
//! text ────> decoding (percent codes, entities, escapes) ──> folding ──> search ──> its own bytes, replaced
//! ```

mod decoding;
mod encodings;
mod entities;
mod finding;
mod folding;
mod hiding;
mod json_values;
mod needles;

pub use hiding::Mask;

/// The fewest characters of a secret in canonical form, without blanks and what nobody sees. Fewer are in so many
/// other texts that hiding them would tell them.
pub const SECRET_CHARS_MIN: usize = 3;

/// Returns whether a secret is long enough to be hidden.
#[must_use]
pub fn can_be_hidden(secret: &str) -> bool {
    folding::canonical(secret, folding::View::Signs)
        .chars()
        .count()
        >= SECRET_CHARS_MIN
}
