//! Inputs of the largest size, in the shapes that take the most memory to parse.

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::Value;

use super::mutation::{nth_mut, values};

/// The shapes of large parts: start, repeated piece, end.
const SHAPES: [[&str; 3]; 16] = [
    ["[0", ",0", "]"],
    ["[\"\"", ",\"\"", "]"],
    ["[[]", ",[]", "]"],
    ["[{}", ",{}", "]"],
    ["[[0]", ",[0]", "]"],
    ["[{\"\":0}", ",{\"\":0}", "]"],
    ["[{\"closed\":{}}", ",{\"closed\":{}}", "]"],
    [
        "[{\"imageUrl\":\"\",\"title\":\"\"}",
        ",{\"imageUrl\":\"\",\"title\":\"\"}",
        "]",
    ],
    ["{\"a\":0", ",\"a\":0", "}"],
    ["\"", "a", "\""],
    ["\"", "\\n", "\""],
    ["\"", "\\u00e9", "\""],
    ["\"", "<b>&amp;", "\""],
    ["", "[", ""],
    ["", " ", ""],
    ["", "\u{e9}", ""],
];
const PLACE: &str = "\u{1}large\u{1}";

/// Returns an input of `bytes` bytes with one large part, mostly inserted into one of the corpus.
pub fn bulky(corpus: &[Vec<u8>], bytes: usize, random: &mut Rng) -> Vec<u8> {
    let seed = &corpus[random.usize(..corpus.len())];
    match serde_json::from_slice(seed) {
        Ok(text) if random.u8(..4) > 0 => with_large_value(text, bytes, random),
        _ if random.u8(..4) == 0 => random.u32(..).to_le_bytes().repeat(bytes / 4),
        Err(_) if random.bool() => {
            let mut input = seed.clone();
            let at = random.usize(..=input.len());
            let large = large(bytes.saturating_sub(seed.len()), random);
            input.splice(at..at, large);
            input
        }
        _ => large(bytes, random),
    }
}

fn with_large_value(mut text: Value, bytes: usize, random: &mut Rng) -> Vec<u8> {
    let count = values(&text);
    let place = nth_mut(&mut text, random.usize(..count)).expect("there are so many values");
    let again = match &place {
        Value::Array(list) if !list.is_empty() => list.first().map(Value::to_string),
        _ => None,
    };
    *place = Value::String(PLACE.to_owned());
    let around = text.to_string();
    let left = bytes.saturating_sub(around.len());
    let large = match again.filter(|_| random.bool()) {
        // The list's own first value, repeated.
        Some(one) => {
            let count = (left / (one.len() + 1)).max(1);
            format!("[{}]", vec![one; count].join(",")).into_bytes()
        }
        None => large(left, random),
    };
    let quoted = Value::String(PLACE.to_owned()).to_string();
    let (before, after) = around
        .split_once(&quoted)
        .expect("the place is in the text");
    [before.as_bytes(), &large, after.as_bytes()].concat()
}

fn large(bytes: usize, random: &mut Rng) -> Vec<u8> {
    // Different names, so that each is stored.
    if random.u8(..8) == 0 {
        let mut text = String::from("{");
        for number in 0.. {
            if text.len() + 16 > bytes {
                break;
            }
            write!(text, "\"{number:x}\":0,").expect("a text can be written");
        }
        return (text + "\"\":0}").into_bytes();
    }
    let [first, again, last] = SHAPES[random.usize(..SHAPES.len())];
    let count = bytes.saturating_sub(first.len() + last.len()) / again.len();
    [first, &again.repeat(count), last].concat().into_bytes()
}
