//! The id of a node: a UUID, whatever its spelling.

use std::fmt;

use uuid::Uuid;

/// The id of a node. Spellings of one UUID are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(Uuid);

impl NodeId {
    /// Reads any spelling of a UUID: with hyphens or without, in braces, as a URN, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

/// Writes the id in lower case, with hyphens.
impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_id_are_equal() {
        let id = NodeId::parse("00000000-0000-4000-8000-00000000000a").unwrap();
        for spelling in [
            "0000000000004000800000000000000A",
            "{00000000-0000-4000-8000-00000000000a}",
            "urn:uuid:00000000-0000-4000-8000-00000000000a",
        ] {
            assert_eq!(NodeId::parse(spelling), Some(id), "{spelling}");
        }
        assert_eq!(id.to_string(), "00000000-0000-4000-8000-00000000000a");
        assert_eq!(NodeId::parse("node 1"), None);
    }
}
