//! Changes of single relevant bytes of a file, which a check must detect.

use crate::random::XorShift64;

/// The number of changes in each part of a file.
const CHANGES: usize = 700;

/// `(at, byte)`: the position and its new byte.
pub type ByteChange = (usize, u8);

/// Returns the positions of a file's bytes between two texts.
fn places(file: &str, from: &str, to: &str) -> std::ops::Range<usize> {
    let start = file.find(from).unwrap() + from.len();
    start..start + file[start..].find(to).unwrap()
}

/// Returns changes in the answers, decisions and events, and in every byte of the digest.
pub fn byte_changes(file: &str, random: &mut XorShift64) -> Vec<ByteChange> {
    let answers = places(file, r#""journal":"#, r#","decisions":"#);
    let decisions = places(file, r#","decisions":"#, r#","events":"#);
    let events = places(file, r#","events":"#, r#"},"digest":"#);
    let digest = places(file, r#"},"digest":""#, r#"","hmac":"#);
    assert_eq!(digest.len(), 64);
    let mut some = Vec::new();
    for range in [answers, decisions, events] {
        some.extend((0..CHANGES).map(|_| range.start + random.below(range.len())));
    }
    some.extend(digest);
    some.into_iter()
        .map(|at| (at, other_byte(file.as_bytes()[at], random)))
        .collect()
}

/// Returns another printable byte, a neighbour, or any byte.
fn other_byte(before: u8, random: &mut XorShift64) -> u8 {
    let byte = match random.below(3) {
        0 => b' ' + u8::try_from(random.below(95)).unwrap(),
        1 => before ^ 1,
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    if byte == before { byte ^ 2 } else { byte }
}
