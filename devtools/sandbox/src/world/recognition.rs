//! The faces that the recogniser sees in a photo of a world.

use crate::hash::{hash, unit};

use super::definition::World;
use super::rules::Rules;
use super::traps::Trap;

/// The recogniser's confidence in both faces of somebody who is in a trap twice, in percent. It sees them for certain:
/// nothing else tells of such a trap.
const TWICE_CONFIDENCE: f64 = 99.0;

/// A face in a photo as the recogniser sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecognisedFace {
    /// The person for whom the recogniser takes the face, as an index into [`World::people`].
    pub person: usize,
    /// The person whose face it is, as an index into [`World::people`]. It differs from `person` if the face is
    /// mistaken.
    pub owner: usize,
    /// The recogniser's confidence in percent, from 55 to 100. It has no meaning if the face is missed.
    pub match_confidence: f64,
    /// Whether the recogniser sees the face, but does not recognise it.
    pub missed: bool,
}

impl World {
    /// Returns the faces that the recogniser sees in a photo. `rules` may also be just the probability of missing a
    /// face.
    #[must_use]
    pub fn recognise(&self, photo: usize, rules: impl Into<Rules>) -> Vec<RecognisedFace> {
        let rules = rules.into();
        let people = self.people_shown(photo, rules);
        let twice = self.twice_in_trap(photo, rules);
        people
            .iter()
            .filter_map(|person| self.see_beside(twice, photo, *person, rules))
            .collect()
    }

    /// Returns the face of one person in a photo, or `None` if the person does not exist.
    #[must_use]
    pub fn see(&self, photo: usize, person: usize, rules: Rules) -> Option<RecognisedFace> {
        let twice = self.twice_in_trap(photo, rules);
        self.see_beside(twice, photo, person, rules)
    }

    fn twice_in_trap(&self, photo: usize, rules: Rules) -> Option<usize> {
        self.trap_in(photo, rules).and_then(Trap::twice)
    }

    /// Returns the face of one person in a photo in which `twice` is there twice.
    fn see_beside(
        &self,
        twice: Option<usize>,
        photo: usize,
        person: usize,
        rules: Rules,
    ) -> Option<RecognisedFace> {
        let key = self.people.get(person)?.key.as_str();
        if twice == Some(person) {
            return Some(RecognisedFace {
                person,
                owner: person,
                match_confidence: TWICE_CONFIDENCE,
                missed: false,
            });
        }
        let draw = |what: &str| unit(hash(&[what.into(), photo.into(), key.into()]));
        let spread = draw("confidence");
        let match_confidence = if draw("weak") < rules.weak {
            55.0 + 25.0 * spread
        } else {
            80.0 + 20.0 * spread
        };
        let lookalike = self.lookalike(photo, person, rules);
        Some(RecognisedFace {
            person: lookalike.map_or(person, |other| other.person),
            owner: person,
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
