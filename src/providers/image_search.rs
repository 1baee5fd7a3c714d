//! The role of an image search, and the providers that play it.

use std::fmt;

use crate::domain::{Failure, Hit, SearchQuestion};

use super::brave::BraveSettings;
use super::commons::CommonsSettings;
use super::google::GoogleSettings;
use super::openverse::OpenverseSettings;
use super::serpapi::SerpApiSettings;
use super::serper::SerperSettings;
use super::wire::{WireRequest, WireResponse};
use super::{brave, commons, google, openverse, serpapi, serper};

/// An image search: builds its own best query of whom a question names, and reads the answer.
pub trait ImageSearch: fmt::Debug {
    /// Returns the id under which the provider is set, stored and metered: `google`.
    fn id(&self) -> &'static str;

    /// Returns the name under which people know the provider.
    fn name(&self) -> &'static str;

    /// Asks for at most `count` photos.
    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure>;

    /// Reads the hits in rank order; the list is empty for no results.
    fn read(&self, question: &SearchQuestion, response: &WireResponse)
    -> Result<Vec<Hit>, Failure>;
}

impl ImageSearch for BraveSettings {
    fn id(&self) -> &'static str {
        "brave"
    }

    fn name(&self) -> &'static str {
        "Brave Images"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        brave::request(self, question, count)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<Vec<Hit>, Failure> {
        brave::read(response)
    }
}

impl ImageSearch for CommonsSettings {
    fn id(&self) -> &'static str {
        "commons"
    }

    fn name(&self) -> &'static str {
        "Wikimedia Commons"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        commons::request(self, question, count)
    }

    fn read(
        &self,
        question: &SearchQuestion,
        response: &WireResponse,
    ) -> Result<Vec<Hit>, Failure> {
        commons::read(question, response)
    }
}

impl ImageSearch for GoogleSettings {
    fn id(&self) -> &'static str {
        "google"
    }

    fn name(&self) -> &'static str {
        "Google Custom Search"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        google::request(self, question, count)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<Vec<Hit>, Failure> {
        google::read(response)
    }
}

impl ImageSearch for OpenverseSettings {
    fn id(&self) -> &'static str {
        "openverse"
    }

    fn name(&self) -> &'static str {
        "Openverse"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        openverse::request(self, question, count)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<Vec<Hit>, Failure> {
        openverse::read(response)
    }
}

impl ImageSearch for SerpApiSettings {
    fn id(&self) -> &'static str {
        "serpapi"
    }

    fn name(&self) -> &'static str {
        "SerpApi"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        serpapi::request(self, question, count)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<Vec<Hit>, Failure> {
        serpapi::read(response)
    }
}

impl ImageSearch for SerperSettings {
    fn id(&self) -> &'static str {
        "serper"
    }

    fn name(&self) -> &'static str {
        "Serper"
    }

    fn request(&self, question: &SearchQuestion, count: u32) -> Result<WireRequest, Failure> {
        serper::request(self, question, count)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<Vec<Hit>, Failure> {
        serper::read(response)
    }
}
