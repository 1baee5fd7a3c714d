//! The values that go in and out of the machine: inputs, commands and notices. They are owned, so later inputs do not
//! change them.

mod reports;

use serde::{Deserialize, Deserializer, Serialize, de};

use domain::{
    CandidateRow, CollageCheck, EvidenceRef, Face, Failure, Fingerprint, FoundHits, Hit, Life,
    Limits, ListPage, Name, PeopleToRecall, PhotoCopy, PhotoFailure, PlanAnswer, PlanQuestion,
    Provenance, RECALLED_FETCHES_MAX, RecalledPhoto, RecognisedBy, RememberedAnswer,
    RememberedFrom, SearchQuestion, SearchSource, Sha256Digest, Side, SidesToConnect, TypedPerson,
    WikidataNumber, is_one_name,
};
use json::OkOrFailed;
use kernel::{CommandId, Millis};

use crate::events;
use crate::wire::is_zero;

pub use reports::{
    CertificateReport, EdgeReport, ErrorCode, ErrorReport, EvidenceReport, FaceReport,
    FailedProvider, FinalReport, GraphEdgeReport, GraphReport, NoPathReport, NodeReport,
    OtherPathReport, PairReport, PersonRef, PhotoCounts, PhotoReport, ProvenPhotoReport,
    ProvenReport, Reason, Spent, YearsReport,
};

/// The accepted question of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The person with whom the chain starts.
    pub person_a: TypedPerson,
    /// The person with whom the chain ends.
    pub person_b: TypedPerson,
    /// The people who must not be on the path.
    pub avoid: Vec<Name>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
    /// The image searches, in the order in which they are asked. If there are none, a single unknown image search is
    /// asked.
    pub sources: Vec<SearchSource>,
}

impl Request {
    /// Returns the Wikidata numbers that were given for the two people.
    #[must_use]
    pub fn given_numbers(&self) -> Vec<WikidataNumber> {
        let people = [&self.person_a, &self.person_b].into_iter();
        people
            .filter_map(|person| person.wikidata.clone())
            .collect()
    }

    /// Returns whether people recognised under this name must not be on the path.
    #[must_use]
    pub fn avoids(&self, recognised: &str) -> bool {
        let mut avoided = self.avoid.iter();
        avoided.any(|name| is_one_name(name.as_str(), recognised))
    }
}

/// One input of the machine. Its time is a separate argument of [`super::Investigation::handle`].
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// A fetched photo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fetched {
    /// The digest of the fetched bytes.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// Which of the photo's addresses served the bytes.
    #[serde(flatten)]
    pub copy: PhotoCopy,
    /// The digest of the bytes sent to the recogniser, if the photo was converted.
    #[serde(
        rename = "sentSha256",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub sent: Option<Sha256Digest>,
    /// The photo's fingerprint, if its pixels could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// How and when the photo was made, according to its file.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub provenance: Provenance,
    /// The recogniser's answer to these bytes in an earlier run, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered: Option<Box<Remembered>>,
}

/// An answer of the recogniser to an earlier run, and this run's check of the pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// The origin of the answer.
    #[serde(flatten)]
    pub from: RememberedFrom,
    /// The SHA-256 of the answer's raw body, if it was stored.
    #[serde(rename = "sha256", default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Sha256Digest>,
    /// The faces of the answer, and this run's check of the pixels.
    pub recognised: Recognised,
    /// The hit that found the photo; `None` if the run knew the photo's address before fetching it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit: Option<Hit>,
}

impl Remembered {
    /// Combines an earlier answer with this run's check of the pixels.
    #[must_use]
    pub fn new(answer: RememberedAnswer, collage_check: CollageCheck) -> Self {
        Self {
            from: RememberedFrom {
                recogniser: answer.by.recogniser.clone(),
                at_ms: answer.at_ms,
            },
            body: answer.body,
            recognised: Recognised {
                faces: answer.faces,
                collage_check,
                by: Some(answer.by),
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
    /// The result of the check whether the photo was put together from several.
    pub collage_check: CollageCheck,
    /// The recogniser that answered; `None` if an older version stored the answer.
    pub by: Option<RecognisedBy>,
}

/// The stored form of [`Recognised`]: an object, or, as older versions stored a photo that passed the check, a plain list
/// of faces.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum RecognisedForm {
    Faces(Vec<Face>),
    Checked {
        faces: Vec<Face>,
        #[serde(default, skip_serializing_if = "is_zero")]
        veto: CollageCheck,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<RecognisedBy>,
    },
}

impl From<RecognisedForm> for Recognised {
    fn from(form: RecognisedForm) -> Self {
        match form {
            RecognisedForm::Faces(faces) => faces.into(),
            RecognisedForm::Checked { faces, veto, by } => Self {
                faces,
                collage_check: veto,
                by,
            },
        }
    }
}

impl From<Recognised> for RecognisedForm {
    fn from(recognised: Recognised) -> Self {
        let Recognised {
            faces,
            collage_check,
            by,
        } = recognised;
        match (collage_check, by) {
            (CollageCheck::Passed, None) => Self::Faces(faces),
            (veto, by) => Self::Checked { faces, veto, by },
        }
    }
}

impl From<Vec<Face>> for Recognised {
    /// Creates the result for a photo that passed the check for collages.
    fn from(faces: Vec<Face>) -> Self {
        Self {
            faces,
            collage_check: CollageCheck::Passed,
            by: None,
        }
    }
}

/// The outcome of a command, and how it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The whole list of an unnamed image search, or why the search failed.
    Searched(#[serde(with = "OkOrFailed")] Result<Vec<Hit>, Failure>),
    /// A page of an image search's list.
    Found(FoundHits),
    /// The outcome of fetching a photo.
    Fetched(#[serde(with = "OkOrFailed")] Result<Fetched, PhotoFailure>),
    /// The outcome of recognising a fetched photo.
    Recognised(#[serde(with = "OkOrFailed")] Result<Recognised, Failure>),
    /// The outcome of asking the planner.
    Planned(#[serde(with = "OkOrFailed")] Result<PlanAnswer, Failure>),
    /// The capture of a page, or a sentence that says why the capture failed.
    Captured(#[serde(with = "OkOrFailed")] Result<Captured, String>),
    /// The remembered photos of some people; empty if the memory does not answer.
    Recalled(Vec<RecalledPhoto>),
    /// The number of remembered photos that make a chain; 0 if there is none.
    Connected(#[serde(deserialize_with = "photos_of_chain")] usize),
    /// The lives of the people whose Wikidata numbers were given, as far as Wikidata answers.
    Lives(Vec<Life>),
}

/// Reads the number of a chain's photos. It is bounded, because each of the photos is fetched.
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
    /// Returns what a search found, or why it failed; `None` for other outcomes.
    #[must_use]
    pub fn search_result(&self) -> Option<Result<FoundHits, Failure>> {
        match self {
            Self::Found(found) => Some(Ok(found.clone())),
            Self::Searched(result) => Some(result.clone().map(FoundHits::from)),
            _ => None,
        }
    }

    /// Returns whether the call succeeded.
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
            || matches!(self, Self::Lives(lives) if !lives.is_empty())
    }
}

/// An action to execute, and the id that its answer must carry.
pub type Command = kernel::Command<Action>;

/// The effects that a run requests.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search for images.
    Search {
        /// The people to find, and the wording. Each search engine gets a query in its own form.
        question: SearchQuestion,
        /// The most hits that are requested.
        count: u32,
        /// The image search to ask, and the page of its list.
        part: ListPage,
        /// The ids of the image searches that were already asked this question, so that none of them stands in for the
        /// requested one.
        asked_before: Vec<String>,
    },
    /// Fetch a photo from the first of its addresses that serves it. The conductor holds the bytes as long as
    /// [`super::Investigation::needs_photo`] returns true.
    Fetch {
        /// The address of the photo.
        image_url: String,
        /// The address of the original, if `image_url` is that of a copy.
        original_url: Option<String>,
        /// The address of the small copy, used if the other two addresses fail.
        thumbnail_url: Option<String>,
        /// Whether the platform may convert to JPEG a photo that the recogniser does not accept.
        may_convert: bool,
    },
    /// Recognise the people in the photo that an earlier command fetched.
    Recognise {
        /// The command that fetched the photo.
        fetched_by: CommandId,
    },
    /// Ask the planner whom to try next.
    Plan(PlanQuestion),
    /// Open the page that shows a photo, and capture the page. The call may be repeated.
    Capture {
        /// The address of the page.
        url: String,
    },
    /// Ask Wikidata when these people were born and died.
    Lives(Vec<WikidataNumber>),
    /// Recall the photos of these people that earlier runs recognised.
    Recall(PeopleToRecall),
    /// Look for a chain between two sides among the photos that earlier runs recognised.
    Connect(Box<SidesToConnect>),
    /// Fetch a photo of a remembered chain. The run knows only the photo's place in the chain.
    FetchKnown {
        /// The sides that the chain connects.
        sides: Box<SidesToConnect>,
        /// The place of the photo, from 0.
        place: usize,
        /// Whether the platform may convert the photo to JPEG.
        may_convert: bool,
    },
}

/// A page that shows photos of the final chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoPage {
    /// The photos on the page, in the order of the chain's edges.
    pub photos: Vec<EvidenceRef>,
    /// The page's address; `None` if the image search gave no web address.
    pub url: Option<String>,
}

/// The capture of a page at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// The digest of the captured picture's file.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The type of the file, like `image/jpeg`.
    pub media_type: String,
    /// The picture's width and height in pixels, if the file states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u32, u32)>,
    /// The time of the capture.
    #[serde(with = "MillisDef")]
    pub at: Millis,
}

/// The stored form of a time, in milliseconds since 1970.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Millis")]
struct MillisDef(u64);

/// The outcome of opening a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureReport {
    /// The page that was opened, or could not be.
    pub page: PhotoPage,
    /// The capture, or a sentence that says why there is none.
    pub result: Result<Captured, String>,
}

/// A notice to viewers, with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that caused the notice.
    pub at: Millis,
    /// The event for the viewers.
    pub kind: NoticeKind,
}

/// The kinds of notices.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// A line about what is being tried.
    Status(Status),
    /// A verified edge.
    Evidence(EdgeReport),
    /// The current chain.
    PathUpdate(Vec<PersonRef>),
    /// The outcome of opening a page with photos of the final chain.
    PageCapture(CaptureReport),
    /// A chain from A to B. This is the last notice.
    Final(Box<FinalReport>),
    /// No chain was found. This is the last notice.
    NoPath(Box<NoPathReport>),
    /// The run failed. This is the last notice.
    Error(ErrorReport),
}

impl NoticeKind {
    /// Returns whether this is the run's last notice.
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
    /// Returns the name on the wire.
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
    /// The state that reports the line. If an answer is reported, this is the state that made the call.
    pub state: StateName,
    /// One line of text.
    pub message: String,
    /// The number of edges between the start of the side and the frontier.
    pub hop: u32,
    /// The person whose surroundings are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontier: Option<PersonRef>,
    /// The side that the frontier belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The name of a person guessed by the planner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// The links that are only hinted, since their photos were not looked at; `None` if they are the same as in the
    /// last status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hinted: Option<Vec<[PersonRef; 2]>>,
    /// What the run has spent so far.
    pub spent: Spent,
    /// The limits of what the run may do and spend.
    #[serde(rename = "budget", serialize_with = "events::budget")]
    pub limits: Limits,
}

/// One choice with its table and its reason.
//= spec Notes on Determinism "Store all intermediate decisions"
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The state in which the choice was made.
    pub state: StateName,
    /// The name of the person whose surroundings were searched.
    pub frontier: String,
    /// The candidates to choose from, best first.
    pub table: Vec<CandidateRow>,
    /// The chosen name.
    pub chosen: String,
    /// The reason, in words.
    pub reason: String,
}

/// A frontier's candidate, as recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRecord {
    /// The candidate's id and name.
    pub person: PersonRef,
    /// The number of photos with the frontier.
    pub count: usize,
    /// The best confidence of the photos with the frontier, in percent.
    pub best_confidence: f64,
    /// The numbers of the photos with the frontier.
    pub evidence: Vec<EvidenceRef>,
}

/// A frontier, and the people who were seen with this person.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierRecord {
    /// The person whose surroundings were searched.
    pub frontier: PersonRef,
    /// The candidates in the order in which they were first seen.
    pub candidates: Vec<CandidateRecord>,
}

/// The current path, with its edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathReport {
    /// The people from A on; empty if no one is proven yet.
    pub people: Vec<PersonRef>,
    /// The edges between neighbours.
    pub edges: Vec<EdgeReport>,
}
