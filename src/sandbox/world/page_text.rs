//! The words that a page has about a photo: who is shown, on which occasion, and whatever else such
//! pages say.

use crate::hash::{below, hash, unit};

use super::definition::World;

const OCCASIONS: [&str; 10] = [
    "at the spring gala",
    "on the evening of the premiere",
    "at the garden party",
    "backstage",
    "at the charity dinner",
    "arriving together",
    "at the seaside festival",
    "in the reading room",
    "after the awards",
    "at the opening night",
];

impl World {
    /// Returns the people whom a page about a photo names: each of those who are shown with the
    /// probability `captions`. For one photo, a higher probability names the same people and more.
    #[must_use]
    pub fn named_on_page(&self, photo: usize, captions: f64) -> Vec<usize> {
        self.drawn_of(photo, "caption", captions)
    }

    /// Returns the people whom a page states to be shown, by their numbers in Wikidata: each of those
    /// who are shown with this probability, whether the page names them in words or not.
    #[must_use]
    pub fn stated_on_page(&self, photo: usize, statements: f64) -> Vec<usize> {
        self.drawn_of(photo, "statement", statements)
    }

    fn drawn_of(&self, photo: usize, what: &str, share: f64) -> Vec<usize> {
        let people = self.people_in(photo).iter().copied();
        let is_drawn = |person: &usize| {
            let key = self.people.get(*person).map_or("", |person| &person.key);
            unit(hash(&[what.into(), photo.into(), key.into()])) < share
        };
        people.filter(is_drawn).collect()
    }

    /// Returns the occasion of a photo, such as `at the spring gala`.
    #[must_use]
    pub fn occasion_of(&self, photo: usize) -> &'static str {
        let drawn = below(hash(&["occasion".into(), photo.into()]), OCCASIONS.len());
        OCCASIONS.get(drawn).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_name_everybody_nobody_or_some() {
        let photos = vec![r#"["Emma","Jane"]"#; 200].join(",");
        let world = World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l","photos":[{photos}]}}"#
        ))
        .unwrap();
        let named = |captions| -> usize {
            let photos = 0..world.photos.len();
            photos
                .map(|photo| world.named_on_page(photo, captions).len())
                .sum()
        };
        assert_eq!((named(0.0), named(1.0)), (0, 400));
        assert!((200..280).contains(&named(0.6)), "{}", named(0.6));
    }
}
