//! The false edges of a chain, and what misled the search.

use investigation::machine::{EdgeReport, FinalReport, PersonRef};
use sandbox::{Rules, World};

use crate::rehearsal::simulation::photo_number;

/// The numbers of edges whose people are together in no photo of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FalseEdges {
    /// All false edges.
    pub all: usize,
    /// The false edges with a photo in which one of the two was mistaken for somebody else.
    pub of_lookalikes: usize,
    /// The false edges with a collage.
    pub of_collages: usize,
}

/// Counts a chain's false edges by the truth of the world.
pub(super) fn false_edges(world: &World, rules: Rules, report: &FinalReport) -> FalseEdges {
    let person = |known: &PersonRef| world.people.iter().position(|one| one.id == known.id);
    let mut counts = FalseEdges::default();
    // The path is what users see, so it counts rather than the names in the edges.
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
            counts.of_collages += 1;
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

/// Returns whether one of the two was recognised in somebody else's face in this photo.
fn is_mistaken(world: &World, rules: Rules, photo: usize, (one, other): (usize, usize)) -> bool {
    world.recognise(photo, rules).iter().any(|seen| {
        let is_of_edge = seen.person == one || seen.person == other;
        !seen.missed && is_of_edge && seen.person != seen.owner
    })
}
