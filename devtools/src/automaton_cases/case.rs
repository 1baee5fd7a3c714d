//! The file of one case.

use std::fmt;

use serde_json::Value;

/// A recorded case of an automaton.
#[derive(Debug)]
pub struct Case {
    /// The name of the case.
    pub name: String,
    pub(super) kind: CaseKind,
    /// The whole case, as the JSON object of its file.
    pub(super) json: Value,
}

/// What a case records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaseKind {
    /// A run: a page's looks over time, with the expected decisions and calls.
    Run,
    /// The strings of actions, with the calls that they mean.
    Grammar,
    /// Actions in a browser, with the events that they cause.
    Browser,
}

/// A file that should hold a case.
#[derive(Debug)]
pub struct CaseFile {
    /// The file's name without `.json`.
    pub name: String,
    /// The case, or why the file does not have one.
    pub case: Result<Case, CaseError>,
}

/// Why a file is not a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseError(pub(super) String);

impl fmt::Display for CaseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Case {
    /// Parses a case from JSON.
    pub fn from_json(json: &str) -> Result<Self, CaseError> {
        let json: Value = serde_json::from_str(json)
            .map_err(|error| CaseError(format!("it is no JSON: {error}")))?;
        let text = |name: &str| {
            let text = json.get(name).and_then(Value::as_str);
            text.ok_or_else(|| CaseError(format!("`{name}` must be a text")))
        };
        let kind = match text("kind")? {
            "run" => CaseKind::Run,
            "grammar" => CaseKind::Grammar,
            "browser" => CaseKind::Browser,
            other => return Err(CaseError(format!("`kind` {other:?} is not known"))),
        };
        if !json.get("expect").is_some_and(Value::is_object) {
            return Err(CaseError("`expect` must be an object".to_owned()));
        }
        Ok(Self {
            name: text("name")?.to_owned(),
            kind,
            json,
        })
    }

    /// Returns a member of the case's object, or null if it is absent.
    pub(super) fn member(&self, name: &str) -> &Value {
        self.json.get(name).unwrap_or(&Value::Null)
    }
}
