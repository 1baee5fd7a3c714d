//! The role of an image search, and who plays it.

use std::fmt;

use crate::domain::{Failure, Hit, SearchQuestion};

use super::google::{self, GoogleSettings};
use super::wire::{WireRequest, WireResponse};

/// An image search: builds its own best query of whom a question names, and reads the answer.
pub trait ImageSearch: fmt::Debug {
    /// As it is set, stored and metered: `google`.
    fn id(&self) -> &'static str;

    /// As people know it.
    fn name(&self) -> &'static str;

    /// Asks for at most `count` photos.
    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure>;

    /// Reads the hits in rank order, none for no results.
    fn read(&self, question: &SearchQuestion, response: &WireResponse)
    -> Result<Vec<Hit>, Failure>;
}

impl ImageSearch for GoogleSettings {
    fn id(&self) -> &'static str {
        "google"
    }

    fn name(&self) -> &'static str {
        "Google Custom Search"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        google::request(self, &question.text(), count)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<Vec<Hit>, Failure> {
        google::read(response)
    }
}
