//! The rule of who may read the atlas, which is what this server's runs have recognised.

use crate::bindings::Binding;
use crate::reader::SettingsReader;

/// The readers whom the atlas is open to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtlasAccess {
    /// Nobody: there is no atlas.
    Nobody,
    /// The operator alone.
    Operator,
    /// Everybody. Search engines may list its pages where `is_indexed`.
    Everybody {
        /// Whether search engines may list its pages.
        is_indexed: bool,
    },
}

impl AtlasAccess {
    /// Reads `ATLAS` and `ATLAS_INDEX`. Without the binding `DB` there is no atlas.
    pub(crate) fn read<F: Fn(&str) -> Option<String>>(reader: &mut SettingsReader<F>) -> Self {
        let is_indexed = match reader.text("ATLAS_INDEX").as_deref() {
            None | Some("0") => false,
            Some("1") => true,
            Some(_) => {
                reader.note_wrong("ATLAS_INDEX", "must be 1 or 0");
                false
            }
        };
        let has_database = reader.has(Binding::Database);
        match reader.text("ATLAS").as_deref() {
            Some("off") => Self::Nobody,
            None if !has_database => Self::Nobody,
            Some("operator" | "public") if !has_database => {
                reader.note_wrong("ATLAS", "needs the binding DB: see docs/operation.md");
                Self::Nobody
            }
            None | Some("operator") => Self::Operator,
            Some("public") => Self::Everybody { is_indexed },
            Some(_) => {
                reader.note_wrong("ATLAS", "must be public, operator or off");
                Self::Nobody
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::reader::among;

    #[track_caller]
    fn check(settings: &[(&str, &str)], has_database: bool, expected: AtlasAccess, wrong: usize) {
        let bindings = Bindings::among([(Binding::Database, has_database)]);
        let mut reader = SettingsReader::new(among(settings), bindings);
        assert_eq!(AtlasAccess::read(&mut reader), expected, "{settings:?}");
        assert_eq!(reader.into_wrong().len(), wrong, "{settings:?}");
    }

    #[test]
    fn the_atlas_is_the_operators_unless_they_say_otherwise() {
        let everybody = |is_indexed| AtlasAccess::Everybody { is_indexed };
        check(&[], true, AtlasAccess::Operator, 0);
        check(&[], false, AtlasAccess::Nobody, 0);
        check(&[("ATLAS", "off")], true, AtlasAccess::Nobody, 0);
        check(&[("ATLAS", "public")], true, everybody(false), 0);
        let indexed = [("ATLAS", "public"), ("ATLAS_INDEX", "1")];
        check(&indexed, true, everybody(true), 0);
        check(&[("ATLAS", "public")], false, AtlasAccess::Nobody, 1);
        check(&[("ATLAS", "open")], true, AtlasAccess::Nobody, 1);
        check(&[("ATLAS_INDEX", "yes")], true, AtlasAccess::Operator, 1);
    }
}
