//! Detects parts of a secret in a text, however they are spelled. It is independent of the mask that it tests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

/// The length of the shortest part that counts as revealed, in characters other than blanks and punctuation.
const PART_CHARS: usize = 6;
/// The most encodings around a text that are decoded.
const LAYERS: u32 = 3;

/// Detects parts of one secret.
pub(super) struct SecretJudge {
    letters: String,
    encoded: Vec<String>,
    /// The length of the shortest part that counts as revealed, in letters.
    part_chars: usize,
}

impl SecretJudge {
    /// Makes a judge for a secret of random letters. Any part of it counts, because nothing else contains it.
    pub(super) fn of(secret: &str) -> Self {
        Self {
            part_chars: PART_CHARS,
            ..Self::of_words(secret)
        }
    }

    /// Makes a judge for a secret of words. Only the whole secret counts, because its words may occur anywhere.
    pub(super) fn of_words(secret: &str) -> Self {
        let hex: Vec<String> = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        let mut encoded = vec![hex.concat()];
        for before in 0..3 {
            let text = format!("{}{secret}", "x".repeat(before));
            let text = STANDARD_NO_PAD.encode(text).to_lowercase();
            // The first characters also depend on the bytes before the secret, so they are skipped.
            encoded.push(text.chars().skip(before + 1).collect());
        }
        let letters = letters(secret);
        Self {
            part_chars: letters.chars().count(),
            letters,
            encoded,
        }
    }

    /// Returns a part of the secret that occurs in one of a document's texts, or in all of them joined.
    pub(super) fn part_in(&self, document: &Value) -> Option<String> {
        let mut texts = Vec::new();
        gather(document, &mut texts);
        let in_one = texts.iter().find_map(|text| self.part_of_text(text));
        in_one.or_else(|| {
            let row = texts.iter().map(|text| letters(text));
            let row: String = row.collect();
            row.contains(&self.letters).then(|| self.letters.clone())
        })
    }

    fn part_of_text(&self, text: &str) -> Option<String> {
        let mut layer = text.to_owned();
        for _ in 0..LAYERS {
            let lower = layer.to_lowercase();
            let encoded = self.encoded.iter();
            // An encoded letter takes at least one and a third characters.
            let encoded_chars = self.part_chars * 4 / 3 + 2;
            let found = encoded.map(|one| part(one, &lower, encoded_chars));
            let found = found.chain([part(&self.letters, &letters(&layer), self.part_chars)]);
            if let Some(found) = found.flatten().next() {
                return Some(found);
            }
            layer = unescaped(&percent_decode_str(&layer).decode_utf8_lossy());
        }
        None
    }
}

/// Returns a part of the secret that a text contains and that has this length.
fn part(secret: &str, text: &str, chars: usize) -> Option<String> {
    let secret: Vec<char> = secret.chars().collect();
    let mut parts = secret
        .windows(chars)
        .map(|part| part.iter().collect::<String>());
    parts.find(|part| text.contains(part.as_str()))
}

fn letters(text: &str) -> String {
    let letters = text.nfkc().filter(|one| one.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Decodes `&#65;`, `&#x41;` and `\u0041`.
fn unescaped(text: &str) -> String {
    let mut read = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['&', '\\']) {
        let (before, escape) = rest.split_at(at);
        read.push_str(before);
        let digits = |digits: Option<&str>, radix| {
            let number = u32::from_str_radix(digits?, radix).ok()?;
            char::from_u32(number)
        };
        let numeric = escape
            .strip_prefix("&#")
            .and_then(|rest| rest.split_once(';'));
        let (meant, length) = match (escape.strip_prefix("\\u"), numeric) {
            (Some(rest), _) => (digits(rest.get(..4), 16), 6),
            (None, Some((number, _))) => {
                let meant = match number.strip_prefix(['x', 'X']) {
                    Some(number) => digits(Some(number), 16),
                    None => digits(Some(number), 10),
                };
                (meant, number.len() + 3)
            }
            (None, None) => (None, 0),
        };
        let (meant, length) = match meant {
            Some(meant) => (meant, length),
            None => (escape.chars().next().unwrap_or_default(), 1),
        };
        read.push(meant);
        rest = escape.get(length..).unwrap_or_default();
    }
    read.push_str(rest);
    read
}

fn gather<'value>(value: &'value Value, texts: &mut Vec<&'value str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| gather(value, texts)),
        Value::Object(members) => {
            for (name, value) in members {
                texts.push(name);
                gather(value, texts);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_found_in_every_spelling_and_nothing_in_others() {
        let judge = SecretJudge::of("Blue Tulip/77");
        for text in [
            "blue tulip/77",
            "BLUETULIP",
            "B l-u.e\u{200b}Tulip",
            "%2542lue%2520Tulip",
            "&#66;lue Tul",
            "\\u0042lue Tul",
            "x Qmx1ZSBUdWxpcC83Nw==",
            "426c75652054756c6970",
            "\u{ff22}lue Tul",
        ] {
            assert!(judge.part_in(&json!({"a": [text]})).is_some(), "{text}");
        }
        let row: Vec<String> = "bluetulip77".chars().map(String::from).collect();
        assert!(judge.part_in(&json!(row)).is_some());
        for text in ["", "blue", "tulips", "a blue t", "***", "%", "&#;\\u00"] {
            assert_eq!(judge.part_in(&json!([text])), None, "{text}");
        }
    }
}
