//! The domain's types. They involve no I/O, no wire formats and no clock.

mod chain;
mod collage;
mod face;
mod failure;
mod fingerprint;
mod graph;
mod identifiers;
mod limits;
mod memory;
mod name;
mod people;
mod provenance;
mod search;
mod spelling;
mod word_doubt;

pub mod chat;
pub mod page;

pub use chain::{Chain, Reach, best_chain, reach};
pub use collage::{CollageCheck, Unjudged, Veto};
pub use face::{
    CANDIDATES_MAX, Candidate, Confidence, Face, FaceBox, Portrait, RecognisedBy,
    somebody_twice_beside_two, two_in_one_face,
};
pub use failure::{Failure, FailureKind, PhotoFailure, Provider};
pub use fingerprint::{FINGERPRINT_SIDE, Fingerprint, Placements};
pub use graph::{
    DateDoubt, Edge, EdgeStrength, EvidenceGraph, EvidenceRef, FaceDoubt, PAIRED_PEOPLE_MAX, Pair,
    Rejection, SeenFace, Sighting,
};
pub use identifiers::{
    EventId, RunToken, Secret, Sha256Digest, TokenError, WikidataNumber, stored_name,
};
pub use limits::{
    AVOID_MAX, BUDGET_MAX, CallPrices, Limits, MemoryUse, PAGE_MS_MAX, PAGE_OPENINGS_MAX, Pace,
    Plan, THRESHOLD_PERCENT, THRESHOLD_PERCENT_MIN, WordUse,
};
pub use memory::{
    CONNECTED_PEOPLE_MAX, MemoryNews, PeopleToRecall, PersonToConnect, PersonToRecall,
    PhotoToRemember, RECALL_PEOPLE_MAX, RECALL_PHOTOS_MAX, RECALL_TOWARD_MAX, RECALLED_FETCHES_MAX,
    RECALLS_MAX, RecalledPerson, RecalledPhoto, RememberedAnswer, RememberedFrom, RememberedSearch,
    SearchToRemember, SidesToConnect,
};
pub use name::{NAME_CHARS_MAX, Name, NameError, TypedPerson};
pub use people::{Binding, People, Person, PersonIndex, Side, wikidata_of};
pub use provenance::{
    CalendarDate, DateSource, Life, Making, Provenance, Statement, Taken, YearRange,
};
pub use search::{
    CandidateRow, Credit, FoundHits, HITS_MAX, Hints, Hit, ListPage, NamedPerson, PAGES_MAX,
    PersonNumber, PhotoCopy, PlanAnswer, PlanQuestion, SOURCES_MAX, SearchQuestion, SearchSource,
    Wording,
};
pub use spelling::{fold, is_inside_word, is_one_name, spellings};
pub use word_doubt::{WordDoubt, WordSign, of_hit as word_doubt_of};
