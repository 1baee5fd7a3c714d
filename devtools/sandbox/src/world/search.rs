//! Searches the photos of a world by the people that a query names.

use crate::hash::hash;
use crate::name_folding;

use super::definition::World;
use super::index::IndexedName;

impl World {
    /// Returns `count` photos that match a query, best first, after skipping `start`.
    #[must_use]
    pub fn search(&self, query: &str, start: usize, count: usize) -> Vec<usize> {
        self.search_all(query)
            .into_iter()
            .skip(start)
            .take(count)
            .collect()
    }

    /// Returns all photos that match a query, best first: those with two or more of the named people, then those with
    /// one of them. Within each class, a hash of query and photo determines the order.
    #[must_use]
    pub fn search_all(&self, query: &str) -> Vec<usize> {
        let words = name_folding::words(query);
        let named = self.index().named_in(&words);
        let company = words.windows(2).any(|pair| pair == ["with", "celebrities"]);
        let folded = words.join(" ");
        let mut ranked: Vec<(u8, u64, usize)> = self
            .photos_by_names(&named)
            .into_iter()
            .map(|(photo, names)| {
                let class = match names {
                    2.. => 0,
                    _ if company && self.people_in(photo).len() < 2 => 2,
                    _ => 1,
                };
                (
                    class,
                    hash(&["search".into(), folded.as_str().into(), photo.into()]),
                    photo,
                )
            })
            .collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, _, photo)| photo).collect()
    }

    /// Returns every photo of a named person once, with the number of the query's names that it matches.
    fn photos_by_names(&self, named: &[&IndexedName]) -> Vec<(usize, usize)> {
        let mut photos: Vec<usize> = Vec::new();
        for name in named {
            let mut of_name: Vec<usize> = name
                .people
                .iter()
                .flat_map(|person| self.photos_of(*person).iter().copied())
                .collect();
            // Two namesakes in one photo only match one name of the query.
            of_name.sort_unstable();
            of_name.dedup();
            photos.append(&mut of_name);
        }
        photos.sort_unstable();
        photos
            .chunk_by(|one, other| one == other)
            .filter_map(|same| same.first().map(|photo| (*photo, same.len())))
            .collect()
    }

    /// Returns the people that a query names, including all namesakes.
    #[must_use]
    pub fn people_named(&self, query: &str) -> Vec<usize> {
        let named = self.index().named_in(&name_folding::words(query));
        named
            .iter()
            .flat_map(|name| name.people.iter().copied())
            .collect()
    }

    /// Returns the people who have exactly this name.
    #[must_use]
    pub fn bearers(&self, name: &str) -> &[usize] {
        self.index().bearers(&name_folding::words(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(photos: &str) -> World {
        World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l",
                "people":{{"Ann Lee (2)":{{"name":"Ann Lee"}}}},"photos":{photos}}}"#
        ))
        .unwrap()
    }

    fn sorted(mut photos: Vec<usize>) -> Vec<usize> {
        photos.sort_unstable();
        photos
    }

    #[test]
    fn photos_of_both_come_before_photos_of_either() {
        let world = world(r#"[["Emma"],["Emma","Jane"],["Jane"],["Emma","Jane","Tom"],["Tom"]]"#);
        let found = world.search_all("emma JANE");
        assert_eq!(found.len(), 4);
        assert_eq!(sorted(found[..2].to_vec()), [1, 3]);
        assert_eq!(sorted(found[2..].to_vec()), [0, 2]);
    }

    #[test]
    fn pages_of_a_search_follow_each_other() {
        let world = world(r#"[["Emma"],["Emma"],["Emma"],["Emma"],["Emma"],["Emma"],["Emma"]]"#);
        let all = world.search_all("Emma");
        assert_eq!(world.search("Emma", 0, 5), all[..5]);
        assert_eq!(world.search("Emma", 5, 5), all[5..]);
        assert_eq!(world.search("Emma", 9, 5), [0_usize; 0]);
    }

    #[test]
    fn another_query_gives_another_order() {
        let photos = vec!["[\"Emma\"]"; 40].join(",");
        let world = world(&format!("[{photos}]"));
        assert_ne!(
            world.search_all("Emma event"),
            world.search_all("Emma awards")
        );
        assert_eq!(
            world.search_all("Emma event"),
            world.search_all("  EMMA   event ")
        );
    }

    #[test]
    fn with_celebrities_prefers_company() {
        let world = world(r#"[["Emma"],["Emma","Jane"],["Emma"],["Emma","Tom"],["Emma"]]"#);
        let found = world.search_all("Emma with celebrities");
        assert_eq!(sorted(found[..2].to_vec()), [1, 3]);
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn names_are_whole_words_and_the_longest_wins() {
        let world = world(r#"[["Jane Bennet"],["Mary Jane Bennet"],["Ann"],["Joanna"]]"#);
        assert_eq!(world.search_all("Mary Jane Bennet"), [1]);
        assert_eq!(world.search_all("Jane Bennet"), [0]);
        assert_eq!(
            sorted(world.search_all("Jane Bennet Mary Jane Bennet")),
            [0, 1]
        );
        assert_eq!(world.search_all("Joanna"), [3]);
        assert_eq!(world.search_all("Anna"), [0_usize; 0]);
        assert_eq!(world.search_all(""), [0_usize; 0]);
    }

    #[test]
    fn a_namesake_names_both_and_counts_as_one_name() {
        let world = world(r#"[["Ann Lee"],["Ann Lee (2)"],["Ann Lee","Ann Lee (2)"],["Tom"]]"#);
        assert_eq!(sorted(world.search_all("ann lee")), [0, 1, 2]);
        assert_eq!(world.people_named("Ann Lee").len(), 2);
        let with_tom = world.search_all("Ann Lee Tom");
        assert_eq!(with_tom.len(), 4);
        assert_eq!(world.bearers("ANN LEE").len(), 2);
        assert_eq!(world.bearers("Ann").len(), 0);
    }
}
