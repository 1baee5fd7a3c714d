//! What earlier runs have paid for: answers of a recogniser, by the digest of the photo's bytes.

use serde::{Deserialize, Serialize};

use crate::face::{Confidence, Face};
use crate::identifiers::Sha256Digest;
use crate::search::Hit;

/// The most questions of one run for remembered photos.
pub const RECALLS_MAX: usize = 100;
/// The most recalled photos that one run fetches.
pub const RECALLED_FETCHES_MAX: usize = 30;
/// The most people who are recalled at once: fewer people have more photos each.
pub const RECALL_PEOPLE_MAX: usize = 2;
/// The most photos that are recalled of all of them together; each has an equal part.
pub const RECALL_PHOTOS_MAX: usize = 72;
/// The most people of the other side whose photos with those who are recalled come first.
pub const RECALL_TOWARD_MAX: usize = 10;

/// The most people of one side whose photos may connect it with the other one.
pub const CONNECTED_PEOPLE_MAX: usize = 10;

/// The answer of a recogniser to the bytes of a photo, as it was given to an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedAnswer {
    /// The faces in the photo, in the recogniser's order.
    pub faces: Vec<Face>,
    /// The recogniser's id, as settings name it.
    pub recogniser: String,
    /// The time of the answer, in milliseconds since 1970.
    pub at_ms: u64,
    /// The SHA-256 of the raw body of the answer, where it was kept.
    pub body: Option<Sha256Digest>,
}

/// Where an answer is from that is used again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedFrom {
    /// The recogniser's id, as settings name it.
    pub recogniser: String,
    /// The time of the answer, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
}

/// Whose photos are recalled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PeopleToRecall {
    /// The people, at most [`RECALL_PEOPLE_MAX`].
    pub people: Vec<PersonToRecall>,
    /// The ids of those of the other side: a photo with one of them comes before all others. At most
    /// [`RECALL_TOWARD_MAX`].
    pub toward: Vec<String>,
}

/// A person whose photos are recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonToRecall {
    /// The recogniser's id, where it is known.
    pub id: Option<String>,
    /// The person's name, as it was typed or recognised.
    pub name: String,
    /// The Wikidata number that was given with a typed name.
    pub wikidata: Option<String>,
}

/// Two sides between whom a chain of remembered photos is looked for. Its answer is how many photos make one, and no
/// word of whom they show: each is told once its bytes have come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SidesToConnect {
    /// The people of each side, the typed person first: at most [`CONNECTED_PEOPLE_MAX`].
    pub sides: [Vec<PersonToConnect>; 2],
    /// The most links of a chain between the typed people.
    pub hops_max: u32,
    /// The least confidence that counts, in percent.
    pub threshold_percent: u32,
    /// The folded names of those who may not be on a chain.
    pub avoid: Vec<String>,
    /// The most photos of a chain.
    pub photos_max: usize,
    /// The number of times that a chain was looked for before.
    pub round: usize,
}

/// A person of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonToConnect {
    /// The person.
    pub person: PersonToRecall,
    /// The number of proven links from the typed person to this one.
    pub hops: u32,
}

/// A person in a photo that an earlier run had recognised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    from = "(String, String, Confidence)",
    into = "(String, String, Confidence)"
)]
pub struct RecalledPerson {
    /// The recogniser's id, or the one made of the name where it gave none.
    pub id: String,
    /// The recogniser's name.
    pub name: String,
    /// The Wikidata number that the recogniser gave, where the memory told it. It is not stored with a run.
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

/// A photo that an earlier run had recognised. Whom it shows is a hint until its bytes have come again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecalledPhoto {
    /// The SHA-256 of the bytes that were recognised.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The photo's address, page, title and credit.
    #[serde(flatten)]
    pub hit: Hit,
    /// The people in it.
    pub people: Vec<RecalledPerson>,
}

/// A recognised photo that is worth remembering.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoToRemember {
    /// The SHA-256 of the photo's bytes as its host sent them.
    pub digest: Sha256Digest,
    /// The photo's address, page, title and credit.
    pub hit: Hit,
    /// The recogniser's answer.
    pub answer: RememberedAnswer,
    /// Whether its pixels speak against what it seems to prove.
    pub is_vetoed: bool,
}

/// The answer of an image search, as it was given to an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedSearch {
    /// The time of the answer, in milliseconds since 1970.
    pub at_ms: u64,
    /// The raw body of the answer.
    pub body: String,
}

/// The answer of an image search that is worth remembering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchToRemember {
    /// The SHA-256 of what was asked: nothing that was typed is kept.
    pub question: Sha256Digest,
    /// The answer.
    pub answer: RememberedSearch,
    /// The time until which it is kept, in milliseconds since 1970.
    pub until_ms: u64,
}

/// What a run tells the memory, beside what it asks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryNews {
    /// The photos that were recognised.
    pub photos: Vec<PhotoToRemember>,
    /// The answer of an image search.
    pub search: Option<SearchToRemember>,
    /// The recalled photos that were gone, or had other bytes.
    pub failed: Vec<Sha256Digest>,
    /// The recalled photos that were as they had been.
    pub came: Vec<Sha256Digest>,
    /// The remembered photos whose pixels speak against what they seemed to prove.
    pub vetoed: Vec<Sha256Digest>,
    /// The recognitions that were not paid for again.
    pub saved_recognitions: u64,
    /// What they would have cost, in billionths of a dollar.
    pub saved_nano_usd: u64,
    /// The day of all this, in days since 1970.
    pub day: u64,
}
