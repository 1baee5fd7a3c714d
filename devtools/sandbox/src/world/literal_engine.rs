//! A literal search engine: it finds a photo only if its page has every word of the query, and returns results in a
//! fixed order.
//!
//! It understands the syntax of wikis as far as a client that searches for people would use it: words, quoted phrases,
//! `OR` between two alternatives, and `haswbstatement:P180=NUMBER` for a page that states who is in the photo.

use std::collections::BTreeMap;

use crate::hash::hash;
use crate::name_folding;

use super::definition::World;

/// The beginning of the word by which a page states that a person is in the photo. The person's number follows. No
/// folded name equals such a word.
const STATEMENT: &str = "haswbstatement:P180=";

/// What the pages of photos contain, and which photos an engine has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageRules {
    /// The probability that a page names a person in its photo.
    pub captions: f64,
    /// The probability that a page states the number of a person in its photo.
    pub statements: f64,
    /// The probability that a page also names somebody who is not in the photo.
    pub lies: f64,
    /// The index of the part of all photos that the engine has, and the number of parts; `(0, 2)` stands for the first
    /// half.
    pub share: (usize, usize),
}

/// A literal engine over the photos of a world, built once.
#[derive(Debug, Clone)]
pub struct LiteralEngine {
    /// The photos in the order of results.
    photos: Vec<usize>,
    /// The folded words of each photo's page, in the order of `photos`.
    pages: Vec<Vec<String>>,
    /// For each word, the positions of the pages that have it.
    pages_by_word: BTreeMap<String, Vec<usize>>,
}

impl LiteralEngine {
    /// Makes the engine for the photos that the rules select.
    #[must_use]
    pub fn new(world: &World, rules: PageRules) -> Self {
        let (share, shares) = rules.share;
        let is_in_share = |photo: &usize| {
            let drawn = hash(&["share".into(), (*photo).into()]);
            crate::hash::below(drawn, shares) == share
        };
        let photos = (0..world.photos.len()).filter(is_in_share);
        Self::of_pages(photos, |photo| page(world, photo, rules))
    }

    /// Makes the engine for these photos. `page` returns the folded words of a photo's page.
    #[must_use]
    pub fn of_pages(
        photos: impl Iterator<Item = usize>,
        page: impl Fn(usize) -> Vec<String>,
    ) -> Self {
        let key = |photo: &usize| hash(&["literal".into(), (*photo).into()]);
        let mut photos: Vec<usize> = photos.collect();
        photos.sort_by_key(key);
        let pages = photos.iter().map(|photo| page(*photo));
        let pages: Vec<Vec<String>> = pages.collect();
        let mut pages_by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, words) in pages.iter().enumerate() {
            for word in words {
                let places = pages_by_word.entry(word.clone()).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
        }
        Self {
            photos,
            pages,
            pages_by_word,
        }
    }

    /// Returns `count` photos that match a query, after the first `start`, and whether there are more.
    #[must_use]
    pub fn search(&self, query: &str, start: usize, count: usize) -> (Vec<usize>, bool) {
        let groups = groups(query);
        let Some((first, others)) = groups.split_first() else {
            return (Vec::new(), false);
        };
        let mut places: Vec<usize> = first.iter().flat_map(|term| self.places_of(term)).collect();
        places.sort_unstable();
        places.dedup();
        let is_met = |place: &usize| {
            let page = self.pages.get(*place).map_or(&[][..], Vec::as_slice);
            others.iter().all(|group| {
                let mut terms = group.iter();
                terms.any(|term| name_folding::occurs(term, false, page))
            })
        };
        places.retain(is_met);
        let shown = places.iter().skip(start).take(count);
        let photos = shown.filter_map(|place| self.photos.get(*place).copied());
        (photos.collect(), places.len() > start.saturating_add(count))
    }

    /// Returns the positions of the pages on which these words occur consecutively.
    fn places_of(&self, term: &[String]) -> Vec<usize> {
        let lists = term.iter().map(|word| {
            let places = self.pages_by_word.get(word);
            places.map_or(&[][..], Vec::as_slice)
        });
        let shortest = lists.min_by_key(|places| places.len()).unwrap_or_default();
        let holds = |place: &&usize| {
            let page = self.pages.get(**place).map_or(&[][..], Vec::as_slice);
            name_folding::occurs(term, false, page)
        };
        shortest.iter().filter(holds).copied().collect()
    }
}

fn page(world: &World, photo: usize, rules: PageRules) -> Vec<String> {
    let people = world.named_on_page(photo, rules.captions).into_iter();
    let people = people.chain(world.falsely_named_on_page(photo, rules.lies));
    let names = people.filter_map(|person| Some(world.people.get(person)?.name.as_str()));
    let mut words = Vec::new();
    for name in names {
        words.extend(name_folding::words(name));
        // An empty word separates two names, so that no phrase spans both. Queries have no empty words.
        words.push(String::new());
    }
    words.extend(name_folding::words(world.occasion_of(photo)));
    let stated = world.stated_on_page(photo, rules.statements).into_iter();
    let numbers = stated.filter_map(|person| world.people.get(person));
    words.extend(numbers.map(|person| format!("{STATEMENT}{}", person.wikidata_number)));
    words
}

/// Returns the terms of a query in groups. At least one term of each group must match.
fn groups(query: &str) -> Vec<Vec<Vec<String>>> {
    let mut groups: Vec<Vec<Vec<String>>> = Vec::new();
    let mut is_alternative = false;
    // Every second part of a query that is split at its quotes was quoted.
    for (place, part) in query.split('"').enumerate() {
        let is_phrase = place % 2 == 1;
        let terms: Vec<&str> = if is_phrase {
            vec![part]
        } else {
            part.split_whitespace().collect()
        };
        for term in terms {
            if !is_phrase && matches!(term, "OR" | "|") {
                is_alternative = true;
                continue;
            }
            let is_statement = !is_phrase && term.starts_with(STATEMENT);
            let words = if is_statement {
                vec![term.to_owned()]
            } else {
                name_folding::words(term)
            };
            if words.is_empty() {
                continue;
            }
            match groups.last_mut().filter(|_| is_alternative) {
                Some(group) => group.push(words),
                None => groups.push(vec![words]),
            }
            is_alternative = false;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> LiteralEngine {
        let world = World::parse(
            r#"{"name":"n","source":"s","license":"l",
                "photos":[["Emma Lee"],["Emma Lee","Jane Roe"],["Jane Roe"],["Tom"]]}"#,
        )
        .unwrap();
        LiteralEngine::new(&world, rules((0, 1)))
    }

    fn rules(share: (usize, usize)) -> PageRules {
        PageRules {
            captions: 1.0,
            lies: 0.0,
            statements: 1.0,
            share,
        }
    }

    #[track_caller]
    fn check(query: &str, expected: &[usize]) {
        let (mut found, has_more) = engine().search(query, 0, 10);
        found.sort_unstable();
        assert_eq!((found.as_slice(), has_more), (expected, false), "{query}");
    }

    #[test]
    fn every_word_of_the_query_must_be_on_the_page() {
        check("\"Emma Lee\"", &[0, 1]);
        check("\"emma lee\" \"Jane Roe\"", &[1]);
        check("Lee Emma", &[0, 1]);
        check("\"Lee Emma\"", &[]);
        check("\"Lee Jane\"", &[]);
        check("\"Emma Lee\" OR \"Jane Roe\"", &[0, 1, 2]);
        check("Emma Lee with celebrities", &[]);
        check("haswbstatement:P180=Q9000001", &[1, 2]);
        check("haswbstatement:P180=Q9000001 \"Emma Lee\"", &[1]);
        check("", &[]);
    }

    #[test]
    fn no_query_changes_the_order_and_pages_follow_each_other() {
        let engine = engine();
        let (all, _) = engine.search("Emma OR Jane OR Tom", 0, 10);
        assert_eq!(all.len(), 4);
        let (some, _) = engine.search("Jane OR Emma", 0, 10);
        let in_order: Vec<usize> = all
            .iter()
            .copied()
            .filter(|one| some.contains(one))
            .collect();
        assert_eq!(some, in_order);
        assert_eq!(
            engine.search("Emma OR Jane OR Tom", 0, 3),
            (all[..3].to_vec(), true)
        );
        assert_eq!(
            engine.search("Emma OR Jane OR Tom", 3, 3),
            (all[3..].to_vec(), false)
        );
    }

    #[test]
    fn shares_part_the_photos() {
        let world = World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l","photos":[{}]}}"#,
            vec![r#"["Emma"]"#; 40].join(",")
        ))
        .unwrap();
        let found = |share| {
            let engine = LiteralEngine::new(&world, rules((share, 2)));
            engine.search("Emma", 0, 100).0
        };
        let mut all = [found(0), found(1)].concat();
        assert!((10..=30).contains(&found(0).len()));
        all.sort_unstable();
        assert_eq!(all, (0..40).collect::<Vec<_>>());
    }
}
