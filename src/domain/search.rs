//! What an image search is asked: whom to find, and with which words beside the names.
//!
//! A question names people; each provider makes its own best query of it. [`SearchQuestion::text`]
//! is the specification's English template, for search engines that take words, and the name under
//! which a question is told and kept.

use super::wikidata::WikidataNumber;

/// Somebody whom a search names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPerson {
    /// As typed, or as the recogniser says.
    pub name: String,
    /// Who is meant, where that is known.
    pub number: Option<PersonNumber>,
}

/// A person's Wikidata number, and who says so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonNumber {
    /// Whoever started the run says who is meant.
    Given(WikidataNumber),
    /// The recogniser says so: a hint for the search.
    Recognised(WikidataNumber),
}

impl PersonNumber {
    /// The number, whoever says so.
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
    /// `together`, where the names alone find nothing.
    //= spec S1 "fallback query templates"
    Together,
    /// `with celebrities`: people in company.
    //= spec S2 "discovery queries"
    InCompany,
    /// `event`.
    //= spec S2 "discovery queries"
    //= spec S4 "verification queries"
    Event,
    /// `awards`.
    //= spec S2 "discovery queries"
    Awards,
}

impl Wording {
    /// The words after the names; none for the names alone.
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

/// What an image search is asked: one person or two, and the words beside their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchQuestion {
    /// One or two.
    pub people: Vec<NamedPerson>,
    /// The words beside the names.
    pub wording: Wording,
}

impl SearchQuestion {
    /// The question as English words: the names, then the wording.
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
