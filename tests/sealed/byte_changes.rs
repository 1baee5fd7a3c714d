//! One byte of a file changed, anywhere that counts: the list of changes that a check must find.

use crate::random::XorShift64;

/// In each part of a file so many.
const CHANGES: usize = 700;

/// `(at, byte)`: what stands at a place instead.
pub type ByteChange = (usize, u8);

/// The places of a file's bytes between two texts.
fn places(file: &str, from: &str, to: &str) -> std::ops::Range<usize> {
    let start = file.find(from).unwrap() + from.len();
    start..start + file[start..].find(to).unwrap()
}

/// Changes in the answers, decisions and events, and in every byte of the digest.
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

/// Another printable byte, a neighbour, or any byte at all.
fn other_byte(before: u8, random: &mut XorShift64) -> u8 {
    let byte = match random.below(3) {
        0 => b' ' + u8::try_from(random.below(95)).unwrap(),
        1 => before ^ 1,
        _ => u8::try_from(random.below(256)).unwrap(),
    };
    if byte == before { byte ^ 2 } else { byte }
}
