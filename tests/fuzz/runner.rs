//! Runs a target: generates inputs, and watches for panics and memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use fastrand::Rng;

use super::bulk::bulky;
use super::coverage::Coverage;
use super::memory::measured;
use super::mutation::mutated;

/// The inputs per check of coverage, which takes as long as some inputs.
const BATCH: usize = 256;
/// The inputs per input of the largest size, which takes as long as a thousand others.
const BULKY_EVERY: u64 = 50_000;
/// The most inputs kept because they reached something new.
const CORPUS_MAX: usize = 20_000;

/// A parser of external bytes.
pub struct Target {
    pub name: &'static str,
    /// The largest input in bytes, as bounded by the program. It may use twice as much memory.
    pub bound_bytes: usize,
    /// The largest inputs tried; below the bound if each takes too long.
    pub bulky_bytes: usize,
    pub seeds: Vec<Vec<u8>>,
    pub dictionary: &'static [&'static str],
    /// The parser. The input's own memory is not counted, since its caller has it already.
    pub read: Box<dyn Fn(Vec<u8>)>,
}

/// How much to run.
#[derive(Clone, Copy)]
pub struct Amount {
    pub seed: u64,
    pub inputs: u64,
    pub bulky: u64,
}

/// The result of a run.
pub struct Outcome {
    pub inputs: u64,
    pub inputs_per_second: f64,
    pub peak_bytes: usize,
    pub edges: Option<usize>,
}

/// An input at which a target fails.
pub struct Fault {
    pub what: String,
    pub input: Vec<u8>,
}

impl Fault {
    /// Saves the input for `--input`.
    pub fn keep(&self, target: &str) -> PathBuf {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{target}.input"));
        std::fs::write(&path, &self.input).expect("the input can be kept");
        path
    }
}

impl Target {
    /// Runs this many inputs, those of the corpus first. Reproducible, except for what is learned from coverage.
    pub fn run(&self, amount: Amount) -> Result<Outcome, Fault> {
        // A separate program, which prints its speed.
        #[allow(clippy::disallowed_methods)]
        let began = Instant::now();
        let name = self.name.bytes().fold(amount.seed, |mixed, byte| {
            mixed.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte)
        });
        let mut run = Run {
            target: self,
            random: Rng::with_seed(name),
            corpus: self.seeds.clone(),
            coverage: Coverage::new(),
            peak_bytes: 0,
        };
        let mut done = 0;
        for seed in &self.seeds {
            run.one(seed)?;
            done += 1;
        }
        for _ in 0..amount.bulky {
            run.bulky()?;
            done += 1;
        }
        let mut until_bulky = BULKY_EVERY;
        while done < amount.inputs {
            let count = BATCH.min(usize::try_from(amount.inputs - done).unwrap_or(BATCH));
            run.batch(count)?;
            done += count as u64;
            until_bulky = until_bulky.saturating_sub(count as u64);
            if until_bulky == 0 {
                run.bulky()?;
                until_bulky = BULKY_EVERY;
            }
        }
        Ok(Outcome {
            inputs: done,
            inputs_per_second: done as f64 / began.elapsed().as_secs_f64(),
            peak_bytes: run.peak_bytes,
            edges: run.coverage.as_ref().map(Coverage::edges),
        })
    }

    /// Runs one input; returns the most memory it took.
    pub fn check(&self, input: &[u8]) -> Result<usize, Fault> {
        let fault = |what: String| Fault {
            what,
            input: input.to_vec(),
        };
        let given = input.to_vec();
        let reading = || catch_unwind(AssertUnwindSafe(|| (self.read)(given)));
        let (read, peak_bytes) = measured(reading);
        if let Err(panic) = read {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.into()));
            return Err(fault(format!("a panic: {}", words.unwrap_or_default())));
        }
        if peak_bytes > self.bound_bytes * 2 {
            let bound = self.bound_bytes;
            return Err(fault(format!(
                "{peak_bytes} bytes of memory, bound {bound}"
            )));
        }
        Ok(peak_bytes)
    }
}

struct Run<'target> {
    target: &'target Target,
    random: Rng,
    corpus: Vec<Vec<u8>>,
    coverage: Option<Coverage>,
    peak_bytes: usize,
}

impl Run<'_> {
    fn one(&mut self, input: &[u8]) -> Result<(), Fault> {
        self.peak_bytes = self.peak_bytes.max(self.target.check(input)?);
        Ok(())
    }

    fn bulky(&mut self) -> Result<(), Fault> {
        // The largest size, or one of its halves down to a 64th.
        let bytes = self.target.bulky_bytes >> self.random.u8(..7);
        let input = bulky(&self.corpus, bytes, &mut self.random);
        self.one(&input)
    }

    /// Runs a batch of inputs; those that reach something new join the corpus.
    fn batch(&mut self, count: usize) -> Result<(), Fault> {
        let dictionary = self.target.dictionary;
        let inputs: Vec<_> = (0..count)
            .map(|_| mutated(&self.corpus, dictionary, &mut self.random))
            .collect();
        if self.coverage.is_some() {
            Coverage::clear();
        }
        for input in &inputs {
            self.one(input)?;
        }
        let Some(coverage) = &mut self.coverage else {
            return Ok(());
        };
        if coverage.learn_batch() && self.corpus.len() < CORPUS_MAX {
            // Finds out which of them it was.
            for input in inputs {
                Coverage::clear();
                let _ = self.target.check(&input);
                if coverage.learn_one() {
                    self.corpus.push(input);
                }
            }
        }
        Ok(())
    }
}
