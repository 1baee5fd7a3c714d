//! Random secrets in random spellings, reproducibly.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::random::XorShift64;

use super::mask;
use super::spellings::{
    LETTERS, SIGNS, hexadecimal, is_coded, percent, percent_all, pick, random_secret, respelled,
};

#[test]
fn whatever_way_a_secret_is_written_it_is_hidden() {
    let mut random = XorShift64(0x005E_C2E7);
    for round in 0..6_000 {
        let secret = random_secret(&mut random);
        let mut how = Vec::new();
        let mut text = secret.clone();
        for _ in 0..=random.below(4) {
            let mut next = how.clone();
            let respelled = respelled(&mut random, &text, &mut next);
            let letters = next.last().is_some_and(|last| !is_coded(&[last]));
            // Letters of an escape are not letters of the secret.
            if !(letters && is_coded(&how)) && respelled.len() < 6_000 {
                (text, how) = (respelled, next);
            }
        }
        let mask = mask(&[&secret, "another-secret-0"]);
        // Without surrounding letters, which an escape at its end might absorb.
        let hidden = mask.hide(&format!("\u{2603} {text} \u{2603}"));
        let rest = hidden.strip_prefix('\u{2603}').unwrap_or_default();
        let is_hidden = rest.contains("***") && !rest.contains(|one: char| one.is_alphanumeric());
        assert!(
            is_hidden,
            "round {round}: {secret:?} as {how:?}: {text:?} is told as {hidden:?}"
        );
    }
}

#[test]
fn a_secret_in_encoded_bytes_is_hidden() {
    let mut random = XorShift64(0x00BA_5E64);
    for round in 0..2_000 {
        let secret = random_secret(&mut random);
        let inner = match random.below(4) {
            0 => secret.to_lowercase(),
            1 => secret.to_uppercase(),
            2 => percent_all(&secret),
            _ => secret.clone(),
        };
        let before = "user:".chars().take(random.below(6)).collect::<String>();
        let bytes = format!("{before}{inner};later");
        let encoded = match random.below(4) {
            0 => STANDARD.encode(&bytes),
            1 => URL_SAFE_NO_PAD.encode(&bytes),
            2 => percent(&STANDARD.encode(&bytes)),
            _ => hexadecimal(&bytes),
        };
        let mask = mask(&[&secret]);
        let hidden = mask.hide(&format!("Basic {encoded} end"));
        // Encoded text before and after it may be visible, but no byte of the secret.
        let seen = hidden.trim_start_matches("Basic ").trim_end_matches(" end");
        let seen: usize = seen.chars().filter(char::is_ascii_alphanumeric).count();
        let around = 2 * (before.len() + 6) + 6;
        assert!(
            seen <= around,
            "round {round}: {secret:?} {inner:?}: {encoded} is told as {hidden}"
        );
    }
}

#[test]
fn texts_without_the_secret_are_left_as_they_are() {
    let mut random = XorShift64(0x0DD);
    let secrets: Vec<String> = (0..20).map(|_| random_secret(&mut random)).collect();
    let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
    let mask = mask(&secrets);
    for _ in 0..2_000 {
        let length = random.below(400);
        let text: String = (0..length)
            .map(|_| {
                let all = if random.below(3) == 0 { SIGNS } else { LETTERS };
                pick(&mut random, all)
            })
            .collect();
        assert_eq!(mask.hide(&text), text);
        assert_eq!(mask.shortened(&text, 1_000, "..."), text);
    }
}
