//! Wikidata: people by name, and the things that are named like people.

mod api;
mod entities;
mod item;
mod names;
mod search;

pub(crate) use api::{answer, query_of};
