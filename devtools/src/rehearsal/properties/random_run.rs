//! A random request about a random world, with random successes and failures.

use std::cell::RefCell;
use std::collections::BTreeMap;

use sandbox::{Rules, World};
use sha2::{Digest as _, Sha256};

use domain::{MemoryUse, Sha256Digest};
use investigation::events::wire_event;
use investigation::machine::{Command, Input, Investigation, NoticeKind, Request};
use kernel::{CommandId, Millis};

use super::journal_recorder::JournalRecorder;
use super::random_answers::RandomAnswers;
use super::random_memory::random_memory;
use super::random_request::random_request;
use super::run_checker::RunChecker;
use super::seeded_rng::SeededRng;
use super::violation::Violation;

/// The token of every random run. One suffices, because random runs share nothing.
const RUN: &str = "s.r";

/// One random run in this many uses a photo memory.
const MEMORY_EVERY: u64 = 3;

/// The result of a random run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RehearsalOutcome {
    /// SHA-256 over all events, as 64 hexadecimal digits.
    pub digest: String,
    /// How the run ended: `final`, `no_path:search_budget`, `error:provider_down`, ...
    pub ending: String,
    /// The number of answers by kind of failure.
    pub failures: BTreeMap<String, u32>,
}

/// A random run, which its seed determines completely.
#[derive(Debug)]
pub struct RandomRun {
    world: World,
    request: Request,
    rules: Rules,
    seed: u64,
}

/// Makes and executes the random run of a seed. The error is the first property that it violates.
pub fn rehearse(seed: u64) -> Result<RehearsalOutcome, Violation> {
    RandomRun::new(seed).run()
}

impl RandomRun {
    /// Makes a world of 5 to 200 people and 0 to 500 photos, and a request about it.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = SeededRng::new(seed);
        let people = random.count(5..=200);
        let photos = if random.happens(16) {
            0
        } else {
            random.count(0..=500)
        };
        let world = World::generate(random.long(..), people, photos);
        let mut request = random_request(&world, &mut random);
        if seed.is_multiple_of(MEMORY_EVERY) {
            request.limits.memory = if seed.is_multiple_of(2 * MEMORY_EVERY) {
                MemoryUse::Shown
            } else {
                MemoryUse::On
            };
        }
        let weak = if random.is_heads() { 0.1 } else { 0.0 };
        Self {
            world,
            request,
            rules: Rules {
                weak,
                ..Rules::default()
            },
            seed: random.long(..),
        }
    }

    /// Executes the run, and replays it from its journal. The error is the first property that it violates.
    pub fn run(&self) -> Result<RehearsalOutcome, Violation> {
        let memory = RefCell::new(random_memory(self.seed, &self.world, self.rules));
        let mut answers =
            RandomAnswers::new(self.seed, &self.world, (self.rules, &memory), &self.request);
        let mut machine = Investigation::new(self.request.clone());
        let mut checker = RunChecker::new(&self.request);
        let mut recorder = JournalRecorder::new(RUN, &self.request);
        let mut events = Sha256::new();
        let mut number = 0;
        let mut now = Millis(1_795_255_200_000);
        let mut input = Input::Start;
        let mut open = BTreeMap::new();
        loop {
            checker.input(&input);
            recorder.input(&input, now);
            machine.handle(input, now);
            while let Some(notice) = machine.next_notice() {
                number += 1;
                checker.notice(&notice.kind)?;
                let event = wire_event(RUN, number, &notice)
                    .map_err(|_| Violation::new("an event could not be written"))?;
                events.update(event.json.as_bytes());
                if let Some(ending) = ending(&notice.kind) {
                    checker.end(&machine)?;
                    let digest = Sha256Digest::new(events.finalize().into()).to_string();
                    recorder.check(&digest)?;
                    return Ok(RehearsalOutcome {
                        digest,
                        ending,
                        failures: answers.into_failures(),
                    });
                }
            }
            while let Some(command) = machine.next_command() {
                checker.command(&command)?;
                recorder.command(&command);
                open.insert(command.id, command);
            }
            input = if machine.is_withdrawing() {
                answers.last_input(&open)
            } else {
                answers.input(&open).ok_or_else(neither)?
            };
            close(&mut open, &input);
            now = Millis(now.0 + answers.pause_ms());
        }
    }
}

fn neither() -> Violation {
    Violation::new("neither a command nor an end")
}

/// Removes the commands that an input answers or ends.
fn close(open: &mut BTreeMap<CommandId, Command>, input: &Input) {
    match input {
        Input::Answer(answer) => {
            open.remove(&answer.command);
        }
        Input::Resumed { lost } => {
            for call in lost {
                open.remove(&call.command);
            }
        }
        Input::Stop { .. } | Input::Withdrawn { .. } => open.clear(),
        Input::Start | Input::Remark(_) => {}
    }
}

fn ending(told: &NoticeKind) -> Option<String> {
    match told {
        NoticeKind::Final(_) => Some("final".to_owned()),
        NoticeKind::NoPath(report) => Some(format!("no_path:{}", report.reason.as_str())),
        NoticeKind::Error(report) => Some(format!("error:{}", report.code.as_str())),
        NoticeKind::Status(_)
        | NoticeKind::Evidence(_)
        | NoticeKind::PathUpdate(_)
        | NoticeKind::PageCapture(_) => None,
    }
}
