//! Makes lists of hits like real ones, which contain more than the wanted photos: copies in another size or crop at
//! their own addresses, and photos of other people.

use crate::hash::{below, hash, unit};

use super::definition::World;

/// The number of copies that each photo has.
pub const COPIES: usize = 3;
/// The smallest and the largest share that is cropped from a side of a copy.
const CUT: (f64, f64) = (0.04, 0.18);

/// The shares of copies and of random photos among the hits of a list.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ListRules {
    /// The probability that a hit is a copy of a photo that precedes it in the list.
    pub copies: f64,
    /// The probability that a hit is a random photo of the world.
    pub noise: f64,
}

/// A hit: a photo of the world, or a copy of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// The photo's number in the world.
    pub photo: usize,
    /// The number of the copy, from 1 to [`COPIES`]; 0 if the hit is the photo itself.
    pub copy: usize,
}

impl ListRules {
    /// Returns whether lists contain only the wanted photos, without copies or noise.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self.copies <= 0.0 && self.noise <= 0.0
    }
}

impl World {
    /// Returns `count` hits of the list for a question, after skipping its first `start` hits. The list consists of the
    /// photos that match the question, in their order, interspersed with copies and random photos. Equal arguments give
    /// equal lists.
    #[must_use]
    pub fn listed(
        &self,
        question: &str,
        photos: &[usize],
        (start, count): (usize, usize),
        rules: ListRules,
    ) -> Vec<Listed> {
        let mut list: Vec<Listed> = Vec::new();
        let mut own = photos.iter();
        while list.len() < start.saturating_add(count) {
            let draw = |what: &str| hash(&[what.into(), question.into(), list.len().into()]);
            let before = list.get(below(draw("which"), list.len().max(1)));
            if let Some(before) = before.filter(|_| unit(draw("copy")) < rules.copies) {
                let copy = 1 + below(draw("number"), COPIES);
                list.push(Listed { copy, ..*before });
            } else if unit(draw("noise")) < rules.noise {
                let photo = below(draw("other"), self.photos.len().max(1));
                list.push(Listed { photo, copy: 0 });
            } else if let Some(photo) = own.next() {
                list.push(Listed {
                    photo: *photo,
                    copy: 0,
                });
            } else {
                break;
            }
        }
        list.into_iter().skip(start).collect()
    }
}

impl Listed {
    /// Returns the shares that are cropped from the left, top, right and bottom of the photo in this copy.
    #[must_use]
    pub fn cut(self) -> [f64; 4] {
        if self.copy < 2 {
            return [0.0; 4];
        }
        let draw = |side: &str| {
            unit(hash(&[
                "cut".into(),
                self.photo.into(),
                self.copy.into(),
                side.into(),
            ]))
        };
        // Each side is cropped with a probability of one half.
        let cut = ["left", "top", "right", "bottom"].map(|side| {
            let (least, greatest) = CUT;
            let share = 2.0 * draw(side) - 1.0;
            if share > 0.0 {
                least + share * (greatest - least)
            } else {
                0.0
            }
        });
        if cut.iter().all(|share| *share <= 0.0) {
            [CUT.0, 0.0, CUT.1, 0.0]
        } else {
            cut
        }
    }

    /// Returns the scale of a copy relative to the cropped photo.
    #[must_use]
    pub fn scale(self) -> f64 {
        if self.copy == 0 {
            return 1.0;
        }
        0.45 + 0.45 * unit(hash(&["scale".into(), self.photo.into(), self.copy.into()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        let photos = vec![r#"["Emma","Jane"]"#; 60].join(",");
        World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l","photos":[{photos}]}}"#
        ))
        .unwrap()
    }

    #[test]
    fn a_plain_list_holds_the_photos_alone() {
        let list = world().listed("q", &[5, 3, 9], (1, 5), ListRules::default());
        let photos: Vec<(usize, usize)> = list.iter().map(|one| (one.photo, one.copy)).collect();
        assert_eq!(photos, [(3, 0), (9, 0)]);
    }

    #[test]
    fn so_many_hits_are_copies_of_what_stands_before_them() {
        let rules = ListRules {
            copies: 0.3,
            noise: 0.2,
        };
        let photos: Vec<usize> = (0..50).collect();
        let all = world().listed("q", &photos, (0, 500), rules);
        let copies = all.iter().filter(|one| one.copy > 0).count();
        assert!(
            (copies * 10).abs_diff(all.len() * 3) < all.len() * 2,
            "{copies} of {}",
            all.len()
        );
        for (place, one) in all.iter().enumerate().filter(|(_, one)| one.copy > 0) {
            assert!(all[..place].iter().any(|before| before.photo == one.photo));
        }
        let own = photos
            .iter()
            .all(|photo| all.iter().any(|one| one.photo == *photo));
        assert!(own, "none is lost");
        // A page has the same hits as that part of the whole list.
        assert_eq!(world().listed("q", &photos, (10, 7), rules), all[10..17]);
    }

    #[test]
    fn copies_are_smaller_and_some_are_cut() {
        let copy = |copy| Listed { photo: 7, copy };
        assert_eq!((copy(0).cut(), copy(0).scale()), ([0.0; 4], 1.0));
        assert_eq!(copy(1).cut(), [0.0; 4]);
        assert!(copy(2).cut().iter().any(|share| *share > 0.0));
        assert!((1..=COPIES).all(|number| copy(number).scale() < 0.91));
    }
}
