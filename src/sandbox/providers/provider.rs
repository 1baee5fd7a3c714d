//! The providers by name.

use std::fmt;

use serde::Serialize;

/// A provider that the sandbox stands in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxProvider {
    /// Google's Custom Search, for images.
    Google,
    /// The hosts of photos and thumbnails.
    Image,
    /// Amazon Rekognition, for the people in a photo.
    Rekognition,
    /// Gemini, for whom to try next.
    Gemini,
    /// Cloudflare's Workers AI, for whom to try next.
    #[serde(rename = "workers-ai")]
    WorkersAi,
    /// OpenAI's chat completions, for whom to try next.
    OpenAi,
}

impl SandboxProvider {
    /// All, in the order in which messages list them.
    pub const ALL: [Self; 6] = [
        Self::Google,
        Self::Image,
        Self::Rekognition,
        Self::Gemini,
        Self::WorkersAi,
        Self::OpenAi,
    ];

    /// The name in options, fault files and the list of calls.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Image => "image",
            Self::Rekognition => "rekognition",
            Self::Gemini => "gemini",
            Self::WorkersAi => "workers-ai",
            Self::OpenAi => "openai",
        }
    }

    /// The provider of that [`name`](Self::name).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_calls_has_the_same_names_as_the_fault_file() {
        for provider in SandboxProvider::ALL {
            let written = serde_json::to_value(provider).unwrap();
            assert_eq!(written, provider.name());
            assert_eq!(SandboxProvider::named(provider.name()), Some(provider));
        }
    }
}
