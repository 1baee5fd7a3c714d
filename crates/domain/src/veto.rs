//! The reasons why a photo proves nothing, although people were recognised in it.

/// The sign by which a photo's own pixels show that it was put together from several photos.
///
/// A veto can only reject: a photo without one is no better evidence for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Veto {
    /// A seam or border runs right through it, and different pictures are on its two sides.
    Seam,
    /// One of the people is in a picture within the picture.
    Inset,
}

impl Veto {
    /// All vetoes, to look one up by its word.
    pub const ALL: [Self; 2] = [Self::Seam, Self::Inset];

    /// Returns the veto as one word for machines.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seam => "seam",
            Self::Inset => "inset",
        }
    }

    /// Returns the veto of this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|veto| veto.as_str() == word)
    }

    /// Returns the reason, as the end of a sentence about the photo.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Seam => "a seam runs right through it",
            Self::Inset => "one face is in a picture of its own",
        }
    }
}

/// What a photo's pixels say of whether it was put together from several photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CollageCheck {
    /// Nothing speaks against the photo, or nothing was looked for, since fewer than two faces are sure.
    #[default]
    Passed,
    /// The photo proves what it shows, but nearly looks put together: a second photo is the first thing to look for.
    Doubtful,
    /// The photo proves nothing about the people in it.
    Vetoed(Veto),
}

impl CollageCheck {
    /// The word for a doubtful photo, for machines.
    pub const DOUBTFUL: &'static str = "doubtful";

    /// Returns the reason why the photo proves nothing.
    #[must_use]
    pub fn veto(self) -> Option<Veto> {
        match self {
            Self::Vetoed(veto) => Some(veto),
            Self::Passed | Self::Doubtful => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_veto_is_found_by_its_word_and_has_a_reason() {
        for veto in Veto::ALL {
            assert_eq!(Veto::named(veto.as_str()), Some(veto));
            assert!(!veto.reason().is_empty());
        }
        assert_eq!(Veto::named("mood"), None);
    }
}
