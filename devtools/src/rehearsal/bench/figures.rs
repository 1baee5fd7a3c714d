//! The figures of the benchmark for one world, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use sandbox::ConnectedPair;

use super::false_edges::FalseEdges;
use super::memory_figures::MemoryFigures;
use super::pair_run::{PairEnding, PairResult};
use super::photo_cache::VetoCounts;
use super::settings::BenchSettings;

/// The figures of the runs in one world. A mean is over all pairs, unless it is about chains or its comment says
/// otherwise; then it is over the solved pairs. A mean is `None` if there are no values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The name of the world, that of its argument or of its file.
    pub world: String,
    /// The number of pairs that were run.
    pub pairs: usize,
    /// The requested number of pairs. It is larger than `pairs` if the world does not have so many.
    pub pairs_wanted: usize,
    /// The number of pairs with a chain.
    pub solved: usize,
    /// The percentage of pairs with a chain.
    pub solved_percent: Option<f64>,
    /// The number of chain edges that no photo of the world supports. It must be 0 if no face is mistaken.
    pub false_edges: usize,
    /// The number of false edges caused by traps.
    pub false_edges_of_traps: usize,
    /// The number of false edges caused by mistaken faces.
    pub false_edges_of_lookalikes: usize,
    /// The photos per run that were rejected by their pixels.
    pub vetoed_mean: Option<f64>,
    /// The photos per run that were not recognised, because of what their files or the words beside them say.
    pub rejected_mean: Option<f64>,
    /// The number of examined collages with recognised people of both photos. Like every trap, a collage counts once for
    /// all runs.
    pub collages: usize,
    /// The number of these collages that were not detected.
    pub collages_missed: usize,
    /// The number of fetched pictures that were generated.
    pub generated: usize,
    /// The number of these pictures that were recognised.
    pub generated_missed: usize,
    /// The number of photos of wax figures that were recognised.
    pub wax_missed: usize,
    /// The number of examined photos with somebody twice, and with recognised people of both photos beside them.
    pub twice: usize,
    /// The number of these photos in which nobody was seen twice.
    pub twice_missed: usize,
    /// The number of examined genuine photos with two or more recognised people. A photo counts once for all runs.
    pub honest: usize,
    /// The number of these genuine photos that were rejected.
    pub honest_vetoed: usize,
    /// The fetched copies per run whose photo had been fetched before.
    pub copies_hit_mean: Option<f64>,
    /// The copies per run that were recognised although their photo had been fetched before.
    pub copies_paid_mean: Option<f64>,
    /// The hops per found chain.
    pub hops_mean: Option<f64>,
    /// The hops per found chain in excess of the world's shortest chain.
    pub hops_above_shortest_mean: Option<f64>,
    /// The searches per run.
    pub searches_mean: Option<f64>,
    /// The recognitions per run.
    pub recognitions_mean: Option<f64>,
    /// The searches per run, over the runs that found a chain.
    pub searches_per_solved_mean: Option<f64>,
    /// The recognitions per run, over the runs that found a chain.
    pub recognitions_per_solved_mean: Option<f64>,
    /// The planner calls per run.
    pub planner_calls_mean: Option<f64>,
    /// The duration per run, in virtual milliseconds.
    pub virtual_ms_mean: Option<f64>,
    /// The duration per run in milliseconds if every call only waited for the calls that it needs.
    pub critical_path_ms_mean: Option<f64>,
    /// The duration per run in milliseconds if its answered calls were made one at a time.
    pub one_by_one_ms_mean: Option<f64>,
    /// The paid calls per run that were sent, but not answered before the end was decided.
    pub not_needed_mean: Option<f64>,
    /// The time that the machine itself takes per run, in milliseconds. No other figure varies between measurements.
    pub engine_ms_mean: Option<f64>,
    /// The number of runs by ending: `final`, or the reason why there is no chain.
    pub endings: BTreeMap<String, usize>,
    /// The plan, named as in the API: `both-ends` or `one-sided`.
    pub plan: &'static str,
    /// The planner, named as in the arguments: `none`, `first` or `perfect`.
    pub planner: &'static str,
    /// The pace at which the photos of a search are examined.
    pub pace: &'static str,
    /// The seed with which the pairs are drawn.
    pub seed: u64,
    /// The most searches per run.
    pub searches: u32,
    /// The most photos examined per search.
    pub photos: u32,
    /// The share of faces that the recogniser misses, from 0 to 1.
    pub miss: f64,
    /// The share of confidences that are below the threshold, from 0 to 1.
    pub weak: f64,
    /// The share of photos that are traps, from 0 to 1.
    pub traps: f64,
    /// The share of faces mistaken for somebody else's, from 0 to 1.
    pub lookalikes: f64,
    /// The most searches per run after its first chain.
    pub polish: u32,
    /// The most searches per run for a second photo of the chain's most doubtful edges.
    pub confirm: u32,
    /// The fewest photos that each person of a pair is in.
    pub min_photos: usize,
    /// The search engine, named as in the arguments: `kind`, `literal` or `verbatim`.
    pub engine: &'static str,
    /// The share of the people in a photo that its page names, from 0 to 1.
    pub captions: f64,
    /// The share of photos whose page also names somebody who is not in the photo, from 0 to 1.
    pub lies: f64,
    /// The share of hits that are copies of earlier photos, from 0 to 1.
    pub copies: f64,
    /// The share of hits that show none of the wanted people, from 0 to 1.
    pub noise: f64,
    /// The share of photos whose files are WebP, from 0 to 1.
    pub webp: f64,
    /// The share of the people in a photo whose Wikidata number its page states, from 0 to 1.
    pub statements: f64,
    /// The effect of a memory that the runs share; `None` if they share none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryFigures>,
}

impl Figures {
    /// Summarises the runs of one world.
    pub(super) fn of(
        label: &str,
        settings: &BenchSettings,
        results: &[(ConnectedPair, PairResult)],
        veto_counts: VetoCounts,
    ) -> Self {
        let hops_of = |result: &PairResult| match result.ending {
            PairEnding::Chain(hops) => Some(hops),
            PairEnding::None(_) => None,
        };
        let solved: Vec<&(ConnectedPair, PairResult)> = results
            .iter()
            .filter(|(_, result)| hops_of(result).is_some())
            .collect();
        let of_chains = |value: &dyn Fn(usize, usize) -> usize| {
            let of_one = |(pair, result): &&(ConnectedPair, PairResult)| {
                Some(value(hops_of(result)?, pair.hops))
            };
            mean(solved.iter().filter_map(of_one).map(|count| count as f64))
        };
        let of_all =
            |value: &dyn Fn(&PairResult) -> f64| mean(results.iter().map(|(_, one)| value(one)));
        let of_solved =
            |value: &dyn Fn(&PairResult) -> f64| mean(solved.iter().map(|(_, one)| value(one)));
        let false_edges = |value: &dyn Fn(&FalseEdges) -> usize| -> usize {
            results.iter().map(|(_, one)| value(&one.false_edges)).sum()
        };
        Self {
            world: label.to_owned(),
            pairs: results.len(),
            pairs_wanted: settings.pairs,
            solved: solved.len(),
            solved_percent: of_all(&|one| 100.0 * f64::from(u8::from(hops_of(one).is_some()))),
            false_edges: false_edges(&|one| one.all),
            false_edges_of_traps: false_edges(&|one| one.of_traps),
            false_edges_of_lookalikes: false_edges(&|one| one.of_lookalikes),
            vetoed_mean: of_all(&|one| one.vetoed.into()),
            rejected_mean: of_all(&|one| one.rejected.into()),
            collages: veto_counts.collages.all,
            collages_missed: veto_counts.collages.mistaken,
            generated: veto_counts.generated.all,
            generated_missed: veto_counts.generated.mistaken,
            wax_missed: veto_counts.wax_missed,
            twice: veto_counts.twice.all,
            twice_missed: veto_counts.twice.mistaken,
            honest: veto_counts.honest.all,
            honest_vetoed: veto_counts.honest.mistaken,
            copies_hit_mean: of_all(&|one| one.copies.0.into()),
            copies_paid_mean: of_all(&|one| one.copies.1.into()),
            hops_mean: of_chains(&|hops, _| hops),
            hops_above_shortest_mean: of_chains(&|hops, least| hops.saturating_sub(least)),
            searches_mean: of_all(&|one| one.searches.into()),
            recognitions_mean: of_all(&|one| one.recognitions.into()),
            searches_per_solved_mean: of_solved(&|one| one.searches.into()),
            recognitions_per_solved_mean: of_solved(&|one| one.recognitions.into()),
            planner_calls_mean: of_all(&|one| one.planner_calls.into()),
            virtual_ms_mean: of_all(&|one| one.virtual_ms as f64),
            critical_path_ms_mean: of_all(&|one| one.critical_path_ms as f64),
            one_by_one_ms_mean: of_all(&|one| one.one_by_one_ms as f64),
            not_needed_mean: of_all(&|one| one.not_needed as f64),
            engine_ms_mean: of_all(&|one| 1_000.0 * one.engine.as_secs_f64()),
            endings: endings(results),
            plan: settings.plan.as_str(),
            planner: settings.planner_named(),
            pace: settings.pace.as_str(),
            seed: settings.seed,
            searches: settings.searches,
            photos: settings.photos,
            miss: settings.rules.miss,
            weak: settings.rules.weak,
            traps: settings.rules.traps,
            lookalikes: settings.rules.lookalikes,
            polish: settings.polish,
            confirm: settings.confirm,
            min_photos: settings.min_photos,
            engine: settings.engine_named(),
            captions: settings.captions(),
            lies: settings.lies,
            copies: settings.lists.copies,
            noise: settings.lists.noise,
            webp: settings.webp,
            statements: settings.statements,
            memory: None,
        }
    }

    /// Writes the figures about traps and genuine photos.
    fn say_veto_counts(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "  traps           {} % of photos; a run rejected {:.2} by their pixels, {:.2} by their files and words; \
             {} of {} honest photos rejected",
            100.0 * self.traps,
            self.vetoed_mean.unwrap_or_default(),
            self.rejected_mean.unwrap_or_default(),
            self.honest_vetoed,
            self.honest
        )?;
        writeln!(
            out,
            "  missed          {} of {} collages, {} of {} generated pictures, {} of wax figures, \
             {} of {} with somebody twice",
            self.collages_missed,
            self.collages,
            self.generated_missed,
            self.generated,
            self.wax_missed,
            self.twice_missed,
            self.twice
        )
    }

    /// Returns the figures as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // The figures only have numbers, texts and maps with text keys, so serialising them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn endings(results: &[(ConnectedPair, PairResult)]) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for (_, one) in results {
        let ending = match &one.ending {
            PairEnding::Chain(_) => "final",
            PairEnding::None(why) => why,
        };
        *endings.entry(ending.to_owned()).or_insert(0) += 1;
    }
    endings
}

/// Returns the mean, rounded to three decimals, or `None` if there are no values.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| (1_000.0 * sum / f64::from(count)).round() / 1_000.0)
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: Option<f64>| value.map_or_else(|| "-".into(), |one| format!("{one:.2}"));
        let seconds = |value: Option<f64>| text(value.map(|ms| ms / 1_000.0));
        writeln!(
            out,
            "{}: {} pairs of people with at least {} photos, 2 to 6 hops apart, seed {}",
            self.world, self.pairs, self.min_photos, self.seed
        )?;
        if self.pairs < self.pairs_wanted {
            let wanted = self.pairs_wanted;
            writeln!(out, "  {wanted} were wanted; this world has no more")?;
        }
        writeln!(
            out,
            "  plan {}, planner {}, pace {}, {} searches of {} photos, {} to polish, {} to confirm",
            self.plan,
            self.planner,
            self.pace,
            self.searches,
            self.photos,
            self.polish,
            self.confirm
        )?;
        let percent = |share: f64| format!("{} %", 100.0 * share);
        let (named, stated) = (percent(self.captions), percent(self.statements));
        writeln!(
            out,
            "  search engine   {}, {named} of the people named, {stated} stated; {} of pages name somebody else",
            self.engine,
            percent(self.lies)
        )?;
        writeln!(
            out,
            "  faces           {} missed, {} weak, {} taken for somebody else's",
            percent(self.miss),
            percent(self.weak),
            percent(self.lookalikes)
        )?;
        let percent = self
            .solved_percent
            .map_or("-".into(), |one| format!("{one:.1}"));
        writeln!(out, "  solved          {percent} % ({})", self.solved)?;
        let above = text(self.hops_above_shortest_mean);
        let hops = text(self.hops_mean);
        writeln!(out, "  hops            {hops}, {above} above the shortest")?;
        let calls =
            |of_all, of_solved| format!("{}; {} a solved pair", text(of_all), text(of_solved));
        let searches = calls(self.searches_mean, self.searches_per_solved_mean);
        writeln!(out, "  searches        {searches}")?;
        let recognitions = calls(self.recognitions_mean, self.recognitions_per_solved_mean);
        writeln!(out, "  recognitions    {recognitions}")?;
        writeln!(out, "  planner calls   {}", text(self.planner_calls_mean))?;
        writeln!(
            out,
            "  false edges     {}; {} by traps, {} by look-alikes",
            self.false_edges, self.false_edges_of_traps, self.false_edges_of_lookalikes
        )?;
        if self.traps > 0.0 {
            self.say_veto_counts(out)?;
        }
        if self.copies > 0.0 || self.noise > 0.0 {
            writeln!(
                out,
                "  hits            {} % copies, {} % of others; {} copies fetched a run, {} of them recognised",
                100.0 * self.copies,
                100.0 * self.noise,
                text(self.copies_hit_mean),
                text(self.copies_paid_mean)
            )?;
        }
        if let Some(memory) = &self.memory {
            write!(out, "{memory}")?;
        }
        let (took, path) = (
            seconds(self.virtual_ms_mean),
            seconds(self.critical_path_ms_mean),
        );
        let one_by_one = seconds(self.one_by_one_ms_mean);
        writeln!(
            out,
            "  virtual time    {took} s, critical path {path} s, one call at a time {one_by_one} s"
        )?;
        let not_needed = text(self.not_needed_mean);
        writeln!(out, "  not needed      {not_needed} paid calls")?;
        writeln!(out, "  engine          {} ms", text(self.engine_ms_mean))?;
        let endings = self
            .endings
            .iter()
            .map(|(why, count)| format!("{why} {count}"));
        let endings: Vec<String> = endings.collect();
        writeln!(out, "  endings         {}", endings.join(", "))
    }
}
