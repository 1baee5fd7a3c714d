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

mod codes;
mod finder;
mod needles;
mod normal_form;

use std::fmt;

use serde_json::{Map, Value};

use domain::chat::ChatReply;
use domain::{Failure, Secret};

use finder::Finder;

/// The fewest characters of a secret in canonical form, without blanks and what nobody sees. Fewer are in so many
/// other texts that hiding them would tell them.
pub const SECRET_CHARS_MIN: usize = 3;

/// What stands in the place of a secret.
const MASK: &str = "***";
/// The shortest run of letters in a file that may be a text in it, in bytes.
const RUN_BYTES_MIN: usize = 6;

/// Returns whether a secret is long enough to be hidden.
#[must_use]
pub fn can_be_hidden(secret: &str) -> bool {
    normal_form::canonical(secret, normal_form::View::Signs)
        .chars()
        .count()
        >= SECRET_CHARS_MIN
}

/// Takes the values of secrets out of texts.
pub struct Mask {
    finder: Finder,
}

impl fmt::Debug for Mask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Mask(..)")
    }
}

impl Mask {
    /// Makes a mask for these secrets, but those of which [`can_be_hidden`] says that they are too short.
    #[must_use]
    pub fn new(secrets: &[Secret]) -> Self {
        Self {
            finder: Finder::new(secrets),
        }
    }

    /// Returns whether there is anything to hide.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finder.is_empty()
    }

    /// Returns whether a text has a secret in it.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.finder.is_in(text)
    }

    /// Returns whether a file has a secret in it among the texts that anybody can read in its bytes.
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

    /// Returns the text without the secrets in it.
    #[must_use]
    pub fn hide(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        self.hide_in([&mut hidden]);
        hidden
    }

    /// Takes the secrets out of texts that follow each other, and those that begin in one and go on in the next.
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

    /// Takes the secrets out of what came of a question to a model.
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

    /// Returns how much more of a text must be known than is told of it, in units of UTF-16: see [`Self::shorten`].
    #[must_use]
    pub fn reach_units(&self) -> usize {
        self.finder.reach_units()
    }

    /// Cuts texts that follow each other at a number of units of UTF-16, as a page's script would, once the secrets are
    /// taken out of them. Where a text is longer than this and [`Self::reach_units`] together, it is read no further:
    /// a secret that begins before the cut has its end by then. `end` is put behind what was cut.
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
            // A character more, since the cut may be in its middle.
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

    /// Returns a text as [`Self::shorten`] cuts it.
    #[must_use]
    pub fn shortened(&self, text: &str, units_max: usize, end: &str) -> String {
        let mut shortened = text.to_owned();
        self.shorten([&mut shortened], units_max, end);
        shortened
    }

    /// Takes the secrets out of the texts, the names and the numbers of a value.
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

/// Returns the text up to a place, with the mask in the place of each span that begins before it.
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

/// Returns as many whole characters of a text as take so many units at most.
fn beginning(text: &str, units_max: usize) -> &str {
    // A byte is no more than a unit.
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

/// Returns the text cut at a number of units, and whether it is longer. Half a character becomes a sign for it.
fn cut_at(text: &str, units_max: usize) -> (String, bool) {
    let beginning = beginning(text, units_max);
    let is_cut = beginning.len() < text.len();
    let mut cut = beginning.to_owned();
    if is_cut && beginning.chars().map(char::len_utf16).sum::<usize>() < units_max {
        cut.push(char::REPLACEMENT_CHARACTER);
    }
    (cut, is_cut)
}

/// Adds the texts of a value, in order.
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
