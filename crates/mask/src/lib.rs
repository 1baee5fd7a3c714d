//! Keeps secrets out of everything that is shown or stored: one mask, which compares secrets and texts in canonical
//! form.
//!
//! A secret is found regardless of case and compatible letters, with any punctuation between its letters and digits, in
//! percent codes, HTML entities and escapes of JSON and CSS (also nested), inside base64 or hexadecimal digits, in host
//! names, and across consecutive texts. Each place is replaced by `***`. A part of a secret is not masked: otherwise
//! whoever controls what a page repeats could learn the secret letter by letter from where the mask begins.
//!
//! ```text
//! secret ──> needles (its letters, base64, hexadecimal)        in canonical form
//! text ────> decoding (percent codes, entities, escapes) ──> folding ──> search ──> its own bytes, replaced
//! ```

mod codes;
mod finder;
mod needles;
mod normal_form;

use std::fmt;

use serde_json::{Map, Value};

use domain::chat::ChatReply;
use domain::{Failure, Secret};

use finder::Finder;

/// The fewest characters of a secret that is masked, counted in canonical form, without spaces and invisible
/// characters. A shorter secret occurs in so many texts that masking it would reveal it.
pub const SECRET_CHARS_MIN: usize = 3;

/// The replacement of a secret.
const MASK: &str = "***";
/// The shortest run of readable letters in a file that is searched for secrets, in bytes.
const RUN_BYTES_MIN: usize = 6;

/// Returns whether a secret is long enough to be masked.
#[must_use]
pub fn can_be_hidden(secret: &str) -> bool {
    normal_form::canonical(secret, normal_form::View::Signs)
        .chars()
        .count()
        >= SECRET_CHARS_MIN
}

/// The secrets of a run, and the functions that remove them from texts.
pub struct Mask {
    finder: Finder,
}

impl fmt::Debug for Mask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Mask(..)")
    }
}

impl Mask {
    /// Makes a mask for those of these secrets for which [`can_be_hidden`] returns true.
    #[must_use]
    pub fn new(secrets: &[Secret]) -> Self {
        Self {
            finder: Finder::new(secrets),
        }
    }

    /// Returns whether there are no secrets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finder.is_empty()
    }

    /// Returns whether a text contains a secret.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.finder.is_in(text)
    }

    /// Returns whether the readable texts among a file's bytes contain a secret.
    #[must_use]
    pub fn is_in_file(&self, bytes: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        let is_readable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ' || !byte.is_ascii();
        let mut runs = bytes
            .split(|byte| !is_readable(byte))
            .filter(|run| run.len() >= RUN_BYTES_MIN);
        runs.any(|run| self.is_in(&String::from_utf8_lossy(run)))
    }

    /// Returns the text with its secrets masked.
    #[must_use]
    pub fn hide(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        self.hide_in([&mut hidden]);
        hidden
    }

    /// Masks the secrets in consecutive texts, including those that continue from one into the next.
    pub fn hide_in<'text>(&self, texts: impl IntoIterator<Item = &'text mut String>) {
        if self.is_empty() {
            return;
        }
        let texts: Vec<&mut String> = texts.into_iter().collect();
        let known: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
        let spans = self.finder.spans(&known);
        for (text, spans) in texts.into_iter().zip(spans) {
            if !spans.is_empty() {
                *text = replaced(text, &spans, text.len());
            }
        }
    }

    /// Masks the secrets in a model's reply or failure.
    pub fn hide_in_reply(&self, result: &mut Result<ChatReply, Failure>) {
        match result {
            Ok(reply) => {
                let calls = reply
                    .calls
                    .iter_mut()
                    .flat_map(|call| [&mut call.id, &mut call.tool, &mut call.arguments]);
                self.hide_in([&mut reply.text, &mut reply.model].into_iter().chain(calls));
            }
            Err(failure) => self.hide_in([failure.detail_mut()]),
        }
    }

    /// Returns how far beyond a cut a text must be known for [`Self::shorten`], in UTF-16 units.
    #[must_use]
    pub fn reach_units(&self) -> usize {
        self.finder.reach_units()
    }

    /// Masks the secrets in consecutive texts, then cuts each text at `units_max` UTF-16 units, as a page's script
    /// would. Only [`Self::reach_units`] beyond the cut are read, which suffices to find every secret that begins
    /// before it. `end` is appended to texts that were cut.
    pub fn shorten<'text>(
        &self,
        texts: impl IntoIterator<Item = &'text mut String>,
        units_max: usize,
        end: &str,
    ) {
        let texts: Vec<&mut String> = texts.into_iter().collect();
        let window_units = units_max.saturating_add(self.reach_units());
        let windows: Vec<&str> = texts
            .iter()
            .map(|text| beginning(text, window_units))
            .collect();
        let spans = self.finder.spans(&windows);
        let lengths: Vec<usize> = windows.iter().map(|window| window.len()).collect();
        for ((text, spans), length) in texts.into_iter().zip(spans).zip(lengths) {
            let is_longer = length < text.len();
            // One character more is read, since the cut may split a character of two units.
            let told = if is_longer {
                beginning(text, units_max.saturating_add(1)).len()
            } else {
                text.len()
            };
            if !is_longer && spans.is_empty() && text.len() <= units_max {
                continue;
            }
            let hidden = replaced(text, &spans, told);
            let (mut cut, is_cut) = cut_at(&hidden, units_max);
            if is_cut || is_longer {
                cut.push_str(end);
            }
            *text = cut;
        }
    }

    /// Masks and cuts a single text in the manner of [`Self::shorten`].
    #[must_use]
    pub fn shortened(&self, text: &str, units_max: usize, end: &str) -> String {
        let mut shortened = text.to_owned();
        self.shorten([&mut shortened], units_max, end);
        shortened
    }

    /// Masks the secrets in a JSON value: in its texts, its numbers and the names of its members.
    pub fn hide_in_json(&self, value: &mut Value) {
        if self.is_empty() {
            return;
        }
        self.hide_names_and_numbers(value);
        let mut texts = Vec::new();
        add_texts(value, &mut texts);
        self.hide_in(texts);
    }

    fn hide_names_and_numbers(&self, value: &mut Value) {
        match value {
            Value::Number(number) if self.is_in(&number.to_string()) => *value = MASK.into(),
            Value::Array(values) => {
                for value in values {
                    self.hide_names_and_numbers(value);
                }
            }
            Value::Object(members) => {
                if members.keys().any(|name| self.is_in(name)) {
                    let hidden: Map<String, Value> = std::mem::take(members)
                        .into_iter()
                        .map(|(name, value)| (self.hide(&name), value))
                        .collect();
                    *members = hidden;
                }
                for (_, value) in members.iter_mut() {
                    self.hide_names_and_numbers(value);
                }
            }
            _ => {}
        }
    }
}

/// Returns the text up to the byte `end`, with each span that begins before it replaced by the mask.
fn replaced(text: &str, spans: &[std::ops::Range<usize>], end: usize) -> String {
    let mut replaced = String::with_capacity(end);
    let mut from = 0;
    for span in spans.iter().take_while(|span| span.start < end) {
        replaced.push_str(text.get(from..span.start).unwrap_or_default());
        replaced.push_str(MASK);
        from = span.end;
    }
    replaced.push_str(text.get(from..end).unwrap_or_default());
    replaced
}

/// Returns as many whole characters of a text as fit into this many UTF-16 units.
fn beginning(text: &str, units_max: usize) -> &str {
    // A text has at most as many units as bytes, so it need not be counted.
    if text.len() <= units_max {
        return text;
    }
    let mut units = 0_usize;
    let end = text.char_indices().find(|(_, character)| {
        units = units.saturating_add(character.len_utf16());
        units > units_max
    });
    match end {
        Some((end, _)) => text.get(..end).unwrap_or_default(),
        None => text,
    }
}

/// Cuts a text at `units_max` UTF-16 units. Returns the beginning, and whether the text was longer. A character of two
/// units that the cut splits becomes a replacement character.
fn cut_at(text: &str, units_max: usize) -> (String, bool) {
    let beginning = beginning(text, units_max);
    let is_cut = beginning.len() < text.len();
    let mut cut = beginning.to_owned();
    if is_cut && beginning.chars().map(char::len_utf16).sum::<usize>() < units_max {
        cut.push(char::REPLACEMENT_CHARACTER);
    }
    (cut, is_cut)
}

/// Collects the texts of a JSON value, in order.
fn add_texts<'value>(value: &'value mut Value, texts: &mut Vec<&'value mut String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => {
            for value in values {
                add_texts(value, texts);
            }
        }
        Value::Object(members) => {
            for (_, value) in members.iter_mut() {
                add_texts(value, texts);
            }
        }
        _ => {}
    }
}
