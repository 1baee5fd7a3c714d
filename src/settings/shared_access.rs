//! Which runs of an engine others than the operator may start.

use super::reader::SettingsReader;

/// Which runs of an engine may be started by everybody who may start runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedAccess {
    /// None: the operator alone.
    Operator,
    /// Those of documents that the operator has stored.
    Stored,
    /// Any.
    Any,
}

impl SharedAccess {
    /// As it is told.
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
