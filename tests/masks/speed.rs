//! The cost of hiding secrets.
// This measures time.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use crate::random::XorShift64;

use super::mask;
use super::spellings::random_secret;

/// Printed with `--nocapture`; the bound is generous, since the machine may be busy.
#[test]
fn a_look_at_a_thousand_texts_is_fast() {
    let mut random = XorShift64(42);
    let secrets: Vec<String> = (0..20).map(|_| random_secret(&mut random)).collect();
    let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
    let began = Instant::now();
    let mask = mask(&secrets);
    println!("mask of {} secrets: {:?}", secrets.len(), began.elapsed());
    let words = "The quick brown fox jumps over a lazy dog, twice a day; so it is said & written. ";
    let texts = (0..1_000).map(|at| format!("{at} {words}{words}").chars().take(100).collect());
    let texts: Vec<String> = texts.collect();
    let mut shortest = Duration::MAX;
    for _ in 0..20 {
        let mut texts = texts.clone();
        let began = Instant::now();
        mask.hide_in(&mut texts);
        shortest = shortest.min(began.elapsed());
    }
    println!("1,000 texts of 100 characters: {shortest:?}");
    assert!(shortest.as_millis() < 100, "{shortest:?}");
    let hostile = format!("{}%41", "%25".repeat(200_000));
    let began = Instant::now();
    assert_eq!(mask.hide(&hostile), hostile);
    println!("200,000 codes in one text: {:?}", began.elapsed());
    assert!(began.elapsed().as_secs() < 10);
}
