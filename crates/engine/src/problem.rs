//! Refusals of requests, as `application/problem+json` (RFC 9457).

use serde::Serialize;
use serde_json::{Number, Value};

/// The most characters of a field's name in a refusal. Longer names are cut; no real field has one.
const FIELD_CHARS_MAX: usize = 64;

/// A refusal of a request, with a sentence that says what to do. Its parts are boxed to keep the results of the many
/// functions that return it small.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problem(Box<Parts>);

impl Problem {
    /// Makes a refusal with this HTTP status.
    #[must_use]
    pub fn new(status: u16, detail: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            kind: "about:blank",
            title: title(status),
            status,
            detail: detail.into(),
            field: None,
            reason: None,
            more: None,
            missing: Box::default(),
            header: None,
        }))
    }

    /// Makes the refusal for something that is absent. Its status is 410 if the thing has expired, otherwise 404.
    #[must_use]
    pub fn absent(reason: Absence, detail: impl Into<String>) -> Self {
        let status = if reason == Absence::Expired { 410 } else { 404 };
        let mut problem = Self::new(status, detail);
        problem.0.reason = Some(reason);
        problem
    }

    /// Adds a header to the refusal, such as `Allow` for a 405 or `Retry-After` for a 429.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.0.header = Some((name, value.into()));
        self
    }

    /// Returns the header that the refusal adds to the response, if any.
    #[must_use]
    pub fn header(&self) -> Option<(&'static str, &str)> {
        let header = self.0.header.as_ref();
        header.map(|(name, value)| (*name, value.as_str()))
    }

    /// Replaces the refusal's HTTP status.
    #[must_use]
    pub fn with(mut self, status: u16) -> Self {
        self.0.status = status;
        self.0.title = title(status);
        self
    }

    /// Makes a 429 refusal with a `Retry-After`, in seconds.
    #[must_use]
    pub fn too_many(detail: impl Into<String>, retry_after_s: u64) -> Self {
        Self::new(429, detail).after(retry_after_s)
    }

    /// Adds a `Retry-After` to the refusal, in seconds.
    #[must_use]
    pub fn after(self, retry_after_s: u64) -> Self {
        self.with_header("retry-after", retry_after_s.to_string())
    }

    /// Makes a 400 refusal for a field. `what` completes the sentence that begins with the field's name.
    #[must_use]
    pub fn field(field: &str, what: impl std::fmt::Display) -> Self {
        let end = field.char_indices().nth(FIELD_CHARS_MAX);
        let field = end.map_or(field, |(end, _)| field.get(..end).unwrap_or_default());
        let mut problem = Self::new(400, format!("“{field}” {what}."));
        problem.0.field = Some(field.to_owned());
        problem
    }

    /// Adds the permitted range of the field to the refusal, for clients that word refusals themselves.
    #[must_use]
    pub fn within(mut self, least: Number, most: Number) -> Self {
        self.0.more = Some(Details {
            minimum: Some(least),
            maximum: Some(most),
            finding: None,
        });
        self
    }

    /// Makes a 409 refusal for a field that is valid only without the request's other fields. `what` is as in
    /// [`Self::field`].
    #[must_use]
    pub fn conflict(field: &str, what: impl std::fmt::Display) -> Self {
        Self::field(field, what).with(409)
    }

    /// Makes a 503 refusal that names every setting that the operator must still set.
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
        problem.0.missing = missing.into();
        problem
    }

    /// Adds a finding about a workflow's graph to the refusal. `about` lists what the finding concerns, such as the
    /// names of nodes.
    #[must_use]
    pub fn about_graph(mut self, kind: &'static str, about: Vec<Value>) -> Self {
        self.0.more = Some(Details {
            finding: Some(GraphFinding { kind, about }),
            ..Details::default()
        });
        self
    }

    /// Returns the HTTP status of the refusal.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the sentence that says what is wrong and what to do.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// Returns the name of the refused field, as passed to [`Self::field`].
    #[must_use]
    pub fn named_field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Parts {
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
    more: Option<Details>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    missing: Box<[String]>,
    #[serde(skip)]
    header: Option<(&'static str, String)>,
}

/// The reason why something is absent, for clients that distinguish the reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The run existed but has expired. The HTTP status is 410.
    Expired,
    /// This server has not issued such a run. The HTTP status is 404, as for the following variants.
    UnknownRun,
    /// No such chain is published, or it is no longer published.
    UnknownChain,
    /// There is never anything at this address.
    UnknownAddress,
}

impl Absence {
    /// Every reason.
    pub const ALL: [Self; 4] = [
        Self::Expired,
        Self::UnknownRun,
        Self::UnknownChain,
        Self::UnknownAddress,
    ];
}

/// A finding about a workflow's graph, for clients that show findings in the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct GraphFinding {
    kind: &'static str,
    about: Vec<Value>,
}

/// Details for clients that word or draw refusals themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
struct Details {
    /// The least value that the field may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<Number>,
    /// The greatest value that the field may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<GraphFinding>,
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
