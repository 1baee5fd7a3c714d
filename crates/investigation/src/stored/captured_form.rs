//! The stored form of a picture of a page. Its bytes are kept beside the run.

use serde::{Deserialize, Serialize};

use domain::Sha256Digest;
use engine::whole_number;
use kernel::Millis;

use crate::machine::Captured;

use super::answer_limits::{UnreadableForm, all_short};

/// The stored form of a [`Captured`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedForm {
    sha256: String,
    media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<(u32, u32)>,
    #[serde(deserialize_with = "whole_number")]
    at: u64,
}

impl CapturedForm {
    pub(super) fn of(captured: &Captured) -> Self {
        Self {
            sha256: captured.digest.to_string(),
            media_type: captured.media_type.clone(),
            size: captured.size,
            at: captured.at.0,
        }
    }

    pub(super) fn read(self) -> Result<Captured, UnreadableForm> {
        all_short([&self.media_type], "a picture's type")?;
        let digest = Sha256Digest::parse(&self.sha256);
        Ok(Captured {
            digest: digest.ok_or(UnreadableForm("a picture's digest"))?,
            media_type: self.media_type,
            size: self.size,
            at: Millis(self.at),
        })
    }
}
