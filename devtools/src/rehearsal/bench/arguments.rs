//! Parses the benchmark's arguments by hand, with a message for each mistake.

use std::path::Path;

use domain::{HITS_MAX, MemoryUse, Pace, Plan};
use sandbox::GroupShape;
use sandbox::arguments::share;

use crate::rehearsal::simulation::PlannerRule;

use super::settings::{BenchSettings, SHARED_WORLDS, SearchEngine, WorldChoice};

/// The text that `--help` prints.
pub const HELP: &str = "\
How many chains the search finds in a world, in memory and in virtual time.

Usage: worlds [OPTIONS]
  --world WORLD        own, sparse, casts, cliques, stars, parties, ring or a world file; may be given again
                       (default: own)
  --all                own, sparse and every world file in ../shared/worlds
  --pairs NUMBER       random pairs, 2 to 6 hops apart (default 200)
  --seed NUMBER        which pairs (default 1)
  --min-photos NUMBER  both people are in at least so many photos (default 8)
  --searches NUMBER    searches that a run may make (default 20)
  --photos NUMBER      photos looked at per search, 1 to 10 (default 5); a run may recognise
                       searches times photos
  --plan PLAN          both-ends or one-sided (default both-ends)
  --polish N           searches of these after the first chain, to make it shorter or surer (default 0)
  --confirm N          searches of these for a second photo of the chain's most doubtful links (default 0)
  --pace PACE          quick (calls at the same time) or frugal (one at a time; default quick)
  --planner PLANNER    none, first (of its table) or perfect (knows the true distances; default none)
  --miss SHARE         how many faces the recogniser misses (default 0.15)
  --weak SHARE         how many confidences are below 80 (default 0)
  --traps SHARE        how many photos show people together who never met: collages, generated
                       pictures, wax figures, and photos with somebody twice (default 0); photos are
                       drawn and looked at then
  --engine ENGINE      kind (every wording brings photos), literal (a page has every word of what a
                       wiki is asked, and the order is always the same) or verbatim (it has every
                       word of the question in English; default kind)
  --captions SHARE     how many of the people in a photo its page and its title name (default 0 with a
                       kind engine, else 1)
  --lies SHARE         how many pages name somebody close to those who are shown, who is not (default 0)
  --copies SHARE       how many hits are copies, smaller or cut, of photos before them (default 0)
  --noise SHARE        how many hits show only others (default 0)
  --webp SHARE         how many photos are WebP files, which are drawn and made into JPEGs then (default 0)
  --engines NUMBER     so many literal engines, each with its own part of the photos (default 1)
  --hits NUMBER        hits of one request (default 10 of a kind engine, 50 of a literal one)
  --statements SHARE   how many of them it states by their Wikidata numbers (default 0.6)
  --references         the recogniser looks only for those whom a run asks for, as the one by portraits does
  --memory             the runs, one after the other, share a memory of what was recognised
  --memory-shown       the same, and none is told of a photo before it shows it
  --passes NUMBER      all pairs so often, one after the other; the figures are those of the last
                       (default 1)
  --lookalikes SHARE   how many faces are recognised as somebody else (default 0)
  --json               after each world one line of JSON
  --help               this
";

const NAMES: [&str; 25] = [
    "--world",
    "--pairs",
    "--seed",
    "--min-photos",
    "--searches",
    "--photos",
    "--plan",
    "--pace",
    "--polish",
    "--confirm",
    "--planner",
    "--miss",
    "--weak",
    "--traps",
    "--lookalikes",
    "--engine",
    "--captions",
    "--lies",
    "--copies",
    "--noise",
    "--webp",
    "--statements",
    "--engines",
    "--hits",
    "--passes",
];

/// The most pairs, searches or photos that the arguments may request.
const COUNT_MAX: u32 = 100_000;
/// The most search engines that the arguments may request.
const ENGINES_MAX: u32 = 8;
/// The most passes that the arguments may request.
const PASSES_MAX: u32 = 10;
/// The most photos per search that the arguments may request, as in the API.
const PHOTOS_MAX: u32 = 10;

/// What the program is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum BenchTask {
    /// Print [`HELP`] and end.
    Help,
    /// Measure one world after the other.
    Measure {
        /// The worlds, in the order of measuring.
        worlds: Vec<WorldChoice>,
        /// The settings, which are the same for all worlds.
        settings: Box<BenchSettings>,
        /// Whether to print the figures of each world as a line of JSON besides the text.
        json: bool,
        /// A sentence that names requested worlds that are missing; `None` if none is.
        skipped: Option<String>,
    },
}

/// Parses the arguments, which must not include the program's name. The error is a sentence for the user.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<BenchTask, String> {
    let mut settings = BenchSettings::default();
    let mut worlds = Vec::new();
    let (mut json, mut all) = (false, false);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--help" | "-h" => return Ok(BenchTask::Help),
            "--json" => json = true,
            "--all" => all = true,
            "--references" => settings.is_told = true,
            "--memory" => settings.memory = MemoryUse::On,
            "--memory-shown" => settings.memory = MemoryUse::Shown,
            _ => {
                let (name, value) = match argument.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_owned())),
                    None => (argument.as_str(), None),
                };
                if !NAMES.contains(&name) {
                    return Err(format!("there is no argument {name:?}; --help lists all"));
                }
                let value = value.or_else(|| arguments.next());
                let value =
                    value.ok_or_else(|| format!("{name} needs a value; --help shows which"))?;
                match name {
                    "--world" => worlds.push(world(value)),
                    _ => settings.set(name, &value)?,
                }
            }
        }
    }
    let (worlds, skipped) = match (all, worlds.is_empty()) {
        (true, true) => WorldChoice::all(Path::new(SHARED_WORLDS)),
        (true, false) => return Err("give --world or --all, not both".to_owned()),
        (false, true) => (vec![WorldChoice::Own], None),
        (false, false) => (worlds, None),
    };
    Ok(BenchTask::Measure {
        worlds,
        settings: Box::new(settings),
        json,
        skipped,
    })
}

fn world(value: String) -> WorldChoice {
    match value.as_str() {
        "own" => WorldChoice::Own,
        "sparse" => WorldChoice::Sparse,
        "casts" => WorldChoice::Casts,
        _ => {
            let mut shapes = GroupShape::ALL.into_iter();
            let shape = shapes.find(|shape| shape.name() == value);
            shape.map_or(WorldChoice::File(value), WorldChoice::Groups)
        }
    }
}

impl BenchSettings {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--pairs" => self.pairs = whole(name, value, 1, COUNT_MAX)?,
            "--seed" => {
                let seed = value.parse();
                self.seed =
                    seed.map_err(|_| format!("--seed needs a whole number, not {value:?}"))?;
            }
            "--min-photos" => self.min_photos = whole(name, value, 1, COUNT_MAX)?,
            "--searches" => self.searches = whole(name, value, 1, COUNT_MAX)?,
            "--polish" => self.polish = whole(name, value, 0, COUNT_MAX)?,
            "--confirm" => self.confirm = whole(name, value, 0, COUNT_MAX)?,
            "--photos" => self.photos = whole(name, value, 1, PHOTOS_MAX)?,
            "--plan" => {
                let plan = Plan::named(value);
                self.plan =
                    plan.ok_or_else(|| format!("--plan is both-ends or one-sided, not {value:?}"))?;
            }
            "--pace" => {
                let pace = Pace::named(value);
                self.pace =
                    pace.ok_or_else(|| format!("--pace is quick or frugal, not {value:?}"))?;
            }
            "--planner" => {
                self.planner = match value {
                    "none" => None,
                    "first" => Some(PlannerRule::First),
                    "perfect" => Some(PlannerRule::Perfect),
                    _ => {
                        return Err(format!(
                            "--planner is none, first or perfect, not {value:?}"
                        ));
                    }
                };
            }
            "--miss" => self.rules.miss = share(name, value)?,
            "--weak" => self.rules.weak = share(name, value)?,
            "--traps" => self.rules.traps = share(name, value)?,
            "--captions" => self.captions = Some(share(name, value)?),
            "--copies" => self.lists.copies = share(name, value)?,
            "--noise" => self.lists.noise = share(name, value)?,
            "--webp" => self.webp = share(name, value)?,
            "--lies" => self.lies = share(name, value)?,
            "--statements" => self.statements = share(name, value)?,
            "--engines" => self.engines = whole(name, value, 1, ENGINES_MAX)?,
            "--passes" => self.passes = whole(name, value, 1, PASSES_MAX)?,
            "--hits" => self.hits = Some(whole(name, value, 1, HITS_MAX)?),
            "--engine" => {
                self.engine = match value {
                    "kind" => SearchEngine::Kind,
                    "literal" => SearchEngine::Literal,
                    "verbatim" => SearchEngine::Verbatim,
                    _ => {
                        return Err(format!(
                            "--engine is kind, literal or verbatim, not {value:?}"
                        ));
                    }
                };
            }
            _ => self.rules.lookalikes = share(name, value)?,
        }
        Ok(())
    }
}

/// Parses an integer within these bounds.
fn whole<T: TryFrom<u32>>(name: &str, value: &str, min: u32, max: u32) -> Result<T, String> {
    let number = value.parse().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("{name} needs a number from {min} to {max}, not {value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::{ListRules, Rules};

    fn read(line: &str) -> Result<BenchTask, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    fn measured(line: &str) -> (Vec<WorldChoice>, BenchSettings, bool) {
        match read(line) {
            Ok(BenchTask::Measure {
                worlds,
                settings,
                json,
                ..
            }) => (worlds, *settings, json),
            other => panic!("{line}: {other:?}"),
        }
    }

    fn check_error(line: &str, expect: &str) {
        assert_eq!(read(line).unwrap_err(), expect, "{line}");
    }

    #[test]
    fn nothing_given_means_the_defaults() {
        let defaults = (vec![WorldChoice::Own], BenchSettings::default(), false);
        assert_eq!(measured(""), defaults);
    }

    #[test]
    fn every_argument_is_read() {
        let (worlds, settings, json) = measured(
            "--world sparse --world casts --world=w.json --pairs 9 --seed 7 --min-photos 3 --searches 8 \
             --polish 2 --confirm 1 --photos 10 --plan one-sided --pace frugal --planner perfect --miss 0.2 --weak=0.1 \
             --traps 0.05 --lookalikes 0.01 --engine literal --captions 0.6 --lies 0.1 --copies 0.3 --noise 0.2 --webp 0.3 --statements 0 --engines 2 --hits 20 --references --memory --passes 2 --json",
        );
        assert_eq!(
            worlds,
            [
                WorldChoice::Sparse,
                WorldChoice::Casts,
                WorldChoice::File("w.json".into())
            ]
        );
        let expect = BenchSettings {
            pairs: 9,
            seed: 7,
            searches: 8,
            polish: 2,
            confirm: 1,
            photos: 10,
            plan: Plan::OneSided,
            pace: Pace::Frugal,
            planner: Some(PlannerRule::Perfect),
            rules: Rules {
                miss: 0.2,
                weak: 0.1,
                traps: 0.05,
                lookalikes: 0.01,
            },
            min_photos: 3,
            engine: SearchEngine::Literal,
            captions: Some(0.6),
            lies: 0.1,
            lists: ListRules {
                copies: 0.3,
                noise: 0.2,
            },
            webp: 0.3,
            statements: 0.0,
            engines: 2,
            hits: Some(20),
            is_told: true,
            memory: MemoryUse::On,
            passes: 2,
        };
        assert_eq!((settings, json), (expect, true));
        assert_eq!(read("--pairs 3 --help"), Ok(BenchTask::Help));
        assert!(
            measured("--all")
                .0
                .starts_with(&[WorldChoice::Own, WorldChoice::Sparse])
        );
    }

    #[test]
    fn mistakes_get_a_sentence() {
        check_error(
            "--pears 1",
            "there is no argument \"--pears\"; --help lists all",
        );
        check_error("--pairs", "--pairs needs a value; --help shows which");
        check_error(
            "--pairs 0",
            "--pairs needs a number from 1 to 100000, not \"0\"",
        );
        check_error(
            "--photos 11",
            "--photos needs a number from 1 to 10, not \"11\"",
        );
        check_error("--seed x", "--seed needs a whole number, not \"x\"");
        check_error(
            "--plan random",
            "--plan is both-ends or one-sided, not \"random\"",
        );
        check_error("--pace hasty", "--pace is quick or frugal, not \"hasty\"");
        check_error(
            "--planner gemini",
            "--planner is none, first or perfect, not \"gemini\"",
        );
        check_error(
            "--engine fuzzy",
            "--engine is kind, literal or verbatim, not \"fuzzy\"",
        );
        check_error("--miss 2", "--miss needs a share from 0 to 1, not \"2\"");
        check_error("--all --world own", "give --world or --all, not both");
    }
}
