//! The worlds that are measured, and the settings under which they are.

use std::fs;
use std::path::{Path, PathBuf};

use domain::{Limits, MemoryUse, Pace, Plan, SearchSource};
use sandbox::{ListRules, Rules, World, own_world};

use crate::rehearsal::simulation::PlannerRule;

/// The folder in which `--all` looks for more worlds, seen from the folder in which the program is
/// started.
pub const SHARED_WORLDS: &str = "../shared/worlds";
/// The seed of drawn worlds, so that each is the same world, whichever pairs are drawn from it.
const DRAWN_SEED: u64 = 1;
/// The specification's limit of edges in a chain.
const HOPS: u32 = 6;
/// The specification's threshold of a match.
const THRESHOLD_PERCENT: u32 = 80;
/// The specification's budget, where there is a planner.
const PLANNER_CALLS_MAX: u32 = 12;

/// The hits of a request and the pages of a list, as Google gives them.
const KIND_EXTENT: (u32, u32) = (10, 9);
/// The hits of a request and the pages of a list, as Wikimedia Commons gives them.
const LITERAL_EXTENT: (u32, u32) = (50, 100);
/// The share of the people in a photo whom its page states, as in the sandbox's Commons.
const STATEMENTS: f64 = 0.6;

/// A world to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorldChoice {
    /// The project's own world.
    Own,
    /// The generated world of strangers' parties.
    Sparse,
    /// The generated world of large casts.
    Casts,
    /// The world of a file at this path.
    File(String),
}

impl WorldChoice {
    /// Returns the own world, the sparse one and every world file of the folder, by name; the
    /// second value says what is left out.
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

    /// Returns the world's name in the figures: `own`, `sparse`, `casts`, or the file's name
    /// without its ending.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Own => "own".to_owned(),
            Self::Sparse => "sparse".to_owned(),
            Self::Casts => "casts".to_owned(),
            Self::File(path) => {
                let stem = Path::new(path).file_stem();
                stem.map_or_else(|| path.clone(), |stem| stem.to_string_lossy().into_owned())
            }
        }
    }

    /// Reads or draws the world. The error is a sentence.
    pub fn load(&self) -> Result<World, String> {
        match self {
            Self::Own => own_world().map_err(|error| error.to_string()),
            Self::Sparse => Ok(World::sparse(DRAWN_SEED)),
            Self::Casts => Ok(World::casts(DRAWN_SEED)),
            Self::File(path) => sandbox::arguments::read_world(path),
        }
    }
}

/// The search engine of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEngine {
    /// Every wording of a question brings photos of whom it names, each in an order of its own.
    Kind,
    /// A photo is found where the words of its page hold every word of the question as a wiki is
    /// asked it, and the order is always the same.
    Literal,
    /// A photo is found where the words of its page hold every word of the question's English text,
    /// and the order is always the same.
    Verbatim,
}

/// The settings that are the same for all worlds of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchSettings {
    /// The number of pairs, as far as the world has them.
    pub pairs: usize,
    /// The seed that the pairs are drawn by.
    pub seed: u64,
    /// The number of searches that a run may make.
    pub searches: u32,
    /// The number of these searches that a run may make after its first chain.
    pub polish: u32,
    /// The searches for a second photo of the chain's most doubtful links, which count among `searches`.
    pub confirm: u32,
    /// The number of photos that a run may look at per search.
    pub photos: u32,
    /// The plan: from both ends or from one.
    pub plan: Plan,
    /// The pace: calls at the same time or one by one.
    pub pace: Pace,
    /// The planner; without one, the ranking decides alone.
    pub planner: Option<PlannerRule>,
    /// The rules for what the recogniser sees.
    pub rules: Rules,
    /// The number of photos in which both people of a pair are at least.
    pub min_photos: usize,
    /// The search engine.
    pub engine: SearchEngine,
    /// The probability that a photo's page names somebody who is shown; `None` for what is usual of
    /// the engine: nobody with a kind one, everybody with a literal one.
    pub captions: Option<f64>,
    /// The probability that a photo's page names somebody who is not shown.
    pub lies: f64,
    /// The shares of hits that are copies of others, and that show only others.
    pub lists: ListRules,
    /// The share of photos whose files are WebP.
    pub webp: f64,
    /// The probability that a photo's page states somebody who is shown.
    pub statements: f64,
    /// The number of search engines, each with its own part of the photos.
    pub engines: usize,
    /// The number of hits that one request gives; `None` for as many as is usual of the engine.
    pub hits: Option<u32>,
    /// What the runs, one after the other, have of a memory that they share.
    pub memory: MemoryUse,
    /// How often all pairs are run, one after the other.
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
            memory: MemoryUse::Off,
            passes: 1,
        }
    }
}

impl BenchSettings {
    /// Returns the planner by the name that its argument has.
    #[must_use]
    pub fn planner_named(&self) -> &'static str {
        match self.planner {
            None => "none",
            Some(PlannerRule::First) => "first",
            Some(PlannerRule::Perfect) => "perfect",
        }
    }

    /// Returns the engine by the name that its argument has.
    #[must_use]
    pub fn engine_named(&self) -> &'static str {
        match self.engine {
            SearchEngine::Kind => "kind",
            SearchEngine::Literal => "literal",
            SearchEngine::Verbatim => "verbatim",
        }
    }

    /// Returns the probability that a photo's page names somebody who is shown.
    #[must_use]
    pub fn captions(&self) -> f64 {
        self.captions.unwrap_or(match self.engine {
            SearchEngine::Kind => 0.0,
            SearchEngine::Literal | SearchEngine::Verbatim => 1.0,
        })
    }

    /// Returns the image searches of each run, whose ids are their numbers from 0.
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

    /// Returns the limits of each run. Its time never runs out: its duration is a figure of its
    /// own.
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
            reads_captions: true,
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
