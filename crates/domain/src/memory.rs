//! The memory: answers that earlier runs have paid for, by the digest of the photo's bytes.

use serde::{Deserialize, Serialize};

use crate::face::{Confidence, Face};
use crate::identifiers::Sha256Digest;
use crate::search::Hit;

/// The most requests of one run for remembered photos.
pub const RECALLS_MAX: usize = 100;
/// The most recalled photos that one run fetches.
pub const RECALLED_FETCHES_MAX: usize = 30;
/// The most people per request for remembered photos. Fewer people get more photos each.
pub const RECALL_PEOPLE_MAX: usize = 2;
/// The most photos per request, shared equally among its people.
pub const RECALL_PHOTOS_MAX: usize = 72;
/// The most people of the other side whose photos with the requested people come first.
pub const RECALL_TOWARD_MAX: usize = 10;

/// The most people per side in a search for a chain of remembered photos.
pub const CONNECTED_PEOPLE_MAX: usize = 10;

/// A recogniser's answer for a photo's bytes, given to an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedAnswer {
    /// The faces in the photo, in the recogniser's order.
    pub faces: Vec<Face>,
    /// The recogniser's id, as settings name it.
    pub recogniser: String,
    /// The time of the answer, in milliseconds since 1970.
    pub at_ms: u64,
    /// The SHA-256 of the answer's raw body, if stored.
    pub body: Option<Sha256Digest>,
}

/// The origin of a reused answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedFrom {
    /// The recogniser's id, as settings name it.
    pub recogniser: String,
    /// The time of the answer, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
}

/// A request for remembered photos.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleToRecall {
    /// The people, at most [`RECALL_PEOPLE_MAX`].
    pub people: Vec<PersonToRecall>,
    /// The recogniser's ids of people of the other side, at most [`RECALL_TOWARD_MAX`]. Photos that show one of them
    /// come first.
    pub toward: Vec<String>,
}

/// A person whose photos are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonToRecall {
    /// The recogniser's id, if known.
    pub id: Option<String>,
    /// The name, as typed or recognised.
    pub name: String,
    /// The Wikidata number, if one was given with a typed name.
    pub wikidata: Option<String>,
}

/// A request for a chain of remembered photos between two sides. The answer is only the number of its photos: each
/// photo is revealed once its bytes are fetched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SidesToConnect {
    /// The people of each side, at most [`CONNECTED_PEOPLE_MAX`], the typed person first.
    pub sides: [Vec<PersonToConnect>; 2],
    /// The most edges of a chain between the typed people.
    pub hops_max: u32,
    /// The least confidence that counts, in percent.
    pub threshold_percent: u32,
    /// The folded names of people to avoid.
    pub avoid: Vec<String>,
    /// The most photos of a chain.
    pub photos_max: usize,
    /// The number of earlier requests of the run.
    pub round: usize,
}

/// A person of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonToConnect {
    /// The person.
    pub person: PersonToRecall,
    /// The number of proven edges from the typed person to this one.
    pub hops: u32,
}

/// A person in a photo that an earlier run recognised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    from = "(String, String, Confidence)",
    into = "(String, String, Confidence)"
)]
pub struct RecalledPerson {
    /// The recogniser's id, or one derived from the name if it gave none.
    pub id: String,
    /// The recogniser's name.
    pub name: String,
    /// The recogniser's Wikidata number, if the memory has it. Not stored with a run.
    pub number: Option<String>,
    /// The recogniser's match confidence.
    pub confidence: Confidence,
}

impl From<(String, String, Confidence)> for RecalledPerson {
    fn from((id, name, confidence): (String, String, Confidence)) -> Self {
        Self {
            id,
            name,
            number: None,
            confidence,
        }
    }
}

impl From<RecalledPerson> for (String, String, Confidence) {
    fn from(person: RecalledPerson) -> Self {
        (person.id, person.name, person.confidence)
    }
}

/// A photo that an earlier run recognised. The people in it are only hints until its bytes are fetched again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecalledPhoto {
    /// The SHA-256 of the recognised bytes.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The photo's address, page, title and credit.
    #[serde(flatten)]
    pub hit: Hit,
    /// The people in the photo.
    pub people: Vec<RecalledPerson>,
}

/// A recognised photo to remember.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoToRemember {
    /// The SHA-256 of the photo's bytes as its host sent them.
    pub digest: Sha256Digest,
    /// The photo's address, page, title and credit.
    pub hit: Hit,
    /// The recogniser's answer.
    pub answer: RememberedAnswer,
    /// Whether the photo is vetoed.
    pub is_vetoed: bool,
}

/// An image search's answer, given to an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedSearch {
    /// The time of the answer, in milliseconds since 1970.
    pub at_ms: u64,
    /// The raw body of the answer.
    pub body: String,
}

/// An image search's answer to remember.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchToRemember {
    /// The SHA-256 of the question, so that nothing typed is stored.
    pub question: Sha256Digest,
    /// The answer.
    pub answer: RememberedSearch,
    /// The time at which it expires, in milliseconds since 1970.
    pub until_ms: u64,
}

/// What a run reports to the memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryNews {
    /// The photos that were recognised.
    pub photos: Vec<PhotoToRemember>,
    /// The answer of an image search.
    pub search: Option<SearchToRemember>,
    /// The recalled photos that were unavailable or had changed.
    pub failed: Vec<Sha256Digest>,
    /// The recalled photos whose bytes were unchanged.
    pub came: Vec<Sha256Digest>,
    /// The remembered photos that are vetoed.
    pub vetoed: Vec<Sha256Digest>,
    /// The number of recognitions saved by the memory.
    pub saved_recognitions: u64,
    /// What they would have cost, in billionths of a dollar.
    pub saved_nano_usd: u64,
    /// The day of this report, in days since 1970.
    pub day: u64,
}
