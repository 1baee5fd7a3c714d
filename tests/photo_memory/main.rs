//! The memory needed to analyse a photo, whatever its bytes: an isolate has 128 MB for all its runs.
//!
//! A separate program, since it counts the memory of all its threads.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test ends where something is not as it made it"
)]

mod bits;
mod jpegs;
#[path = "../fuzz/memory.rs"]
mod memory;
#[path = "../png_chunks.rs"]
mod png_chunks;
mod pngs;
mod webps;

use domain::PhotoFailure;
use investigation::effects::{check_photo, jpeg_of_webp};
use pixels::SmallPicture;

use jpegs::jpegs;
use memory::measured;
use pngs::pngs;
use webps::webps;

/// The most memory for decoding beyond the file, in bytes. The largest WebP takes nearly as much.
const HELD_BYTES_MAX: usize = 24_000_000;

#[test]
fn a_photo_takes_little_memory_whatever_its_bytes_say() {
    for (format, photos) in [("WebP", webps()), ("PNG", pngs()), ("JPEG", jpegs())] {
        for (name, photo) in photos {
            let (read, held) = measured_alone(&photo);
            println!(
                "{format}, {name}: {} kB hold {} kB: {read}",
                photo.len() / 1_000,
                held / 1_000
            );
            assert!(
                held <= HELD_BYTES_MAX,
                "{format}, {name}: {held} bytes for {}",
                photo.len()
            );
            assert!(
                name != "ordinary" || read.is_empty(),
                "{format}, {name}: {read}"
            );
        }
    }
}

/// Measures a photo, repeating a JPEG that holds too much. The decoder passes the rows of a large JPEG to a second
/// thread, and on a busy machine all of them may queue there; the Worker has one thread and no such queue.
fn measured_alone(photo: &[u8]) -> (String, usize) {
    const TRIES_MAX: usize = 10;
    let mut least = measured(|| look_at(photo));
    for _ in 1..TRIES_MAX {
        if least.1 <= HELD_BYTES_MAX || !photo.starts_with(&[0xFF, 0xD8]) {
            break;
        }
        let next = measured(|| look_at(photo));
        if next.1 < least.1 {
            least = next;
        }
    }
    least
}

/// Does everything done with a photo's pixels. Returns what failed.
fn look_at(photo: &[u8]) -> String {
    if let Err(PhotoFailure::Unreadable(reason) | PhotoFailure::Unfetchable(reason)) =
        check_photo(photo)
    {
        return reason;
    }
    if !photo.starts_with(b"RIFF") {
        let is_read = SmallPicture::read(photo).is_ok();
        return if is_read { "" } else { "it is not judged" }.into();
    }
    match jpeg_of_webp(photo) {
        Ok(jpeg) if SmallPicture::read(&jpeg).is_ok() => String::new(),
        Ok(_) => "its JPEG is not judged".into(),
        Err(error) => error.reason().into(),
    }
}

/// Returns reproducible pseudo-random bytes.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_u32;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    (0..count).map(next).collect()
}
