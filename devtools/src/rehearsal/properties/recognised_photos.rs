//! The photos recognised in a run, and the shortest chain that they prove.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Face, Sha256Digest, fold};
use investigation::machine::{Recognised, Request};
use kernel::CommandId;

/// The photos recognised so far, each with its latest answer.
#[derive(Debug)]
pub(super) struct RecognisedPhotos {
    request: Request,
    digests: BTreeMap<CommandId, Sha256Digest>,
    recognised: BTreeMap<Sha256Digest, Recognised>,
    /// The photos in the order of the answers.
    order: Vec<Sha256Digest>,
}

impl RecognisedPhotos {
    pub(super) fn new(request: &Request) -> Self {
        Self {
            request: request.clone(),
            digests: BTreeMap::new(),
            recognised: BTreeMap::new(),
            order: Vec::new(),
        }
    }

    /// Records that this command fetched this photo.
    pub(super) fn fetched(&mut self, command: CommandId, digest: &Sha256Digest) {
        self.digests.insert(command, digest.clone());
    }

    /// Records what was recognised in the photo that a command fetched.
    pub(super) fn recognised(&mut self, fetched_by: CommandId, recognised: &Recognised) {
        if let Some(digest) = self.digests.get(&fetched_by) {
            self.recognised.insert(digest.clone(), recognised.clone());
            self.order.push(digest.clone());
        }
    }

    /// Returns the latest answer about the photo with this digest.
    pub(super) fn of(&self, digest: &Sha256Digest) -> Option<&Recognised> {
        self.recognised.get(digest)
    }

    /// Returns the length of the shortest chain that the photos prove, found by breadth-first search. People are told
    /// apart by id.
    pub(super) fn shortest(&self) -> Option<usize> {
        let photos: Vec<BTreeSet<String>> =
            self.order.iter().map(|photo| self.ids(photo)).collect();
        let start = self.bound(&self.request.person_a.folded())?;
        let goal = self.bound(&self.request.person_b.folded())?;
        let avoided: BTreeSet<String> = self
            .recognised
            .values()
            .flat_map(|shown| &shown.faces)
            .filter(|face| self.request.avoids(&face.name))
            .map(identity)
            .collect();
        let mut reached = BTreeSet::from([start]);
        for hops in 1..=photos.len() + 1 {
            let mut next = reached.clone();
            for photo in &photos {
                if photo.iter().any(|id| reached.contains(id)) {
                    next.extend(photo.iter().filter(|id| !avoided.contains(*id)).cloned());
                }
            }
            if next.contains(&goal) {
                return Some(hops);
            }
            if next == reached {
                return None;
            }
            reached = next;
        }
        None
    }

    /// Returns the ids of the people that a photo connects; no ids if it is vetoed.
    fn ids(&self, photo: &Sha256Digest) -> BTreeSet<String> {
        let shown = self.recognised.get(photo);
        let shown = shown.filter(|shown| shown.collage_check.veto().is_none());
        let sure = shown
            .map_or(&[][..], |shown| &shown.faces)
            .iter()
            .filter(|face| face.confidence.percent() >= self.threshold());
        sure.map(identity).collect()
    }

    /// Returns the id of the first recognised person with this folded name, in the order of answers.
    fn bound(&self, folded: &str) -> Option<String> {
        let photos = self
            .order
            .iter()
            .filter_map(|photo| self.recognised.get(photo));
        photos
            .flat_map(|shown| &shown.faces)
            .find(|face| {
                face.confidence.percent() >= self.threshold() && fold(&face.name) == folded
            })
            .map(identity)
    }

    fn threshold(&self) -> f64 {
        f64::from(self.request.limits.threshold_percent)
    }
}

/// Returns a face's identity: the Wikidata page if present, else the id, else the folded name.
fn identity(face: &Face) -> String {
    if let Some(page) = face.urls.iter().find(|url| url.contains("wikidata")) {
        return page.clone();
    }
    if face.id.is_empty() {
        format!("name:{}", fold(&face.name))
    } else {
        face.id.clone()
    }
}
