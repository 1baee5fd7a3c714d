//! The values that go in and out of the machine: inputs, commands and notices. They are owned, and
//! stay true whatever happens next.

mod reports;

use serde::{Deserialize, Deserializer, Serialize, de};

use domain::{
    CandidateRow, CollageCheck, EvidenceRef, Face, Failure, Fingerprint, FoundHits, Hit, Limits,
    ListPage, Name, PeopleToRecall, PhotoCopy, PhotoFailure, PlanAnswer, PlanQuestion,
    RECALLED_FETCHES_MAX, RecalledPhoto, RememberedAnswer, RememberedFrom, SearchQuestion,
    SearchSource, Sha256Digest, Side, SidesToConnect, TypedPerson, is_one_name,
};
use json::OkOrFailed;
use kernel::{CommandId, Millis};

use crate::events;

pub use reports::{
    CertificateReport, EdgeReport, ErrorCode, ErrorReport, EvidenceReport, FaceReport,
    FailedProvider, FinalReport, GraphEdgeReport, GraphReport, NoPathReport, NodeReport,
    OtherPathReport, PairReport, PersonRef, PhotoCounts, PhotoReport, ProvenReport, Reason, Spent,
};

/// The question of one run, already accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The person with whom the chain starts.
    pub person_a: TypedPerson,
    /// The person with whom it ends.
    pub person_b: TypedPerson,
    /// The people who may not be on the path.
    pub avoid: Vec<Name>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
    /// The image searches that may be asked, in the order in which they are. Where there are none, one
    /// is asked of which nothing is known.
    pub sources: Vec<SearchSource>,
}

impl Request {
    /// Returns whether a recognised name is one that may not be on the path.
    #[must_use]
    pub fn avoids(&self, recognised: &str) -> bool {
        let mut avoided = self.avoid.iter();
        avoided.any(|name| is_one_name(name.as_str(), recognised))
    }
}

/// One input of the machine, with the time in [`super::Investigation::handle`].
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// A photo whose bytes came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fetched {
    /// The digest of the bytes that came.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The address that gave the bytes.
    #[serde(flatten)]
    pub copy: PhotoCopy,
    /// The digest of the bytes that the recogniser gets, where they are in another format.
    #[serde(
        rename = "sentSha256",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub sent: Option<Sha256Digest>,
    /// What the photo looks like, where its pixels could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// The answer of the recogniser to these bytes, where an earlier run had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered: Option<Box<Remembered>>,
}

/// An earlier answer of the recogniser, with what this run's program finds in the pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// Where the answer is from.
    #[serde(flatten)]
    pub from: RememberedFrom,
    /// The SHA-256 of the raw body of the answer, where it was kept.
    #[serde(rename = "sha256", default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Sha256Digest>,
    /// The faces of the answer, and what the photo's pixels say now.
    pub recognised: Recognised,
    /// Where the photo is from, of a photo that the run fetched without knowing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit: Option<Hit>,
}

impl Remembered {
    /// Makes it of an answer and of what the photo's pixels say now.
    #[must_use]
    pub fn new(answer: RememberedAnswer, collage_check: CollageCheck) -> Self {
        Self {
            from: RememberedFrom {
                recogniser: answer.recogniser,
                at_ms: answer.at_ms,
            },
            body: answer.body,
            recognised: Recognised {
                faces: answer.faces,
                collage_check,
            },
            hit: None,
        }
    }
}

/// The result of recognising a photo.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "RecognisedForm", into = "RecognisedForm")]
pub struct Recognised {
    /// The faces in the photo, in the recogniser's order.
    pub faces: Vec<Face>,
    /// What the photo's pixels say.
    pub collage_check: CollageCheck,
}

/// The stored form of [`Recognised`]: a list of faces, and for the few photos that have a veto or are doubtful, that
/// beside it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum RecognisedForm {
    Faces(Vec<Face>),
    Checked {
        faces: Vec<Face>,
        veto: CollageCheck,
    },
}

impl From<RecognisedForm> for Recognised {
    fn from(form: RecognisedForm) -> Self {
        match form {
            RecognisedForm::Faces(faces) => faces.into(),
            RecognisedForm::Checked { faces, veto } => Self {
                faces,
                collage_check: veto,
            },
        }
    }
}

impl From<Recognised> for RecognisedForm {
    fn from(recognised: Recognised) -> Self {
        let Recognised {
            faces,
            collage_check,
        } = recognised;
        match collage_check {
            CollageCheck::Passed => Self::Faces(faces),
            veto => Self::Checked { faces, veto },
        }
    }
}

impl From<Vec<Face>> for Recognised {
    /// Makes the result of a photo against which nothing speaks.
    fn from(faces: Vec<Face>) -> Self {
        Self {
            faces,
            collage_check: CollageCheck::Passed,
        }
    }
}

/// The outcome of a command, and how it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The whole list of an image search that is not named, or why a search failed.
    Searched(#[serde(with = "OkOrFailed")] Result<Vec<Hit>, Failure>),
    /// A page of the list of an image search.
    Found(FoundHits),
    /// The outcome of fetching a photo.
    Fetched(#[serde(with = "OkOrFailed")] Result<Fetched, PhotoFailure>),
    /// The outcome of recognising a fetched photo.
    Recognised(#[serde(with = "OkOrFailed")] Result<Recognised, Failure>),
    /// The outcome of asking the planner.
    Planned(#[serde(with = "OkOrFailed")] Result<PlanAnswer, Failure>),
    /// The outcome of taking a picture of a page, or why there is none as one sentence.
    Captured(#[serde(with = "OkOrFailed")] Result<Captured, String>),
    /// The remembered photos of some people. There are none where the memory does not answer.
    Recalled(Vec<RecalledPhoto>),
    /// The number of remembered photos that make a chain; 0 where there is none.
    Connected(#[serde(deserialize_with = "photos_of_chain")] usize),
}

/// Reads the number of the photos of a chain, each of which is fetched.
fn photos_of_chain<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let photos = usize::deserialize(deserializer)?;
    if photos > RECALLED_FETCHES_MAX {
        return Err(de::Error::custom("no chain has so many photos"));
    }
    Ok(photos)
}

impl From<Result<FoundHits, Failure>> for Outcome {
    fn from(result: Result<FoundHits, Failure>) -> Self {
        match result {
            Ok(found) if found.is_page() => Self::Found(found),
            result => Self::Searched(result.map(|found| found.hits)),
        }
    }
}

impl Outcome {
    /// Returns what a search found, or why it failed. Returns `None` for the outcome of anything else.
    #[must_use]
    pub fn search_result(&self) -> Option<Result<FoundHits, Failure>> {
        match self {
            Self::Found(found) => Some(Ok(found.clone())),
            Self::Searched(result) => Some(result.clone().map(FoundHits::from)),
            _ => None,
        }
    }

    /// Returns whether the provider gave what it was asked for.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(
            self,
            Self::Found(_)
                | Self::Searched(Ok(_))
                | Self::Fetched(Ok(_))
                | Self::Recognised(Ok(_))
                | Self::Planned(Ok(_))
                | Self::Captured(Ok(_))
                | Self::Connected(1..)
        ) || matches!(self, Self::Recalled(photos) if !photos.is_empty())
    }
}

/// Something to be carried out; its answer carries the id.
pub type Command = kernel::Command<Action>;

/// The things that a run does outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search for images.
    Search {
        /// The people to find. Each search engine makes its own query of it.
        question: SearchQuestion,
        /// The most hits that are wanted.
        count: u32,
        /// The image search that is asked, and the page of its list.
        part: ListPage,
        /// The ids of the image searches that were asked this question before: they are not asked it
        /// in place of the one that is meant.
        asked_before: Vec<String>,
    },
    /// Fetch a photo, by its first address that gives one. The conductor keeps the bytes
    /// as long as [`super::Investigation::needs_photo`] says so.
    Fetch {
        /// The address of the photo.
        image_url: String,
        /// The address of the original, where `image_url` is that of a copy.
        original_url: Option<String>,
        /// The address of the small copy, for when neither of the others can be had.
        thumbnail_url: Option<String>,
        /// Whether the platform may make a JPEG of a photo that the recogniser does not take as it is.
        may_convert: bool,
    },
    /// Recognise the people in the photo that this earlier command fetched.
    Recognise {
        /// The command that fetched it.
        fetched_by: CommandId,
    },
    /// Ask the planner whom to try next.
    Plan(PlanQuestion),
    /// Open the page that shows a photo, and take a picture of it. That may be repeated.
    Capture {
        /// The address of the page.
        url: String,
    },
    /// Recall the photos of these people that earlier runs had recognised.
    Recall(PeopleToRecall),
    /// Look for a chain of photos between two sides that earlier runs had recognised.
    Connect(Box<SidesToConnect>),
    /// Fetch a photo of such a chain, of which the run knows nothing but its place there.
    FetchKnown {
        /// The question that the chain answered.
        sides: Box<SidesToConnect>,
        /// The place of the photo, from 0.
        place: usize,
        /// Whether the platform may make a JPEG of it.
        may_convert: bool,
    },
}

/// A page that shows photos of the final chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoPage {
    /// The photos that it shows, in the order of the chain's edges.
    pub photos: Vec<EvidenceRef>,
    /// The page's address; `None` where the image search gave none of the web.
    pub url: Option<String>,
}

/// A picture of a page as it was at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// The digest of the picture's file.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The type of the file, like `image/jpeg`.
    pub media_type: String,
    /// The picture's width and height in pixels, where the file says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u32, u32)>,
    /// The time at which the picture was taken.
    #[serde(with = "MillisDef")]
    pub at: Millis,
}

/// The stored form of a moment, in milliseconds since 1970.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Millis")]
struct MillisDef(u64);

/// What came of opening a page: its picture, or why there is none as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureReport {
    /// The page.
    pub page: PhotoPage,
    /// The picture.
    pub result: Result<Captured, String>,
}

/// A notice to viewers, with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that led to it.
    pub at: Millis,
    /// One event for the viewers.
    pub kind: NoticeKind,
}

/// The kind of event that a notice is.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The line about what is being tried.
    Status(Status),
    /// A verified edge.
    Evidence(EdgeReport),
    /// The chain as of now.
    PathUpdate(Vec<PersonRef>),
    /// What came of opening a page that shows photos of the final chain.
    PageCapture(CaptureReport),
    /// A chain from A to B. This is the last notice.
    Final(Box<FinalReport>),
    /// An honest no. This is the last notice.
    NoPath(Box<NoPathReport>),
    /// An error with which the run could not go on. This is the last notice.
    Error(ErrorReport),
}

impl NoticeKind {
    /// Returns whether no notice comes after it.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Final(_) | Self::NoPath(_) | Self::Error(_))
    }
}

/// The names of the states.
//= spec Worker State Machine
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum StateName {
    /// Initialize session.
    S0,
    /// Direct edge attempt.
    S1,
    /// Candidate discovery.
    S2,
    /// Select next expansion.
    S3,
    /// Verify next edge.
    S4,
    /// Bridge toward target.
    S5,
    /// Finalize success.
    S6,
    /// Finalize failure.
    S7,
}

impl StateName {
    /// Returns the name under which it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S0 => "S0",
            Self::S1 => "S1",
            Self::S2 => "S2",
            Self::S3 => "S3",
            Self::S4 => "S4",
            Self::S5 => "S5",
            Self::S6 => "S6",
            Self::S7 => "S7",
        }
    }
}

/// The status of a run: what is being tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The state that told this; for an answer, the state that had asked for it.
    pub state: StateName,
    /// One line for people.
    pub message: String,
    /// The number of edges between the start of the side and the frontier.
    pub hop: u32,
    /// The person whose surroundings are looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontier: Option<PersonRef>,
    /// The half of the search that the frontier belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The name of a person who is looked for only because the planner guessed so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// The links that are only hinted as of now, where they have changed: nobody has looked at their photos yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hinted: Option<Vec<[PersonRef; 2]>>,
    /// All that the run has spent so far.
    pub spent: Spent,
    /// The limits of what the run may do and spend.
    #[serde(rename = "budget", serialize_with = "events::budget")]
    pub limits: Limits,
}

/// One choice with its table and its reason.
//= spec Notes on Determinism "Store all intermediate decisions"
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The state that chose.
    pub state: StateName,
    /// The name of the person whose surroundings had been looked at.
    pub frontier: String,
    /// The rows that there were to choose from, best first.
    pub table: Vec<CandidateRow>,
    /// The name that was chosen.
    pub chosen: String,
    /// The reason, in words.
    pub reason: String,
}

/// A frontier's candidate as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRecord {
    /// The candidate's id and name.
    pub person: PersonRef,
    /// The number of photos with the frontier.
    pub count: usize,
    /// The best confidence of these photos, in percent.
    pub best_confidence: f64,
    /// The numbers of these photos.
    pub evidence: Vec<EvidenceRef>,
}

/// A frontier with everybody who was seen beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierRecord {
    /// The person whose surroundings were looked at.
    pub frontier: PersonRef,
    /// The candidates in the order in which they were first seen.
    pub candidates: Vec<CandidateRecord>,
}

/// The path as of now, with its edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathReport {
    /// The people from A on. The list is empty where nobody is proven yet.
    pub people: Vec<PersonRef>,
    /// The edges between each two neighbours.
    pub edges: Vec<EdgeReport>,
}
