//! Where in texts secrets are.

use std::ops::Range;

use domain::Secret;

use crate::SECRET_CHARS_MIN;
use crate::codes::{Letter, decoded, letters, may_have_codes};
use crate::needles::{Needle, Needles, encoded};
use crate::normal_form::{Folded, Place, View, add_bytes, canonical};

/// The fewest letters and digits by which a secret is found that has other signs, too. One with fewer, or with more signs
/// than letters and digits, is compared with all of its signs.
const LETTERS_MIN: usize = 6;
/// The fewest letters and digits of a secret in base64 that are looked for.
const ENCODED_CHARS_MIN: usize = 5;
/// A longer secret is looked for piece by piece, so that it is known how far behind the end of a text one that begins
/// in it may go on.
const PIECE_CHARS: usize = 64;
/// The most characters in which one character of a secret is written, and what comes around it.
const CHARACTER_CHARS_MAX: usize = 16;
const AROUND_CHARS: usize = 64;
/// The most bytes of a unit of UTF-16.
const UNIT_BYTES_MAX: usize = 3;
/// A longer text is decoded piece by piece, each with so much of the next that a secret on both sides is found.
const WINDOW_BYTES: usize = 8_192;
/// The most characters of a text that may be one of several boxes, each with a part of a secret.
const BOX_CHARS_MAX: usize = 4;

/// Finds secrets in texts.
pub(crate) struct Finder {
    letters: Needles,
    signs: Needles,
    reach_units: usize,
}

impl Finder {
    /// Makes a finder of these secrets. One that is too short is none.
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
            // Signs at an end are hidden with the letters.
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

    /// Returns whether there is nothing to find.
    pub(crate) fn is_empty(&self) -> bool {
        self.reach_units == 0
    }

    /// Returns how far behind the place where a text is cut it must be known, in units of UTF-16, so that a secret is
    /// found that begins before it.
    pub(crate) fn reach_units(&self) -> usize {
        self.reach_units
    }

    /// Returns where in each of these texts a secret is, or a part of one that goes on in the next text. The places are
    /// in order and apart from each other.
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

    /// Returns whether a secret is in a text.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.spans(&[text]).iter().any(|spans| !spans.is_empty())
    }

    fn views(&self) -> [(View, &Needles); 2] {
        [(View::Letters, &self.letters), (View::Signs, &self.signs)]
    }

    /// Adds where secrets are in texts that are read as one.
    fn add_stream(&self, texts: &[(usize, &str)], spans: &mut [Spans]) {
        for (view, needles) in self.views() {
            if needles.is_empty() {
                continue;
            }
            // Nearly always there is nothing to find, and no place to know.
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

/// Gives the places of each secret in texts, all that lies between its letters among them.
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

/// Returns whether a needle that was found counts: a short one only without signs between its letters, or as a word of
/// its own.
fn counts(needle: &Needle, places: &[Place], at: usize, end: usize) -> bool {
    let is_after_gap = |place: usize| places.get(place).is_none_or(|place| place.is_after_gap);
    let inside = places.get(at.saturating_add(1)..end).unwrap_or_default();
    !needle.is_short
        || !inside.iter().any(|place| place.is_after_gap)
        || (is_after_gap(at) && is_after_gap(end))
}

/// Returns a text in pieces, of which the last one is as long as the others.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let last = characters.len().saturating_sub(PIECE_CHARS);
    let starts = (0..last).step_by(PIECE_CHARS).chain([last]);
    let pieces = starts.map(|start| characters.iter().skip(start).take(PIECE_CHARS).collect());
    pieces.collect()
}

/// Returns the pieces of a text, each with its place and with so much of the next.
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

/// Returns the places in order, those that touch each other as one.
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
