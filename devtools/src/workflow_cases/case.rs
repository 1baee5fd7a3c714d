//! The file of one case.

use std::fmt;

use serde_json::Value;

use super::script::Script;

/// A recorded case of a workflow.
#[derive(Debug)]
pub struct Case {
    /// The name of the case.
    pub name: String,
    /// The workflow as its file has it, which may be invalid.
    pub(super) workflow: Value,
    pub(super) script: Script,
    /// What the original engine did.
    pub(super) expect: Value,
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
pub struct CaseError(String);

impl fmt::Display for CaseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Case {
    /// Parses a case from JSON.
    pub fn from_json(json: &str) -> Result<Self, CaseError> {
        let mut case: Value = serde_json::from_str(json)
            .map_err(|error| CaseError(format!("it is no JSON: {error}")))?;
        let mut take = |name: &str| {
            let member = case.get_mut(name).map(Value::take);
            member.ok_or_else(|| CaseError(format!("`{name}` is missing")))
        };
        let name = take("name")?;
        let script = Script::from_json(take("script").ok().as_ref());
        Ok(Self {
            name: name
                .as_str()
                .ok_or_else(|| CaseError("`name` must be a text".to_owned()))?
                .to_owned(),
            workflow: take("workflow")?,
            script: script.map_err(|why| CaseError(why.to_owned()))?,
            expect: take("expect")?,
        })
    }
}
