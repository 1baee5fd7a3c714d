//! The nouns of the product: no I/O, no wire shapes, no clock.

mod chain;
mod confidence;
mod digest;
mod face;
mod failure;
mod fingerprint;
mod folding;
mod graph;
mod identifiers;
mod limits;
mod name;
mod people;
mod photo;
mod planning;
mod remembered;
mod search;
mod search_list;
mod secret;
mod sighting;
mod stored_name;
mod typed_person;
mod veto;
mod wikidata;

pub mod chat;
pub mod page;

pub use chain::{Chain, Reach, best_chain, reach};
pub use confidence::Confidence;
pub use digest::Sha256Digest;
pub use face::{Face, FaceBox, two_in_one_face};
pub use failure::{Failure, FailureKind, PhotoFailure, Provider};
pub use fingerprint::{FINGERPRINT_SIDE, Fingerprint, Placements};
pub use folding::{fold, is_inside_word, is_one_name, spellings};
pub use graph::{Edge, EvidenceGraph, Pair};
pub use identifiers::{EventId, RunToken, TokenError};
pub use limits::{
    AVOID_MAX, BUDGET_MAX, CallPrices, Limits, MemoryUse, PAGE_MS_MAX, PAGE_OPENINGS_MAX, Pace,
    Plan, THRESHOLD_PERCENT, THRESHOLD_PERCENT_MIN,
};
pub use name::{NAME_CHARS_MAX, Name, NameError};
pub use people::{Binding, People, Person, PersonIndex, Side, wikidata_of};
pub use photo::{Credit, Hints, Hit, PhotoCopy};
pub use planning::{CandidateRow, PlanAnswer, PlanQuestion};
pub use remembered::{
    CONNECTED_PEOPLE_MAX, MemoryNews, PeopleToRecall, PersonToConnect, PersonToRecall,
    PhotoToRemember, RECALL_PEOPLE_MAX, RECALL_PHOTOS_MAX, RECALL_TOWARD_MAX, RECALLED_FETCHES_MAX,
    RECALLS_MAX, RecalledPerson, RecalledPhoto, RememberedAnswer, RememberedFrom, RememberedSearch,
    SearchToRemember, SidesToConnect,
};
pub use search::{NamedPerson, PersonNumber, SearchQuestion, Wording};
pub use search_list::{FoundHits, HITS_MAX, ListPage, PAGES_MAX, SOURCES_MAX, SearchSource};
pub use secret::Secret;
pub use sighting::{EvidenceRef, FaceDoubt, PAIRED_PEOPLE_MAX, SeenFace, Sighting};
pub use stored_name::stored_name;
pub use typed_person::TypedPerson;
pub use veto::{CollageCheck, Veto};
pub use wikidata::WikidataNumber;
