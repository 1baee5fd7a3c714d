//! The weight of a JSON text before it is read: above all how much memory it would take. Two bytes of text can be
//! a value of thirty-two, and six an object of hundreds, so that a text of bounded length alone bounds no memory.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a `Result` is stored, for `#[serde(with)]`: `{"ok": ...}` or `{"failed": ...}`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Result", rename_all = "camelCase")]
pub enum OkOrFailed<T, E> {
    /// The thing that was asked for.
    Ok(T),
    /// The reason why it did not come.
    #[serde(rename = "failed")]
    Err(E),
}

/// The largest number up to which every whole number is exact as a binary fraction.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// The most members of an object that is one block.
const BLOCK_MEMBERS: u16 = 11;
/// The memory of that block, and of a member of a larger object, whose blocks may be half empty, in bytes.
const BLOCK_BYTES: usize = 640;
const MEMBER_BYTES: usize = 132;
/// The memory of a value in a list, which may be twice as long as its values need, in bytes.
const ELEMENT_BYTES: usize = 64;
/// The most open objects and lists whose members are counted; deeper texts are refused by their readers.
const DEPTH_MAX: usize = 128;

/// Reads a whole number without a sign, which may be written as `5.0`, as in JSON Schema. Returns `None` where the value
/// is none.
#[must_use]
pub fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let is_whole = number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number);
        // The number is at most 2^53, and not below 0.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        is_whole.then_some(number as u64)
    })
}

/// Returns the most bytes that reading a text takes, as values or as this program's own forms of them. A text that
/// is no JSON has some weight as well.
#[must_use]
pub fn weight(text: &[u8]) -> usize {
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
    // A string with an escape is put together beside the text, in a block that grows.
    weigher
        .bytes
        .saturating_add(weigher.escaped_bytes_max.saturating_mul(2))
}

/// Returns whether a text begins as an object does. A reader's error about a text that is no object holds the
/// whole text.
#[must_use]
pub fn begins_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
}

#[derive(Default)]
struct Weigher {
    bytes: usize,
    escaped_bytes_max: usize,
    /// The number of members of each open object; 0 for each open list.
    members: Vec<u16>,
}

impl Weigher {
    fn take(&mut self, byte: u8) {
        match byte {
            b'{' | b'[' => {
                self.bytes = self.bytes.saturating_add(ELEMENT_BYTES);
                if self.members.len() < DEPTH_MAX {
                    self.members.push(0);
                }
            }
            b'}' | b']' => drop(self.members.pop()),
            b',' => self.bytes = self.bytes.saturating_add(ELEMENT_BYTES),
            b':' => self.member(),
            _ => {}
        }
    }

    fn member(&mut self) {
        let Some(members) = self.members.last_mut() else {
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

    /// Weighs the string that the text begins with, behind its quote, and returns what comes after it.
    fn string<'text>(&mut self, text: &'text [u8]) -> &'text [u8] {
        let mut is_escaped = false;
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            match byte {
                b'"' => break,
                b'\\' => {
                    is_escaped = true;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        let length = at.min(text.len());
        self.bytes = self.bytes.saturating_add(length);
        if is_escaped {
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
