//! The closed set of query templates.

use domain::Wording;

/// The wordings of the queries about a frontier's surroundings, in order.
//= spec S2 "discovery queries"
pub const DISCOVERY: [Wording; 3] = [Wording::InCompany, Wording::Event, Wording::Awards];

/// A template with its names. Its text is what a search engine for words is asked, and what viewers
/// are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: String,
    /// The places where the first name ends, and where the second does; both are parts of the text.
    ends: (usize, Option<usize>),
    wording: Wording,
}

impl Query {
    fn new(one: &str, other: Option<&str>, wording: Wording) -> Self {
        let mut text = one.to_owned();
        let mut push = |words: &str| {
            if !words.is_empty() {
                text.push(' ');
                text.push_str(words);
            }
            text.len()
        };
        let end_of_other = other.map(&mut push);
        push(wording.words());
        Self {
            text,
            ends: (one.len(), end_of_other),
            wording,
        }
    }

    /// Returns the query's text, like `Jean Valjean with celebrities`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the query's text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Returns the one or two names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let (end_of_one, end_of_other) = self.ends;
        let other = end_of_other.and_then(|end| self.text.get(end_of_one + 1..end));
        self.text.get(..end_of_one).into_iter().chain(other)
    }

    /// Returns the words beside the names.
    pub fn wording(&self) -> Wording {
        self.wording
    }
}

/// Makes the query `{F} with celebrities`, `{F} event` or `{F} awards`.
pub fn discovery(name: &str, template: usize) -> Option<Query> {
    let wording = *DISCOVERY.get(template)?;
    Some(Query::new(name, None, wording))
}

/// Makes the query about one person in these words.
pub fn single(name: &str, wording: Wording) -> Query {
    Query::new(name, None, wording)
}

/// Makes the query about two people in these words.
pub fn of_pair(one: &str, other: &str, wording: Wording) -> Query {
    Query::new(one, Some(other), wording)
}

/// Makes the query `{F} {X}`.
//= spec S1 "q1"
pub fn pair(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::Names)
}

/// Makes the query `{A} {B} together`, for where `{A} {B}` finds nothing.
//= spec S1 "fallback query templates"
pub fn pair_together(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::Together)
}

/// Makes the query `{F} {X} event`.
//= spec S4 "verification queries"
pub fn pair_event(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::Event)
}

/// Makes the query `{F} {X} with celebrities`. Beside photos of both it finds photos of either in
/// company; a photo of one person alone leads nowhere.
pub fn pair_in_company(one: &str, other: &str) -> Query {
    Query::new(one, Some(other), Wording::InCompany)
}

/// Returns all templates that name two people, with either name first.
pub fn naming_both(one: &str, other: &str) -> [Query; 8] {
    [
        pair(one, other),
        pair(other, one),
        pair_in_company(one, other),
        pair_in_company(other, one),
        pair_together(one, other),
        pair_together(other, one),
        pair_event(one, other),
        pair_event(other, one),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &Query, text: &str, names: &[&str]) {
        assert_eq!(query.text(), text);
        assert_eq!(query.names().collect::<Vec<_>>(), names);
    }

    #[test]
    fn a_query_knows_whom_its_text_names() {
        check(
            &pair("Éponine", "Lu Xün"),
            "Éponine Lu Xün",
            &["Éponine", "Lu Xün"],
        );
        check(
            &pair_event("A", "B event"),
            "A B event event",
            &["A", "B event"],
        );
        let one = discovery("Ishmael", 0).unwrap();
        check(&one, "Ishmael with celebrities", &["Ishmael"]);
        assert_eq!(one.wording(), Wording::InCompany);
    }
}
