//! The memory, which holds answers that earlier runs have paid for. Photos are found by the digest of their bytes.

use serde::{Deserialize, Serialize};

use crate::face::{Candidate, Confidence, Face, RecognisedBy};
use crate::identifiers::Sha256Digest;
use crate::provenance::Taken;
use crate::search::Hit;

/// The most requests for remembered photos in one run.
pub const RECALLS_MAX: usize = 100;
/// The most remembered photos that one run fetches again.
pub const RECALLED_FETCHES_MAX: usize = 30;
/// The most people per request for remembered photos. If there are fewer people, each gets more photos.
pub const RECALL_PEOPLE_MAX: usize = 2;
/// The most photos in the answer to a request for remembered photos, shared equally among the people of the request.
pub const RECALL_PHOTOS_MAX: usize = 72;
/// The most people from the opposite side per request for remembered photos. Photos that show one of them with a
/// requested person come first.
pub const RECALL_TOWARD_MAX: usize = 10;

/// The most people per side in a request for a chain of remembered photos.
pub const CONNECTED_PEOPLE_MAX: usize = 10;

/// A recogniser's answer for a photo's bytes that an earlier run received.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedAnswer {
    /// The faces in the photo, in the recogniser's order.
    pub faces: Vec<Face>,
    /// The recogniser that answered.
    pub by: RecognisedBy,
    /// The people whom the recogniser looked for; `None` if it looked for everybody whom it knows.
    pub candidates: Option<Vec<Candidate>>,
    /// The time when the recogniser answered, in milliseconds since 1970.
    pub at_ms: u64,
    /// The SHA-256 of the raw body of the answer, if that is stored.
    pub body: Option<Sha256Digest>,
}

/// The origin of an answer that the run reuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedFrom {
    /// The recogniser's id in the settings.
    pub recogniser: String,
    /// The time when the recogniser answered, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
}

/// A request to the memory for photos of some people.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleToRecall {
    /// The people whose photos are requested, at most [`RECALL_PEOPLE_MAX`].
    pub people: Vec<PersonToRecall>,
    /// The recogniser's ids of people on the opposite side, at most [`RECALL_TOWARD_MAX`]. Photos that also show one
    /// of them come first.
    pub toward: Vec<String>,
}

/// A person whose remembered photos are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonToRecall {
    /// The recogniser's id for the person, if known.
    pub id: Option<String>,
    /// The person's name, as typed or recognised.
    pub name: String,
    /// The person's Wikidata number, if one was typed with the name.
    pub wikidata: Option<String>,
}

/// A request to the memory for a chain of photos between two sides. The answer is only the number of photos. The
/// memory reveals each photo once its bytes are fetched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SidesToConnect {
    /// The people on each side, at most [`CONNECTED_PEOPLE_MAX`]. On each side, the person whom the user named comes
    /// first.
    pub sides: [Vec<PersonToConnect>; 2],
    /// The most edges of a chain between the two people whom the user named.
    pub hops_max: u32,
    /// The lowest confidence that counts, in percent.
    pub threshold_percent: u32,
    /// The folded names of people whom the chain must avoid.
    pub avoid: Vec<String>,
    /// The most photos that the chain may need.
    pub photos_max: usize,
    /// How many requests for a chain the run has already made.
    pub round: usize,
}

/// A person on one side of a requested chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonToConnect {
    /// The person's id, name and number.
    pub person: PersonToRecall,
    /// The number of proven edges from the person whom the user named to this one.
    pub hops: u32,
}

/// A person in a photo that an earlier run recognised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    from = "(String, String, Confidence)",
    into = "(String, String, Confidence)"
)]
pub struct RecalledPerson {
    /// The recogniser's id for the person, or an id derived from the name if the recogniser sent none.
    pub id: String,
    /// The recogniser's name for the person.
    pub name: String,
    /// The person's Wikidata number from the recogniser, if the memory has it. It is not stored with a run.
    pub number: Option<String>,
    /// The confidence with which the recogniser matched the person.
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

/// A photo that an earlier run recognised. The people in it are only hints until the photo's bytes are fetched again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecalledPhoto {
    /// The SHA-256 of the recognised bytes.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The photo's address, page, title and credit.
    #[serde(flatten)]
    pub hit: Hit,
    /// The people whom the earlier run recognised in the photo.
    pub people: Vec<RecalledPerson>,
}

/// A recognised photo that the memory should store.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoToRemember {
    /// The SHA-256 of the photo's bytes as its host sent them.
    pub digest: Sha256Digest,
    /// The photo's address, page, title and credit.
    pub hit: Hit,
    /// When the photo was taken, if anything says so.
    pub taken: Option<Taken>,
    /// The recogniser's answer for these bytes.
    pub answer: RememberedAnswer,
    /// Whether the photo is vetoed as a collage. A vetoed photo proves nothing.
    pub is_vetoed: bool,
}

/// An image search's answer that an earlier run received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedSearch {
    /// The time when the image search answered, in milliseconds since 1970.
    pub at_ms: u64,
    /// The raw body of the answer.
    pub body: String,
}

/// An image search's answer that the memory should store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchToRemember {
    /// The SHA-256 of the question. The question itself is not stored, because it contains what the user typed.
    pub question: Sha256Digest,
    /// The image search's answer.
    pub answer: RememberedSearch,
    /// The time when the stored answer expires, in milliseconds since 1970.
    pub until_ms: u64,
}

/// A run's report to the memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryNews {
    /// The photos that the run had recognised.
    pub photos: Vec<PhotoToRemember>,
    /// The answer of an image search, if the run received one.
    pub search: Option<SearchToRemember>,
    /// The recalled photos that were no longer available or whose bytes had changed.
    pub failed: Vec<Sha256Digest>,
    /// The recalled photos that were fetched with unchanged bytes.
    pub came: Vec<Sha256Digest>,
    /// The remembered photos that the run found to be collages.
    pub vetoed: Vec<Sha256Digest>,
    /// The number of recognitions that remembered answers saved.
    pub saved_recognitions: u64,
    /// The cost of the recognitions that were saved, in billionths of a dollar.
    pub saved_nano_usd: u64,
    /// The day of this report, in days since 1970.
    pub day: u64,
}
