//! Words beside a photo that speak against it: its title, categories and description say that it shows a wax figure, a
//! poster or a lookalike, or that a machine made it.
//!
//! The words only take away: a photo about which they say nothing is no better evidence. The phrases are in the
//! languages in which Commons' files are mostly described, and Commons' own categories are among the English ones.

mod asian;
mod english;
mod germanic;
mod phrases;
mod romance;
mod slavic;
mod words;

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::search::Hit;
use phrases::{Meaning, Phrases, Row};

/// The most categories that are read.
const CATEGORIES_MAX: usize = 60;
/// The words with which a description must begin to reject a photo. What follows often tells of somebody's life, where
/// a wax figure says nothing about the photo.
const LEADING_WORDS: usize = 25;
/// The longest quotation, in characters.
const QUOTED_CHARS_MAX: usize = 80;

/// The phrases of all languages.
const TABLES: [&[Row]; 5] = [
    english::ROWS,
    germanic::ROWS,
    romance::ROWS,
    slavic::ROWS,
    asian::ROWS,
];

/// The phrases as they are searched for. They are folded when they are first needed, so that the tables have them in
/// their usual spelling.
static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(TABLES.into_iter().flatten()));

/// What a photo shows instead of people who met, according to the words beside it.
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
pub enum WordSign {
    /// A wax figure, or a museum of them.
    Wax,
    /// Somebody who looks like, or acts as, a public figure.
    LookAlike,
    /// A picture that a machine made.
    Generated,
    /// A picture put together from several ones, or one with other faces.
    Montage,
    /// A statue, bust or sculpture.
    Statue,
    /// A mural or graffiti.
    Mural,
    /// A poster or billboard.
    Poster,
    /// The cover of a magazine, album or book.
    Cover,
    /// A painting, drawing or print.
    Painting,
    /// A caricature or cartoon.
    Caricature,
    /// Somebody in the costume of a character.
    Cosplay,
    /// A picture of a screen.
    Screenshot,
    /// A figure of cardboard.
    Cutout,
}

impl WordSign {
    /// All signs.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the word for this sign in stored documents and events.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the sign for which [`Self::as_str`] returns this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// Returns whether a photo of this kind proves nothing. The others are doubtful: a poster may hang behind people.
    #[must_use]
    pub fn rejects(self) -> bool {
        matches!(
            self,
            Self::Wax | Self::LookAlike | Self::Generated | Self::Montage
        )
    }

    /// Returns what the photo shows, with an article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Wax => "a wax figure",
            Self::LookAlike => "a lookalike",
            Self::Generated => "a generated picture",
            Self::Montage => "a montage",
            Self::Statue => "a statue",
            Self::Mural => "a mural",
            Self::Poster => "a poster",
            Self::Cover => "a cover",
            Self::Painting => "a painting",
            Self::Caricature => "a caricature",
            Self::Cosplay => "a costume",
            Self::Screenshot => "a screenshot",
            Self::Cutout => "a cardboard figure",
        }
    }
}

/// What the words beside a photo say against it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WordDoubt {
    /// What the photo shows according to the words.
    pub sign: WordSign,
    /// The words as they are written in the text, at most 80 characters of them.
    pub words: String,
    /// Whether the photo proves nothing. Otherwise it is doubtful: somebody may stand beside their own wax figure.
    pub rejects: bool,
}

impl fmt::Display for WordDoubt {
    /// Writes what the words say, as the end of a sentence about the photo.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.sign.noun();
        write!(out, "the words beside it tell of {noun} (“{}”)", self.words)
    }
}

/// Returns what the title, the categories and the description of a photo say against it, or `None` if they say nothing.
/// Words that reject the photo come first, then those that were found first.
///
/// Wax figures do not reject a photo whose words also tell of an unveiling or an arrival, because a figure's model is
/// often there.
#[must_use]
pub fn of_hit(hit: &Hit) -> Option<WordDoubt> {
    let mut reading = Reading::default();
    if let Some(statement) = &hit.hints.generated {
        reading.found.push(Found {
            sign: WordSign::Generated,
            is_certain: true,
            words: statement,
        });
    }
    reading.read(&hit.title, usize::MAX);
    for category in hit.hints.categories.iter().take(CATEGORIES_MAX) {
        reading.read(category, usize::MAX);
    }
    if let Some(description) = &hit.hints.description {
        reading.read(description, LEADING_WORDS);
    }
    reading.strongest()
}

/// A sign that was found in a text.
#[derive(Debug)]
struct Found<'hit> {
    sign: WordSign,
    /// Whether the words say that this is what the photo shows, rather than that it may stand beside somebody.
    is_certain: bool,
    words: &'hit str,
}

/// The signs in the texts of a hit.
#[derive(Debug, Default)]
struct Reading<'hit> {
    found: Vec<Found<'hit>>,
    /// Whether the texts tell of an event to which people come.
    is_event: bool,
}

impl<'hit> Reading<'hit> {
    /// Reads a text. A sign after the leading words is not certain.
    fn read(&mut self, text: &'hit str, leading_words: usize) {
        PHRASES.read(text, |phrase| {
            let (sign, is_certain) = match phrase.meaning {
                Meaning::Nothing => return,
                Meaning::Event => {
                    self.is_event = true;
                    return;
                }
                Meaning::Is(sign) => (sign, phrase.place < leading_words),
                Meaning::Beside(sign) => (sign, false),
            };
            self.found.push(Found {
                sign,
                is_certain,
                words: phrase.words,
            });
        });
    }

    fn strongest(&self) -> Option<WordDoubt> {
        let rejects = |found: &&Found| {
            let is_beside_its_model = self.is_event && found.sign == WordSign::Wax;
            found.is_certain && found.sign.rejects() && !is_beside_its_model
        };
        let rejecting = self.found.iter().find(rejects);
        rejecting.or(self.found.first()).map(|found| WordDoubt {
            sign: found.sign,
            words: found.words.chars().take(QUOTED_CHARS_MAX).collect(),
            rejects: rejecting.is_some(),
        })
    }
}

#[cfg(test)]
mod tests;
