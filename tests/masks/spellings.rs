//! The ways in which pages write a secret.

use std::fmt::Write as _;

use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use crate::random::XorShift64;

pub const LETTERS: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789äöüßéñøçŁΩλДя漢字";
pub const SIGNS: &str = "-_.,:;!?@#$%&*/\\|()[]{}<>'\"=~ +^`";

pub fn pick(random: &mut XorShift64, all: &str) -> char {
    let count = all.chars().count();
    all.chars().nth(random.below(count)).unwrap()
}

pub fn random_secret(random: &mut XorShift64) -> String {
    let length = 7 + random.below(40);
    let mut secret: String = (0..6).map(|_| pick(random, LETTERS)).collect();
    for _ in 0..length {
        let all = if random.below(4) == 0 { SIGNS } else { LETTERS };
        secret.push(pick(random, all));
    }
    secret.push(pick(random, LETTERS));
    secret
}

pub fn percent(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    });
    bytes.collect()
}

pub fn spaced(text: &str, sign: &str) -> String {
    let letters: Vec<String> = text.chars().map(String::from).collect();
    letters.join(sign)
}

fn grouped(text: &str, sign: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let groups: Vec<String> = letters
        .chunks(4)
        .map(|group| group.iter().collect())
        .collect();
    groups.join(sign)
}

fn each(text: &str, code: impl Fn(char) -> String) -> String {
    text.chars().map(code).collect()
}

fn units(text: &str) -> String {
    let mut all = String::new();
    for unit in text.encode_utf16() {
        write!(all, "\\u{unit:04x}").unwrap();
    }
    all
}

fn wide(text: &str) -> String {
    each(text, |one| match one {
        '!'..='~' => char::from_u32(one as u32 + 0xFEE0).unwrap().to_string(),
        other => other.to_string(),
    })
}

type Way = fn(&str) -> String;

/// Respells a text, and records how.
pub fn respelled(random: &mut XorShift64, text: &str, how: &mut Vec<&'static str>) -> String {
    let ways: [(&'static str, Way); 22] = [
        ("small", |text| text.to_lowercase()),
        ("capital", |text| text.to_uppercase()),
        ("wide", wide),
        ("decomposed", |text| text.nfd().collect()),
        ("composed", |text| text.nfkc().collect()),
        ("zero-width", |text| spaced(text, "\u{200b}")),
        ("soft hyphens", |text| spaced(text, "\u{ad}")),
        ("blanks", |text| spaced(text, " ")),
        ("groups", |text| grouped(text, " ")),
        ("groups with -", |text| grouped(text, "-")),
        ("groups with .", |text| grouped(text, ".")),
        ("lines", |text| grouped(text, "\r\n")),
        ("percent", percent),
        ("all percent", |text| {
            each_byte(text, |byte| format!("%{byte:02x}"))
        }),
        ("form", |text| percent(text).replace("%20", "+")),
        ("entities", |text| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            text.replace('>', "&gt;")
                .replace('"', "&quot;")
                .replace('\'', "&#39;")
        }),
        ("all entities", |text| {
            each(text, |one| format!("&#{};", one as u32))
        }),
        ("hexadecimal entities", |text| {
            each(text, |one| format!("&#x{:X};", one as u32))
        }),
        ("JSON", |text| {
            let text = json!(text).to_string();
            text[1..text.len() - 1].to_owned()
        }),
        ("all of JSON", units),
        ("JavaScript", |text| {
            each(text, |one| match one as u32 {
                code @ 0..=0xFF => format!("\\x{code:02x}"),
                code => format!("\\u{{{code:x}}}"),
            })
        }),
        ("CSS", |text| {
            each(text, |one| match one {
                'a'..='z' | 'A'..='Z' => one.to_string(),
                other => format!("\\{:x} ", other as u32),
            })
        }),
    ];
    let (name, way) = ways[random.below(ways.len())];
    how.push(name);
    way(text)
}

/// Returns whether a spelling uses escapes, which respelling letters would destroy.
pub fn is_coded(how: &[&str]) -> bool {
    let letters = [
        "small",
        "capital",
        "wide",
        "decomposed",
        "composed",
        "zero-width",
        "soft hyphens",
        "blanks",
        "groups",
        "groups with -",
        "groups with .",
        "lines",
    ];
    how.iter().any(|way| !letters.contains(way))
}

pub fn percent_all(text: &str) -> String {
    let bytes = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    });
    bytes.collect()
}

fn each_byte(text: &str, code: impl Fn(u8) -> String) -> String {
    text.bytes().map(code).collect()
}

pub fn hexadecimal(text: &str) -> String {
    each_byte(text, |byte| format!("{byte:02X}"))
}
