//! The photos of a world as they are really drawn, each looked at once for all runs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::domain::{Face, FaceBox, THRESHOLD_PERCENT_MIN};
use crate::investigation::Recognised;
use crate::sandbox::picture::{self, Picture};
use crate::sandbox::{Rules, World};
use crate::session::collage_veto;

use super::super::answers::{Eye, SeenFace};

/// Draws photos, looks for collages among them, and keeps what came of it.
#[derive(Debug)]
pub(super) struct Darkroom<'world> {
    world: &'world World,
    rules: Rules,
    looked: RefCell<BTreeMap<usize, Looked>>,
}

/// What one photo came to.
#[derive(Debug)]
struct Looked {
    recognised: Recognised,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// One photo.
    Honest,
    /// Two, with recognised people of both.
    Collage,
    /// Two, with recognised people of one only: they were together.
    HalfSeen,
}

/// How well collages were told from honest photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Verdicts {
    /// Honest photos of two or more recognised people.
    pub(super) honest: usize,
    /// Those of them that were rejected.
    pub(super) honest_vetoed: usize,
    /// Collages with recognised people in two of their parts.
    pub(super) collages: usize,
    /// Those of them that were taken for honest.
    pub(super) collages_missed: usize,
}

impl<'world> Darkroom<'world> {
    pub(super) fn new(world: &'world World, rules: Rules) -> Self {
        Self {
            world,
            rules,
            looked: RefCell::default(),
        }
    }

    /// Of all photos looked at so far.
    pub(super) fn verdicts(&self) -> Verdicts {
        let mut verdicts = Verdicts::default();
        for looked in self.looked.borrow().values() {
            let is_vetoed = looked.recognised.veto.is_some();
            match looked.kind {
                Kind::Honest => {
                    verdicts.honest += 1;
                    verdicts.honest_vetoed += usize::from(is_vetoed);
                }
                Kind::Collage => {
                    verdicts.collages += 1;
                    verdicts.collages_missed += usize::from(!is_vetoed);
                }
                Kind::HalfSeen => {}
            }
        }
        verdicts
    }

    fn develop(&self, photo: usize, seen: &[SeenFace]) -> Looked {
        let picture = picture::picture(self.world, photo, self.rules);
        let (file, drawn) =
            picture.map_or_else(Default::default, |Picture { file, faces }| (file, faces));
        let placed = seen.iter().map(|(is_really, face)| {
            let place = drawn.iter().find(|drawn| drawn.person == *is_really);
            Face {
                face_box: place.map_or_else(FaceBox::default, |place| FaceBox {
                    left: place.left,
                    top: place.top,
                    width: place.width,
                    height: place.height,
                }),
                ..face.clone()
            }
        });
        let faces: Vec<Face> = placed.collect();
        Looked {
            recognised: Recognised {
                veto: collage_veto(&file, &faces),
                faces,
            },
            kind: self.kind(photo, seen),
        }
    }

    fn kind(&self, photo: usize, seen: &[SeenFace]) -> Kind {
        if self.world.trap_in(photo, self.rules).is_none() {
            return Kind::Honest;
        }
        let own = self.world.people_in(photo);
        let is_own = |(is_really, _): &&SeenFace| own.contains(is_really);
        let of_own = seen.iter().filter(is_own).count();
        if of_own > 0 && of_own < seen.len() {
            Kind::Collage
        } else {
            Kind::HalfSeen
        }
    }
}

impl Eye for Darkroom<'_> {
    fn look(&self, photo: usize, seen: Vec<SeenFace>) -> Recognised {
        let least = f64::from(THRESHOLD_PERCENT_MIN);
        let is_sure = |(_, face): &&SeenFace| face.confidence.percent() >= least;
        if seen.iter().filter(is_sure).count() < 2 {
            let faces: Vec<Face> = seen.into_iter().map(|(_, face)| face).collect();
            return faces.into();
        }
        let mut looked = self.looked.borrow_mut();
        let known = looked
            .entry(photo)
            .or_insert_with(|| self.develop(photo, &seen));
        known.recognised.clone()
    }
}
