//! The question of an image search: whom to find, and with which words beside the names.
//!
//! A question names people; each provider makes its own best query of it. [`SearchQuestion::text`]
//! is the specification's English template, for search engines that take words, and the name under
//! which a question is told and kept.

use crate::wikidata::WikidataNumber;

/// A person whom a search names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPerson {
    /// The name, as typed or as the recogniser says.
    pub name: String,
    /// The number that says who is meant, where it is known.
    pub number: Option<PersonNumber>,
}

/// A person's Wikidata number, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonNumber {
    /// The number was given by the person who started the run, to say who is meant.
    Given(WikidataNumber),
    /// The number comes from the recogniser; it is a hint for the search.
    Recognised(WikidataNumber),
}

impl PersonNumber {
    /// Returns the number, wherever it comes from.
    #[must_use]
    pub fn wikidata(&self) -> &WikidataNumber {
        match self {
            Self::Given(number) | Self::Recognised(number) => number,
        }
    }
}

/// The words beside the names: the closed set of the specification's templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wording {
    /// The names alone.
    //= spec S1 "q1"
    Names,
    /// The word `together`, for where the names alone find nothing.
    //= spec S1 "fallback query templates"
    Together,
    /// The words `with celebrities`, for people in company.
    //= spec S2 "discovery queries"
    InCompany,
    /// The word `event`.
    //= spec S2 "discovery queries"
    //= spec S4 "verification queries"
    Event,
    /// The word `awards`.
    //= spec S2 "discovery queries"
    Awards,
}

impl Wording {
    /// Returns the words after the names, which are empty for the names alone.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Names => "",
            Self::Together => "together",
            Self::InCompany => "with celebrities",
            Self::Event => "event",
            Self::Awards => "awards",
        }
    }
}

/// The question of an image search: one person or two, and the words beside their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchQuestion {
    /// The people to find, one or two.
    pub people: Vec<NamedPerson>,
    /// The words beside the names.
    pub wording: Wording,
}

impl SearchQuestion {
    /// Returns the question as English words: the names, then the wording.
    #[must_use]
    pub fn text(&self) -> String {
        let names = self.people.iter().map(|person| person.name.as_str());
        let words = Some(self.wording.words()).filter(|words| !words.is_empty());
        names.chain(words).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_the_specifications_template() {
        let text = |names: &[&str], wording| {
            let people = names.iter().map(|name| NamedPerson {
                name: (*name).to_owned(),
                number: None,
            });
            let people = people.collect();
            SearchQuestion { people, wording }.text()
        };
        assert_eq!(text(&["A", "B"], Wording::Names), "A B");
        assert_eq!(text(&["A", "B"], Wording::Together), "A B together");
        assert_eq!(text(&["A"], Wording::InCompany), "A with celebrities");
        assert_eq!(text(&["A", "X"], Wording::Event), "A X event");
        assert_eq!(text(&["A"], Wording::Awards), "A awards");
    }
}
