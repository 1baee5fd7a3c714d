//! Measures many pairs of one world, one run per pair.

use std::cell::RefCell;
use std::time::Duration;

use domain::MemoryUse;
use sandbox::{ConnectedPair, LiteralEngine, PageRules, World};

use crate::in_memory::InMemoryPhotos;
use crate::rehearsal::simulation::{PhotoJudge, PhotoSearch};

use super::figures::Figures;
use super::memory_figures::MemoryFigures;
use super::pair_run::{NamedPair, Outside, PairResult, name_of, run_pair};
use super::photo_cache::PhotoCache;
use super::settings::{BenchSettings, SearchEngine};
use super::webp_photos::WebpPhotos;

/// The fewest hops of a pair. People who are closer share a photo, which is not worth a run.
const HOPS_MIN: usize = 2;
/// The most hops of a pair, as many as a chain may have.
const HOPS_MAX: usize = 6;

/// Returns the pairs to run, drawn by the seed without repetition. Their people are two to six hops apart in the world,
/// are in at least [`BenchSettings::min_photos`] photos, and have unique names. There may be fewer pairs than
/// requested.
#[must_use]
pub fn pairs_of(world: &World, settings: &BenchSettings) -> Vec<NamedPair> {
    let people: Vec<usize> = (0..world.people.len())
        .filter(|person| {
            let photos = world.photos_of(*person).len();
            photos >= settings.min_photos && is_askable(world, *person)
        })
        .collect();
    let pairs = world.connected_pairs_among(&people, settings.seed, settings.pairs, |_, pair| {
        (HOPS_MIN..=HOPS_MAX).contains(&pair.hops)
    });
    let pairs = pairs.into_iter();
    pairs
        .filter_map(|pair| NamedPair::about(world, pair))
        .collect()
}

/// Returns whether a request can name a person. A name that two people share is ambiguous.
fn is_askable(world: &World, person: usize) -> bool {
    let name = name_of(world, person);
    name.is_some_and(|name| world.bearers(name.as_str()) == [person])
}

/// Runs every pair of [`pairs_of`] and returns the figures. `label` names the world in the figures.
#[must_use]
pub fn measure(
    label: &str,
    world: &World,
    settings: &BenchSettings,
    stopwatch: &dyn Fn() -> Duration,
) -> Figures {
    let pairs = pairs_of(world, settings);
    // If no photo is a trap, the pictures need not be drawn.
    let draws = settings.rules.traps > 0.0;
    let photo_cache = PhotoCache::new(world, settings.rules);
    let judge: Option<&dyn PhotoJudge> = draws.then_some(&photo_cache);
    let webp = WebpPhotos::new(world, settings.rules, settings.webp);
    let engines = match settings.engine {
        SearchEngine::Kind => Vec::new(),
        SearchEngine::Literal | SearchEngine::Verbatim => {
            let engine = |share| {
                let rules = PageRules {
                    captions: settings.captions(),
                    lies: settings.lies,
                    statements: settings.statements,
                    share: (share, settings.engines),
                };
                LiteralEngine::new(world, rules)
            };
            (0..settings.engines).map(engine).collect()
        }
    };
    let search = match settings.engine {
        SearchEngine::Kind => PhotoSearch::Kind(world),
        SearchEngine::Literal => PhotoSearch::Literal(&engines),
        SearchEngine::Verbatim => PhotoSearch::Verbatim(&engines),
    };
    let photos = RefCell::new(InMemoryPhotos::default());
    let memory = (settings.memory != MemoryUse::Off).then_some(&photos);
    let outside = Outside {
        judge,
        files: &webp,
        memory,
    };
    let pass = || -> Vec<(ConnectedPair, PairResult)> {
        let results = pairs.iter().map(|pair| {
            let result = run_pair(world, settings, pair, search, outside, stopwatch);
            (pair.pair, result)
        });
        results.collect()
    };
    let first = pass();
    let mut last = None;
    for _ in 1..settings.passes {
        last = Some(pass());
    }
    let memory_figures = memory.map(|photos| {
        let photos = photos.borrow().len();
        MemoryFigures::of(photos, &first, last.as_deref())
    });
    let veto_counts = photo_cache.veto_counts();
    Figures {
        memory: memory_figures,
        ..Figures::of(label, settings, &last.unwrap_or(first), veto_counts)
    }
}
