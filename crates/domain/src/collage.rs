//! Whether a photo was composed of several, as far as its pixels show.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The reason why a photo's pixels show that it was composed of several photos.
///
/// A veto only rejects a photo. The absence of a veto does not make a photo better evidence.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    EnumString,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Veto {
    /// A seam or border runs through the whole photo, with different pictures on its two sides.
    Seam,
    /// One of the people appears in a picture within the picture.
    Inset,
}

impl Veto {
    /// All vetoes.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the word for this veto in stored documents and events.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the veto for which [`Self::as_str`] returns this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// Returns the reason for the veto, worded as the end of a sentence about the photo.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Seam => "a seam runs right through it",
            Self::Inset => "one face is in a picture of its own",
        }
    }
}

/// The reason why a photo's pixels could not be judged.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Unjudged {
    /// The file ends before the photo does.
    Cut,
    /// Decoding would take more memory or time than there is.
    TooLarge,
    /// The file is broken, or encoded in a way that hardly any program uses.
    Unreadable,
}

impl Unjudged {
    /// All reasons.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the word for this reason in stored documents and events.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the reason, worded as the end of a sentence about the photo.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Cut => "its file is cut off",
            Self::TooLarge => "it is too large",
            Self::Unreadable => "its file cannot be decoded here",
        }
    }
}

/// Whether a photo's pixels show that it was composed of several photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CollageCheck {
    /// The pixels show no sign of a collage, or were not checked because fewer than two faces are certain.
    #[default]
    #[serde(skip)]
    Passed,
    /// The photo proves an edge although it nearly looks composed. A second photo is searched for first.
    Doubtful,
    /// The pixels could not be judged. The photo proves an edge, but a weaker one than any judged photo, and a second
    /// photo is searched for first.
    #[serde(untagged)]
    NotJudged(Unjudged),
    /// The photo proves nothing about the people in it.
    #[serde(untagged)]
    Vetoed(Veto),
}

impl CollageCheck {
    /// The word for a doubtful photo in stored documents and events.
    pub const DOUBTFUL: &'static str = "doubtful";

    /// Returns the veto, which is the reason why the photo proves nothing; `None` if it is not vetoed.
    #[must_use]
    pub fn veto(self) -> Option<Veto> {
        match self {
            Self::Vetoed(veto) => Some(veto),
            Self::Passed | Self::Doubtful | Self::NotJudged(_) => None,
        }
    }

    /// Returns why the pixels could not be judged; `None` if they were.
    #[must_use]
    pub fn unjudged(self) -> Option<Unjudged> {
        match self {
            Self::NotJudged(why) => Some(why),
            Self::Passed | Self::Doubtful | Self::Vetoed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_veto_is_found_by_its_word_and_has_a_reason() {
        for &veto in Veto::ALL {
            assert_eq!(Veto::named(veto.as_str()), Some(veto));
            assert!(!veto.reason().is_empty());
        }
        assert_eq!(Veto::named("mood"), None);
    }

    #[test]
    fn every_result_but_passed_has_a_word_of_its_own() {
        let vetoed = Veto::ALL.iter().map(|veto| CollageCheck::Vetoed(*veto));
        let unjudged = Unjudged::ALL
            .iter()
            .map(|why| CollageCheck::NotJudged(*why));
        let mut words: Vec<String> = Vec::new();
        for check in [CollageCheck::Doubtful]
            .into_iter()
            .chain(vetoed)
            .chain(unjudged)
        {
            let word = serde_json::to_string(&check).unwrap();
            assert_eq!(serde_json::from_str::<CollageCheck>(&word).unwrap(), check);
            assert!(!words.contains(&word), "{word}");
            words.push(word);
        }
        let expect = [
            r#""doubtful""#,
            r#""seam""#,
            r#""inset""#,
            r#""cut""#,
            r#""tooLarge""#,
            r#""unreadable""#,
        ];
        assert_eq!(words, expect);
    }
}
