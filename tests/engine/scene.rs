//! A scene: the photos found by each query, the people in them, and a run.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use domain::{
    CollageCheck, Failure, FailureKind, Life, Limits, Name, PhotoCopy, PhotoFailure, Plan,
    PlanAnswer, Provenance, Unjudged, Veto, WordUse,
};
use investigation::machine::{
    Action, Answer, Captured, Command, Fetched, Input, Investigation, Outcome, Recognised, Request,
};
use kernel::{LostCall, Millis};

use crate::kept;

use super::found::part_words;
use super::looks::{digest, faces, fingerprint};
use super::remembered::memory_words;
use super::transcript::told;

/// The failure of a query, a photo or a planner call.
#[derive(Debug, Clone)]
pub enum ScriptedFailure {
    Search(FailureKind),
    Recognise(FailureKind),
    /// Fails this often before it is answered.
    RecogniseAfter(u32, FailureKind),
    Unfetchable,
    Unreadable,
    /// The page cannot be opened.
    Unopenable,
}

#[derive(Debug, Clone)]
pub struct Scene {
    pub request: Request,
    pub(super) queries: BTreeMap<&'static str, Vec<&'static str>>,
    photos: BTreeMap<&'static str, &'static str>,
    failures: BTreeMap<&'static str, ScriptedFailure>,
    plans: Vec<Result<PlanAnswer, Failure>>,
    /// The milliseconds between two answers.
    pub pause_ms: u64,
    /// The attempts that each call takes, within its limit.
    pub attempts: u32,
    /// The number of answers that have arrived besides the one that decides the end.
    pub here_at_end: usize,
    /// The user stops the run at this command.
    pub stop_at: Option<u32>,
    /// Photos with the same bytes as another.
    same_bytes: BTreeMap<&'static str, &'static str>,
    /// Photos recognised by earlier runs, with the people in them, including those whose bytes have changed.
    pub(super) remembered: BTreeMap<&'static str, &'static str>,
    pub(super) changed: Vec<&'static str>,
    /// Photos that are collages, or nearly look like one.
    pub(super) checks: BTreeMap<&'static str, CollageCheck>,
    /// The lives that Wikidata tells.
    pub lives: Vec<Life>,
    looks: BTreeMap<&'static str, (usize, f64)>,
    claims: BTreeMap<&'static str, Provenance>,
    /// The addresses of photos' pages, and the titles of photos.
    pub(super) pages: BTreeMap<&'static str, &'static str>,
    pub(super) titles: BTreeMap<&'static str, &'static str>,
}

impl Scene {
    pub fn new(plan: Plan) -> Self {
        let limits = Limits {
            plan,
            planner_calls_max: 0,
            images_per_search: 3,
            ..Limits::default()
        };
        Self {
            request: Request {
                sources: Vec::new(),
                person_a: Name::parse("Ann").unwrap().into(),
                person_b: Name::parse("Bob").unwrap().into(),
                avoid: Vec::new(),
                limits,
            },
            queries: BTreeMap::new(),
            photos: BTreeMap::new(),
            failures: BTreeMap::new(),
            plans: Vec::new(),
            pause_ms: 0,
            attempts: 1,
            here_at_end: 0,
            stop_at: None,
            same_bytes: BTreeMap::new(),
            remembered: BTreeMap::new(),
            changed: Vec::new(),
            checks: BTreeMap::new(),
            looks: BTreeMap::new(),
            pages: BTreeMap::new(),
            titles: BTreeMap::new(),
            claims: BTreeMap::new(),
            lives: Vec::new(),
        }
    }

    pub fn limit(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.request.limits);
        self
    }

    pub fn avoid(mut self, name: &str) -> Self {
        self.request.avoid.push(Name::parse(name).unwrap());
        self
    }

    /// `finds("Ann Bob", "p1 p2")`.
    pub fn finds(mut self, query: &'static str, photos: &'static str) -> Self {
        self.queries
            .insert(query, photos.split_whitespace().collect());
        self
    }

    /// `shows("p1", "Ann:99 Xia:90")`; `Xia#2:90` has a separate id, `Xia=Yan:90` has Yan's, `Xia:90@Q5` has a Wikidata
    /// page, and `Xia:90/3` is the fourth face of a row.
    pub fn shows(mut self, photo: &'static str, faces: &'static str) -> Self {
        self.photos.insert(photo, faces);
        self
    }

    pub fn fails_at(mut self, with: &'static str, failure: ScriptedFailure) -> Self {
        self.failures.insert(with, failure);
        self
    }

    pub fn same_bytes(mut self, photo: &'static str, other: &'static str) -> Self {
        self.same_bytes.insert(photo, other);
        self
    }

    /// A photo that looks like this picture's left part, up to a share of its width.
    pub fn looks(mut self, photo: &'static str, picture: usize, share: f64) -> Self {
        self.looks.insert(photo, (picture, share));
        self
    }

    pub fn vetoed(mut self, photo: &'static str, veto: Veto) -> Self {
        self.checks.insert(photo, CollageCheck::Vetoed(veto));
        self
    }

    pub fn unjudged(mut self, photo: &'static str, why: Unjudged) -> Self {
        self.checks.insert(photo, CollageCheck::NotJudged(why));
        self
    }

    pub fn doubtful(mut self, photo: &'static str) -> Self {
        self.checks.insert(photo, CollageCheck::Doubtful);
        self
    }

    /// A photo with a title that is used.
    pub fn says(mut self, photo: &'static str, title: &'static str) -> Self {
        self.request.limits.words = WordUse::Hints;
        self.titles.insert(photo, title);
        self
    }

    /// A photo with a title that is read before any photo is paid for.
    pub fn tells(mut self, photo: &'static str, title: &'static str) -> Self {
        self.request.limits.words = WordUse::HintsFirst;
        self.titles.insert(photo, title);
        self
    }

    /// A photo whose words may speak against it.
    pub fn captioned(mut self, photo: &'static str, title: &'static str) -> Self {
        self.request.limits.words = WordUse::Doubts;
        self.titles.insert(photo, title);
        self
    }

    /// A photo whose file makes claims.
    pub fn claims(mut self, photo: &'static str, provenance: Provenance) -> Self {
        self.request.limits.words = WordUse::Doubts;
        self.claims.insert(photo, provenance);
        self
    }

    pub fn at_page(mut self, photo: &'static str, url: &'static str) -> Self {
        self.pages.insert(photo, url);
        self
    }

    pub fn plans(mut self, names: &str, queries: &[&str], narration: &str) -> Self {
        self.plans.push(Ok(PlanAnswer {
            next_candidates: names.split_whitespace().map(str::to_owned).collect(),
            search_queries: queries.iter().map(|query| (*query).to_owned()).collect(),
            hypotheses: Vec::new(),
            narration: narration.to_owned(),
        }));
        self
    }

    /// The planner only answers with guesses.
    pub fn guesses(self, names: &[&str]) -> Self {
        self.plans("", &[], "").and_guesses(names)
    }

    /// The planner's last answer also has these guesses.
    pub fn and_guesses(mut self, names: &[&str]) -> Self {
        if let Some(Ok(plan)) = self.plans.last_mut() {
            plan.hypotheses = names.iter().map(|name| (*name).to_owned()).collect();
        }
        self
    }

    pub fn plan_fails(mut self, kind: FailureKind) -> Self {
        self.plans.push(Err(Failure::new(kind, "HTTP 400")));
        self
    }

    /// Runs to the end; returns a line for every command and notice.
    pub fn transcript(&self) -> String {
        let mut machine = Investigation::new(self.request.clone());
        let mut lines = String::new();
        let mut fetched: BTreeMap<u32, &'static str> = BTreeMap::new();
        let mut tried: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut plans = self.plans.iter();
        let mut now = Millis(1_000_000);
        let mut input = Input::Start;
        let mut open: VecDeque<Command> = VecDeque::new();
        let mut here_at_end = self.here_at_end;
        loop {
            machine.handle(input, now);
            while let Some(notice) = machine.next_notice() {
                writeln!(lines, "{}", told(&notice.kind)).unwrap();
            }
            while let Some(command) = machine.next_command() {
                writeln!(lines, "-> {}", Self::wanted(&command, &fetched)).unwrap();
                open.push_back(command);
            }
            assert!(open.len() <= 5, "five calls at a time");
            if machine.is_withdrawing() && (here_at_end == 0 || open.is_empty()) {
                writeln!(lines, "-> withdraw {}", open.len()).unwrap();
                input = Input::Withdrawn {
                    lost: self.lost(open.drain(..)),
                };
                continue;
            }
            let Some(command) = open.pop_front() else {
                break;
            };
            if machine.is_withdrawing() {
                here_at_end -= 1;
                let what = Self::wanted(&command, &fetched);
                writeln!(lines, "here is: {what}").unwrap();
            }
            now = Millis(now.0 + self.pause_ms);
            input = if self.stop_at == Some(command.id.0) {
                Input::Stop {
                    lost: self.lost([command].into_iter().chain(open.drain(..))),
                }
            } else {
                Input::Answer(self.answer(&command, &mut fetched, &mut tried, &mut plans))
            };
        }
        assert!(machine.is_ended());
        lines
    }

    fn lost(&self, commands: impl Iterator<Item = Command>) -> Vec<LostCall> {
        let lost = commands.map(|command| LostCall {
            command: command.id,
            attempts: self.attempts,
            throttled: 0,
            nano_usd: 0,
        });
        lost.collect()
    }

    fn wanted(command: &Command, fetched: &BTreeMap<u32, &'static str>) -> String {
        match &command.action {
            Action::Search {
                question,
                count,
                part,
                ..
            } => format!("search {} [{count}{}]", question.text(), part_words(part)),
            Action::Fetch { image_url, .. } => format!("fetch {image_url}"),
            Action::Recognise { fetched_by } => {
                // The usual limit of attempts is omitted.
                let attempts = match command.attempts_max {
                    3 => String::new(),
                    1 => " with one attempt".to_owned(),
                    more => format!(" with {more} attempts"),
                };
                format!("recognise {}{attempts}", fetched[&fetched_by.0])
            }
            Action::Plan(question) => {
                let rows: Vec<String> = question
                    .candidates
                    .iter()
                    .map(|row| {
                        format!(
                            "{} {} {}x {:.0}",
                            row.number, row.name, row.count, row.best_confidence
                        )
                    })
                    .collect();
                format!("plan from {}: {}", question.frontier, rows.join(", "))
            }
            Action::Capture { url } => format!("capture {url} in {} ms", command.time_left_ms),
            other => memory_words(other),
        }
    }

    fn answer<'plan>(
        &self,
        command: &Command,
        fetched: &mut BTreeMap<u32, &'static str>,
        tried: &mut BTreeMap<&'static str, u32>,
        plans: &mut impl Iterator<Item = &'plan Result<PlanAnswer, Failure>>,
    ) -> Answer {
        let failure = |kind| Failure::new(kind, "HTTP 400");
        let outcome = match &command.action {
            Action::Search {
                question,
                count,
                part,
                ..
            } => match self.failures.get(question.text().as_str()) {
                Some(ScriptedFailure::Search(kind)) => Outcome::Searched(Err(failure(*kind))),
                _ => Ok(self.found(&question.text(), *count, part)).into(),
            },
            Action::Fetch { image_url, .. } => {
                let (name, _) = self
                    .photos
                    .get_key_value(image_url.as_str())
                    .expect("a photo");
                fetched.insert(command.id.0, name);
                let bytes = self.same_bytes.get(name).unwrap_or(name);
                match self.failures.get(name) {
                    Some(ScriptedFailure::Unfetchable) => Outcome::Fetched(Err(
                        PhotoFailure::Unfetchable("its host answered HTTP 404".into()),
                    )),
                    Some(ScriptedFailure::Unreadable) => {
                        Outcome::Fetched(Err(PhotoFailure::Unreadable("it is empty".into())))
                    }
                    _ => Outcome::Fetched(Ok(Fetched {
                        provenance: self.claims.get(name).cloned().unwrap_or_default(),
                        remembered: self.answer_to(name),
                        sent: None,
                        fingerprint: self.looks.get(name).map(|look| fingerprint(*look)),
                        digest: digest(bytes),
                        copy: PhotoCopy::Image,
                    })),
                }
            }
            Action::Recognise { fetched_by } => {
                let name = fetched[&fetched_by.0];
                let tried = tried.entry(name).or_insert(0);
                *tried += 1;
                match self.failures.get(name) {
                    Some(ScriptedFailure::Recognise(kind)) => {
                        Outcome::Recognised(Err(failure(*kind)))
                    }
                    Some(ScriptedFailure::RecogniseAfter(times, kind)) if *tried <= *times => {
                        Outcome::Recognised(Err(failure(*kind)))
                    }
                    _ => {
                        let faces = faces(self.photos[name]);
                        let collage_check = self.check_of(name);
                        Outcome::Recognised(Ok(Recognised {
                            faces,
                            collage_check,
                            by: None,
                        }))
                    }
                }
            }
            Action::Plan(_) => Outcome::Planned(plans.next().expect("a plan").clone()),
            Action::Lives(_) => Outcome::Lives(self.lives.clone()),
            Action::Capture { url } => Outcome::Captured(self.captured(url)),
            _ => {
                let fetch = |fetch: &Command| self.answer(fetch, fetched, tried, plans);
                return self.answer_of_memory(command, fetch);
            }
        };
        let attempts = self.attempts.min(command.attempts_max);
        Answer {
            command: command.id,
            attempts,
            throttled: 0,
            nano_usd: 1,
            outcome,
            remarks: Vec::new(),
        }
    }

    /// Answers a command in a scene with one photo.
    pub fn answer_alone(&self, command: &Command) -> Answer {
        let photo = self.photos.keys().next().copied().unwrap_or_default();
        let mut fetched = BTreeMap::new();
        if let Action::Recognise { fetched_by } = command.action {
            fetched.insert(fetched_by.0, photo);
        }
        self.answer(
            command,
            &mut fetched,
            &mut BTreeMap::new(),
            &mut self.plans.iter(),
        )
    }

    fn captured(&self, url: &str) -> Result<Captured, String> {
        let page = self.failures.get_key_value(url);
        if let Some((_, ScriptedFailure::Unopenable)) = page {
            return Err("The page could not be opened.".to_owned());
        }
        Ok(Captured {
            digest: digest(url),
            media_type: "image/jpeg".to_owned(),
            size: Some((1_280, 800)),
            at: Millis(1_000_000),
        })
    }
}

/// Compares the transcript with the stored one.
#[track_caller]
pub fn check(scene: &Scene, name: &str) {
    kept::check(
        &scene.transcript(),
        &format!("tests/engine/transcripts/{name}.txt"),
    );
}
