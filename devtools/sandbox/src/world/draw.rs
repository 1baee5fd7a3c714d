//! The random numbers and the names of drawn worlds.

use crate::hash::{below, hash};

const ONSETS: [&str; 16] = [
    "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st",
];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

/// Makes a name from a common first name and a unique last name.
pub fn name(person: usize) -> String {
    // The factor has no divisor in common with the number of words of three syllables, 80 cubed, so names are unique
    // below half a million people.
    let own = person * 7_919;
    format!("{} {}", word(own % 809, 2), word(own, 3))
}

fn word(number: usize, syllables: u32) -> String {
    let mut word = String::new();
    let mut rest = number;
    for _ in 0..syllables {
        let (vowel, more) = (rest % VOWELS.len(), rest / VOWELS.len());
        let (onset, more) = (more % ONSETS.len(), more / ONSETS.len());
        word.push_str(ONSETS.get(onset).copied().unwrap_or_default());
        word.push_str(VOWELS.get(vowel).copied().unwrap_or_default());
        rest = more;
    }
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A random generator that hashes a counter, so that its numbers are the same on every target and never change.
pub struct Draw {
    world: &'static str,
    seed: u64,
    drawn: u64,
}

impl Draw {
    /// Creates the generator of a kind of world. Each kind has numbers of its own.
    pub fn new(world: &'static str, seed: u64) -> Self {
        Self {
            world,
            seed,
            drawn: 0,
        }
    }

    /// Draws a number.
    pub fn number(&mut self) -> u64 {
        self.drawn += 1;
        hash(&[self.world.into(), self.seed.into(), self.drawn.into()])
    }

    /// Draws a number from 0 to `count`, exclusively.
    pub fn below(&mut self, count: usize) -> usize {
        below(self.number(), count)
    }

    /// Returns true in `share` cases of a thousand.
    pub fn happens(&mut self, share: usize) -> bool {
        self.below(1_000) < share
    }
}
