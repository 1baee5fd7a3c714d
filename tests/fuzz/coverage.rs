//! Which edges of the program an input reaches, where it was built to count them (LLVM's
//! `SanitizerCoverage`, inline 8-bit counters); otherwise nothing.
#![allow(unsafe_code)]

use std::sync::Mutex;

/// Counters that are skipped together where none counted.
const BLOCK: usize = 256;
const ZEROS: [u8; BLOCK] = [0; BLOCK];

/// The counters of each part of the program.
static COUNTERS: Mutex<Vec<&'static mut [u8]>> = Mutex::new(Vec::new());

/// Called by the program's start for each of its parts that counts.
///
/// # Safety
/// The compiler's own code calls it, with the two ends of an array that nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, end: *mut u8) {
    let length = (end as usize).saturating_sub(start as usize);
    if length == 0 {
        return;
    }
    // SAFETY: see above. The counting code writes single bytes while nobody reads here.
    let counters = unsafe { std::slice::from_raw_parts_mut(start, length) };
    if let Ok(mut parts) = COUNTERS.lock() {
        let is_known = parts.iter().any(|part| part.as_ptr() == counters.as_ptr());
        if !is_known {
            parts.push(counters);
        }
    }
}

/// What was reached so far: for each edge which powers of two of its count.
pub struct Coverage {
    seen: Vec<Vec<u8>>,
    edges: usize,
}

impl Coverage {
    /// Nothing reached; none where the program does not count.
    pub fn new() -> Option<Self> {
        let parts = COUNTERS.lock().ok()?;
        let seen: Vec<_> = parts.iter().map(|part| vec![0; part.len()]).collect();
        drop(parts);
        (!seen.is_empty()).then_some(Self { seen, edges: 0 })
    }

    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Forgets what was counted since the last look.
    pub fn clear() {
        if let Ok(mut parts) = COUNTERS.lock() {
            for part in parts.iter_mut() {
                part.fill(0);
            }
        }
    }

    /// Whether something was reached since the last [`clear`](Self::clear) that is not known yet.
    pub fn is_new(&self) -> bool {
        let Ok(parts) = COUNTERS.lock() else {
            return false;
        };
        let mut both = parts.iter().zip(&self.seen);
        both.any(|(part, seen)| {
            let mut blocks = part.chunks(BLOCK).zip(seen.chunks(BLOCK));
            blocks.any(|(counts, seen)| {
                *counts != ZEROS[..counts.len()]
                    && counts
                        .iter()
                        .zip(seen)
                        .any(|(count, seen)| power(*count) & !seen != 0)
            })
        })
    }

    /// The same, and it is known from now on.
    pub fn learn(&mut self) -> bool {
        let mut is_new = false;
        let Ok(parts) = COUNTERS.lock() else {
            return false;
        };
        for (part, seen) in parts.iter().zip(&mut self.seen) {
            for (counts, seen) in part.chunks(BLOCK).zip(seen.chunks_mut(BLOCK)) {
                if *counts == ZEROS[..counts.len()] {
                    continue;
                }
                for (count, seen) in counts.iter().zip(seen) {
                    if power(*count) & !*seen != 0 {
                        self.edges += usize::from(*seen == 0);
                        *seen |= power(*count);
                        is_new = true;
                    }
                }
            }
        }
        is_new
    }
}

/// The power of two of a count, as one bit.
fn power(count: u8) -> u8 {
    count.checked_ilog2().map_or(0, |power| 1 << power)
}
