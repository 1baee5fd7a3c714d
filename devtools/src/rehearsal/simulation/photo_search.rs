//! The image searches of an in-memory world: one that understands any wording, or literal ones.

use domain::SearchQuestion;
use providers::ImageSearch as _;
use providers::commons::{self, CommonsSettings};
use sandbox::{LiteralEngine, World};

/// The available image searches.
#[derive(Debug, Clone, Copy)]
pub enum PhotoSearch<'world> {
    /// A search that finds the photos of everybody whom the query names, in any wording.
    Kind(&'world World),
    /// Literal searches, which get the question in the wording for a wiki. Each has its own photos.
    Literal(&'world [LiteralEngine]),
    /// Literal searches, which get the question's English text. Each has its own photos.
    Verbatim(&'world [LiteralEngine]),
}

impl PhotoSearch<'_> {
    /// Returns the photos that a search finds after the first `start`, and whether it has more.
    #[must_use]
    pub fn find(
        &self,
        source: usize,
        question: &SearchQuestion,
        start: usize,
        count: usize,
    ) -> (Vec<usize>, bool) {
        match self {
            Self::Kind(world) => {
                let mut found = world.search(&question.text(), start, count.saturating_add(1));
                let has_more = found.len() > count;
                found.truncate(count);
                (found, has_more)
            }
            Self::Literal(engines) => match (engines.get(source), literal_query(question)) {
                (Some(engine), Some(query)) => engine.search(&query, start, count),
                _ => (Vec::new(), false),
            },
            Self::Verbatim(engines) => match engines.get(source) {
                Some(engine) => engine.search(&question.text(), start, count),
                None => (Vec::new(), false),
            },
        }
    }
}

/// Returns the question in the wording of the Wikimedia Commons client.
fn literal_query(question: &SearchQuestion) -> Option<String> {
    let settings = CommonsSettings {
        base: commons::BASE_DEFAULT.to_owned(),
        contact: "nobody@example.org".to_owned(),
    };
    let request = settings.request(question, 1, 0).ok()?;
    let query = request.uri().query()?.as_bytes();
    let mut pairs = url::form_urlencoded::parse(query);
    let (_, text) = pairs.find(|(name, _)| name == "gsrsearch")?;
    Some(text.replace(" filetype:bitmap", ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{NamedPerson, Wording};

    #[test]
    fn a_question_is_worded_as_for_a_wiki() {
        let query = |names: &[&str], wording| {
            let people = names.iter().map(|name| NamedPerson {
                name: (*name).to_owned(),
                number: None,
            });
            let people = people.collect();
            literal_query(&SearchQuestion { people, wording })
        };
        let both = ["Jane Eyre", "Emma"];
        assert_eq!(
            query(&both, Wording::Names).as_deref(),
            Some("\"Jane Eyre\" \"Emma\"")
        );
        assert_eq!(
            query(&both, Wording::InCompany).as_deref(),
            Some("\"Jane Eyre\" OR \"Emma\"")
        );
        assert_eq!(
            query(&["Emma"], Wording::Awards).as_deref(),
            Some("Emma award")
        );
    }
}
