//! Worlds of groups in four shapes: whoever is in a photo belongs to one group, and people who belong to two groups join
//! them.
//!
//! A plan that does well in one shape may do badly in another, so a plan is measured in all of them.

use std::collections::BTreeMap;

use super::definition::World;
use super::draw::{Draw, name};

/// How the groups of a drawn world are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupShape {
    /// Small groups in which most are seen with most. A person belongs to two of them on average.
    Cliques,
    /// Circles around one person each, who is in every photo of the circle.
    Stars,
    /// Large groups of people who are seen in twos, threes and fours.
    Parties,
    /// Small groups in a ring. Two people of each group belong to the next one, too.
    Ring,
}

/// The numbers from which a shape is drawn.
struct Sizes {
    people: usize,
    groups: usize,
    /// The number of members of a group.
    members: usize,
    /// The number of photos of a group.
    photos: usize,
    /// The fewest people in a photo, and how many more there may be.
    in_photo: (usize, usize),
}

impl GroupShape {
    /// All shapes.
    pub const ALL: [Self; 4] = [Self::Cliques, Self::Stars, Self::Parties, Self::Ring];

    /// Returns the shape's name in arguments and figures.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cliques => "cliques",
            Self::Stars => "stars",
            Self::Parties => "parties",
            Self::Ring => "ring",
        }
    }

    fn sizes(self) -> Sizes {
        let (people, groups, members, photos, in_photo) = match self {
            Self::Cliques => (900, 200, 9, 36, (3, 5)),
            Self::Stars => (900, 60, 30, 80, (2, 1)),
            Self::Parties => (900, 60, 40, 100, (2, 2)),
            Self::Ring => (400, 100, 6, 20, (2, 2)),
        };
        Sizes {
            people,
            groups,
            members,
            photos,
            in_photo,
        }
    }
}

impl World {
    /// Makes a world of groups in this shape. Equal seeds make equal worlds on every target.
    #[must_use]
    pub fn groups(shape: GroupShape, seed: u64) -> Self {
        let sizes = shape.sizes();
        let mut draw = Draw::new(shape.name(), seed);
        let keys: Vec<String> = (0..sizes.people).map(name).collect();
        let mut shots: Vec<Vec<&str>> = Vec::new();
        for group in 0..sizes.groups {
            let members = drawn_members(&mut draw, shape, &sizes, group);
            for _ in 0..sizes.photos {
                let (fewest, more) = sizes.in_photo;
                let count = fewest + draw.below(more + 1);
                let mut people = drawn_people(&mut draw, &members, count);
                if let (GroupShape::Stars, Some(star)) = (shape, members.first())
                    && !people.contains(star)
                {
                    people.pop();
                    people.push(*star);
                }
                let key = |person: &usize| keys.get(*person).map(String::as_str);
                shots.push(people.iter().filter_map(key).collect());
            }
        }
        let title = format!(
            "Groups in the shape of {}, drawn by seed {seed}",
            shape.name()
        );
        let made = "generated".to_owned();
        Self::assemble(
            [title, made, "CC0-1.0".to_owned()],
            &shots,
            &BTreeMap::new(),
        )
    }
}

/// Draws the members of a group. In the ring they follow one another, and else anybody may be a member.
fn drawn_members(draw: &mut Draw, shape: GroupShape, sizes: &Sizes, group: usize) -> Vec<usize> {
    if shape == GroupShape::Ring {
        let step = sizes.people / sizes.groups;
        let places = 0..sizes.members;
        return places
            .map(|place| (group * step + place) % sizes.people)
            .collect();
    }
    let everybody: Vec<usize> = (0..sizes.people).collect();
    drawn_people(draw, &everybody, sizes.members)
}

/// Draws this many different people.
fn drawn_people(draw: &mut Draw, from: &[usize], count: usize) -> Vec<usize> {
    let mut left = from.to_vec();
    let count = count.min(left.len());
    (0..count)
        .map(|_| {
            let at = draw.below(left.len());
            left.swap_remove(at)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_always_the_same() {
        for shape in GroupShape::ALL {
            let world = World::groups(shape, 1);
            let sizes = shape.sizes();
            assert_eq!(world.photos.len(), sizes.groups * sizes.photos);
            assert!(world.people.len() > sizes.people / 2, "{shape:?}");
            assert_eq!(world.fingerprint(), World::groups(shape, 1).fingerprint());
            assert_ne!(world.fingerprint(), World::groups(shape, 2).fingerprint());
        }
    }

    #[test]
    fn everybody_in_a_circle_is_seen_with_its_star() {
        let world = World::groups(GroupShape::Stars, 1);
        let sizes = GroupShape::Stars.sizes();
        for circle in world.photos.chunks(sizes.photos) {
            let mut stars: Vec<usize> = (0..world.people.len()).collect();
            for photo in circle {
                stars.retain(|one| photo.people.contains(one));
            }
            assert_eq!(stars.len(), 1);
        }
    }
}
