//! The providers that the sandbox simulates, by name.

use std::fmt;

use serde::Serialize;

/// A provider that the sandbox simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxProvider {
    /// Google's Custom Search, for images.
    Google,
    /// The hosts of photos and thumbnails.
    Image,
    /// Amazon Rekognition, which recognises the people in a photo.
    Rekognition,
    /// Gemini, a planner, which chooses whom to try next.
    Gemini,
    /// Cloudflare's Workers AI, a planner, which chooses whom to try next.
    #[serde(rename = "workers-ai")]
    WorkersAi,
    /// OpenAI's chat completions, a planner, which chooses whom to try next.
    OpenAi,
    /// Wikimedia Commons' file search.
    Commons,
    /// Brave's image search.
    Brave,
    /// Openverse's image search.
    Openverse,
    /// SerpApi's image search.
    SerpApi,
    /// Serper's image search.
    Serper,
    /// Wikidata, which is searched for people by name.
    Wikidata,
    /// The recogniser by portraits, which recognises the candidates that it is told.
    References,
}

impl SandboxProvider {
    /// All providers, in the order in which messages list them.
    pub const ALL: [Self; 13] = [
        Self::Google,
        Self::Image,
        Self::Rekognition,
        Self::Gemini,
        Self::WorkersAi,
        Self::OpenAi,
        Self::Commons,
        Self::Brave,
        Self::Openverse,
        Self::SerpApi,
        Self::Serper,
        Self::Wikidata,
        Self::References,
    ];

    /// Returns the provider's name in options, fault files and the call log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Image => "image",
            Self::Rekognition => "rekognition",
            Self::Gemini => "gemini",
            Self::WorkersAi => "workers-ai",
            Self::OpenAi => "openai",
            Self::Commons => "commons",
            Self::Brave => "brave",
            Self::Openverse => "openverse",
            Self::SerpApi => "serpapi",
            Self::Serper => "serper",
            Self::Wikidata => "wikidata",
            Self::References => "references",
        }
    }

    /// Returns whether the real provider charges for its answers.
    #[must_use]
    pub fn charges(self) -> bool {
        !matches!(
            self,
            Self::Image | Self::Commons | Self::Openverse | Self::Wikidata | Self::References
        )
    }

    /// Returns the provider whose search for images or people has this path, or `None` if there is none.
    #[must_use]
    pub fn searching_at(path: &str) -> Option<Self> {
        match path {
            "/customsearch/v1" => Some(Self::Google),
            "/commons/w/api.php" => Some(Self::Commons),
            "/brave/res/v1/images/search" => Some(Self::Brave),
            "/openverse/v1/images/" => Some(Self::Openverse),
            "/serpapi/search" | "/serpapi/search.json" => Some(Self::SerpApi),
            "/serper/images" => Some(Self::Serper),
            "/wikidata/w/api.php" => Some(Self::Wikidata),
            _ => None,
        }
    }

    /// Returns the provider with this [`name`](Self::name).
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
