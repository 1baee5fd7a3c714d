//! The effect of a memory that runs share.

use std::fmt;

use serde::Serialize;

use sandbox::ConnectedPair;

use super::pair_run::{PairEnding, PairResult};

/// The most pairs in the first part of a pass, and in its last part.
const LAST_PAIRS: usize = 100;

/// The effect of a memory that the runs of a benchmark share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryFigures {
    /// The number of photos in the memory at the end.
    pub photos: usize,
    /// The first hundred pairs of the first pass.
    pub first_pairs: PartFigures,
    /// The last hundred pairs of the first pass.
    pub last_pairs: PartFigures,
    /// The last pass compared with the first; `None` if there was only one pass.
    pub again: Option<AgainFigures>,
}

/// The figures of some pairs of a pass.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartFigures {
    /// The percentage of pairs with a chain.
    pub solved_percent: f64,
    /// The searches and recognitions per pair, which cost money.
    pub paid_mean: f64,
}

/// How the pairs solved in the first pass fared in the last pass.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgainFigures {
    /// The number of pairs solved in the first pass.
    pub pairs: usize,
    /// The number of pairs without a chain in the last pass.
    pub lost: usize,
    /// The number of pairs whose chain is longer in the last pass.
    pub longer: usize,
    /// The number of pairs that cost anything in the last pass.
    pub paid: usize,
    /// The duration of the longest run of the last pass, in virtual milliseconds.
    pub virtual_ms_max: u64,
}

impl MemoryFigures {
    /// Summarises the first pass, and the last one if there were several passes.
    pub(super) fn of(
        photos: usize,
        first: &[(ConnectedPair, PairResult)],
        last: Option<&[(ConnectedPair, PairResult)]>,
    ) -> Self {
        let part = first.len().min(LAST_PAIRS);
        Self {
            photos,
            first_pairs: PartFigures::of(first.iter().take(part)),
            last_pairs: PartFigures::of(first.iter().skip(first.len() - part)),
            again: last.map(|last| AgainFigures::of(first, last)),
        }
    }
}

impl PartFigures {
    fn of<'run>(results: impl Iterator<Item = &'run (ConnectedPair, PairResult)>) -> Self {
        let (mut pairs, mut solved, mut paid) = (0.0, 0.0, 0.0);
        for (_, result) in results {
            pairs += 1.0;
            solved += f64::from(u8::from(hops(result).is_some()));
            paid += f64::from(paid_calls(result));
        }
        Self {
            solved_percent: 100.0 * solved / f64::max(pairs, 1.0),
            paid_mean: paid / f64::max(pairs, 1.0),
        }
    }
}

impl AgainFigures {
    fn of(first: &[(ConnectedPair, PairResult)], last: &[(ConnectedPair, PairResult)]) -> Self {
        let mut figures = Self {
            pairs: 0,
            lost: 0,
            longer: 0,
            paid: 0,
            virtual_ms_max: 0,
        };
        for ((_, before), (_, after)) in first.iter().zip(last) {
            let Some(known) = hops(before) else {
                continue;
            };
            figures.pairs += 1;
            figures.lost += usize::from(hops(after).is_none());
            figures.longer += usize::from(hops(after).is_some_and(|hops| hops > known));
            figures.paid += usize::from(paid_calls(after) > 0);
            figures.virtual_ms_max = figures.virtual_ms_max.max(after.virtual_ms);
        }
        figures
    }
}

fn hops(result: &PairResult) -> Option<usize> {
    match result.ending {
        PairEnding::Chain(hops) => Some(hops),
        PairEnding::None(_) => None,
    }
}

fn paid_calls(result: &PairResult) -> u32 {
    result.searches + result.recognitions
}

impl fmt::Display for MemoryFigures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |part: &PartFigures| {
            format!(
                "{:.1} % solved, {:.2} paid calls a pair",
                part.solved_percent, part.paid_mean
            )
        };
        writeln!(
            out,
            "  memory          {} photos; the first pairs {}; the last {}",
            self.photos,
            part(&self.first_pairs),
            part(&self.last_pairs)
        )?;
        if let Some(again) = &self.again {
            writeln!(
                out,
                "  again           {} pairs had a chain: {} have none, {} a longer one, {} paid; at most {} ms",
                again.pairs, again.lost, again.longer, again.paid, again.virtual_ms_max
            )?;
        }
        Ok(())
    }
}
