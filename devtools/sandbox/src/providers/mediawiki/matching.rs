//! Matches queries with pages.

use crate::name_folding;

use super::cirrus::{CirrusQuery, Filter, FilterSense, Term};

/// A statement of a page: the property and its value.
pub(in crate::providers) type Statement<'a> = (&'a str, &'a str);

/// The facts about a page that filters can check without its text.
#[derive(Debug)]
pub(in crate::providers) struct PageFacts<'a> {
    /// The file type, such as `bitmap`, or `None` for a page that is not about a file.
    pub file_type: Option<&'a str>,
    pub statements: &'a [Statement<'a>],
}

/// The folded text of a page.
#[derive(Debug)]
pub(in crate::providers) struct PageText {
    title: Vec<String>,
    /// The title, the texts and the categories, separated by empty words, so that no phrase spans two of them.
    words: Vec<String>,
    categories: Vec<String>,
}

impl PageText {
    pub(in crate::providers) fn new<'a>(
        title: &str,
        texts: impl IntoIterator<Item = &'a str>,
        categories: &'a [String],
    ) -> Self {
        let title = name_folding::words(title);
        let mut words = title.clone();
        let categories_as_text = categories.iter().map(String::as_str);
        for text in texts.into_iter().chain(categories_as_text) {
            words.push(String::new());
            words.extend(name_folding::words(text));
        }
        Self {
            title,
            words,
            categories: categories
                .iter()
                .map(|category| name_folding::folded(category))
                .collect(),
        }
    }
}

impl CirrusQuery {
    /// Returns whether a page passes all filters that need no text.
    pub(in crate::providers) fn admits(&self, page: &PageFacts<'_>) -> bool {
        self.filters.iter().all(|(sense, filter)| {
            let holds = match filter {
                Filter::FileType(wanted) => page.file_type == Some(wanted.as_str()),
                Filter::Statement(wanted) => wanted.iter().any(|(property, item)| {
                    page.statements.iter().any(|(known, value)| {
                        known == property && item.as_deref().is_none_or(|item| item == *value)
                    })
                }),
                Filter::Category(_) | Filter::Title(_) => return true,
            };
            holds == (*sense == FilterSense::Holds)
        })
    }

    /// Returns how many of the query's terms a page has, or `None` if the page does not match the query.
    pub(in crate::providers) fn score(&self, page: &PageText) -> Option<usize> {
        let fits = self.filters.iter().all(|(sense, filter)| {
            let holds = match filter {
                Filter::Category(wanted) => page
                    .categories
                    .iter()
                    .any(|category| wanted.contains(category)),
                Filter::Title(words) => name_folding::occurs(words, false, &page.title),
                Filter::FileType(_) | Filter::Statement(_) => return true,
            };
            holds == (*sense == FilterSense::Holds)
        });
        let is_met =
            |term: &&Term| name_folding::occurs(&term.words, term.is_beginning, &page.words);
        if !fits || self.excluded.iter().any(|term| is_met(&term)) {
            return None;
        }
        let mut score = 0;
        for group in &self.required {
            match group.iter().filter(is_met).count() {
                0 => return None,
                met => score += met,
            }
        }
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(query: &str) -> Option<usize> {
        let categories = [
            "Jane Fairfax".to_owned(),
            "Group photographs in 1815".to_owned(),
        ];
        let text = PageText::new("Emma Woodhouse at the gala", ["A photo"], &categories);
        CirrusQuery::parse(query).score(&text)
    }

    #[test]
    fn all_words_must_occur_and_more_alternatives_count_more() {
        assert_eq!(score("gala emma"), Some(2));
        assert_eq!(score("gala nobody"), None);
        assert_eq!(score("\"emma woodhouse\""), Some(1));
        assert_eq!(score("\"woodhouse emma\""), None);
        assert_eq!(score("\"photo jane\""), None, "no phrase across two texts");
        assert_eq!(score("\"emma woodhouse\" OR \"jane fairfax\""), Some(2));
        assert_eq!(score("\"emma woodhouse\" OR nobody"), Some(1));
        assert_eq!(score("wood*"), Some(1));
        assert_eq!(score("emma -gala"), None);
        assert_eq!(score("emma -party"), Some(1));
        assert_eq!(score("incategory:\"jane fairfax\""), Some(0));
        assert_eq!(score("incategory:Jane"), None);
        assert_eq!(score("-incategory:\"jane fairfax\""), None);
        assert_eq!(score("intitle:emma intitle:gala"), Some(0));
        assert_eq!(score("intitle:jane"), None);
        assert_eq!(score(""), Some(0));
    }

    #[test]
    fn statements_and_types_are_filters() {
        let page = PageFacts {
            file_type: Some("bitmap"),
            statements: &[("P180", "Q1"), ("P180", "Q2")],
        };
        for (query, expect) in [
            ("filetype:bitmap", true),
            ("filetype:video", false),
            ("-filetype:video", true),
            ("haswbstatement:P180=Q1", true),
            ("haswbstatement:P180=Q1 haswbstatement:P180=Q2", true),
            ("haswbstatement:P180=Q1 haswbstatement:P180=Q3", false),
            ("haswbstatement:P180=Q3|P180=Q1", true),
            ("-haswbstatement:P180=Q1", false),
            ("haswbstatement:P180", true),
            ("haswbstatement:P170=Q1", false),
        ] {
            assert_eq!(CirrusQuery::parse(query).admits(&page), expect, "{query}");
        }
    }
}
