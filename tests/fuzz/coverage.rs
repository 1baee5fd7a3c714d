//! The program's edges reached by an input, if it was built to count them (LLVM's `SanitizerCoverage`, inline 8-bit
//! counters); otherwise nothing.
#![allow(unsafe_code)]

use std::sync::Mutex;

/// The sizes of blocks that are skipped if all of their counters are zero. Most counters are zero, and checking each
/// one would take longer than parsing an input.
const BLOCKS: [usize; 2] = [256, 16];
const ZEROS: [u8; BLOCKS[0]] = [0; BLOCKS[0]];

/// The counters of each part of the program.
static COUNTERS: Mutex<Vec<&'static mut [u8]>> = Mutex::new(Vec::new());

/// Called at the program's start for each of its parts with counters.
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

/// For each edge, the powers of two of its count seen so far.
type Seen = Vec<Vec<u8>>;

/// The edges reached so far.
pub struct Coverage {
    /// By single inputs.
    by_one: Seen,
    /// By whole batches, whose counts are larger.
    by_batch: Seen,
}

impl Coverage {
    /// Returns an empty coverage; `None` if the program has no counters.
    pub fn new() -> Option<Self> {
        let parts = COUNTERS.lock().ok()?;
        let none: Seen = parts.iter().map(|part| vec![0; part.len()]).collect();
        drop(parts);
        (!none.is_empty()).then(|| Self {
            by_one: none.clone(),
            by_batch: none,
        })
    }

    /// Returns the number of edges reached by single inputs.
    pub fn edges(&self) -> usize {
        let edges = self.by_one.iter().flatten();
        edges.filter(|seen| **seen != 0).count()
    }

    /// Resets the counters.
    pub fn clear() {
        if let Ok(mut parts) = COUNTERS.lock() {
            for part in parts.iter_mut() {
                part.fill(0);
            }
        }
    }

    /// Returns whether one input reached something new since the last [`clear`](Self::clear), and records it.
    pub fn learn_one(&mut self) -> bool {
        learn(&mut self.by_one)
    }

    /// Returns whether a batch reached something new, and records it.
    pub fn learn_batch(&mut self) -> bool {
        learn(&mut self.by_batch)
    }
}

fn learn(seen: &mut Seen) -> bool {
    let mut is_new = false;
    let Ok(parts) = COUNTERS.lock() else {
        return false;
    };
    for (part, seen) in parts.iter().zip(seen) {
        for (from, counts) in counted(part) {
            for (count, seen) in counts.iter().zip(&mut seen[from..]) {
                is_new |= power(*count) & !*seen != 0;
                *seen |= power(*count);
            }
        }
    }
    is_new
}

/// Returns the small blocks of a part with non-zero counters, with their positions.
fn counted(part: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let blocks_of = |counters, size| {
        let blocks = <[u8]>::chunks(counters, size).enumerate();
        let blocks = blocks.filter(|(_, block)| **block != ZEROS[..block.len()]);
        blocks.map(move |(number, block)| (number * size, block))
    };
    blocks_of(part, BLOCKS[0]).flat_map(move |(from, block)| {
        let blocks = blocks_of(block, BLOCKS[1]);
        blocks.map(move |(inner, block)| (from + inner, block))
    })
}

/// Returns a count's power of two, as one bit.
fn power(count: u8) -> u8 {
    count.checked_ilog2().map_or(0, |power| 1 << power)
}
