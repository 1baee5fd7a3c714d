//! Caches the photos of a world as they are really drawn. Each is judged once for all runs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::{Face, FaceBox, THRESHOLD_PERCENT_MIN};
use investigation::machine::Recognised;
use platform::collage_check;
use sandbox::picture::{self, Picture};
use sandbox::{Rules, World};

use crate::rehearsal::simulation::{FaceWithOwner, PhotoJudge};

/// Draws photos, detects collages among them, and caches the results.
#[derive(Debug)]
pub(super) struct PhotoCache<'world> {
    world: &'world World,
    rules: Rules,
    judged: RefCell<BTreeMap<usize, JudgedPhoto>>,
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
    /// A collage, with recognised people of both parts.
    Collage,
    /// A collage in which people of one part only were recognised. They were really together, so it misleads nobody.
    HalfSeen,
}

/// How well collages and genuine photos were distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct VetoCounts {
    /// The number of genuine photos with two or more recognised people.
    pub(super) honest: usize,
    /// The number of these genuine photos that were rejected.
    pub(super) honest_vetoed: usize,
    /// The number of collages with recognised people of both parts.
    pub(super) collages: usize,
    /// The number of these collages that were not detected.
    pub(super) collages_missed: usize,
}

impl<'world> PhotoCache<'world> {
    pub(super) fn new(world: &'world World, rules: Rules) -> Self {
        Self {
            world,
            rules,
            judged: RefCell::default(),
        }
    }

    /// Returns the counts of all photos judged so far.
    pub(super) fn veto_counts(&self) -> VetoCounts {
        let mut veto_counts = VetoCounts::default();
        for judged in self.judged.borrow().values() {
            let is_vetoed = judged.recognised.collage_check.veto().is_some();
            match judged.kind {
                PhotoKind::Honest => {
                    veto_counts.honest += 1;
                    veto_counts.honest_vetoed += usize::from(is_vetoed);
                }
                PhotoKind::Collage => {
                    veto_counts.collages += 1;
                    veto_counts.collages_missed += usize::from(!is_vetoed);
                }
                PhotoKind::HalfSeen => {}
            }
        }
        veto_counts
    }

    fn develop(&self, photo: usize, seen: &[FaceWithOwner]) -> JudgedPhoto {
        let picture = picture::picture(self.world, photo, self.rules);
        let (file, drawn) =
            picture.map_or_else(Default::default, |Picture { file, faces }| (file, faces));
        let placed = seen.iter().map(|seen| {
            let place = drawn.iter().find(|drawn| drawn.person == seen.owner);
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
                faces,
            },
            kind: self.kind(photo, seen),
        }
    }

    fn kind(&self, photo: usize, seen: &[FaceWithOwner]) -> PhotoKind {
        if self.world.trap_in(photo, self.rules).is_none() {
            return PhotoKind::Honest;
        }
        let own = self.world.people_in(photo);
        let is_own = |seen: &&FaceWithOwner| own.contains(&seen.owner);
        let of_own = seen.iter().filter(is_own).count();
        if of_own > 0 && of_own < seen.len() {
            PhotoKind::Collage
        } else {
            PhotoKind::HalfSeen
        }
    }
}

impl PhotoJudge for PhotoCache<'_> {
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
