//! Makes a photo memory that is partly true: some photos have the digest of other bytes and the people of another
//! photo.

use domain::Sha256Digest;
use sandbox::{Rules, World};

use crate::in_memory::InMemoryPhotos;
use crate::rehearsal::simulation::WorldProviders;

use super::seeded_rng::SeededRng;

/// The share of photos that are remembered, in 256ths.
const KNOWN_SHARE: u32 = 128;
/// The share of remembered photos with a wrong digest and another photo's people, in 256ths.
const FALSE_SHARE: u32 = 64;

/// Returns the memory of a random run.
pub(super) fn random_memory(seed: u64, world: &World, rules: Rules) -> InMemoryPhotos {
    let mut random = SeededRng::new(seed);
    let providers = WorldProviders::new(world, rules);
    let mut memory = InMemoryPhotos::default();
    for photo in 0..world.photos.len() {
        if !random.happens(KNOWN_SHARE) {
            continue;
        }
        let mut known = providers.recognised_photo(photo);
        if random.happens(FALSE_SHARE) {
            let photos = u32::try_from(world.photos.len()).unwrap_or(u32::MAX);
            let other = random.count(0..photos);
            known.answer = providers.recognised_photo(other).answer;
            known.digest = Sha256Digest::of(format!("not {photo}").as_bytes());
        }
        memory.remember(vec![known]);
    }
    memory
}
