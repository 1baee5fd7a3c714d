//! The stored forms of how an investigation ended that a state began.

use serde::{Deserialize, Serialize};

use crate::machine::{ChainEnd, ChainFailure};

/// The stored form of a [`ChainEnd`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEndForm {
    run: String,
    message: String,
}

/// The stored form of a [`ChainFailure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainFailureForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    message: String,
}

impl ChainEndForm {
    pub(super) fn of(end: &ChainEnd) -> Self {
        Self {
            run: end.run.clone(),
            message: end.message.clone(),
        }
    }

    pub(super) fn read(self) -> ChainEnd {
        ChainEnd {
            run: self.run,
            message: self.message,
        }
    }
}

impl ChainFailureForm {
    pub(super) fn of(failure: &ChainFailure) -> Self {
        Self {
            run: failure.run.clone(),
            message: failure.message.clone(),
        }
    }

    pub(super) fn read(self) -> ChainFailure {
        ChainFailure {
            run: self.run,
            message: self.message,
        }
    }
}
