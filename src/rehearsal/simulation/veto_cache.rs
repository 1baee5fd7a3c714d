//! The vetoes of photos that were looked at before: in a simulation, thousands of runs see the same
//! photos.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use sha2::{Digest as _, Sha256};

use crate::domain::{Face, Veto};
use crate::effects::collage_veto;

/// The vetoes by the SHA-256 of a photo's bytes and faces.
static VETOES: LazyLock<Mutex<BTreeMap<[u8; 32], Option<Veto>>>> = LazyLock::new(Mutex::default);

/// Returns what a photo's pixels say against it. They are looked at only once in a program, however
/// many runs see the photo: in a rehearsal there are thousands.
pub(super) fn veto_once(photo: &[u8], faces: &[Face]) -> Option<Veto> {
    let mut key = Sha256::new_with_prefix(photo);
    for face in faces {
        key.update(format!("{:?} {:?}", face.confidence, face.face_box));
    }
    let key: [u8; 32] = key.finalize().into();
    let known = VETOES
        .lock()
        .ok()
        .and_then(|known| known.get(&key).copied());
    if let Some(veto) = known {
        return veto;
    }
    let veto = collage_veto(photo, faces);
    if let Ok(mut known) = VETOES.lock() {
        known.insert(key, veto);
    }
    veto
}
