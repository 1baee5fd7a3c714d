//! What happened beside a run's own doing, for its viewers.

use std::collections::VecDeque;

/// The most sentences that are kept until somebody takes them.
const REMARKS_MAX: usize = 40;
/// The most characters of a sentence.
const REMARK_CHARS_MAX: usize = 300;

/// Sentences about what happened beside a run's own doing. Each is kept once.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    kept: VecDeque<String>,
    left_out: usize,
}

impl Remarks {
    /// Keeps a sentence.
    pub(crate) fn add(&mut self, sentence: &str) {
        let sentence: String = sentence.chars().take(REMARK_CHARS_MAX).collect();
        if self.kept.contains(&sentence) {
            return;
        }
        if self.kept.len() >= REMARKS_MAX {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.kept.push_back(sentence);
    }

    /// Keeps words that begin in small letters, as a sentence.
    pub(crate) fn add_words(&mut self, words: &str) {
        let mut letters = words.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let sentence: String = first.into_iter().chain(letters).chain(['.']).collect();
        self.add(&sentence);
    }

    /// Takes all sentences.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let mut taken: Vec<String> = std::mem::take(&mut self.kept).into();
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            taken.push(format!(
                "So much more happened that was not noted: {left_out}."
            ));
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_kept_once_and_bounded() {
        let mut remarks = Remarks::default();
        for _ in 0..3 {
            remarks.add("A window was closed.");
        }
        assert_eq!(remarks.take(), ["A window was closed."]);
        assert_eq!(remarks.take(), [""; 0]);
        for number in 0..100 {
            remarks.add(&format!("{number} {}", "x".repeat(1_000)));
        }
        let taken = remarks.take();
        assert_eq!(taken.len(), REMARKS_MAX + 1);
        assert!(
            taken
                .iter()
                .all(|one| one.chars().count() <= REMARK_CHARS_MAX)
        );
        assert_eq!(
            taken.last().unwrap(),
            "So much more happened that was not noted: 60."
        );
    }
}
