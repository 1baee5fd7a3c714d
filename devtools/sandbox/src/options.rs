//! The options of a sandbox.

use super::fault_plan::FaultPlan;
use super::providers::{ModelHabit, SandboxCredentials, SandboxProvider};
use super::world::{ListRules, Rules};

/// The options of a sandbox, apart from its world.
#[derive(Clone, Debug, PartialEq)]
pub struct SandboxOptions {
    /// The scheme, host and port of all links, without a trailing slash.
    pub origin: String,
    /// The rules for what the recogniser sees.
    pub rules: Rules,
    /// The search engine of Google, Brave, Serper and `SerpApi`. Commons and Openverse always match literally, like the
    /// real ones.
    pub engine: SearchEngine,
    /// The probability that a page names a person in its photo.
    pub captions: f64,
    /// The probability that a page also names one person who is not in its photo, but in another photo with somebody
    /// who is.
    pub lies: f64,
    /// The share of hits that are copies of other photos, and the share of hits that show none of the wanted people.
    pub lists: ListRules,
    /// The share of photos whose files are WebP, from 0 to 1.
    pub webp: f64,
    /// The share of pages whose titles contain a prompt injection, from 0 to 1.
    pub injected: f64,
    /// The delay before each provider responds.
    pub latency: Latency,
    /// The plan of deliberate failures, which is empty by default.
    pub faults: FaultPlan,
    /// The keys that callers must send.
    pub credentials: SandboxCredentials,
    /// Whether about one photo in twelve has a bad file (dead, mislabelled, cut or slow), and whether titles vary like
    /// those of real pages.
    pub bad_images: bool,
    /// The factor by which a photo's file is larger than its drawing, in width and height. PNGs always have the
    /// drawing's size.
    pub magnification: u16,
    /// The recogniser's limit of requests per second; `None` for no limit.
    pub recognitions_per_second_max: Option<u32>,
    /// The bad habit of all models when they answer an automaton; `None` for good answers.
    pub model_habit: Option<ModelHabit>,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            origin: "http://127.0.0.1:8788".to_owned(),
            rules: Rules::default(),
            engine: SearchEngine::Kind,
            captions: 1.0,
            lies: 0.0,
            lists: ListRules::default(),
            webp: 0.0,
            injected: 0.0,
            latency: Latency::default(),
            faults: FaultPlan::default(),
            credentials: SandboxCredentials::default(),
            bad_images: true,
            magnification: 1,
            recognitions_per_second_max: None,
            model_habit: None,
        }
    }
}

impl SandboxOptions {
    /// Returns whether two sets of options lead to the same pages and file names for a world.
    pub(crate) fn writes_pages_as(&self, other: &Self) -> bool {
        let shares = |options: &Self| {
            [
                options.captions,
                options.lies,
                options.webp,
                options.injected,
            ]
            .map(f64::to_bits)
        };
        self.bad_images == other.bad_images && shares(self) == shares(other)
    }
}

/// A search engine for photos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEngine {
    /// Finds the photos of everybody whom the query names. Different wordings order the photos differently.
    Kind,
    /// Finds a photo only if its page has every word of the query. The order of photos is always the same.
    Literal,
}

/// For each provider, the delay before the first byte of a response, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// The latency of the image search.
    pub google_ms: u64,
    /// The latency of the image hosts.
    pub image_ms: u64,
    /// The latency of the recogniser.
    pub rekognition_ms: u64,
    /// The latency of Gemini.
    pub gemini_ms: u64,
    /// The latency of Workers AI.
    pub workers_ai_ms: u64,
    /// The latency of the chat completions.
    pub openai_ms: u64,
    /// The latency of Commons' search.
    pub commons_ms: u64,
    /// The latency of Brave's search.
    pub brave_ms: u64,
    /// The latency of Openverse's search.
    pub openverse_ms: u64,
    /// The latency of SerpApi's search.
    pub serpapi_ms: u64,
    /// The latency of Serper's search.
    pub serper_ms: u64,
    /// The latency of Wikidata's search for people.
    pub wikidata_ms: u64,
    /// The latency of the recogniser by portraits.
    pub references_ms: u64,
}

impl Latency {
    /// A latency of 0 for every provider.
    pub const NONE: Self = Self {
        google_ms: 0,
        image_ms: 0,
        rekognition_ms: 0,
        gemini_ms: 0,
        workers_ai_ms: 0,
        openai_ms: 0,
        commons_ms: 0,
        brave_ms: 0,
        openverse_ms: 0,
        serpapi_ms: 0,
        serper_ms: 0,
        wikidata_ms: 0,
        references_ms: 0,
    };

    /// Returns the latency of one provider, in milliseconds.
    #[must_use]
    pub fn of(self, provider: SandboxProvider) -> u64 {
        match provider {
            SandboxProvider::Google => self.google_ms,
            SandboxProvider::Image => self.image_ms,
            SandboxProvider::Rekognition => self.rekognition_ms,
            SandboxProvider::Gemini => self.gemini_ms,
            SandboxProvider::WorkersAi => self.workers_ai_ms,
            SandboxProvider::OpenAi => self.openai_ms,
            SandboxProvider::Commons => self.commons_ms,
            SandboxProvider::Brave => self.brave_ms,
            SandboxProvider::Openverse => self.openverse_ms,
            SandboxProvider::SerpApi => self.serpapi_ms,
            SandboxProvider::Serper => self.serper_ms,
            SandboxProvider::Wikidata => self.wikidata_ms,
            SandboxProvider::References => self.references_ms,
        }
    }
}
