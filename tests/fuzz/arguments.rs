//! The program's arguments.

use super::runner::Amount;

/// The seed of `cargo test`, for reproducible inputs.
const SEED: u64 = 20_261_122;
const INPUTS: u64 = 2_000;
const BULKY: u64 = 24;
/// With another seed, more large inputs are tried.
const BULKY_OF_MANY: u64 = 400;

pub struct Arguments {
    pub amount: Amount,
    pub input: Option<Vec<u8>>,
    names: Vec<String>,
}

impl Arguments {
    /// Parses `[TARGET]... [--inputs N] [--seed N] [--input FILE]`; `None` if only the test names are requested.
    /// Ignores other arguments of cargo's tests.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut read = Self {
            amount: Amount {
                seed: SEED,
                inputs: INPUTS,
                bulky: BULKY,
            },
            input: None,
            names: Vec::new(),
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let text = arguments.next().unwrap_or_default().replace('_', "");
                text.parse::<u64>()
                    .map_err(|_| format!("{argument} needs a whole number"))
            };
            match argument.as_str() {
                "--inputs" => {
                    read.amount.inputs = number()?;
                    read.amount.bulky = BULKY_OF_MANY;
                }
                "--seed" => read.amount.seed = number()?,
                "--input" => {
                    let path = arguments.next().unwrap_or_default();
                    let bytes = std::fs::read(&path).map_err(|why| format!("{path}: {why}"))?;
                    read.input = Some(bytes);
                }
                "--list" => return Ok(None),
                flag if flag.starts_with("--") => {}
                name => read.names.push(name.to_owned()),
            }
        }
        Ok(Some(read))
    }

    /// Returns whether a target is selected.
    pub fn chooses(&self, target: &str) -> bool {
        let path = format!("fuzz::{target}");
        self.names.is_empty() || self.names.iter().any(|name| path.contains(name.as_str()))
    }
}
