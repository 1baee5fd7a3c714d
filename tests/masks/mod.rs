//! Secrets are hidden in any spelling, parts of one are not, and other texts are unchanged.

mod random_spellings;
mod speed;
mod spellings;

use domain::Secret;
use mask::{Mask, can_be_hidden};
use serde_json::json;

use crate::random::XorShift64;

use spellings::{percent, pick, spaced};

pub fn mask(secrets: &[&str]) -> Mask {
    let secrets: Vec<Secret> = secrets.iter().map(|secret| (*secret).into()).collect();
    Mask::new(&secrets)
}

#[track_caller]
fn check(secret: &str, text: &str, expected: &str) {
    assert_eq!(mask(&[secret]).hide(text), expected, "{secret}");
}

#[test]
fn a_secret_is_hidden_in_each_spelling() {
    check("s3cret", "my s3cret, mys3cret", "my ***, my***");
    check(
        "a b/c4de",
        "https://x.example/?q=a+b%2Fc4de",
        "https://x.example/?q=***",
    );
    check("it's(1)!", "q=it%27s%281%29%21&r=it's(1)!", "q=***&r=***");
    check(
        "pass\"word",
        "input[value=\"pass\\\"word\"]",
        "input[value=\"***\"]",
    );
    check("4929113355667788", "Card 4929 1133-5566.7788!", "Card ***!");
    check(
        "Correct-Horse",
        "https://correct-horse.example/",
        "https://***.example/",
    );
    check(
        "Straßenmeister",
        "http://xn--straenmeister-edb.example/",
        "http://***.example/",
    );
    check("correct horse", "%2563%6frrect%252520horse", "***");
    check("!Passw0rd!", "it is !Passw0rd!.", "it is ***.");
    check("!Passw0rd!", "it is Passw0rd", "it is ***");
    check(
        "{\"k\": \"value-of-it\"}",
        "x {\\\"k\\\": \\\"value-of-it\\\"}",
        "x ***",
    );
    check("s3cret", "nothing here, secret 3", "nothing here, secret 3");
}

#[test]
fn secrets_in_each_other_leave_nothing() {
    let mask = mask(&["abcd", "abcdefgh", "ghijkl"]);
    assert_eq!(mask.hide("abcdefgh abcd"), "*** ***");
    assert_eq!(mask.hide("xabcdefghijklx"), "x***x");
}

#[test]
fn a_short_secret_is_found_as_it_is_or_alone() {
    check("1234", "PIN 1234, 91234", "PIN ***, 9***");
    check("1234", "PIN 1 2 3 4.", "PIN ***.");
    check("1234", "PIN 12\u{200b}34", "PIN ***");
    check("1234", "flat 91 23 45", "flat 91 23 45");
    check("a!?b", "say a!?b", "say ***");
    check("a!?b", "say ab", "say ab");
    check(
        "secret!@#$%^&*()",
        "a secret, S ecret!@#$%^&amp;*()",
        "a secret, ***",
    );
}

#[test]
fn what_is_too_short_is_not_hidden() {
    for (secret, is_enough) in [
        ("ab", false),
        ("a b", false),
        ("\u{200b}\u{200b}\u{200b}ab", false),
        ("   ", false),
        ("", false),
        ("é\u{301}x", false),
        ("123", true),
        ("漢字片", true),
        ("?!.", true),
    ] {
        assert_eq!(can_be_hidden(secret), is_enough, "{secret}");
        assert_eq!(mask(&[secret]).is_empty(), !is_enough, "{secret}");
    }
    assert_eq!(mask(&["a", ""]).hide("banana"), "banana");
}

/// The mask's start reveals nothing, whatever a page is made to repeat.
#[test]
fn no_part_of_a_secret_is_hidden() {
    let secret = "Correct-Horse-Battery";
    let mask = mask(&[secret]);
    for at in 1..secret.len() {
        let (before, behind) = secret.split_at(at);
        for part in [before, behind] {
            for text in [
                part.to_owned(),
                format!("you sent {part}"),
                format!("{part}..."),
            ] {
                assert_eq!(mask.hide(&text), text);
                assert_eq!(mask.shortened(&text, 100, "..."), text);
            }
            let long = format!("{}{part}{}", "w".repeat(95 - part.len()), "v".repeat(2_000));
            let cut = format!("{}...", &long[..100]);
            assert_eq!(mask.shortened(&long, 100, "..."), cut);
        }
    }
}

#[test]
fn a_text_is_cut_once_its_secrets_are_hidden() {
    let secret = "Correct-Horse-Battery";
    let with = mask(&[secret]);
    for at in 70..=110 {
        for spelling in [
            secret.to_owned(),
            spaced(secret, " \u{200b}- "),
            percent(&percent(secret)),
        ] {
            let text = format!("{}{spelling}{}", "x".repeat(at), "y".repeat(1_000));
            let told = with.shortened(&text, 100, "...");
            assert!(
                told.ends_with("...") && told.encode_utf16().count() <= 103,
                "{told}"
            );
            let rest = told.trim_start_matches('x').trim_end_matches('.');
            assert!(
                rest.chars().all(|one| matches!(one, '*' | 'y')),
                "{at}: {told}"
            );
        }
    }
    // The end of a secret that cannot be known any more is far beyond what is emitted.
    let text = format!("{secret} ").repeat(200);
    let told = with.shortened(&text, 100, "...");
    assert!(told.chars().all(|one| "* .".contains(one)), "{told}");
}

/// A run with secrets sees the same of a page without them.
#[test]
fn a_text_without_secrets_is_cut_as_a_script_cuts_it() {
    let (with, without) = (mask(&["Correct-Horse-Battery"]), mask(&[]));
    let mut random = XorShift64(7);
    for _ in 0..2_000 {
        let length = random.below(260);
        let text: String = (0..length)
            .map(|_| pick(&mut random, "abc 漢\u{1f600}\u{1f40e}"))
            .collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut expected = String::from_utf16_lossy(&units[..units.len().min(100)]);
        if units.len() > 100 {
            expected.push_str("...");
        }
        // The script returns this much.
        for mask in [&with, &without] {
            let handed = units.len().min(100 + mask.reach_units() + 1);
            let handed = String::from_utf16_lossy(&units[..handed]);
            assert_eq!(mask.shortened(&handed, 100, "..."), expected);
        }
    }
}

#[test]
fn a_secret_is_found_wherever_in_a_long_text_it_stands() {
    let secret = "Correct-Horse-Battery";
    let coded = percent(&percent(secret)).replace('-', "%252D");
    for before in (0..20_000).step_by(997) {
        let text = format!("{}{coded}{}", "\u{e9}".repeat(before), "%20".repeat(5_000));
        let hidden = mask(&[secret]).hide(&text);
        assert!(
            hidden.contains("***") && !hidden.contains("orse"),
            "{before}"
        );
        assert_eq!(hidden.len(), text.len() - coded.len() + 3);
    }
}

#[test]
fn a_secret_in_boxes_is_hidden_across_texts() {
    let hidden = |secret: &str, texts: &[&str]| {
        let mut texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        mask(&[secret]).hide_in(&mut texts);
        texts.join("|")
    };
    let letters = ["Code", "Q", "x", "7", "K", "p", "2", "Send"];
    assert_eq!(
        hidden("Qx7Kp2", &letters),
        "Code|***|***|***|***|***|***|Send"
    );
    let labelled = [
        "First digit",
        "1",
        "Second digit",
        "2",
        "Third digit",
        "3",
        "Fourth",
        "4",
    ];
    assert_eq!(
        hidden("1234", &labelled),
        "First digit|***|Second digit|***|Third digit|***|Fourth|***"
    );
    let groups = ["Card 4929", "1133", "5566", "7788 valid"];
    assert_eq!(
        hidden("4929113355667788", &groups),
        "Card ***|***|***|*** valid"
    );
    let others = ["First", "2 of 3", "4 left", "1", "2"];
    assert_eq!(hidden("1234", &others), others.join("|"));
}

#[test]
fn values_lose_secrets_in_texts_names_and_numbers() {
    let mut value = json!({
        "headers": {"authorization": "Bearer tok-en-1234567", "x": ["TOKEN1234567"]},
        "tok-en-1234567": 1, "number": 1_234_567, "other": 7, "parts": ["tok-en", "1234567"],
    });
    mask(&["tok-en-1234567", "1234567"]).hide_in_json(&mut value);
    assert_eq!(
        value,
        json!({
            "headers": {"authorization": "Bearer ***", "x": ["***"]},
            "***": 1, "number": "***", "other": 7, "parts": ["***", "***"],
        })
    );
}

#[test]
fn files_are_searched_for_what_can_be_read_in_them() {
    let mask = mask(&["tok-en-1234567"]);
    let mut file = vec![0xFF, 0xD8, 0, 1, 2];
    file.extend_from_slice(b"\0\0tEXtComment\0seen with tok-en-1234567\0\0");
    assert!(mask.is_in_file(&file));
    assert!(!mask.is_in_file(b"\0\0tEXtComment\0seen with tok-en\0-1234567\0"));
}
