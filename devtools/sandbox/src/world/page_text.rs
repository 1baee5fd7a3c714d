//! Makes the text of a photo's page from its people, an occasion, and filler words.

use std::borrow::Borrow;

use crate::hash::{below, hash, unit};

use super::definition::World;
use super::rules::Rules;

/// The event in an agency's title if the occasion has none.
const EVENT: &str = "the gala";
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
    /// Returns the people that a photo's page names. It names each person in the photo with the probability `captions`;
    /// a higher probability adds people without removing any.
    #[must_use]
    pub fn named_on_page(&self, photo: usize, captions: f64) -> Vec<usize> {
        self.drawn_of(photo, "caption", captions)
    }

    /// Returns the people that a photo's page states by their Wikidata numbers. It states each person in the photo with
    /// this probability, whether it names that person in words or not.
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

    /// Returns somebody whom a photo's page names although the photo does not show that person; `None` unless drawn
    /// with the probability `lies`. The person is in another photo with somebody whom this one shows.
    #[must_use]
    pub fn falsely_named_on_page(&self, photo: usize, lies: f64) -> Option<usize> {
        let draw = |what: &str| hash(&["lie".into(), what.into(), photo.into()]);
        if unit(draw("is there one")) >= lies {
            return None;
        }
        let shown = self.people_in(photo);
        let first = below(draw("beside"), shown.len().max(1));
        let beside = shown.iter().cycle().skip(first).take(shown.len());
        let mut others = beside.flat_map(|beside| {
            let photos = self.photos_of(*beside);
            let first = below(draw("first"), photos.len().max(1));
            let others = photos.iter().cycle().skip(first).take(photos.len());
            others.flat_map(|other| self.people_in(*other))
        });
        others.find(|other| !shown.contains(other)).copied()
    }

    /// Returns the title of a photo in one of the usual forms, with the people that its page names, the occasion, and
    /// sometimes an agency. If words tell of a trap, they stand in place of all that.
    #[must_use]
    pub fn caption_of(&self, photo: usize, captions: f64, lies: f64, rules: Rules) -> String {
        let people = self.named_on_page(photo, captions).into_iter();
        let people = people.chain(self.falsely_named_on_page(photo, lies));
        let names: Vec<&str> = people
            .filter_map(|person| Some(self.people.get(person)?.name.as_str()))
            .collect();
        let who = names_in_a_row(&names, "and").unwrap_or_else(|| "Guests".to_owned());
        if let Some(words) = self.telling_words(photo, rules) {
            return format!("{who} {}", words.title);
        }
        let occasion = self.occasion_of(photo);
        match below(hash(&["form".into(), photo.into()]), 5) {
            0 => agency_title(&who, EVENT),
            1 => format!("{who} {occasion}").to_uppercase(),
            2 => format!("Photo call: {} with guests {occasion}", names.join(" & ")),
            _ => format!("{who} {occasion}"),
        }
    }

    /// Returns the occasion of a photo, such as `at the spring gala`.
    #[must_use]
    pub fn occasion_of(&self, photo: usize) -> &'static str {
        let drawn = below(hash(&["occasion".into(), photo.into()]), OCCASIONS.len());
        OCCASIONS.get(drawn).copied().unwrap_or_default()
    }
}

/// Returns the names as a list in prose, with `and` before the last one. Returns `None` if there are no names.
pub(crate) fn names_in_a_row<Name: Borrow<str>>(names: &[Name], and: &str) -> Option<String> {
    let (last, others) = names.split_last()?;
    let last = last.borrow();
    Some(if others.is_empty() {
        last.to_owned()
    } else {
        format!("{} {and} {last}", others.join(", "))
    })
}

/// Returns a title in the form of a press agency.
pub(crate) fn agency_title(who: &str, event: &str) -> String {
    format!("{who} attend {event}, London - Globe Pictures")
}

/// Returns the event in an occasion: `the awards` for `after the awards`.
pub(crate) fn event_of(occasion: &str) -> &str {
    let before = ["at ", "on ", "after "];
    let event = before.iter().find_map(|word| occasion.strip_prefix(word));
    event.unwrap_or(EVENT)
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

    #[test]
    fn a_lie_names_somebody_close_who_is_not_there() {
        let world = World::parse(
            r#"{"name":"n","source":"s","license":"l",
                "photos":[["Emma","Jane"],["Jane","Tom"],["Ann"]]}"#,
        )
        .unwrap();
        let name = |person: usize| world.people[person].name.as_str();
        let lie = |photo, lies| world.falsely_named_on_page(photo, lies).map(name);
        assert_eq!(lie(1, 1.0), Some("Emma"));
        assert_eq!(lie(0, 1.0), Some("Tom"));
        assert_eq!(lie(2, 1.0), None, "nobody is close to her");
        assert_eq!(lie(0, 0.0), None);
        let caption = world.caption_of(1, 0.0, 1.0, Rules::default());
        assert!(caption.to_lowercase().contains("emma"), "{caption}");
    }
}
