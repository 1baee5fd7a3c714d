//! The worlds that a benchmark measures, and its settings.

use std::fs;
use std::path::{Path, PathBuf};

use domain::{Limits, MemoryUse, Pace, Plan, SearchSource, WordUse};
use sandbox::{GroupShape, ListRules, Rules, World, own_world};

use crate::rehearsal::simulation::PlannerRule;

/// The folder in which `--all` looks for more worlds, relative to the working directory.
pub const SHARED_WORLDS: &str = "../shared/worlds";
/// The seed of generated worlds. It is independent of the seed of the pairs, so that the worlds stay the same.
const DRAWN_SEED: u64 = 1;
/// The most edges in a chain, according to the specification.
const HOPS: u32 = 6;
/// The lowest confidence in percent at which a match counts, according to the specification.
const THRESHOLD_PERCENT: u32 = 80;
/// The most planner calls of a run with a planner, according to the specification.
const PLANNER_CALLS_MAX: u32 = 12;

/// The number of hits per request and of pages per list, as with Google.
const KIND_EXTENT: (u32, u32) = (10, 9);
/// The number of hits per request and of pages per list, as with Wikimedia Commons.
const LITERAL_EXTENT: (u32, u32) = (50, 100);
/// The share of the people in a photo whose Wikidata number its page states, from 0 to 1, as in the sandbox's Commons.
const STATEMENTS: f64 = 0.6;

/// A world to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorldChoice {
    /// The built-in world.
    Own,
    /// The generated sparse world.
    Sparse,
    /// The generated world of large casts.
    Casts,
    /// A generated world of groups.
    Groups(GroupShape),
    /// The world in the file at this path.
    File(String),
}

impl WorldChoice {
    /// Returns the built-in world, the sparse one, and every world file of the folder in the order of names. The second
    /// value is a sentence if the folder is missing.
    #[must_use]
    pub fn all(folder: &Path) -> (Vec<Self>, Option<String>) {
        let mut choices = vec![Self::Own, Self::Sparse];
        let Ok(entries) = fs::read_dir(folder) else {
            let skipped = format!(
                "there is no folder {}: its worlds are skipped",
                folder.display()
            );
            return (choices, Some(skipped));
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_json = |path: &PathBuf| path.extension().is_some_and(|end| end == "json");
        let mut files: Vec<PathBuf> = paths.filter(is_json).collect();
        files.sort();
        let files = files.iter().map(|path| path.display().to_string());
        choices.extend(files.map(Self::File));
        (choices, None)
    }

    /// Returns the world's name in the figures: that of its argument, or the file's name without its extension.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Own => "own".to_owned(),
            Self::Sparse => "sparse".to_owned(),
            Self::Casts => "casts".to_owned(),
            Self::Groups(shape) => shape.name().to_owned(),
            Self::File(path) => {
                let stem = Path::new(path).file_stem();
                stem.map_or_else(|| path.clone(), |stem| stem.to_string_lossy().into_owned())
            }
        }
    }

    /// Reads or generates the world. The error is a sentence.
    pub fn load(&self) -> Result<World, String> {
        match self {
            Self::Own => own_world().map_err(|error| error.to_string()),
            Self::Sparse => Ok(World::sparse(DRAWN_SEED)),
            Self::Casts => Ok(World::casts(DRAWN_SEED)),
            Self::Groups(shape) => Ok(World::groups(*shape, DRAWN_SEED)),
            Self::File(path) => sandbox::arguments::read_world(path),
        }
    }
}

/// The search engine of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEngine {
    /// Finds the photos of everybody whom the query names. Different wordings order the photos differently.
    Kind,
    /// Finds a photo only if its page has every word of the query, which is the question in the wording for a wiki. The
    /// order is always the same.
    Literal,
    /// Finds a photo only if its page has every word of the query, which is the question's English text. The order is
    /// always the same.
    Verbatim,
}

/// The settings of a benchmark, which are the same for all of its worlds.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchSettings {
    /// The number of pairs to run. A world may have fewer.
    pub pairs: usize,
    /// The seed with which the pairs are drawn.
    pub seed: u64,
    /// The most searches per run.
    pub searches: u32,
    /// The most searches that a run makes after its first chain; `searches` includes them.
    pub polish: u32,
    /// The most searches for a second photo of the chain's most doubtful edges; `searches` includes them.
    pub confirm: u32,
    /// The most photos examined per search.
    pub photos: u32,
    /// The plan: whether the machine searches from both ends or from one.
    pub plan: Plan,
    /// The pace: whether calls are concurrent or made one by one.
    pub pace: Pace,
    /// The planner; `None` if the machine's ranking decides.
    pub planner: Option<PlannerRule>,
    /// How well the recogniser sees.
    pub rules: Rules,
    /// The fewest photos that each person of a pair must be in.
    pub min_photos: usize,
    /// The search engine.
    pub engine: SearchEngine,
    /// The probability that a page names a person in its photo. `None` stands for the engine's default, which is 0 for
    /// [`SearchEngine::Kind`] and 1 for the others.
    pub captions: Option<f64>,
    /// The probability that a page also names somebody who is not in the photo.
    pub lies: f64,
    /// The shares of hits that are copies of other photos, and of hits that show none of the wanted people.
    pub lists: ListRules,
    /// The share of photos whose files are WebP, from 0 to 1.
    pub webp: f64,
    /// The probability that a page states the Wikidata number of a person in its photo.
    pub statements: f64,
    /// The number of search engines. Each has its own part of the photos.
    pub engines: usize,
    /// The number of hits per request; `None` for the engine's default.
    pub hits: Option<u32>,
    /// Whether the recogniser looks only for those whom it is told.
    pub is_told: bool,
    /// How consecutive runs share a memory.
    pub memory: MemoryUse,
    /// The number of passes, each of which runs all pairs.
    pub passes: u32,
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self {
            pairs: 200,
            seed: 1,
            searches: 20,
            polish: 0,
            confirm: 0,
            photos: 5,
            plan: Plan::BothEnds,
            pace: Pace::Quick,
            planner: None,
            rules: Rules::default(),
            min_photos: 8,
            engine: SearchEngine::Kind,
            captions: None,
            lies: 0.0,
            lists: ListRules::default(),
            webp: 0.0,
            statements: STATEMENTS,
            engines: 1,
            hits: None,
            is_told: false,
            memory: MemoryUse::Off,
            passes: 1,
        }
    }
}

impl BenchSettings {
    /// Returns the planner's name, as in the arguments.
    #[must_use]
    pub fn planner_named(&self) -> &'static str {
        match self.planner {
            None => "none",
            Some(PlannerRule::First) => "first",
            Some(PlannerRule::Perfect) => "perfect",
        }
    }

    /// Returns the engine's name, as in the arguments.
    #[must_use]
    pub fn engine_named(&self) -> &'static str {
        match self.engine {
            SearchEngine::Kind => "kind",
            SearchEngine::Literal => "literal",
            SearchEngine::Verbatim => "verbatim",
        }
    }

    /// Returns the probability that a page names a person in its photo.
    #[must_use]
    pub fn captions(&self) -> f64 {
        self.captions.unwrap_or(match self.engine {
            SearchEngine::Kind => 0.0,
            SearchEngine::Literal | SearchEngine::Verbatim => 1.0,
        })
    }

    /// Returns the image searches of each run. Their ids are numbers from 0.
    #[must_use]
    pub fn sources(&self) -> Vec<SearchSource> {
        let (hits_max, pages_max) = match self.engine {
            SearchEngine::Kind => KIND_EXTENT,
            SearchEngine::Literal | SearchEngine::Verbatim => LITERAL_EXTENT,
        };
        let source = |number: usize| SearchSource {
            id: number.to_string(),
            name: format!("engine {}", number + 1),
            hits_max: self.hits.unwrap_or(hits_max),
            pages_max,
            nano_usd: 0,
        };
        (0..self.engines).map(source).collect()
    }

    /// Returns the limits of each run. The time is not limited, because the duration is a result.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            plan: self.plan,
            pace: self.pace,
            hops: HOPS,
            threshold_percent: THRESHOLD_PERCENT,
            images_per_search: self.photos,
            searches_max: self.searches,
            polish_searches_max: self.polish,
            confirm_searches_max: self.confirm,
            recognitions_max: self.searches.saturating_mul(self.photos),
            planner_calls_max: self.planner.map_or(0, |_| PLANNER_CALLS_MAX),
            words: WordUse::HintsFirst,
            memory: self.memory,
            runtime_ms_max: u64::MAX,
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_shared_folder_the_rest_is_measured() {
        let (choices, skipped) = WorldChoice::all(Path::new("no/such/folder"));
        assert_eq!(choices, [WorldChoice::Own, WorldChoice::Sparse]);
        assert!(skipped.unwrap().contains("no/such/folder"));
    }

    #[test]
    fn a_run_may_recognise_every_photo_that_its_searches_bring() {
        let settings = BenchSettings {
            searches: 8,
            photos: 3,
            ..BenchSettings::default()
        };
        let limits = settings.limits();
        assert_eq!((limits.searches_max, limits.recognitions_max), (8, 24));
        assert_eq!(limits.planner_calls_max, 0);
    }
}
