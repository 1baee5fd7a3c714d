//! The stored form of a result.

use serde::{Deserialize, Serialize};

/// The stored form of a `Result`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResultForm<T, F> {
    /// The thing that was asked for.
    Ok(T),
    /// The reason why the thing that was asked for did not come.
    Failed(F),
}

impl<T, F> ResultForm<T, F> {
    /// Returns the stored form of a result.
    pub fn of<A, B>(result: &Result<A, B>, ok: impl Fn(&A) -> T, failed: impl Fn(&B) -> F) -> Self {
        match result {
            Ok(value) => Self::Ok(ok(value)),
            Err(error) => Self::Failed(failed(error)),
        }
    }

    /// Returns whether the thing that was asked for came.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Ok(_))
    }

    /// Reads the result back. Fails where one of its parts cannot be read.
    pub fn read<A, B, E>(
        self,
        ok: impl Fn(T) -> Result<A, E>,
        failed: impl Fn(F) -> Result<B, E>,
    ) -> Result<Result<A, B>, E> {
        Ok(match self {
            Self::Ok(value) => Ok(ok(value)?),
            Self::Failed(error) => Err(failed(error)?),
        })
    }
}
