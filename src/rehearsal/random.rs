//! A random question about a random world, answered by a random script of successes and failures.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::domain::{
    Confidence, Failure, FailureKind, Hit, Limits, Name, PhotoDigest, PhotoFailure, Plan,
    PlanAnswer,
};
use crate::events::wire_event;
use crate::investigation::{
    Answer, Command, Input, Investigation, LostCall, Outcome as Result_, Request, Told,
};
use crate::kernel::Millis;
use crate::sandbox::{Rules, World};

use super::answers::Clerk;
use super::check::{Ledger, Violation};
use super::diary::Diary;
use super::dice::Dice;

/// The token of every rehearsal.
pub(super) const RUN: &str = "s.r";
/// After so many answers the user stops the run.
const ANSWERS_MAX: usize = 150;

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
            rules: Rules { miss: 0.15, weak },
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
            let Some(command) = machine.next_command() else {
                return Err(Violation::new("neither a command nor an end"));
            };
            ledger.command(&command)?;
            diary.command(&command);
            input = script.input(&command);
            now = Millis(now.0 + script.pause_ms());
        }
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
        hops: random.number(1..=6),
        threshold_percent: random.one_of(&thresholds).copied().unwrap_or(80),
        images_per_search: random.number(1..=10),
        searches_max: random.number(1..=40),
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

/// Successes and failures by the seed.
struct Script<'world> {
    random: Dice,
    clerk: Clerk<'world>,
    answers: usize,
    failures: BTreeMap<String, u32>,
    /// Of 256: how often a provider fails for good, how often a photo or a plan is bad.
    fatal_share: u32,
    bad_share: u32,
    /// Of 256: how often the process dies during a call, how often an answer is at hand.
    crash_share: u32,
    reused_share: u32,
    stop_after: usize,
}

impl<'world> Script<'world> {
    fn new(seed: u64, world: &'world World, rules: Rules) -> Self {
        let mut random = Dice::new(seed);
        Self {
            clerk: Clerk::new(world, rules),
            answers: 0,
            failures: BTreeMap::new(),
            // Half of all scripts have no fatal failure at all, or hardly any run would end well.
            fatal_share: if random.is_heads() {
                0
            } else {
                random.number(0..12)
            },
            bad_share: random.number(0..96),
            crash_share: if random.happens(64) { 16 } else { 0 },
            reused_share: if random.happens(64) { 96 } else { 0 },
            stop_after: if random.happens(24) {
                random.count(0..40)
            } else {
                ANSWERS_MAX
            },
            random,
        }
    }

    fn pause_ms(&mut self) -> u64 {
        self.random.long(0..600)
    }

    fn input(&mut self, command: &Command) -> Input {
        self.answers += 1;
        if self.answers > self.stop_after {
            let attempts = self.random.number(0..=command.attempts_max);
            return Input::Stop {
                attempts,
                nano_usd: 0,
            };
        }
        if self.random.happens(self.crash_share) {
            *self.failures.entry("Crash".into()).or_insert(0) += 1;
            let lost = LostCall {
                command: command.id,
                attempts: self.random.number(1..=command.attempts_max),
                nano_usd: 1_000_000,
            };
            return Input::Resumed { lost: vec![lost] };
        }
        Input::Answer(self.answer(command))
    }

    fn answer(&mut self, command: &Command) -> Answer {
        let mut answer = self.clerk.answer(command);
        answer.attempts = self.random.number(1..=command.attempts_max.max(1));
        // At hand from an earlier run: only what went well is kept.
        let is_reused = self.random.happens(self.reused_share);
        if is_reused {
            answer.attempts = 0;
            answer.nano_usd = 0;
            return answer;
        }
        let is_fatal = self.random.happens(self.fatal_share);
        let is_bad = self.random.happens(self.bad_share);
        answer.outcome = match answer.outcome {
            Result_::Searched(_) if is_fatal => Result_::Searched(Err(self.fatal())),
            Result_::Searched(_) if is_bad && self.random.happens(64) => {
                Result_::Searched(Err(self.failure(FailureKind::Malformed)))
            }
            Result_::Searched(Ok(hits)) if is_bad => Result_::Searched(Ok(self.spoil_hits(hits))),
            Result_::Fetched(_) if is_bad => Result_::Fetched(Err(self.bad_photo())),
            Result_::Recognised(_) if is_fatal => Result_::Recognised(Err(self.fatal())),
            Result_::Recognised(_) if is_bad => {
                let kinds = [
                    FailureKind::BadImage,
                    FailureKind::TooLarge,
                    FailureKind::Malformed,
                ];
                let kind = self
                    .random
                    .one_of(&kinds)
                    .copied()
                    .unwrap_or(FailureKind::BadImage);
                Result_::Recognised(Err(self.failure(kind)))
            }
            Result_::Recognised(Ok(mut faces)) => {
                self.spoil_faces(&mut faces);
                Result_::Recognised(Ok(faces))
            }
            Result_::Planned(_) => self.plan(command),
            other => other,
        };
        answer
    }

    fn failure(&mut self, kind: FailureKind) -> Failure {
        *self.failures.entry(format!("{kind:?}")).or_insert(0) += 1;
        Failure::new(kind, "HTTP 400")
    }

    fn fatal(&mut self) -> Failure {
        let kinds = [
            FailureKind::Throttled,
            FailureKind::Quota,
            FailureKind::Refused,
            FailureKind::Closed,
            FailureKind::Misconfigured,
            FailureKind::Down,
        ];
        let kind = self
            .random
            .one_of(&kinds)
            .copied()
            .unwrap_or(FailureKind::Down);
        self.failure(kind)
    }

    fn bad_photo(&mut self) -> PhotoFailure {
        if self.random.is_heads() {
            *self.failures.entry("Unfetchable".into()).or_insert(0) += 1;
            PhotoFailure::Unfetchable("its host answered HTTP 404".into())
        } else {
            *self.failures.entry("Unreadable".into()).or_insert(0) += 1;
            PhotoFailure::Unreadable("it is empty".into())
        }
    }

    /// Nothing at all, the same photo under a second address, or more than was asked for.
    fn spoil_hits(&mut self, mut hits: Vec<Hit>) -> Vec<Hit> {
        match self.random.number(0..3) {
            0 => hits.clear(),
            1 => hits.extend(hits.first().cloned()),
            _ => {
                let more = hits.clone();
                hits.extend(more);
            }
        }
        hits
    }

    /// The same person twice, an id or a name left out.
    fn spoil_faces(&mut self, faces: &mut Vec<crate::domain::Face>) {
        if self.random.happens(24)
            && let Some(mut twin) = faces.first().cloned()
        {
            twin.confidence = Confidence::clamped(f64::from(self.random.number(0..=100)));
            faces.push(twin);
        }
        if self.random.happens(8)
            && let Some(face) = faces.last_mut()
        {
            face.id.clear();
        }
    }

    fn plan(&mut self, command: &Command) -> Result_ {
        let crate::investigation::Action::Plan(question) = &command.action else {
            return Result_::Planned(Err(self.failure(FailureKind::Malformed)));
        };
        let rows = &question.candidates;
        let row = |random: &mut Dice| random.one_of(rows).map(|row| row.name.clone());
        match self.random.number(0..8) {
            0 => {
                let kinds = [
                    FailureKind::Malformed,
                    FailureKind::Down,
                    FailureKind::Quota,
                ];
                let kind = self
                    .random
                    .one_of(&kinds)
                    .copied()
                    .unwrap_or(FailureKind::Down);
                Result_::Planned(Err(self.failure(kind)))
            }
            1 => Result_::Planned(Ok(PlanAnswer {
                next_candidates: vec!["Somebody Else".into(), String::new()],
                search_queries: vec!["drop table".into()],
                narration: "x\n\u{0}y".repeat(200),
            })),
            _ => Result_::Planned(Ok(PlanAnswer {
                next_candidates: (0..self.random.count(0..4))
                    .filter_map(|_| row(&mut self.random))
                    .collect(),
                search_queries: (0..self.random.count(0..3))
                    .filter_map(|_| self.random.one_of(&question.allowed_queries).cloned())
                    .collect(),
                narration: "Trying somebody known to both.".into(),
            })),
        }
    }
}
