//! The role of an image search, and the providers that play it.

use std::fmt;

use domain::{Failure, SearchQuestion};
use platform::{WireRequest, WireResponse};

use crate::brave::{self, BraveSettings};
use crate::commons::{self, CommonsSettings};
use crate::google::{self, GoogleSettings};
use crate::list_extent::ListExtent;
use crate::openverse::{self, OpenverseSettings};
use crate::reading::ReadList;
use crate::serpapi::{self, SerpApiSettings};
use crate::serper::{self, SerperSettings};

/// An image search: builds its own best query of whom a question names, and reads the answer.
pub trait ImageSearch: fmt::Debug {
    /// Returns the id under which the provider is set, stored and metered: `google`.
    fn id(&self) -> &'static str;

    /// Returns the name under which people know the provider.
    fn name(&self) -> &'static str;

    /// Returns how much of a list one paid request gives, and how many such requests lead on.
    fn extent(&self) -> ListExtent;

    /// Returns whether the provider's terms allow that its answers are kept and used again.
    fn may_be_kept(&self) -> bool {
        false
    }

    /// Asks for at most `count` photos, on a page from 0. Pages of one list have one size.
    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure>;

    /// Reads the hits in rank order; the list is empty for no results.
    fn read(&self, question: &SearchQuestion, response: &WireResponse)
    -> Result<ReadList, Failure>;
}

impl ImageSearch for BraveSettings {
    fn id(&self) -> &'static str {
        "brave"
    }

    fn name(&self) -> &'static str {
        "Brave Images"
    }

    fn extent(&self) -> ListExtent {
        brave::EXTENT
    }

    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        brave::request(self, question, count, page)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
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

    fn extent(&self) -> ListExtent {
        commons::EXTENT
    }

    fn may_be_kept(&self) -> bool {
        true
    }

    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        commons::request(self, question, count, page)
    }

    fn read(
        &self,
        question: &SearchQuestion,
        response: &WireResponse,
    ) -> Result<ReadList, Failure> {
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

    fn extent(&self) -> ListExtent {
        google::EXTENT
    }

    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        google::request(self, question, count, page)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
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

    fn extent(&self) -> ListExtent {
        openverse::EXTENT
    }

    fn may_be_kept(&self) -> bool {
        true
    }

    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        openverse::request(self, question, count, page)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
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

    fn extent(&self) -> ListExtent {
        serpapi::EXTENT
    }

    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        serpapi::request(self, question, count, page)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
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

    fn extent(&self) -> ListExtent {
        serper::EXTENT
    }

    fn request(
        &self,
        question: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        serper::request(self, question, count, page)
    }

    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        serper::read(response)
    }
}
