//! The sentences that viewers should be told while a call is still under way.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};

use platform::isolate::Notify;

/// Sentences that a run's viewers are told, each once.
#[derive(Debug, Default)]
pub struct Notices {
    told: RefCell<BTreeSet<String>>,
    waiting: RefCell<VecDeque<String>>,
    changed: Notify,
}

impl Notices {
    /// Makes the notices of a run whose viewers were told these sentences before.
    pub fn after(told: impl IntoIterator<Item = String>) -> Self {
        Self {
            told: RefCell::new(told.into_iter().collect()),
            ..Self::default()
        }
    }

    /// Has the viewers told a sentence, unless they were told it before.
    pub fn tell_once(&self, sentence: String) {
        if self.told.borrow_mut().insert(sentence.clone()) {
            self.waiting.borrow_mut().push_back(sentence);
            self.changed.notify_all();
        }
    }

    /// Takes the next sentence that the viewers were not told yet.
    pub fn take(&self) -> Option<String> {
        self.waiting.borrow_mut().pop_front()
    }

    /// Waits until there is such a sentence.
    pub async fn wait(&self) {
        let is_there = || !self.waiting.borrow().is_empty();
        self.changed.wait_until(is_there).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    #[test]
    fn each_sentence_is_told_once() {
        let notices = Notices::after(["Before.".to_owned()]);
        assert_eq!(notices.wait().now_or_never(), None);
        for sentence in ["Before.", "Now.", "Now.", "Then."] {
            notices.tell_once(sentence.to_owned());
        }
        assert_eq!(notices.wait().now_or_never(), Some(()));
        let told: Vec<String> = std::iter::from_fn(|| notices.take()).collect();
        assert_eq!(told, ["Now.", "Then."]);
    }
}
