//! Who can be asked.

use std::fmt;

use serde::Serialize;

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxProvider {
    /// The image search.
    Google,
    /// The image hosts.
    Image,
    /// The recogniser.
    Rekognition,
    /// The planner.
    Gemini,
}

impl SandboxProvider {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Google, Self::Image, Self::Rekognition, Self::Gemini];

    /// The name in options, fault files and the list of calls.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Image => "image",
            Self::Rekognition => "rekognition",
            Self::Gemini => "gemini",
        }
    }

    /// The provider of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.name() == name)
    }
}

impl fmt::Display for SandboxProvider {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
