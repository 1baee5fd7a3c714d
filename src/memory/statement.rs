//! A question to the memory's database, or a change of it.

use serde_json::Value;

/// The condition that the tables are those of this program's version.
pub(super) const IS_OF_VERSION: &str = "EXISTS (SELECT 1 FROM memory WHERE version = 3)";

/// A statement with the values that stand for `?1`, `?2`, ... in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The statement. What it returns stands in the column `json`.
    pub sql: String,
    /// The values, the first one for `?1`.
    pub parameters: Vec<Parameter>,
}

/// A value of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Parameter {
    /// A text.
    Text(String),
    /// A number that 53 bits hold: a time in milliseconds, a place in a list, an amount.
    Number(u64),
}

impl Statement {
    /// Makes a statement.
    pub(super) fn new(sql: impl Into<String>, parameters: Vec<Parameter>) -> Self {
        Self {
            sql: sql.into(),
            parameters,
        }
    }
}

impl Parameter {
    /// Makes a value of a text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Makes a value of a list of texts, as JSON.
    pub(super) fn list<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter();
        let texts: Vec<Value> = texts.map(|text| Value::from(text.as_ref())).collect();
        Self::Text(Value::from(texts).to_string())
    }
}

/// Returns the question for the version of the tables.
#[must_use]
pub fn version() -> Statement {
    let sql = "SELECT CAST(version AS TEXT) AS json FROM memory";
    Statement::new(sql, Vec::new())
}
