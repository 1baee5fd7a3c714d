//! The rule of which runs of an engine others than the operator may start.

use crate::engine_variables::SharedVariable;
use crate::parts::SettingsPart;
use crate::reader::SettingsReader;

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

    /// Reads a setting. Where it is wrong, the operator alone starts such runs.
    pub(crate) fn read(
        reader: &mut SettingsReader<impl Fn(&str) -> Option<String>>,
        variable: SharedVariable,
    ) -> Self {
        let part = SettingsPart::Permissions;
        reader.apart(part, |reader| Self::read_text(reader, variable))
    }

    fn read_text(
        reader: &mut SettingsReader<impl Fn(&str) -> Option<String>>,
        variable: SharedVariable,
    ) -> Self {
        match reader.text(variable.name).as_deref() {
            None | Some("none") => Self::Operator,
            Some("stored") => Self::Stored,
            Some("any") if variable.may_be_any => Self::Any,
            Some(_) => {
                let what = if variable.may_be_any {
                    "must be none, stored or any"
                } else {
                    "must be none or stored"
                };
                reader.note_wrong(variable.name, what);
                Self::Operator
            }
        }
    }
}
