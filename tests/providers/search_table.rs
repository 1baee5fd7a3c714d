//! The image searches, each with its request and the members of its answers.

use domain::{Failure, SearchQuestion};
use platform::{WireRequest, WireResponse};
use providers::{ImageSearch as _, ReadList, brave, commons, google, openverse, serpapi, serper};

/// Builds a request with a base and a key, for a number of hits and a page.
type Build = fn(&str, &str, &SearchQuestion, (u32, u32)) -> Result<WireRequest, Failure>;

/// An image search, with its members as JSON pointers.
pub struct ImageSearch {
    pub name: &'static str,
    /// Builds its request, with another base and key, for a number of hits and a page.
    pub request: Build,
    pub base: &'static str,
    pub has_key: bool,
    pub read: fn(&WireResponse) -> Result<ReadList, Failure>,
    pub reply: &'static str,
    pub results: &'static str,
    pub image: &'static str,
    pub thumbnail: &'static str,
    pub context: &'static str,
    pub width: &'static str,
}

pub const SEARCHES: [ImageSearch; 6] = [
    ImageSearch {
        name: "google",
        request: |base, key, search, (count, page)| {
            let (base, key) = (base.into(), key.into());
            let engine = "engine:1".into();
            google::GoogleSettings { base, key, engine }.request(search, count, page)
        },
        base: google::BASE_DEFAULT,
        has_key: true,
        read: super::google::read,
        reply: super::google::REPLY,
        results: "/items",
        image: "/link",
        thumbnail: "/image/thumbnailLink",
        context: "/image/contextLink",
        width: "/image/width",
    },
    ImageSearch {
        name: "commons",
        request: |base, contact, search, (count, page)| {
            let (base, contact) = (base.into(), contact.into());
            commons::CommonsSettings { base, contact }.request(search, count, page)
        },
        base: commons::BASE_DEFAULT,
        has_key: false,
        read: super::commons::read,
        reply: super::commons::REPLY,
        results: "/query/pages",
        image: "/imageinfo/0/thumburl",
        thumbnail: "/imageinfo/0/url",
        context: "/imageinfo/0/descriptionurl",
        width: "/imageinfo/0/width",
    },
    ImageSearch {
        name: "brave",
        request: |base, key, search, (count, page)| {
            let (base, key) = (base.into(), key.into());
            brave::BraveSettings { base, key }.request(search, count, page)
        },
        base: brave::BASE_DEFAULT,
        has_key: true,
        read: super::brave::read,
        reply: super::brave::REPLY,
        results: "/results",
        image: "/properties/url",
        thumbnail: "/thumbnail/src",
        context: "/url",
        width: "/properties/width",
    },
    ImageSearch {
        name: "openverse",
        request: |base, _, search, (count, page)| {
            let base = base.into();
            openverse::OpenverseSettings { base }.request(search, count, page)
        },
        base: openverse::BASE_DEFAULT,
        has_key: false,
        read: super::openverse::read,
        reply: super::openverse::REPLY,
        results: "/results",
        image: "/url",
        thumbnail: "/thumbnail",
        context: "/foreign_landing_url",
        width: "/width",
    },
    ImageSearch {
        name: "serpapi",
        request: |base, key, search, (count, page)| {
            let (base, key) = (base.into(), key.into());
            serpapi::SerpApiSettings { base, key }.request(search, count, page)
        },
        base: serpapi::BASE_DEFAULT,
        has_key: true,
        read: super::serpapi::read,
        reply: super::serpapi::REPLY,
        results: "/images_results",
        image: "/original",
        thumbnail: "/thumbnail",
        context: "/link",
        width: "/original_width",
    },
    ImageSearch {
        name: "serper",
        request: |base, key, search, (count, page)| {
            let (base, key) = (base.into(), key.into());
            serper::SerperSettings { base, key }.request(search, count, page)
        },
        base: serper::BASE_DEFAULT,
        has_key: true,
        read: super::serper::read,
        reply: super::serper::REPLY,
        results: "/images",
        image: "/imageUrl",
        thumbnail: "/thumbnailUrl",
        context: "/link",
        width: "/imageWidth",
    },
];
