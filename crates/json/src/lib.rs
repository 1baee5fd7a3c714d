//! Measures a JSON text before it is parsed, above all how much memory parsing will take. Two bytes of text can become
//! a value of 32 bytes, and six bytes an object of hundreds. So limiting a text's length does not limit memory.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The serialized form of a `Result`, for `#[serde(with)]`: `{"ok": ...}` or `{"failed": ...}`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Result", rename_all = "camelCase")]
pub enum OkOrFailed<T, E> {
    /// The success.
    Ok(T),
    /// The failure.
    #[serde(rename = "failed")]
    Err(E),
}

/// The number up to which an `f64` represents every integer exactly.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// The most members of an object that are stored in a single block of memory.
const BLOCK_MEMBERS: u16 = 11;
/// The memory of an object in a single block, in bytes. Blocks may be half empty.
const BLOCK_BYTES: usize = 640;
const MEMBER_BYTES: usize = 132;
/// The memory of each value in a list, in bytes. A list may have allocated twice the space that it needs.
const ELEMENT_BYTES: usize = 64;
/// The deepest nesting of objects and lists that is counted. Parsers refuse deeper texts, so these need no memory.
const DEPTH_MAX: usize = 128;

/// Reads a non-negative integer. As in JSON Schema, it may also be written as `5.0`.
#[must_use]
pub fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let is_whole = number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number);
        // The number is at most 2^53 and not negative, so the conversion is exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        is_whole.then_some(number as u64)
    })
}

/// The size of a JSON text. Texts that are not valid JSON have a size as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The most memory that parsing the text into values or this program's types takes, in bytes.
    pub weight: usize,
    /// The length of the longest string, in bytes. Each escape counts as one byte.
    pub string_bytes: usize,
    /// The number of values in the longest list. An empty list counts as one.
    pub list_values: usize,
}

impl Size {
    /// Returns whether each part of the size is at most that of `most`.
    #[must_use]
    pub fn is_within(self, most: Self) -> bool {
        self.weight <= most.weight
            && self.string_bytes <= most.string_bytes
            && self.list_values <= most.list_values
    }
}

/// Returns the [`Size::weight`] of a text.
#[must_use]
pub fn weight(text: &[u8]) -> usize {
    size(text).weight
}

/// Returns the size of a text, in one pass over its bytes.
#[must_use]
pub fn size(text: &[u8]) -> Size {
    let mut weigher = Weigher::default();
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'"' => weigher.string(after),
            byte => {
                weigher.take(*byte);
                after
            }
        };
    }
    // A string with escapes is also copied to a buffer that grows, so it takes memory twice.
    let escaped_bytes = weigher.escaped_bytes_max.saturating_mul(2);
    Size {
        weight: weigher.bytes.saturating_add(escaped_bytes),
        string_bytes: weigher.string_bytes_max,
        list_values: weigher.list_values_max,
    }
}

/// Returns whether a text begins like an object. Other texts must not be parsed, because the parser's error would
/// contain the whole text.
#[must_use]
pub fn begins_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
}

#[derive(Default)]
struct Weigher {
    bytes: usize,
    escaped_bytes_max: usize,
    string_bytes_max: usize,
    list_values_max: usize,
    open: Vec<Open>,
}

/// An object or list that is still open at this point of the text.
enum Open {
    /// An object that has this many members so far.
    Object(u16),
    /// A list that has this many values so far.
    List(usize),
}

impl Weigher {
    fn take(&mut self, byte: u8) {
        match byte {
            b'{' => self.open(Open::Object(0)),
            b'[' => {
                self.open(Open::List(1));
                self.list_values_max = self.list_values_max.max(1);
            }
            b'}' | b']' => drop(self.open.pop()),
            b',' => self.value(),
            b':' => self.member(),
            _ => {}
        }
    }

    fn open(&mut self, open: Open) {
        self.bytes = self.bytes.saturating_add(ELEMENT_BYTES);
        if self.open.len() < DEPTH_MAX {
            self.open.push(open);
        }
    }

    fn value(&mut self) {
        self.bytes = self.bytes.saturating_add(ELEMENT_BYTES);
        if let Some(Open::List(values)) = self.open.last_mut() {
            *values = values.saturating_add(1);
            self.list_values_max = self.list_values_max.max(*values);
        }
    }

    fn member(&mut self) {
        let Some(Open::Object(members)) = self.open.last_mut() else {
            return;
        };
        *members = members.saturating_add(1);
        let more = match *members {
            1 => BLOCK_BYTES,
            few if few <= BLOCK_MEMBERS => 0,
            _ => MEMBER_BYTES,
        };
        self.bytes = self.bytes.saturating_add(more);
    }

    /// Measures the string at the start of `text`, after its opening quote. Returns the text after the string.
    fn string<'text>(&mut self, text: &'text [u8]) -> &'text [u8] {
        let (mut at, mut escaped_bytes) = (0usize, 0usize);
        while let Some(byte) = text.get(at) {
            match byte {
                b'"' => break,
                b'\\' => {
                    // `\n` is one character in two bytes of text, and `\u000a` one in six.
                    let is_number = text.get(at + 1) == Some(&b'u');
                    escaped_bytes += if is_number { 5 } else { 1 };
                    at += 2;
                }
                _ => at += 1,
            }
        }
        let length = at.min(text.len());
        self.bytes = self.bytes.saturating_add(length);
        let string_bytes = length.saturating_sub(escaped_bytes);
        self.string_bytes_max = self.string_bytes_max.max(string_bytes);
        if escaped_bytes > 0 {
            self.escaped_bytes_max = self.escaped_bytes_max.max(length);
        }
        text.get(length.saturating_add(1)..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, bytes: usize) {
        assert_eq!(weight(text.as_bytes()), bytes, "{text}");
    }

    #[test]
    fn a_text_weighs_what_its_values_take() {
        check("7", 0);
        check(r#""abc""#, 3);
        check(r#""a\nc""#, 4 + 8);
        check("[0,0,0]", 3 * ELEMENT_BYTES);
        check("{}", ELEMENT_BYTES);
        let member = 1 + BLOCK_BYTES;
        check(r#"{"a":0}"#, ELEMENT_BYTES + member);
        check(r#"[{"a":0},{"a":0}]"#, 4 * ELEMENT_BYTES + 2 * member);
        check(r#"{"a":"{,[\""}"#, ELEMENT_BYTES + member + 5 + 10);
    }

    #[test]
    fn a_text_is_as_large_as_its_longest_string_and_list() {
        let measured = |text: &str| {
            let size = size(text.as_bytes());
            (size.string_bytes, size.list_values)
        };
        assert_eq!(measured("7"), (0, 0));
        assert_eq!(measured(r#"{"abc":"ä\n\u00e4","d":1,"e":2}"#), (4, 0));
        assert_eq!(measured(r#"[[1,2,3],["a,b",{"c":1,"d":2}]]"#), (3, 3));
        let most = size(br#"["abc",2]"#);
        for (text, expected) in [
            (r#"["abc",2]"#, true),
            (r#"["abcd"]"#, false),
            ("[1,2,3]", false),
            (r#"{"a":0}"#, false),
        ] {
            assert_eq!(size(text.as_bytes()).is_within(most), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_weighs_something_too() {
        check("", 0);
        check(r#"""#, 0);
        check(r#""\"#, 1 + 2);
        check("]}:,", ELEMENT_BYTES);
        assert!(weight(&b"[".repeat(1_000)) >= 1_000 * ELEMENT_BYTES);
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        let read = |text| whole(&serde_json::from_str(text).unwrap());
        for (text, number) in [("7", 7), ("392693.0", 392_693), ("7e3", 7_000), ("-0.0", 0)] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        assert_eq!(read("18446744073709551615"), Some(u64::MAX));
        for other in ["-1", "-1.0", "0.5", "1e300", "\"7\"", "null", "[7]"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
