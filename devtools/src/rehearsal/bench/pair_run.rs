//! Runs one pair: passes inputs to the machine until its last notice.

use std::cell::RefCell;
use std::time::Duration;

use domain::{Candidate, Face, Name, fold, wikidata_of};
use investigation::machine::{Action, Command, Input, Investigation, NoticeKind, Outcome, Request};
use kernel::{LostCall, Millis};
use sandbox::{ConnectedPair, World};

use crate::in_memory::InMemoryPhotos;
use crate::rehearsal::simulation::{PhotoFiles, PhotoJudge, PhotoSearch, WorldProviders};

use super::call_schedule::{CallSchedule, duration_ms};
use super::critical_path::CriticalPath;
use super::false_edges::{FalseEdges, false_edges};
use super::settings::BenchSettings;

/// A pair of people with the names by which a request calls them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPair {
    /// The indexes of the two people, and their true distance.
    pub pair: ConnectedPair,
    from: Name,
    to: Name,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairEnding {
    /// With a chain of this many hops.
    Chain(usize),
    /// Without a chain: the reason, or `error:` and the failure.
    None(String),
}

/// The result of one pair's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairResult {
    /// The ending, with a chain or without.
    pub ending: PairEnding,
    /// The edges of the chain whose two people are together in no photo of the world.
    pub false_edges: FalseEdges,
    /// The number of recognised photos that were rejected by their pixels.
    pub vetoed: u32,
    /// The number of photos that were not recognised, because of what their files or the words beside them say.
    pub rejected: u32,
    /// The number of fetched copies whose photo had been fetched before, and how many of these were recognised.
    pub copies: (u32, u32),
    /// The number of searches, with every attempt counted.
    pub searches: u32,
    /// The number of recognitions, with every attempt counted.
    pub recognitions: u32,
    /// The number of planner calls, with every attempt counted.
    pub planner_calls: u32,
    /// The duration of the run, in virtual milliseconds.
    pub virtual_ms: u64,
    /// The duration of the run in milliseconds if every call only waited for the calls that it needs.
    pub critical_path_ms: u64,
    /// The duration of the run in milliseconds if its answered calls were made one at a time.
    pub one_by_one_ms: u64,
    /// The number of paid calls that were sent, but not answered before the end was decided.
    pub not_needed: usize,
    /// The time that the machine itself took, by the stopwatch.
    pub engine: Duration,
}

impl NamedPair {
    /// Makes a pair with the names of its people. Returns `None` if the machine does not accept one of the names.
    #[must_use]
    pub fn about(world: &World, pair: ConnectedPair) -> Option<Self> {
        Some(Self {
            pair,
            from: name_of(world, pair.from)?,
            to: name_of(world, pair.to)?,
        })
    }
}

/// Returns a person's name as the machine accepts it.
pub(super) fn name_of(world: &World, person: usize) -> Option<Name> {
    Name::parse(&world.people.get(person)?.name).ok()
}

/// The things that a run uses besides the answers of the world.
#[derive(Clone, Copy)]
pub struct Outside<'world> {
    /// The judge of photos by their files and pixels; without one, no photo is rejected by them.
    pub judge: Option<&'world dyn PhotoJudge>,
    /// The files of photos.
    pub files: &'world dyn PhotoFiles,
    /// The memory shared by runs, if any.
    pub memory: Option<&'world RefCell<InMemoryPhotos>>,
}

/// Runs a pair to its end. `stopwatch` returns the time since a fixed moment.
pub fn run_pair(
    world: &World,
    settings: &BenchSettings,
    pair: &NamedPair,
    search: PhotoSearch<'_>,
    outside: Outside<'_>,
    stopwatch: &dyn Fn() -> Duration,
) -> PairResult {
    let mut run = PairRun::new(world, settings, pair, search, outside, stopwatch);
    let mut input = Some(Input::Start);
    while let Some(next) = input {
        run.take(next);
        input = run.next_input();
    }
    let (ending, false_edges) = ending(world, settings, run.last.as_ref());
    let spent = run.machine.spent();
    PairResult {
        ending,
        false_edges,
        vetoed: spent.photos.vetoed,
        rejected: spent.photos.rejected,
        copies: run.providers.copies(),
        searches: spent.search_calls,
        recognitions: spent.recognition_calls,
        planner_calls: spent.planner_calls,
        virtual_ms: run.schedule.now_ms(),
        critical_path_ms: run.path.length_ms(),
        one_by_one_ms: run.one_by_one_ms,
        not_needed: run.not_needed,
        engine: run.engine,
    }
}

/// A run in progress.
struct PairRun<'world> {
    machine: Investigation,
    providers: WorldProviders<'world>,
    /// Whether the recogniser looks only for those whom it is told.
    is_told: bool,
    schedule: CallSchedule,
    path: CriticalPath,
    one_by_one_ms: u64,
    not_needed: usize,
    stopwatch: &'world dyn Fn() -> Duration,
    /// The time that the machine itself has taken so far.
    engine: Duration,
    /// The latest notice of the machine.
    last: Option<NoticeKind>,
}

impl<'world> PairRun<'world> {
    fn new(
        world: &'world World,
        settings: &BenchSettings,
        pair: &NamedPair,
        search: PhotoSearch<'world>,
        outside: Outside<'world>,
        stopwatch: &'world dyn Fn() -> Duration,
    ) -> Self {
        let mut providers = WorldProviders::new(world, settings.rules)
            .searched_by(search)
            .captioned(settings.captions(), settings.lies)
            .listed_by(settings.lists)
            .filed_by(outside.files);
        if let Some(memory) = outside.memory {
            providers = providers.remembering(memory);
        }
        if let Some(judge) = outside.judge {
            providers = providers.judged_by(judge);
        }
        Self {
            machine: Investigation::new(Request {
                sources: settings.sources(),
                person_a: pair.from.clone().into(),
                person_b: pair.to.clone().into(),
                avoid: Vec::new(),
                limits: settings.limits(),
            }),
            providers: match settings.planner {
                Some(rule) => providers.planned_by(rule),
                None => providers,
            },
            is_told: settings.is_told,
            schedule: CallSchedule::default(),
            path: CriticalPath::default(),
            one_by_one_ms: 0,
            not_needed: 0,
            stopwatch,
            engine: Duration::ZERO,
            last: None,
        }
    }

    /// Passes an input to the machine and drains its output. Only this is timed as the machine's own time.
    fn take(&mut self, input: Input) {
        let now = Millis(self.schedule.now_ms());
        let begin = (self.stopwatch)();
        self.machine.handle(input, now);
        while let Some(notice) = self.machine.next_notice() {
            if notice.kind.is_last() {
                self.last = Some(notice.kind);
            }
        }
        let commands: Vec<Command> = std::iter::from_fn(|| self.machine.next_command()).collect();
        self.engine += (self.stopwatch)().saturating_sub(begin);
        for command in commands {
            self.path.ask(&command);
            self.schedule.ask(command);
        }
    }

    /// Returns the next answer, or the withdrawal of all remaining calls. Returns `None` after the last notice, or if
    /// no call is open.
    fn next_input(&mut self) -> Option<Input> {
        if self.last.is_some() {
            return None;
        }
        if self.machine.is_withdrawing() {
            return Some(self.last_input());
        }
        let command = self.schedule.next()?;
        Some(self.answer(&command))
    }

    /// Returns an input after the end is decided: the answers that have arrived, one by one, and then the withdrawal of
    /// the remaining calls. The run did not need these calls.
    fn last_input(&mut self) -> Input {
        if let Some(command) = self.schedule.next_ended() {
            self.not_needed += usize::from(is_paid(&command));
            return self.answer(&command);
        }
        let begun = self.schedule.withdraw();
        self.not_needed += begun.iter().filter(|command| is_paid(command)).count();
        let lost = begun.iter().map(|command| LostCall {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
        });
        Input::Withdrawn {
            lost: lost.collect(),
        }
    }

    fn answer(&mut self, command: &Command) -> Input {
        self.one_by_one_ms += duration_ms(&command.action);
        let mut answer = self.providers.answer(command);
        if let (true, Outcome::Recognised(Ok(recognised))) = (self.is_told, &mut answer.outcome) {
            let candidates = self.machine.candidates(command.id);
            let is_asked_for = |face: &Face| candidates.iter().any(|one| means(one, face));
            recognised.faces.retain(is_asked_for);
        }
        if let Outcome::Recognised(Ok(recognised)) = &answer.outcome
            && let Some((hit, fetched)) = self.machine.photo_to_recognise(command.id)
        {
            self.providers.remember(hit, fetched, recognised);
        }
        self.path.answer(&answer);
        Input::Answer(answer)
    }
}

fn means(candidate: &Candidate, face: &Face) -> bool {
    let is_number = candidate.number.is_some() && candidate.number == wikidata_of(face);
    is_number || (!candidate.name.is_empty() && fold(&candidate.name) == fold(&face.name))
}

fn is_paid(command: &Command) -> bool {
    !matches!(
        command.action,
        Action::Fetch { .. }
            | Action::FetchKnown { .. }
            | Action::Lives(_)
            | Action::Recall(_)
            | Action::Connect(_)
    )
}

fn ending(
    world: &World,
    settings: &BenchSettings,
    last: Option<&NoticeKind>,
) -> (PairEnding, FalseEdges) {
    let none = |why: &str| (PairEnding::None(why.to_owned()), FalseEdges::default());
    match last {
        Some(NoticeKind::Final(report)) => (
            PairEnding::Chain(report.edges.len()),
            false_edges(world, settings.rules, report),
        ),
        Some(NoticeKind::NoPath(report)) => none(report.reason.as_str()),
        Some(NoticeKind::Error(report)) => none(&format!("error:{}", report.code.as_str())),
        _ => none("neither a command nor an end"),
    }
}
