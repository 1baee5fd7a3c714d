//! The rules of a world's answers: which photos a query finds, whom the recogniser sees in them.
//!
//! They are fixed, so that figures measured on one world compare.

use super::fold;
use super::hash::{hash, unit};
use super::index::Name;
use super::world::World;

/// How well the recogniser sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The probability that a face is missed.
    pub miss: f64,
    /// The probability that a recognised face gets a confidence below 80.
    pub weak: f64,
    /// The probability that a photo is a collage with people whom its own never met.
    pub traps: f64,
    /// The probability that a face is recognised as somebody else's, at 80 to 95.
    pub lookalikes: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            miss: 0.15,
            weak: 0.0,
            traps: 0.0,
            lookalikes: 0.0,
        }
    }
}

impl From<f64> for Rules {
    /// The default rules with another probability of missing a face.
    fn from(miss: f64) -> Self {
        Self {
            miss,
            ..Self::default()
        }
    }
}

/// One face of a photo, as the recogniser sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recognised {
    /// Whom the recogniser takes it for: an index into [`World::people`].
    pub person: usize,
    /// Whose face it is.
    pub is_really: usize,
    /// How sure the recogniser is, 55 to 100; without meaning where the face is missed.
    pub match_confidence: f64,
    /// The face is seen but not recognised.
    pub missed: bool,
}

impl World {
    /// The photos that a query finds, best first: `count` of them, after skipping `start`.
    #[must_use]
    pub fn search(&self, query: &str, start: usize, count: usize) -> Vec<usize> {
        self.search_all(query)
            .into_iter()
            .skip(start)
            .take(count)
            .collect()
    }

    /// All photos that a query finds, best first: those with two or more of the named people, then
    /// those with one of them, inside each class by a hash of query and photo.
    #[must_use]
    pub fn search_all(&self, query: &str) -> Vec<usize> {
        let words = fold::words(query);
        let named = self.index.named_in(&words);
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

    /// Each photo that shows a named person, once, and how many of the names it shows.
    fn photos_by_names(&self, named: &[&Name]) -> Vec<(usize, usize)> {
        let mut photos: Vec<usize> = Vec::new();
        for name in named {
            let mut of_name: Vec<usize> = name
                .people
                .iter()
                .flat_map(|person| self.photos_of(*person).iter().copied())
                .collect();
            // Two namesakes in one photo are one name of the query.
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

    /// The people whom a query names, namesakes all.
    #[must_use]
    pub fn people_named(&self, query: &str) -> Vec<usize> {
        let named = self.index.named_in(&fold::words(query));
        named
            .iter()
            .flat_map(|name| name.people.iter().copied())
            .collect()
    }

    /// The people whose whole name this is, namesakes all.
    #[must_use]
    pub fn bearers(&self, name: &str) -> &[usize] {
        self.index.bearers(&fold::words(name))
    }

    /// Whom the recogniser sees in a photo. Takes [`Rules`] or just a probability of missing.
    #[must_use]
    pub fn recognise(&self, photo: usize, rules: impl Into<Rules>) -> Vec<Recognised> {
        let rules = rules.into();
        let people = self.people_shown(photo, rules);
        people
            .iter()
            .filter_map(|person| self.see(photo, *person, rules))
            .collect()
    }

    /// One face of a photo; `None` for somebody who does not exist.
    #[must_use]
    pub fn see(&self, photo: usize, person: usize, rules: Rules) -> Option<Recognised> {
        let key = self.people.get(person)?.key.as_str();
        let draw = |what: &str| unit(hash(&[what.into(), photo.into(), key.into()]));
        let spread = draw("confidence");
        let match_confidence = if draw("weak") < rules.weak {
            55.0 + 25.0 * spread
        } else {
            80.0 + 20.0 * spread
        };
        let lookalike = self.lookalike(photo, person, rules);
        Some(Recognised {
            person: lookalike.map_or(person, |other| other.person),
            is_really: person,
            match_confidence: lookalike.map_or(match_confidence, |other| other.match_confidence),
            missed: draw("missed") < rules.miss,
        })
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

    #[test]
    fn faces_are_missed_at_the_given_rate() {
        let photos = vec![r#"["Emma","Jane"]"#; 5_000].join(",");
        let world = world(&format!("[{photos}]"));
        let missed = |rules: Rules| {
            (0..5_000)
                .flat_map(|photo| world.recognise(photo, rules))
                .filter(|seen| seen.missed)
                .count()
        };
        assert_eq!(missed(Rules::from(0.0)), 0);
        assert_eq!(missed(Rules::from(1.0)), 10_000);
        assert!((1_350..1_650).contains(&missed(Rules::default())));
    }

    #[test]
    fn confidences_spread_over_80_to_100_and_weak_ones_below() {
        let photos = vec![r#"["Emma","Jane"]"#; 5_000].join(",");
        let world = world(&format!("[{photos}]"));
        let below = |rules: Rules| {
            let seen: Vec<f64> = (0..5_000)
                .flat_map(|photo| world.recognise(photo, rules))
                .map(|seen| seen.match_confidence)
                .collect();
            assert!(seen.iter().all(|value| (55.0..=100.0).contains(value)));
            seen.iter().filter(|value| **value < 80.0).count()
        };
        assert_eq!(below(Rules::default()), 0);
        let weak = below(Rules {
            weak: 0.03,
            ..Rules::default()
        });
        assert!((220..380).contains(&weak), "{weak}");
    }

    #[test]
    fn answers_never_change() {
        let world = world(r#"[["Emma"],["Emma","Jane"]]"#);
        assert_eq!(
            world.recognise(1, 0.15),
            world.recognise(1, Rules::default())
        );
        let seen = world.recognise(1, 0.15);
        assert_eq!(seen.len(), 2);
        assert_eq!(world.recognise(9, 0.15), []);
    }
}
