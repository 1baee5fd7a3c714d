//! The chains of remembered photos of which a run is told nothing but how many photos they have.

use domain::SidesToConnect;
use platform::{Effects, RememberedPhotos};
use providers::calls::Attempts;

use crate::carried::known_photos::{KnownPhotos, PhotoToFetch};

use super::RunMemory;

impl<E: Effects + RememberedPhotos> RunMemory<'_, E> {
    /// Returns how many remembered photos make a chain between these sides.
    pub async fn connect(
        &self,
        sides: &SidesToConnect,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> usize {
        let _connecting = self.connecting.lock().await;
        if let Some(chain) = self.chain_of(sides) {
            return chain.len();
        }
        for _ in 0..KnownPhotos::questions_for(sides) {
            let asked = self.known.borrow_mut().next_question(sides);
            let (Some(wanted), Some(asked)) = (self.wanted(), asked) else {
                break;
            };
            let recalled = self.ask_in_all(
                async || self.effects.recall(&asked, wanted).await,
                ms_max,
                attempts,
            );
            let recalled = recalled.await.unwrap_or_default();
            self.known.borrow_mut().take(recalled);
        }
        let chain = self.known.borrow().chain(sides);
        let photos = chain.len();
        self.chains.borrow_mut().push((sides.clone(), chain));
        photos
    }

    /// Returns the photo at this place of the chain between these sides. Another process may have looked for it.
    pub async fn photo_of(
        &self,
        sides: &SidesToConnect,
        place: usize,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<PhotoToFetch> {
        self.connect(sides, ms_max, attempts).await;
        self.chain_of(sides)?.get(place).cloned()
    }

    fn chain_of(&self, sides: &SidesToConnect) -> Option<Vec<PhotoToFetch>> {
        let chains = self.chains.borrow();
        let mut chains = chains.iter();
        let (_, chain) = chains.find(|(asked, _)| asked == sides)?;
        Some(chain.clone())
    }
}
