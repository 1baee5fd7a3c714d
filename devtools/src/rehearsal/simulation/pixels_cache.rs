//! Caches what was computed from photos, because thousands of simulated runs see the same photos.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use sha2::{Digest as _, Sha256};

use domain::{CollageCheck, Face, Fingerprint};
use platform::{PhotoPixels, collage_check};

/// The collage checks so far, by the SHA-256 of a photo's bytes and faces.
static CHECKS: LazyLock<Mutex<BTreeMap<[u8; 32], CollageCheck>>> = LazyLock::new(Mutex::default);

/// The fingerprints so far, by the SHA-256 of a photo's bytes.
static FINGERPRINTS: LazyLock<Mutex<BTreeMap<[u8; 32], Option<Fingerprint>>>> =
    LazyLock::new(Mutex::default);

/// Returns a photo's fingerprint, computed once per process.
pub(super) fn fingerprint_once(photo: &[u8]) -> Option<Fingerprint> {
    let key: [u8; 32] = Sha256::digest(photo).into();
    let known = FINGERPRINTS.lock().ok();
    if let Some(known) = known.and_then(|known| known.get(&key).cloned()) {
        return known;
    }
    let fingerprint = PhotoPixels::read(photo).fingerprint;
    if let Ok(mut known) = FINGERPRINTS.lock() {
        known.insert(key, fingerprint.clone());
    }
    fingerprint
}

/// Returns the collage check of a photo, computed once per process.
pub(super) fn check_once(photo: &[u8], faces: &[Face]) -> CollageCheck {
    let mut key = Sha256::new_with_prefix(photo);
    for face in faces {
        key.update(format!("{:?} {:?}", face.confidence, face.face_box));
    }
    let key: [u8; 32] = key.finalize().into();
    let known = CHECKS
        .lock()
        .ok()
        .and_then(|known| known.get(&key).copied());
    if let Some(check) = known {
        return check;
    }
    let check = collage_check(photo, None, faces);
    if let Ok(mut known) = CHECKS.lock() {
        known.insert(key, check);
    }
    check
}
