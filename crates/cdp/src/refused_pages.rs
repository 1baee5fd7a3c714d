//! Where a page led that must not be seen: a document that was refused before it was asked for, or one that is
//! left as soon as it is known where it came from.

/// What must not be seen of where a run's page led.
#[derive(Debug, Default)]
pub(crate) struct RefusedPages {
    refused: Option<String>,
    /// Why the page is left, until the empty one is there.
    leaving: Option<String>,
    left: u64,
    is_empty: bool,
}

impl RefusedPages {
    /// Takes down why a document was refused that the page led to.
    pub(crate) fn refuse(&mut self, words: String) {
        self.refused = Some(words);
    }

    /// Takes down why the page is left now.
    pub(crate) fn leave(&mut self, words: String) {
        self.left = self.left.saturating_add(1);
        self.refused = Some(words.clone());
        self.leaving = Some(words);
    }

    /// Takes down that the page became another one.
    pub(crate) fn arrive(&mut self, is_empty: bool) {
        self.is_empty = is_empty && (self.is_empty || self.leaving.is_some());
        if is_empty {
            self.leaving = None;
        }
    }

    /// Takes why the last document was refused that the page led to.
    pub(crate) fn take_refusal(&mut self) -> Option<String> {
        self.refused.take()
    }

    /// Returns why the page is left, where it is still there.
    pub(crate) fn leaving(&self) -> Option<&str> {
        self.leaving.as_deref()
    }

    /// Returns how often a page was left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Returns whether the page is the empty one, instead of one that was left.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}
