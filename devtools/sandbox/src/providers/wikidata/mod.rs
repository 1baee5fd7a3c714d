//! Wikidata: people by name, and things named like people.

mod api;
mod claims;
mod entities;
mod item;
mod names;
mod search;

pub(crate) use api::{answer, query_of};
