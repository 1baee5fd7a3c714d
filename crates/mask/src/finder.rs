//! Finds the places at which secrets occur in texts.

use std::ops::Range;

use domain::Secret;

use crate::SECRET_CHARS_MIN;
use crate::codes::{Letter, decoded, letters, may_have_codes};
use crate::needles::{Needle, Needles, encoded};
use crate::normal_form::{Folded, Place, View, add_bytes, canonical};

/// A secret with punctuation is found by its letters and digits alone if it has at least this many of them, and they
/// are at least half of the secret. Otherwise it is compared with its punctuation.
const LETTERS_MIN: usize = 6;
/// The fewest letters and digits of base64 that are searched for. Fewer would occur in too many texts.
const ENCODED_CHARS_MIN: usize = 5;
/// The length of the pieces into which longer secrets are split for the search, in characters. It limits how much of a
/// text must be read beyond a cut to find a secret that begins before the cut.
const PIECE_CHARS: usize = 64;
/// The most characters that one character of a secret takes in a text: its longest encoding, and what may stand between
/// it and the next one.
const CHARACTER_CHARS_MAX: usize = 16;
const AROUND_CHARS: usize = 64;
/// The most bytes of text per UTF-16 unit.
const UNIT_BYTES_MAX: usize = 3;
/// The size of the windows in which longer texts are decoded, in bytes. Windows overlap, so that a secret across the
/// border of two is found.
const WINDOW_BYTES: usize = 8_192;
/// A text of at most this many characters may be one of several input boxes that each hold a part of a secret.
const BOX_CHARS_MAX: usize = 4;

/// Finds secrets in texts.
pub(crate) struct Finder {
    letters: Needles,
    signs: Needles,
    reach_units: usize,
}

impl Finder {
    /// Makes a finder for these secrets. Those too short to be masked are ignored.
    pub(crate) fn new(secrets: &[Secret]) -> Self {
        let (mut by_letters, mut by_signs) = (Vec::new(), Vec::new());
        let mut longest = 0;
        for secret in secrets.iter().map(Secret::reveal) {
            let signs = canonical(secret, View::Signs);
            let length = signs.chars().count();
            if length < SECRET_CHARS_MIN {
                continue;
            }
            longest = longest.max(length.min(PIECE_CHARS));
            let letters = canonical(secret, View::Letters);
            let is_plain =
                letters == signs || letters.chars().count() >= LETTERS_MIN.max(length.div_ceil(2));
            if is_plain {
                by_letters.extend(pieces(&letters));
            }
            // If a secret begins or ends with punctuation, that punctuation is masked together with the letters.
            let ends = [signs.chars().next(), signs.chars().next_back()];
            if !is_plain || ends.into_iter().flatten().any(|end| !end.is_alphanumeric()) {
                by_signs.extend(pieces(&signs));
            }
            let encoded = encoded(secret)
                .into_iter()
                .filter(|one| one.len() >= ENCODED_CHARS_MIN);
            by_letters.extend(encoded.map(|one| one.to_ascii_lowercase()));
        }
        Self {
            letters: Needles::new(by_letters),
            signs: Needles::new(by_signs),
            reach_units: match longest {
                0 => 0,
                _ => longest * CHARACTER_CHARS_MAX + AROUND_CHARS,
            },
        }
    }

    /// Returns whether there are no secrets.
    pub(crate) fn is_empty(&self) -> bool {
        self.reach_units == 0
    }

    /// Returns how far beyond a cut a text must be known, in UTF-16 units, to find the secrets that begin before the
    /// cut.
    pub(crate) fn reach_units(&self) -> usize {
        self.reach_units
    }

    /// Returns the places of secrets in each text, sorted and disjoint. A secret may begin in one text and continue in
    /// the next; then each of the texts has a place for its part.
    pub(crate) fn spans(&self, texts: &[&str]) -> Vec<Spans> {
        let mut spans: Vec<Spans> = vec![Vec::new(); texts.len()];
        if self.is_empty() {
            return spans;
        }
        let all: Vec<(usize, &str)> = texts.iter().copied().enumerate().collect();
        self.add_stream(&all, &mut spans);
        let boxes: Vec<(usize, &str)> = all
            .iter()
            .filter(|(_, text)| is_box(text))
            .copied()
            .collect();
        if boxes.len() > 1 && boxes.len() < all.len() {
            self.add_stream(&boxes, &mut spans);
        }
        for ((_, text), found) in all.iter().zip(&mut spans) {
            for (start, window) in windows(text, self.reach_units * UNIT_BYTES_MAX) {
                if may_have_codes(window) {
                    decoded(window, &mut |letters| self.add_layer(letters, start, found));
                }
            }
            *found = apart(std::mem::take(found));
        }
        spans
    }

    /// Returns whether a text contains a secret.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.spans(&[text]).iter().any(|spans| !spans.is_empty())
    }

    fn views(&self) -> [(View, &Needles); 2] {
        [(View::Letters, &self.letters), (View::Signs, &self.signs)]
    }

    /// Adds the places of secrets that occur when these texts are read as one.
    fn add_stream(&self, texts: &[(usize, &str)], spans: &mut [Spans]) {
        for (view, needles) in self.views() {
            if needles.is_empty() {
                continue;
            }
            // Most texts contain no secret, so they are first searched without recording where each byte came from.
            let mut bytes = Vec::new();
            for (_, text) in texts {
                add_bytes(text, view, &mut bytes);
            }
            let mut is_there = false;
            needles.find(&bytes, &mut |_, _| {
                is_there = true;
                true
            });
            if !is_there {
                continue;
            }
            let mut folded = Folded::with_capacity(bytes.len());
            for (number, text) in texts {
                folded.add(*number, letters(text), view);
            }
            add_found(needles, &folded, &mut |place| {
                if let Some(found) = spans.get_mut(place.text) {
                    found.push(place.range.clone());
                }
            });
        }
    }

    fn add_layer(&self, layer: &[Letter], start: usize, found: &mut Spans) {
        for (view, needles) in self.views() {
            if !needles.is_empty() {
                let mut folded = Folded::default();
                folded.add(0, layer.iter().cloned(), view);
                add_found(needles, &folded, &mut |place| {
                    found.push(start + place.range.start..start + place.range.end);
                });
            }
        }
    }
}

type Spans = Vec<Range<usize>>;

/// Passes the place of each secret that is found to `give`. A place includes what stands between the secret's letters.
fn add_found(needles: &Needles, folded: &Folded, give: &mut impl FnMut(&Place)) {
    let places = &folded.places;
    needles.find(&folded.bytes, &mut |at, needle| {
        let end = at.saturating_add(needle.len());
        if !counts(needle, places, at, end) {
            return false;
        }
        let mut whole: Option<Place> = None;
        for place in places.get(at..end).unwrap_or_default() {
            match &mut whole {
                Some(known) if known.text == place.text => {
                    known.range.end = known.range.end.max(place.range.end);
                }
                _ => {
                    if let Some(before) = whole.replace(place.clone()) {
                        give(&before);
                    }
                }
            }
        }
        if let Some(last) = whole {
            give(&last);
        }
        false
    });
}

/// Returns whether a match counts. A short needle must be a whole word, or have no punctuation between its letters.
fn counts(needle: &Needle, places: &[Place], at: usize, end: usize) -> bool {
    let is_after_gap = |place: usize| places.get(place).is_none_or(|place| place.is_after_gap);
    let inside = places.get(at.saturating_add(1)..end).unwrap_or_default();
    !needle.is_short
        || !inside.iter().any(|place| place.is_after_gap)
        || (is_after_gap(at) && is_after_gap(end))
}

/// Splits a text into pieces of equal length. The last piece overlaps the one before it.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let last = characters.len().saturating_sub(PIECE_CHARS);
    let starts = (0..last).step_by(PIECE_CHARS).chain([last]);
    let pieces = starts.map(|start| characters.iter().skip(start).take(PIECE_CHARS).collect());
    pieces.collect()
}

/// Returns overlapping windows of a text, each with its start in the text, in bytes.
fn windows(text: &str, overlap_bytes: usize) -> impl Iterator<Item = (usize, &str)> {
    let starts = (0..text.len())
        .step_by(WINDOW_BYTES)
        .map(|start| text.floor_char_boundary(start));
    starts.scan(false, move |is_last, start| {
        let end = text.floor_char_boundary(start + WINDOW_BYTES + overlap_bytes);
        let is_over = std::mem::replace(is_last, end == text.len());
        (!is_over).then(|| (start, text.get(start..end).unwrap_or_default()))
    })
}

fn is_box(text: &str) -> bool {
    text.chars().nth(BOX_CHARS_MAX).is_none()
}

/// Sorts the spans, and merges those that touch or overlap.
fn apart(mut spans: Spans) -> Spans {
    spans.sort_by_key(|one| (one.start, one.end));
    let mut apart: Spans = Vec::new();
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => apart.push(span),
        }
    }
    apart
}
