//! The mask that removes secrets from texts.

use mask::Mask;

use super::corpus::texts;
use super::runner::Target;

const WORDS: [&str; 16] = [
    "Correct-Horse-Battery",
    "%43orrect",
    "%25",
    "%u0043",
    "&#x43;",
    "&amp;",
    "&amp",
    "\\u0043",
    "\\ud83d\\ude00",
    "\\43 ",
    "\\x43",
    "xn--strae-oqa",
    "Q29ycmVjdC1Ib3JzZS1CYXR0ZXJ5",
    "\u{200b}",
    "\u{ff23}",
    "\u{1f600}",
];

/// The memory needed to search a text of a megabyte for secrets: the position of each of its letters.
const MEMORY_BYTES_MAX: usize = 24_000_000;

pub fn all() -> Vec<Target> {
    let mask = Mask::new(&["Correct-Horse-Battery".into(), "p@$$".into(), "1234".into()]);
    vec![Target {
        name: "mask",
        bound_bytes: MEMORY_BYTES_MAX,
        bulky_bytes: 1_000_000,
        seeds: texts(&[
            "https://a.example/?to=%2543orrect%252DHorse&amp;x=\\u0043",
            "C o r r e c t - H o r s e",
            "",
        ]),
        dictionary: &WORDS,
        read: Box::new(move |bytes| {
            let text = String::from_utf8_lossy(&bytes);
            let hidden = mask.hide(&text);
            assert!(!hidden.contains("Correct-Horse-Battery"));
            let told = mask.shortened(&text, 100, "...");
            assert!(told.encode_utf16().count() <= 103);
        }),
    }]
}
