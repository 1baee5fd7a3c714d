//! Counts the false edges of a chain by what misled the search.

use investigation::machine::{EdgeReport, FinalReport, PersonRef};
use sandbox::{Rules, World};

use crate::rehearsal::simulation::photo_number;

/// The false edges of a chain: those whose two people are together in no photo of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FalseEdges {
    /// The number of all false edges.
    pub all: usize,
    /// The number of false edges due to mistaken faces alone: in each of their photos, the recogniser took somebody
    /// else's face for one of the two people.
    pub of_lookalikes: usize,
    /// The number of false edges that do not count in `of_lookalikes` and have a photo that is a trap.
    pub of_traps: usize,
}

/// Counts the false edges of a chain, according to the world's photos.
pub(super) fn false_edges(world: &World, rules: Rules, report: &FinalReport) -> FalseEdges {
    let person = |known: &PersonRef| world.people.iter().position(|one| one.id == known.id);
    let mut counts = FalseEdges::default();
    // Users see the path, so its people count rather than the names in the edges.
    let neighbours = report.path.iter().zip(report.path.iter().skip(1));
    for (position, (one, other)) in neighbours.enumerate() {
        let people = person(one).zip(person(other));
        if people.is_some_and(|people| are_together(world, people)) {
            continue;
        }
        counts.all += 1;
        let (Some(people), Some(edge)) = (people, report.edges.get(position)) else {
            continue;
        };
        let photos: Vec<usize> = photos_of(edge).collect();
        let is_mistaken = |photo: &usize| is_mistaken(world, rules, *photo, people);
        if !photos.is_empty() && photos.iter().all(is_mistaken) {
            counts.of_lookalikes += 1;
        } else if (photos.iter()).any(|photo| world.trap_in(*photo, rules).is_some()) {
            counts.of_traps += 1;
        }
    }
    counts
}

fn are_together(world: &World, (one, other): (usize, usize)) -> bool {
    let mut photos = world.photos_of(one).iter();
    photos.any(|photo| world.people_in(*photo).contains(&other))
}

fn photos_of(edge: &EdgeReport) -> impl Iterator<Item = usize> {
    let photos = edge.evidence.iter();
    photos.filter_map(|photo| photo_number(&photo.image_url))
}

/// Returns whether the recogniser took somebody else's face in this photo for one of the two people.
fn is_mistaken(world: &World, rules: Rules, photo: usize, (one, other): (usize, usize)) -> bool {
    world.recognise(photo, rules).iter().any(|seen| {
        let is_of_edge = seen.person == one || seen.person == other;
        !seen.missed && is_of_edge && seen.person != seen.owner
    })
}
