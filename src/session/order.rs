//! An accepted question as it is handed to the run's object and stored there.

use serde::{Deserialize, Serialize};

use crate::domain::{Limits, Name, NameError, Plan};
use crate::investigation::Request;

/// The stored form of a [`Request`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    version: u32,
    person_a: String,
    person_b: String,
    #[serde(default)]
    avoid: Vec<String>,
    plan: String,
    hops: u32,
    threshold: u32,
    images: u32,
    searches: u32,
    recognitions: u32,
    llm: u32,
    runtime_ms: u64,
}

impl Order {
    /// Of an accepted question.
    #[must_use]
    pub fn new(request: &Request) -> Self {
        let limits = &request.limits;
        Self {
            version: 1,
            person_a: request.person_a.as_str().to_owned(),
            person_b: request.person_b.as_str().to_owned(),
            avoid: request
                .avoid
                .iter()
                .map(|name| name.as_str().to_owned())
                .collect(),
            plan: limits.plan.as_str().to_owned(),
            hops: limits.hops,
            threshold: limits.threshold_percent,
            images: limits.images_per_search,
            searches: limits.searches_max,
            recognitions: limits.recognitions_max,
            llm: limits.planner_calls_max,
            runtime_ms: limits.runtime_ms_max,
        }
    }

    /// The question again; the names are parsed anew.
    pub fn request(&self) -> Result<Request, NameError> {
        Ok(Request {
            person_a: Name::parse(&self.person_a)?,
            person_b: Name::parse(&self.person_b)?,
            avoid: self
                .avoid
                .iter()
                .map(|name| Name::parse(name))
                .collect::<Result<_, _>>()?,
            limits: Limits {
                plan: Plan::named(&self.plan).unwrap_or(Plan::BothEnds),
                hops: self.hops,
                threshold_percent: self.threshold,
                images_per_search: self.images,
                searches_max: self.searches,
                recognitions_max: self.recognitions,
                planner_calls_max: self.llm,
                runtime_ms_max: self.runtime_ms,
            },
        })
    }
}

/// What the Worker hands over to create a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// The run's token.
    pub run: String,
    /// The accepted question.
    pub order: Order,
    /// The longest time that the run may take, in milliseconds.
    pub runtime_ms_max: u64,
}

/// An idempotency key's run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// The run's token.
    pub run: String,
    /// The question that the key was used for.
    pub order: Order,
}
