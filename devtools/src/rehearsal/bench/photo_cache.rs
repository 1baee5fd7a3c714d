//! Caches the photos of a world as they are really drawn. Each is judged once for all runs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::{Face, FaceBox, Provenance, THRESHOLD_PERCENT_MIN};
use investigation::machine::Recognised;
use platform::collage_check;
use sandbox::picture::{self, Picture};
use sandbox::{Rules, TrapKind, World};

use crate::rehearsal::simulation::{FaceWithOwner, PhotoJudge};

/// Draws photos, judges their files and pixels, and caches the results.
#[derive(Debug)]
pub(super) struct PhotoCache<'world> {
    world: &'world World,
    rules: Rules,
    judged: RefCell<BTreeMap<usize, JudgedPhoto>>,
    /// What the files of traps say about themselves, by the photos' numbers.
    provenances: RefCell<BTreeMap<usize, Provenance>>,
}

/// The faces that the recogniser sees in a photo, and the verdict on the photo's pixels.
#[derive(Debug)]
struct JudgedPhoto {
    recognised: Recognised,
    kind: PhotoKind,
}

#[derive(Debug, Clone, Copy)]
enum PhotoKind {
    /// A genuine photo.
    Honest,
    /// A trap, with recognised people of both photos.
    Trap(TrapKind),
    /// A trap in which people of one photo only were recognised. They were really together, so it misleads nobody.
    HalfSeen,
}

/// How many photos of a kind were examined, and how many of these were taken for what they are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KindCounts {
    pub(super) all: usize,
    pub(super) mistaken: usize,
}

/// How well traps and genuine photos were distinguished. Each photo counts once for all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct VetoCounts {
    /// The genuine photos with two or more recognised people; mistaken if rejected.
    pub(super) honest: KindCounts,
    /// The collages with recognised people of both photos; mistaken if nothing was found in their pixels.
    pub(super) collages: KindCounts,
    /// The fetched pictures that were generated; mistaken if they were recognised all the same.
    pub(super) generated: KindCounts,
    /// The photos that show somebody twice, with recognised people of both photos beside them; mistaken if that was not
    /// seen.
    pub(super) twice: KindCounts,
    /// The photos of wax figures that were recognised although the words beside them tell of it.
    pub(super) wax_missed: usize,
}

impl KindCounts {
    fn add(&mut self, is_mistaken: bool) {
        self.all += 1;
        self.mistaken += usize::from(is_mistaken);
    }
}

impl<'world> PhotoCache<'world> {
    pub(super) fn new(world: &'world World, rules: Rules) -> Self {
        Self {
            world,
            rules,
            judged: RefCell::default(),
            provenances: RefCell::default(),
        }
    }

    /// Returns the counts of all photos judged so far.
    pub(super) fn veto_counts(&self) -> VetoCounts {
        let mut counts = VetoCounts::default();
        for photo in self.provenances.borrow().keys() {
            let trap = self.world.trap_in(*photo, self.rules);
            if trap.is_some_and(|trap| trap.kind == TrapKind::Generated) {
                counts.generated.all += 1;
            }
        }
        for judged in self.judged.borrow().values() {
            let is_vetoed = judged.recognised.collage_check.veto().is_some();
            match judged.kind {
                PhotoKind::Honest => counts.honest.add(is_vetoed),
                PhotoKind::Trap(TrapKind::Collage) => counts.collages.add(!is_vetoed),
                PhotoKind::Trap(TrapKind::Generated) => counts.generated.mistaken += 1,
                PhotoKind::Trap(TrapKind::Wax) => counts.wax_missed += 1,
                PhotoKind::Trap(TrapKind::Twice { .. }) => {
                    counts
                        .twice
                        .add(!is_vetoed && !judged.shows_somebody_twice());
                }
                PhotoKind::HalfSeen => {}
            }
        }
        counts
    }

    fn develop(&self, photo: usize, seen: &[FaceWithOwner]) -> JudgedPhoto {
        let picture = picture::picture(self.world, photo, self.rules);
        let (file, mut drawn) =
            picture.map_or_else(Default::default, |Picture { file, faces }| (file, faces));
        let placed = seen.iter().map(|seen| {
            // Each drawn face is used once, since a person may be there twice.
            let place = drawn.iter().position(|drawn| drawn.person == seen.owner);
            let place = place.map(|place| drawn.swap_remove(place));
            Face {
                face_box: place.map_or_else(FaceBox::default, |place| FaceBox {
                    left: place.left,
                    top: place.top,
                    width: place.width,
                    height: place.height,
                }),
                ..seen.face.clone()
            }
        });
        let faces: Vec<Face> = placed.collect();
        JudgedPhoto {
            recognised: Recognised {
                collage_check: collage_check(&file, None, &faces),
                by: None,
                faces,
            },
            kind: self.kind(photo, seen),
        }
    }

    fn kind(&self, photo: usize, seen: &[FaceWithOwner]) -> PhotoKind {
        let Some(trap) = self.world.trap_in(photo, self.rules) else {
            return PhotoKind::Honest;
        };
        let is_seen_of = |photo: usize| {
            let people = self.world.people_in(photo);
            let is_of_photo = |seen: &FaceWithOwner| people.contains(&seen.owner);
            let is_there_once = |seen: &FaceWithOwner| trap.twice() != Some(seen.owner);
            (seen.iter()).any(|seen| is_of_photo(seen) && is_there_once(seen))
        };
        if is_seen_of(photo) && is_seen_of(trap.other) {
            PhotoKind::Trap(trap.kind)
        } else {
            PhotoKind::HalfSeen
        }
    }
}

impl JudgedPhoto {
    /// Returns whether one person was recognised in two faces at different places.
    fn shows_somebody_twice(&self) -> bool {
        let faces = &self.recognised.faces;
        faces.iter().enumerate().any(|(place, one)| {
            let others = faces.get(place + 1..).unwrap_or_default().iter();
            let mut again = others.filter(|other| other.id == one.id);
            again.any(|other| !one.face_box.is_same_face(other.face_box))
        })
    }
}

impl PhotoJudge for PhotoCache<'_> {
    fn provenance(&self, photo: usize) -> Provenance {
        // The file of an honest photo says nothing, so it is not drawn before its faces are judged.
        if self.world.trap_in(photo, self.rules).is_none() {
            return Provenance::default();
        }
        let mut provenances = self.provenances.borrow_mut();
        let provenance = provenances.entry(photo).or_insert_with(|| {
            let picture = picture::picture(self.world, photo, self.rules);
            picture.map_or_else(Provenance::default, |picture| metadata::read(&picture.file))
        });
        provenance.clone()
    }

    fn judge(&self, photo: usize, seen: Vec<FaceWithOwner>) -> Recognised {
        let least = f64::from(THRESHOLD_PERCENT_MIN);
        let is_sure = |seen: &&FaceWithOwner| seen.face.confidence.percent() >= least;
        if seen.iter().filter(is_sure).count() < 2 {
            let faces: Vec<Face> = seen.into_iter().map(|seen| seen.face).collect();
            return faces.into();
        }
        let mut judged = self.judged.borrow_mut();
        let known = judged
            .entry(photo)
            .or_insert_with(|| self.develop(photo, &seen));
        known.recognised.clone()
    }
}

#[cfg(test)]
mod tests {
    use domain::{Hints, Hit, Making, word_doubt_of};

    use super::*;

    fn world() -> World {
        World::generate(5, 150, 600)
    }

    const ALL_ARE_TRAPS: Rules = Rules {
        miss: 0.0,
        weak: 0.0,
        traps: 1.0,
        lookalikes: 0.0,
    };

    #[test]
    fn the_file_of_every_generated_picture_says_so_and_no_other_file_says_anything() {
        let world = world();
        let cache = PhotoCache::new(&world, ALL_ARE_TRAPS);
        let mut generated = 0;
        for photo in 0..250 {
            let trap = world.trap_in(photo, ALL_ARE_TRAPS);
            let said = cache.provenance(photo);
            if trap.is_some_and(|trap| trap.kind == TrapKind::Generated) {
                assert!(
                    said.making.is_some_and(|making| making.rejects()),
                    "{photo}"
                );
                generated += 1;
            } else {
                assert_eq!(said, Provenance::default(), "{photo}: {trap:?}");
            }
        }
        assert!(generated > 30, "{generated}");
    }

    #[test]
    fn the_file_of_an_honest_photo_says_nothing() {
        let world = world();
        for photo in 0..20 {
            let picture = picture::picture(&world, photo, Rules::default()).unwrap();
            assert_eq!(metadata::read(&picture.file), Provenance::default());
        }
    }

    #[test]
    fn a_generated_webp_says_so_too() {
        let world = world();
        let is_generated = |photo: &usize| {
            let trap = world.trap_in(*photo, ALL_ARE_TRAPS);
            trap.is_some_and(|trap| trap.kind == TrapKind::Generated)
        };
        for photo in (0..100).filter(is_generated) {
            let webp = picture::Format::Webp;
            let file = picture::marked_photo(&world, photo, ALL_ARE_TRAPS, webp).unwrap();
            let making = metadata::read(&file).making;
            assert!(matches!(making, Some(Making::Generated { .. })), "{photo}");
            let jpeg = investigation::effects::jpeg_of_webp(&file).unwrap();
            assert_eq!(picture::marked_number(&jpeg), Some(photo));
        }
    }

    #[test]
    fn each_of_the_words_that_tell_of_a_trap_rejects_it() {
        let world = world();
        let rejects = |hit: &Hit| word_doubt_of(hit).is_some_and(|doubt| doubt.rejects);
        let mut count = 0;
        for photo in 0..world.photos.len() {
            let Some(words) = world.telling_words(photo, ALL_ARE_TRAPS) else {
                continue;
            };
            count += 1;
            for title in [
                world.caption_of(photo, 0.6, 0.1, ALL_ARE_TRAPS),
                format!("Photo {photo} {}", words.title),
            ] {
                let hit = Hit {
                    title,
                    ..Hit::default()
                };
                assert!(rejects(&hit), "{hit:?}");
            }
            let hints = [
                Hints {
                    categories: vec![words.category.to_owned()],
                    ..Hints::default()
                },
                Hints {
                    description: Some(format!("{} Emma Woodhouse", words.description)),
                    ..Hints::default()
                },
            ];
            for hints in hints {
                let hit = Hit {
                    title: "Emma Woodhouse in London".to_owned(),
                    hints,
                    ..Hit::default()
                };
                assert!(rejects(&hit), "{hit:?}");
            }
        }
        assert!(count > 100, "{count}");
    }
}
