//! The inputs of a random run: the answers and failures that its seed determines.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::{
    CollageCheck, Confidence, Failure, FailureKind, FoundHits, Hit, ListPage, MemoryUse,
    PhotoFailure, PlanAnswer, SearchSource, Unjudged, Veto,
};
use investigation::machine::{Action, Answer, Command, Input, Outcome, Request};
use kernel::{CommandId, LostCall};
use sandbox::{Rules, World};

use crate::in_memory::InMemoryPhotos;
use crate::rehearsal::simulation::WorldProviders;

use super::seeded_rng::SeededRng;

/// The most answers of a run, after which the user stops it.
const ANSWERS_MAX: usize = 150;

/// The answers of a world's providers. The seed spoils some of them or replaces them with failures.
pub(super) struct RandomAnswers<'world> {
    random: SeededRng,
    providers: WorldProviders<'world>,
    /// The available image searches.
    sources: Vec<SearchSource>,
    answers: usize,
    /// The names of everybody in the world.
    names: Vec<String>,
    failures: BTreeMap<String, u32>,
    /// The shares, in 256ths, of fatal provider failures and of bad photos or plans.
    fatal_share: u32,
    bad_share: u32,
    /// The shares, in 256ths, of calls during which the process dies and of answers reused from an earlier run.
    crash_share: u32,
    reused_share: u32,
    stop_after: usize,
    /// The share, in 256ths, of photos that turn out to be collages.
    veto_share: u32,
}

impl<'world> RandomAnswers<'world> {
    pub(super) fn new(
        seed: u64,
        world: &'world World,
        (rules, memory): (Rules, &'world RefCell<InMemoryPhotos>),
        request: &Request,
    ) -> Self {
        let mut random = SeededRng::new(seed);
        Self {
            providers: match request.limits.memory {
                MemoryUse::On | MemoryUse::Shown => {
                    WorldProviders::new(world, rules).remembering(memory)
                }
                MemoryUse::Off => WorldProviders::new(world, rules),
            },
            sources: request.sources.clone(),
            answers: 0,
            names: world.people.iter().map(|one| one.name.clone()).collect(),
            failures: BTreeMap::new(),
            // In half of all runs no failure is fatal, because otherwise hardly any run would end well.
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
            veto_share: if random.is_heads() {
                random.number(0..64)
            } else {
                0
            },
            random,
        }
    }

    /// Returns the number of answers by kind of failure.
    pub(super) fn into_failures(self) -> BTreeMap<String, u32> {
        self.failures
    }

    pub(super) fn pause_ms(&mut self) -> u64 {
        self.random.long(0..600)
    }

    /// Returns the next input, which is mostly the answer to the oldest command. Returns `None` if no command is open.
    pub(super) fn input(&mut self, open: &BTreeMap<CommandId, Command>) -> Option<Input> {
        let command = open.values().next()?;
        self.answers += 1;
        if self.answers > self.stop_after {
            let lost = self.lost(open);
            return Some(Input::Stop { lost });
        }
        if self.random.happens(self.crash_share) {
            *self.failures.entry("Crash".into()).or_insert(0) += 1;
            let lost = self.lost(open);
            return Some(Input::Resumed { lost });
        }
        Some(Input::Answer(self.answer(command)))
    }

    /// Returns an input after the end is decided: the answer to an open command, mostly to an old one, or the
    /// withdrawal of all remaining commands.
    pub(super) fn last_input(&mut self, open: &BTreeMap<CommandId, Command>) -> Input {
        let mut open_commands = open.values();
        let here = open_commands.find(|_| self.random.happens(128));
        match here {
            Some(command) => Input::Answer(self.answer(command)),
            None => Input::Withdrawn {
                lost: self.lost(open),
            },
        }
    }

    /// Returns some of the open calls as lost. They had started, with one attempt or more, and will not be answered.
    pub(super) fn lost(&mut self, open: &BTreeMap<CommandId, Command>) -> Vec<LostCall> {
        let mut lost = Vec::new();
        for command in open.values() {
            if self.random.happens(192) {
                lost.push(LostCall {
                    command: command.id,
                    attempts: self.random.number(1..=command.attempts_max),
                    throttled: self.random.number(0..=command.throttled_max.min(3)),
                    nano_usd: 1_000_000,
                });
            }
        }
        lost
    }

    fn answer(&mut self, command: &Command) -> Answer {
        let mut answer = self.providers.answer(command);
        answer.attempts = self.random.number(1..=command.attempts_max.max(1));
        // Only successful answers can be reused.
        let is_reused = self.random.happens(self.reused_share);
        if is_reused {
            answer.attempts = 0;
            answer.nano_usd = 0;
            return answer;
        }
        let is_fatal = self.random.happens(self.fatal_share);
        let is_bad = self.random.happens(self.bad_share);
        if let Some(result) = answer.outcome.search_result() {
            answer.outcome = match result {
                _ if is_fatal => Err(self.fatal()),
                _ if is_bad && self.random.happens(64) => {
                    let kind = if self.random.is_heads() {
                        FailureKind::Malformed
                    } else {
                        FailureKind::MalformedHandedOver
                    };
                    Err(self.failure(kind))
                }
                Ok(found) if is_bad && self.random.is_heads() => {
                    Ok(self.answered_elsewhere(command, found))
                }
                Ok(found) if is_bad => Ok(FoundHits {
                    hits: self.spoil_hits(found.hits),
                    ..found
                }),
                result => result,
            }
            .into();
            return answer;
        }
        answer.outcome = match answer.outcome {
            Outcome::Fetched(_) if is_bad => Outcome::Fetched(Err(self.bad_photo())),
            Outcome::Recognised(_) if is_fatal => Outcome::Recognised(Err(self.fatal())),
            Outcome::Recognised(_) if is_bad => {
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
                Outcome::Recognised(Err(self.failure(kind)))
            }
            Outcome::Recognised(Ok(mut recognised)) => {
                self.spoil_faces(&mut recognised.faces);
                recognised.collage_check = self.collage_check();
                Outcome::Recognised(Ok(recognised))
            }
            Outcome::Planned(_) => self.plan(command),
            Outcome::Recalled(_) if is_bad => Outcome::Recalled(Vec::new()),
            Outcome::Connected(_) if is_bad => Outcome::Connected(0),
            Outcome::Captured(_) if self.random.happens(64) => {
                Outcome::Captured(Err("The page could not be opened.".to_owned()))
            }
            other => other,
        };
        answer
    }

    /// Makes an answer come from another image search that may substitute for the requested one. The hits then count as
    /// the first page of that search's list.
    fn answered_elsewhere(&self, command: &Command, found: FoundHits) -> FoundHits {
        let Action::Search { asked_before, .. } = &command.action else {
            return found;
        };
        let meant = found.part.source.as_ref();
        let is_other = |source: &&SearchSource| {
            meant.is_some_and(|meant| *meant != source.id) && !asked_before.contains(&source.id)
        };
        match self.sources.iter().find(is_other) {
            Some(other) => FoundHits {
                part: ListPage {
                    source: Some(other.id.clone()),
                    page: 0,
                },
                ..found
            },
            None => found,
        }
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

    /// Spoils the hits of a search: removes all, repeats a photo at a second address, or adds more than requested.
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

    /// Spoils the faces in a photo: repeats a person, or removes an id or a name.
    fn spoil_faces(&mut self, faces: &mut Vec<domain::Face>) {
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

    /// Sometimes vetoes a photo, which then proves nothing, or declares it doubtful or not judged.
    fn collage_check(&mut self) -> CollageCheck {
        if !self.random.happens(self.veto_share) {
            return CollageCheck::Passed;
        }
        *self.failures.entry("Veto".into()).or_insert(0) += 1;
        let checks = [
            CollageCheck::Doubtful,
            CollageCheck::NotJudged(Unjudged::TooLarge),
            CollageCheck::Vetoed(Veto::Seam),
            CollageCheck::Vetoed(Veto::Inset),
        ];
        self.random.one_of(&checks).copied().unwrap_or_default()
    }

    fn plan(&mut self, command: &Command) -> Outcome {
        let investigation::machine::Action::Plan(question) = &command.action else {
            return Outcome::Planned(Err(self.failure(FailureKind::Malformed)));
        };
        let rows = &question.candidates;
        let row = |random: &mut SeededRng| random.one_of(rows).map(|row| row.name.clone());
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
                Outcome::Planned(Err(self.failure(kind)))
            }
            1 => Outcome::Planned(Ok(PlanAnswer {
                next_candidates: vec!["Somebody Else".into(), String::new()],
                search_queries: vec!["drop table".into()],
                hypotheses: vec![String::new(), "\u{0}".into(), "Nobody Ever Seen".into()],
                narration: "x\n\u{0}y".repeat(200),
            })),
            _ => Outcome::Planned(Ok(PlanAnswer {
                next_candidates: (0..self.random.count(0..4))
                    .filter_map(|_| row(&mut self.random))
                    .collect(),
                search_queries: (0..self.random.count(0..3))
                    .filter_map(|_| self.random.one_of(&question.allowed_queries).cloned())
                    .collect(),
                hypotheses: (0..self.random.count(0..4))
                    .filter_map(|_| self.random.one_of(&self.names).cloned())
                    .collect(),
                narration: "Trying somebody known to both.".into(),
            })),
        }
    }
}
