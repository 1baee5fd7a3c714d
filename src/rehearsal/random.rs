//! A random question about a random world, answered by a random script of successes and failures.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::domain::{Limits, Name, Pace, PhotoDigest, Plan};
use crate::events::wire_event;
use crate::investigation::{Command, CommandId, Input, Investigation, Request, Told};
use crate::kernel::Millis;
use crate::sandbox::{Rules, World};

use super::check::{Ledger, Violation};
use super::diary::Diary;
use super::dice::Dice;
use super::script::Script;

/// The token of every rehearsal.
pub(super) const RUN: &str = "s.r";

/// What a rehearsal came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// SHA-256 over all events, as 64 hexadecimal digits.
    pub digest: String,
    /// `final`, `no_path:search_budget`, `error:provider_down`, ...
    pub ending: String,
    /// How often each failure kind was answered.
    pub failures: BTreeMap<String, u32>,
}

/// One random run, reproducible by its seed.
#[derive(Debug)]
pub struct Rehearsal {
    world: World,
    request: Request,
    rules: Rules,
    seed: u64,
}

/// Runs the rehearsal of a seed and checks every law on the way.
pub fn rehearse(seed: u64) -> Result<Outcome, Violation> {
    Rehearsal::new(seed).run()
}

impl Rehearsal {
    /// A world of 5 to 200 people and 0 to 500 photos, and a question about it.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Dice::new(seed);
        let people = random.count(5..=200);
        let photos = if random.happens(16) {
            0
        } else {
            random.count(0..=500)
        };
        let world = World::generate(random.long(..), people, photos);
        let request = random_request(&world, &mut random);
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

    /// From the first event to the last; then once more out of the journal.
    pub fn run(&self) -> Result<Outcome, Violation> {
        let mut script = Script::new(self.seed, &self.world, self.rules);
        let mut machine = Investigation::new(self.request.clone());
        let mut ledger = Ledger::new(&self.request);
        let mut diary = Diary::new(&self.request);
        let mut events = Sha256::new();
        let mut number = 0;
        let mut now = Millis(1_795_255_200_000);
        let mut input = Input::Start;
        let mut open = BTreeMap::new();
        loop {
            ledger.input(&input);
            diary.input(&input, now);
            machine.handle(input, now);
            while let Some(notice) = machine.next_notice() {
                number += 1;
                ledger.notice(&notice.told)?;
                let event = wire_event(RUN, number, &notice)
                    .map_err(|_| Violation::new("an event could not be written"))?;
                events.update(event.json.as_bytes());
                if let Some(ending) = ending(&notice.told) {
                    ledger.end(&machine)?;
                    let digest = PhotoDigest::new(events.finalize().into()).to_string();
                    diary.check(&digest)?;
                    return Ok(Outcome {
                        digest,
                        ending,
                        failures: script.failures,
                    });
                }
            }
            while let Some(command) = machine.next_command() {
                ledger.command(&command)?;
                diary.command(&command);
                open.insert(command.id, command);
            }
            input = if machine.is_withdrawing() {
                script.last_input(&open)
            } else {
                script.input(&open).ok_or_else(neither)?
            };
            close(&mut open, &input);
            now = Millis(now.0 + script.pause_ms());
        }
    }
}

fn neither() -> Violation {
    Violation::new("neither a command nor an end")
}

/// What an input answers or ends is open no more.
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

fn random_request(world: &World, random: &mut Dice) -> Request {
    let name = |random: &mut Dice| {
        let photo = random.one_of(&world.photos);
        let person = photo.and_then(|photo| random.one_of(&photo.people).copied());
        let known = person.and_then(|person| world.people.get(person));
        let known = known.map(|person| person.name.clone());
        let typed = if random.happens(24) { None } else { known };
        typed.unwrap_or_else(|| "Nemo Nobody Unknown".to_owned())
    };
    let (first, mut second) = (name(random), name(random));
    while crate::domain::fold(&first) == crate::domain::fold(&second) {
        second = format!("{} Unknown {}", name(random), random.number(..));
    }
    let avoid = if random.happens(64) {
        vec![name(random)]
    } else {
        Vec::new()
    };
    let typed = [crate::domain::fold(&first), crate::domain::fold(&second)];
    let parse = |text: &str| Name::parse(text).ok();
    let fallback = || Name::parse("Somebody").ok();
    let avoid = avoid
        .iter()
        .filter(|name| !typed.contains(&crate::domain::fold(name)))
        .filter_map(|name| parse(name));
    let (Some(person_a), Some(person_b)) = (
        parse(&first).or_else(fallback),
        parse(&second).or_else(fallback),
    ) else {
        // Both texts above are names; this arm is there for the types.
        return random_request(world, random);
    };
    Request {
        person_a,
        person_b,
        avoid: avoid.collect(),
        limits: random_limits(random),
    }
}

fn random_limits(random: &mut Dice) -> Limits {
    let thresholds = [50, 80, 80, 80, 85, 90];
    Limits {
        plan: if random.is_heads() {
            Plan::OneSided
        } else {
            Plan::BothEnds
        },
        pace: if random.happens(64) {
            Pace::Frugal
        } else {
            Pace::Quick
        },
        hops: random.number(1..=6),
        threshold_percent: random.one_of(&thresholds).copied().unwrap_or(80),
        images_per_search: random.number(1..=10),
        searches_max: random.number(1..=40),
        polish_searches_max: if random.happens(64) {
            random.number(1..=6)
        } else {
            0
        },
        recognitions_max: random.number(1..=150),
        planner_calls_max: random.number(0..=12),
        runtime_ms_max: if random.happens(32) {
            random.long(1_000..=20_000)
        } else {
            600_000
        },
    }
}

fn ending(told: &Told) -> Option<String> {
    match told {
        Told::Final(_) => Some("final".to_owned()),
        Told::NoPath(report) => Some(format!("no_path:{}", report.reason.as_str())),
        Told::Error(report) => Some(format!("error:{}", report.code.as_str())),
        Told::Status(_) | Told::Evidence(_) | Told::PathUpdate(_) => None,
    }
}
