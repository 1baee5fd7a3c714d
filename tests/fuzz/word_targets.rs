//! What people write beside photos: words that speak against them, and dates.

use domain::{CalendarDate, Hints, Hit, word_doubt_of};
use providers::taken_of;

use super::corpus::texts;
use super::runner::Target;
use super::targets::text;

const DOUBT_WORDS: [&str; 20] = [
    "wax figure ",
    "her ",
    "unveiling ",
    "Madame Tussauds",
    "AI",
    "-generated ",
    "by ",
    "poster ",
    "in front of the ",
    "statue of ",
    "générée par ",
    "l'",
    "восковая фигура ",
    "у статуи ",
    "пам'ятник ",
    "蝋人形",
    "海報",
    "ＡＩ生成",
    "تمثال ",
    "\u{301}",
];
const DATE_WORDS: [&str; 16] = [
    "2009",
    "-05-17",
    "17",
    " May ",
    " мая ",
    "août",
    "circa ",
    "between ",
    " and ",
    "05/06/",
    "20:15:00",
    "<time datetime='2009'>",
    "<div style='display:none'>",
    "–",
    "er",
    "年",
];
/// More than the texts of any provider have.
const TEXT_BYTES_MAX: usize = 65_536;

pub fn all() -> Vec<Target> {
    vec![words(), dates()]
}

fn words() -> Target {
    // The phrases are folded once, and kept.
    drop(word_doubt_of(&Hit::default()));
    Target {
        name: "words",
        // A place in the original for each character, and the folded text.
        bound_bytes: 16 * TEXT_BYTES_MAX,
        bulky_bytes: TEXT_BYTES_MAX,
        seeds: texts(&[
            "Wax figure of Lucy\nStatues in Whitby\nIn front of the statue of Lucy, 2010",
            "ナターシャの蝋人形\n海报\nВосковая фигура",
        ]),
        dictionary: &DOUBT_WORDS,
        read: Box::new(|bytes| {
            let text = text(&bytes);
            let mut lines = text.split('\n');
            let hit = Hit {
                title: lines.next().unwrap_or_default().to_owned(),
                hints: Hints {
                    description: lines.next().map(str::to_owned),
                    categories: lines.map(str::to_owned).collect(),
                    ..Hints::default()
                },
                ..Hit::default()
            };
            if let Some(doubt) = word_doubt_of(&hit) {
                assert!(text.contains(&doubt.words), "{}", doubt.words);
                assert!(!doubt.words.is_empty());
                assert!(!doubt.rejects || doubt.sign.rejects());
            }
        }),
    }
}

fn dates() -> Target {
    Target {
        name: "written-date",
        // A tag is copied twice to see whether it hides something.
        bound_bytes: 2 * TEXT_BYTES_MAX,
        bulky_bytes: TEXT_BYTES_MAX,
        seeds: texts(&[
            "17 May 2009, 14:03:22",
            "2009-05-17",
            "circa 1985<div style=\"display: none;\">date QS:P</div>",
        ]),
        dictionary: &DATE_WORDS,
        read: Box::new(|bytes| {
            if let Some(date) = taken_of(text(&bytes)) {
                // It can be stored, and read again.
                let stored = CalendarDate::try_from(date.to_string());
                assert_eq!(stored, Ok(date));
            }
        }),
    }
}
