//! The photos that a run has fetched, by which their bytes can be had again.

use std::collections::BTreeMap;

use domain::{PhotoCopy, Sha256Digest};
use kernel::CommandId;

use crate::machine::{Action, Fetched, Outcome};

/// The source of a fetched photo, by which its bytes can be had again.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoSource {
    url: String,
    fetched: Fetched,
}

impl PhotoSource {
    /// Returns the address that gave the photo.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the SHA-256 of the bytes that came.
    #[must_use]
    pub fn digest(&self) -> &Sha256Digest {
        &self.fetched.digest
    }
}

/// The photos that a run has fetched, by the commands that fetched them.
#[derive(Debug, Clone, Default)]
pub struct PhotoSources {
    by_command: BTreeMap<CommandId, PhotoSource>,
}

impl PhotoSources {
    /// Returns the photo that a command fetched.
    pub(crate) fn photo(&self, fetched_by: CommandId) -> Option<&PhotoSource> {
        self.by_command.get(&fetched_by)
    }

    /// Notes that an action was answered. Only a photo is remembered.
    pub(super) fn note(&mut self, command: CommandId, action: Action, outcome: &Outcome) {
        if let (
            Action::Fetch {
                image_url,
                original_url,
                thumbnail_url,
                ..
            },
            Outcome::Fetched(Ok(fetched)),
        ) = (action, outcome)
        {
            let other = match fetched.copy {
                PhotoCopy::Image => None,
                PhotoCopy::Original => original_url,
                PhotoCopy::Thumbnail => thumbnail_url,
            };
            let source = PhotoSource {
                url: other.unwrap_or(image_url),
                fetched: fetched.clone(),
            };
            self.by_command.insert(command, source);
        }
    }
}
