//! A value that serde wants, read behind the trait of `given`.

use serde::de::DeserializeSeed;
use serde_json::Error;

use super::given::{Reader, Seed, gone};

/// Reads one value with a seed of serde's.
pub(super) struct Planted<'de, S: DeserializeSeed<'de>> {
    seed: Option<S>,
    grown: Option<S::Value>,
}

impl<'de, S: DeserializeSeed<'de>> Planted<'de, S> {
    pub(super) fn new(seed: S) -> Self {
        Self {
            seed: Some(seed),
            grown: None,
        }
    }

    pub(super) fn grown(self) -> Result<S::Value, Error> {
        self.grown.ok_or_else(gone)
    }
}

impl<'de, S: DeserializeSeed<'de>> Seed<'de> for Planted<'de, S> {
    fn grow(&mut self, reader: Reader<'_, 'de>) -> Result<(), Error> {
        let seed = self.seed.take().ok_or_else(gone)?;
        self.grown = Some(seed.deserialize(reader)?);
        Ok(())
    }
}
