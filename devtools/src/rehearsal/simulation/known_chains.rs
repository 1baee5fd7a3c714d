//! Chains of remembered photos. The machine only learns the length of each.

use domain::{PeopleToRecall, RecalledPhoto, SidesToConnect};
use investigation::effects::{KnownPhotos, PhotoToFetch};
use investigation::machine::Fetched;

/// The chains of remembered photos that one machine knows only by their length.
#[derive(Debug, Default)]
pub struct KnownChains {
    known: KnownPhotos,
    chains: Vec<(SidesToConnect, Vec<PhotoToFetch>)>,
}

impl KnownChains {
    /// Finds a chain between two sides by queries to a memory, and returns the number of its photos.
    pub fn connect(
        &mut self,
        sides: &SidesToConnect,
        recall: impl Fn(&PeopleToRecall) -> Vec<RecalledPhoto>,
    ) -> usize {
        for _ in 0..KnownPhotos::questions_for(sides) {
            let Some(asked) = self.known.next_question(sides) else {
                break;
            };
            self.known.take(recall(&asked));
        }
        let chain = self.known.chain(sides);
        let photos = chain.len();
        self.chains.push((sides.clone(), chain));
        photos
    }

    /// Returns the photo at one position of the chain between two sides.
    #[must_use]
    pub fn photo(&self, sides: &SidesToConnect, place: usize) -> Option<PhotoToFetch> {
        let mut chains = self.chains.iter();
        let (_, chain) = chains.find(|(asked, _)| asked == sides)?;
        chain.get(place).cloned()
    }

    /// Returns the fetched photo with its remembered answer; `None` if its bytes have changed.
    pub fn told(&mut self, photo: PhotoToFetch, mut fetched: Fetched) -> Option<Fetched> {
        match &mut fetched.remembered {
            Some(remembered) if fetched.digest == photo.digest => {
                remembered.hit = Some(photo.hit);
                Some(fetched)
            }
            _ => {
                self.known.note_gone(&photo.digest);
                None
            }
        }
    }
}
