//! The key of a call: what its command requests, without its number, time and budget. The same call has the same key in
//! every run. From the key of a fetch, the photo's bytes can be fetched again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use domain::{
    PersonNumber, PersonToConnect, PersonToRecall, PhotoCopy, PlanQuestion, SearchQuestion,
    Sha256Digest, SidesToConnect, WikidataNumber,
};
use engine::key_digest;
use kernel::CommandId;

use crate::machine::{Action, Fetched, Outcome};

use super::is_zero;

/// The key of one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CallKey {
    /// A search for images.
    Search {
        /// The text of the query.
        query: String,
        /// The most hits that are requested.
        count: u32,
        /// The Wikidata numbers given at the run's start for the people searched for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        wikidata: Vec<String>,
        /// The id of the image search; `None` for the first allowed one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// The page of the image search's list, from 0.
        #[serde(default, skip_serializing_if = "is_zero")]
        page: u32,
    },
    /// Fetching a photo.
    Fetch {
        /// The address of the photo.
        image_url: String,
        /// The address of the original, if `image_url` is that of a copy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        original_url: Option<String>,
        /// The address of the small copy, from the search.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thumbnail_url: Option<String>,
    },
    /// Recognising the people in a photo.
    Recognise {
        /// The SHA-256 of the photo's bytes, in hexadecimal digits.
        sha256: String,
    },
    /// Asking the planner whom to try next.
    Plan {
        /// The SHA-256 of the planner's input, in hexadecimal digits.
        sha256: String,
    },
    /// Capturing the page that shows a photo.
    Capture {
        /// The address of the page.
        url: String,
    },
    /// Asking when people were born and died.
    Lives {
        /// The people's Wikidata numbers.
        wikidata: Vec<WikidataNumber>,
    },
    /// Recalling the photos of some people.
    Recall {
        /// The recogniser's ids of the people; for those without one, their Wikidata numbers or names.
        people: Vec<String>,
        /// The ids of certain other people: photos that also show one of them come first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        toward: Vec<String>,
    },
    /// Looking for a chain of remembered photos.
    Connect {
        /// The SHA-256 of the question, in hexadecimal digits.
        sha256: String,
    },
    /// Fetching a photo of a remembered chain.
    FetchKnown {
        /// The SHA-256 of the question that the chain answers, in hexadecimal digits.
        sha256: String,
        /// The place of the photo in the chain, from 0.
        place: usize,
    },
}

impl CallKey {
    /// Returns the key of an action. `fetched` is the digest of the photo to recognise.
    #[must_use]
    pub fn of(action: &Action, fetched: Option<&Sha256Digest>) -> Self {
        match action {
            Action::Search {
                question,
                count,
                part,
                ..
            } => Self::Search {
                query: question.text(),
                count: *count,
                wikidata: given_numbers(question),
                source: part.source.clone(),
                page: part.page,
            },
            Action::Fetch {
                image_url,
                original_url,
                thumbnail_url,
                ..
            } => Self::Fetch {
                image_url: image_url.clone(),
                original_url: original_url.clone(),
                thumbnail_url: thumbnail_url.clone(),
            },
            Action::Recognise { .. } => Self::Recognise {
                sha256: fetched.map(ToString::to_string).unwrap_or_default(),
            },
            Action::Plan(question) => Self::Plan {
                sha256: question_digest(question).to_string(),
            },
            Action::Capture { url } => Self::Capture { url: url.clone() },
            Action::Lives(people) => Self::Lives {
                wikidata: people.clone(),
            },
            Action::Recall(people) => Self::Recall {
                people: people.people.iter().map(known_as).collect(),
                toward: people.toward.clone(),
            },
            Action::Connect(sides) => Self::Connect {
                sha256: sides_digest(sides).to_string(),
            },
            Action::FetchKnown { sides, place, .. } => Self::FetchKnown {
                sha256: sides_digest(sides).to_string(),
                place: *place,
            },
        }
    }

    /// Returns the kind of provider that is paid for a call, and the call's subject, for the run's record; `None` for a
    /// photo's host, Wikidata and the memory, which are free.
    #[must_use]
    pub fn paid_call(&self) -> Option<(&'static str, &str)> {
        match self {
            Self::Search { query, .. } => Some(("search", query)),
            Self::Recognise { sha256 } => Some(("recognition", sha256)),
            Self::Plan { sha256 } => Some(("plan", sha256)),
            Self::Capture { url } => Some(("capture", url)),
            Self::Fetch { .. }
            | Self::Lives { .. }
            | Self::Recall { .. }
            | Self::Connect { .. }
            | Self::FetchKnown { .. } => None,
        }
    }

    /// Returns the SHA-256 of the key's JSON.
    #[must_use]
    pub fn digest(&self) -> Sha256Digest {
        key_digest(self)
    }
}

fn known_as(person: &PersonToRecall) -> String {
    let known = person.id.as_ref().or(person.wikidata.as_ref());
    known.unwrap_or(&person.name).clone()
}

/// Returns the digest of the question for a chain. Each person counts by id, Wikidata number or name, and by the
/// distance from the start.
fn sides_digest(asked: &SidesToConnect) -> Sha256Digest {
    let side = |people: &Vec<PersonToConnect>| {
        let people = people.iter().map(|one| (known_as(&one.person), one.hops));
        people.collect::<Vec<_>>()
    };
    let [of_a, of_b] = &asked.sides;
    key_digest(&(
        side(of_a),
        side(of_b),
        (asked.hops_max, asked.threshold_percent, &asked.avoid),
        (asked.photos_max, asked.round),
    ))
}

/// Returns the Wikidata numbers given by the user. The recogniser's numbers are left out, so that a search has the same
/// key no matter when these numbers became known.
fn given_numbers(question: &SearchQuestion) -> Vec<String> {
    let people = question.people.iter();
    let given = people.filter_map(|person| match &person.number {
        Some(PersonNumber::Given(number)) => Some(number.to_string()),
        Some(PersonNumber::Recognised(_)) | None => None,
    });
    given.collect()
}

/// Returns the digest of the planner's input without the number of calls left, because advice about the same candidates
/// holds for any such number.
fn question_digest(question: &PlanQuestion) -> Sha256Digest {
    let rows: Vec<_> = question
        .candidates
        .iter()
        .map(|row| {
            (
                row.number,
                &row.name,
                row.count,
                row.best_confidence,
                row.side.as_str(),
            )
        })
        .collect();
    let told = (
        &question.person_a,
        &question.person_b,
        &question.frontier,
        rows,
        &question.allowed_queries,
        question.hops_left,
        question.may_guess,
    );
    let json = serde_json::to_vec(&told).unwrap_or_default();
    Sha256Digest::of(&json)
}

/// The source of a fetched photo, from which its bytes can be fetched again.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoSource {
    url: String,
    fetched: Fetched,
}

impl PhotoSource {
    /// Returns the address that served the photo.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the SHA-256 of the fetched bytes.
    #[must_use]
    pub fn digest(&self) -> &Sha256Digest {
        &self.fetched.digest
    }
}

/// The photos that a run has fetched, by the commands that fetched them.
#[derive(Debug, Clone, Default)]
pub struct PhotoSources {
    by_command: BTreeMap<CommandId, PhotoSource>,
}

impl PhotoSources {
    /// Returns the photo that a command fetched.
    pub(crate) fn photo(&self, fetched_by: CommandId) -> Option<&PhotoSource> {
        self.by_command.get(&fetched_by)
    }

    /// Records the answer to a fetch; ignores other actions.
    pub(super) fn note(&mut self, command: CommandId, action: Action, outcome: &Outcome) {
        if let (
            Action::Fetch {
                image_url,
                original_url,
                thumbnail_url,
                ..
            },
            Outcome::Fetched(Ok(fetched)),
        ) = (action, outcome)
        {
            let other = match fetched.copy {
                PhotoCopy::Image => None,
                PhotoCopy::Original => original_url,
                PhotoCopy::Thumbnail => thumbnail_url,
            };
            let source = PhotoSource {
                url: other.unwrap_or(image_url),
                fetched: fetched.clone(),
            };
            self.by_command.insert(command, source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_has_the_same_digest_whatever_is_left_of_the_budgets() {
        let question = |searches_left, frontier: &str| PlanQuestion {
            person_a: "A".into(),
            person_b: "B".into(),
            frontier: frontier.into(),
            candidates: Vec::new(),
            allowed_queries: vec!["A X".into()],
            hops_left: 6,
            searches_left,
            recognitions_left: 9,
            may_guess: true,
        };
        let digest = |question| CallKey::of(&Action::Plan(question), None).digest();
        assert_eq!(digest(question(1, "X")), digest(question(2, "X")));
        assert_ne!(digest(question(1, "X")), digest(question(1, "Y")));
    }

    #[test]
    fn questions_differ_by_what_they_ask() {
        let search = |query: &str, count| CallKey::Search {
            query: query.into(),
            count,
            wikidata: Vec::new(),
            source: None,
            page: 0,
        };
        assert_ne!(search("A", 5).digest(), search("A", 4).digest());
        assert_ne!(search("A", 5).digest(), search("B", 5).digest());
    }
}
