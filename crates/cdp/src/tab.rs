//! A tab of a run's browser as the browser's events report it: its frames and their sessions, what it loads, and which of
//! its pages must not be shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::settling::Settling;
use crate::setup::Place;

/// The most frames of a tab whose navigations are counted.
const FRAMES_MAX: usize = 1_000;

/// A tab of the run's browser.
#[derive(Debug)]
pub(crate) struct Tab {
    pub place: Place,
    /// The position of the tab among those of the run in the order in which they were opened, from 1.
    pub number: usize,
    pub settling: Settling,
    pub refused_pages: RefusedPages,
    /// How many consecutive dialogs the tab has opened.
    pub dialogs_in_a_row: u32,
    /// How many out-of-process frames and workers the tab's page has opened.
    pub children: usize,
    /// Whether the tab was opened for the run and shows the empty page, since nothing has happened in it yet.
    pub is_blank: bool,
    /// Whether the tab has ever been the run's page.
    pub was_shown: bool,
    /// How many times each frame has navigated, by its id. The id of the page's own frame is that of its target.
    documents: BTreeMap<String, u64>,
    /// The sessions of the out-of-process frames, by the ids of the frames.
    frames: BTreeMap<String, String>,
    /// The sessions of the tab's workers.
    workers: BTreeSet<String>,
}

impl Tab {
    /// Creates a tab from which no event has come yet.
    pub(crate) fn new(place: Place, number: usize) -> Self {
        Self {
            place,
            number,
            settling: Settling::default(),
            refused_pages: RefusedPages::default(),
            dialogs_in_a_row: 0,
            children: 0,
            is_blank: false,
            was_shown: false,
            documents: BTreeMap::default(),
            frames: BTreeMap::default(),
            workers: BTreeSet::default(),
        }
    }

    /// Returns whether a session is that of the tab's page or of a frame in it.
    pub(crate) fn shows(&self, session: &str) -> bool {
        self.place.session == session || self.frames.values().any(|known| known == session)
    }

    /// Returns whether a session is that of the tab, or of a frame or worker in it.
    pub(crate) fn owns(&self, session: &str) -> bool {
        self.shows(session) || self.workers.contains(session)
    }

    /// Returns the session of an out-of-process frame; `None` for a frame in the process of the document around it.
    pub(crate) fn session_of(&self, frame: &str) -> Option<&str> {
        self.frames.get(frame).map(String::as_str)
    }

    /// Returns how many times a frame has navigated.
    pub(crate) fn navigations(&self, frame: &str) -> u64 {
        self.documents.get(frame).copied().unwrap_or_default()
    }

    /// Notes that a frame has navigated.
    pub(crate) fn navigate(&mut self, frame: &str) {
        self.is_blank = false;
        if self.documents.len() >= FRAMES_MAX && !self.documents.contains_key(frame) {
            return;
        }
        let count = self.documents.entry(frame.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    /// Notes the session of an out-of-process frame.
    pub(crate) fn add_frame(&mut self, frame: &str, session: &str) {
        self.frames.insert(frame.to_owned(), session.to_owned());
        self.navigate(frame);
    }

    /// Notes the session of a worker.
    pub(crate) fn add_worker(&mut self, session: &str) {
        self.workers.insert(session.to_owned());
    }

    /// Notes that a frame was removed from its page.
    pub(crate) fn remove_frame(&mut self, frame: &str) {
        self.frames.remove(frame);
        self.documents.remove(frame);
    }

    /// Notes that a session has ended. Its frame may go on in the process of the document around it.
    pub(crate) fn end_session(&mut self, session: &str) {
        self.frames.retain(|_, known| known != session);
        self.workers.remove(session);
    }
}

/// The documents that the run's page must not show. Some were refused before they were requested; others are left as
/// soon as their network address is known.
#[derive(Debug, Default)]
pub(crate) struct RefusedPages {
    refused: Option<String>,
    /// Why the page is being left; `None` once the empty page has loaded.
    leaving: Option<String>,
    left: u64,
    is_empty: bool,
}

impl RefusedPages {
    /// Notes why a document to which the page navigated was refused.
    pub(crate) fn refuse(&mut self, words: String) {
        self.refused = Some(words);
    }

    /// Notes that the page is being left, with the reason in words.
    pub(crate) fn leave(&mut self, words: String) {
        self.left = self.left.saturating_add(1);
        self.refused = Some(words.clone());
        self.leaving = Some(words);
    }

    /// Notes that the page has navigated; `is_empty` states whether it navigated to the empty page.
    pub(crate) fn arrive(&mut self, is_empty: bool) {
        self.is_empty = is_empty && (self.is_empty || self.leaving.is_some());
        if is_empty {
            self.leaving = None;
        }
    }

    /// Takes the reason why the last document was refused; `None` if none was refused since the last call.
    pub(crate) fn take_refusal(&mut self) -> Option<String> {
        self.refused.take()
    }

    /// Returns why the page is being left; `None` if it is not.
    pub(crate) fn leaving(&self) -> Option<&str> {
        self.leaving.as_deref()
    }

    /// Returns how many pages have been left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Returns whether the page is now the empty one that replaced a page which was left.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }
}
