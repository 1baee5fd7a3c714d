//! The rule of which runs of an engine others than the operator may start.

use super::reader::SettingsReader;

/// The runs of an engine that everybody may start who may start runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedAccess {
    /// Everybody may start none of them: the operator alone may.
    Operator,
    /// Everybody may start those of documents that the operator has stored.
    Stored,
    /// Everybody may start any of them.
    Any,
}

impl SharedAccess {
    /// Returns the name by which the API tells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Stored => "stored",
            Self::Any => "any",
        }
    }

    pub(super) fn read(
        reader: &mut SettingsReader<impl Fn(&str) -> Option<String>>,
        variable: &str,
    ) -> Self {
        match reader.text(variable).as_deref() {
            None | Some("none") => Self::Operator,
            Some("stored") => Self::Stored,
            Some("any") => Self::Any,
            Some(_) => {
                reader.note_wrong(variable, "must be none, stored or any");
                Self::Operator
            }
        }
    }
}
