//! Refusals as `application/problem+json`, RFC 9457.

use serde::Serialize;
use serde_json::{Number, Value};

/// A longer name of a field is no field's; so much of it is told.
const FIELD_CHARS_MAX: usize = 64;

/// A refusal, with a sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    status: u16,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Absence>,
    #[serde(flatten)]
    more: Option<Box<Details>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    missing: Box<[String]>,
    #[serde(skip)]
    header: Option<Box<(&'static str, String)>>,
}

/// Why something is not there, for a program that tells these apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The run was there; 410.
    Expired,
    /// This server has given out no such run; 404, as all the others.
    UnknownRun,
    /// No such chain is published, by now or any more.
    UnknownChain,
    /// Nothing is ever there.
    UnknownAddress,
}

/// What is wrong with a workflow's graph, for a program that shows it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct GraphFinding {
    kind: &'static str,
    about: Vec<Value>,
}

/// What is told for a program that shows it in its own way.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
struct Details {
    /// The least that the field may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<Number>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<GraphFinding>,
}

impl Absence {
    /// Each of them.
    pub const ALL: [Self; 4] = [
        Self::Expired,
        Self::UnknownRun,
        Self::UnknownChain,
        Self::UnknownAddress,
    ];
}

impl Problem {
    /// A refusal with this status.
    #[must_use]
    pub fn new(status: u16, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: title(status),
            status,
            detail: detail.into(),
            field: None,
            reason: None,
            more: None,
            missing: Box::default(),
            header: None,
        }
    }

    /// 404, or 410 of what was there.
    #[must_use]
    pub(super) fn absent(reason: Absence, detail: impl Into<String>) -> Self {
        let status = if reason == Absence::Expired { 410 } else { 404 };
        let mut problem = Self::new(status, detail);
        problem.reason = Some(reason);
        problem
    }

    /// With a header of its own: `Allow` of a 405, `Retry-After` of a 429.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.header = Some(Box::new((name, value.into())));
        self
    }

    /// Its own header, if it has one.
    #[must_use]
    pub fn header(&self) -> Option<(&'static str, &str)> {
        let header = self.header.as_deref();
        header.map(|(name, value)| (*name, value.as_str()))
    }

    /// The same with another status.
    #[must_use]
    pub fn with(mut self, status: u16) -> Self {
        self.status = status;
        self.title = title(status);
        self
    }

    /// 429; may be asked again after so many seconds.
    #[must_use]
    pub fn too_many(detail: impl Into<String>, retry_after_s: u64) -> Self {
        Self::new(429, detail).after(retry_after_s)
    }

    /// The same with a time, in seconds, after which asking again may help.
    #[must_use]
    pub fn after(self, retry_after_s: u64) -> Self {
        self.with_header("retry-after", retry_after_s.to_string())
    }

    /// 400; `what` completes the sentence that begins with the field's name.
    #[must_use]
    pub fn field(field: &str, what: impl std::fmt::Display) -> Self {
        let end = field.char_indices().nth(FIELD_CHARS_MAX);
        let field = end.map_or(field, |(end, _)| field.get(..end).unwrap_or_default());
        let mut problem = Self::new(400, format!("“{field}” {what}."));
        problem.field = Some(field.to_owned());
        problem
    }

    /// The same with the least and the most that the field may be, for who shows them in other words.
    #[must_use]
    pub(super) fn within(mut self, least: Number, most: Number) -> Self {
        self.more = Some(Box::new(Details {
            minimum: Some(least),
            maximum: Some(most),
            finding: None,
        }));
        self
    }

    /// 409: the field may be so, but not beside the others; `what` as of [`Self::field`].
    #[must_use]
    pub fn conflict(field: &str, what: impl std::fmt::Display) -> Self {
        Self::field(field, what).with(409)
    }

    /// 503, naming each setting that the operator still has to make.
    #[must_use]
    pub fn missing_settings(missing: &[String]) -> Self {
        let mut problem = Self::new(
            503,
            format!(
                "This server is not configured yet. Missing: {}. Set them in .dev.vars or with \
                 `wrangler secret put`; with no key in .dev.vars, `npm start` needs none of them.",
                missing.join(", ")
            ),
        );
        problem.missing = missing.into();
        problem
    }

    /// The same with what it is about in a workflow's graph: the names of nodes, cases and edges.
    #[must_use]
    pub fn about_graph(mut self, kind: &'static str, about: Vec<Value>) -> Self {
        self.more = Some(Box::new(Details {
            finding: Some(GraphFinding { kind, about }),
            ..Details::default()
        }));
        self
    }

    /// The HTTP status of the answer.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// What is wrong and what to do.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The name of the field that is wrong, of [`Self::field`].
    #[must_use]
    pub fn named_field(&self) -> Option<&str> {
        self.field.as_deref()
    }
}

fn title(status: u16) -> &'static str {
    match status {
        400 => "Bad request",
        401 => "Operator's token needed",
        403 => "Not allowed",
        404 => "Not found",
        405 => "Method not allowed",
        409 => "Conflict",
        410 => "Gone",
        413 => "Body too large",
        415 => "Unsupported media type",
        429 => "Too many requests",
        503 => "Not available",
        _ => "Internal error",
    }
}
