//! Checks the properties of a run with a small model of the answers, which is independent of the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use domain::{EvidenceRef, ListPage, PAGE_OPENINGS_MAX, Plan, fold};
use investigation::machine::{
    Action, Answer, Command, EdgeReport, FinalReport, Input, Investigation, NoPathReport,
    NoticeKind, Outcome, Reason, Request,
};
use kernel::CommandId;

use super::memory_questions::memory_question;
use super::recognised_photos::RecognisedPhotos;
use super::violation::{Violation, require};

/// Checks a run. It records the answers so far, and knows what they allow the machine to do.
#[derive(Debug)]
pub struct RunChecker {
    request: Request,
    searches: u32,
    recognitions: u32,
    planner_calls: u32,
    pages: u32,
    /// The photos whose page check was reported.
    paged: Vec<EvidenceRef>,
    /// The number of answered searches.
    answers: usize,
    /// The number of hits in the answered searches.
    hits: usize,
    /// For each answered query, identified by the list's page and the query's text: whether the list continues.
    answered: BTreeMap<(ListPage, String), bool>,
    /// The commands that requested photos. A lost photo is requested again by a command with the same number.
    photos: BTreeSet<CommandId>,
    /// The commands that await an answer, with the attempts that each may take.
    waiting: BTreeMap<CommandId, (Action, u32)>,
    recognised: RecognisedPhotos,
    /// The number of answers about the people in a photo.
    looks: u32,
    last_events: u32,
}

impl RunChecker {
    /// Makes a checker for a run that has no answers yet.
    #[must_use]
    pub fn new(request: &Request) -> Self {
        Self {
            request: request.clone(),
            searches: 0,
            recognitions: 0,
            planner_calls: 0,
            pages: 0,
            paged: Vec::new(),
            answers: 0,
            hits: 0,
            answered: BTreeMap::new(),
            photos: BTreeSet::new(),
            waiting: BTreeMap::new(),
            recognised: RecognisedPhotos::new(request),
            looks: 0,
            last_events: 0,
        }
    }

    /// Records an input that the machine gets.
    pub fn input(&mut self, input: &Input) {
        match input {
            Input::Answer(answer) => self.answer(answer),
            Input::Resumed { lost } => {
                for call in lost {
                    if let Some((action, _)) = self.waiting.remove(&call.command) {
                        self.count(&action, call.attempts);
                    }
                }
            }
            Input::Stop { lost } | Input::Withdrawn { lost } => {
                for (command, (action, _)) in mem::take(&mut self.waiting) {
                    let call = lost.iter().find(|call| call.command == command);
                    self.count(&action, call.map_or(0, |call| call.attempts));
                }
            }
            Input::Start | Input::Remark(_) => {}
        }
    }

    fn answer(&mut self, answer: &Answer) {
        let Some((action, _)) = self.waiting.remove(&answer.command) else {
            return;
        };
        self.count(&action, answer.attempts);
        match (&action, &answer.outcome) {
            (Action::Search { question, .. }, outcome) => {
                let Some(Ok(found)) = outcome.search_result() else {
                    return;
                };
                let asked = (found.part.clone(), question.text());
                self.answered.insert(asked, found.has_more);
                self.answers += 1;
                self.hits += found.hits.len();
            }
            (Action::Fetch { .. } | Action::FetchKnown { .. }, Outcome::Fetched(Ok(fetched))) => {
                self.recognised.fetched(answer.command, &fetched.digest);
                let is_new = self.recognised.of(&fetched.digest).is_none();
                if let Some(remembered) = fetched.remembered.as_deref().filter(|_| is_new) {
                    (self.recognised).recognised(answer.command, &remembered.recognised);
                    self.looks += 1;
                }
            }
            (Action::Recall(_), Outcome::Recalled(photos)) => self.hits += photos.len(),
            (Action::Connect(_), Outcome::Connected(photos)) => self.hits += photos,
            (Action::Recognise { fetched_by }, Outcome::Recognised(Ok(recognised))) => {
                self.recognised.recognised(*fetched_by, recognised);
                self.looks += 1;
            }
            _ => {}
        }
    }

    /// Counts the attempts that a call really took. One attempt was already counted with the command.
    fn count(&mut self, action: &Action, attempts: u32) {
        let spent = match action {
            Action::Search { .. } => &mut self.searches,
            Action::Recognise { .. } => &mut self.recognitions,
            Action::Plan(_) => &mut self.planner_calls,
            Action::Capture { .. } => &mut self.pages,
            Action::Fetch { .. }
            | Action::FetchKnown { .. }
            | Action::Lives(_)
            | Action::Recall(_)
            | Action::Connect(_) => return,
        };
        *spent = *spent - 1 + attempts;
    }

    /// Checks that no call can exceed a budget, even with all attempts that the command allows.
    pub fn command(&mut self, command: &Command) -> Result<(), Violation> {
        if let Action::Search { question, part, .. } = &command.action {
            self.question(question.text(), part)?;
        }
        let limits = &self.request.limits;
        let is_same_kind =
            |action: &Action| mem::discriminant(action) == mem::discriminant(&command.action);
        let kept: u32 = self
            .waiting
            .values()
            .filter(|(action, _)| is_same_kind(action))
            .map(|(_, attempts_max)| attempts_max - 1)
            .sum();
        require(self.waiting.len() < 5, "more than five calls at a time")?;
        let (spent, limit) = match &command.action {
            Action::Search { .. } => (&mut self.searches, limits.searches_max),
            Action::Recognise { .. } => (&mut self.recognitions, limits.recognitions_max),
            Action::Plan(_) => (&mut self.planner_calls, limits.planner_calls_max),
            Action::Capture { .. } => {
                require(limits.captures_pages, "a page that nobody wanted")?;
                require(self.waiting.is_empty(), "a page beside another call")?;
                (&mut self.pages, PAGE_OPENINGS_MAX)
            }
            Action::Lives(people) => {
                require(
                    limits.asks_lives && !people.is_empty(),
                    "lives that nobody wanted",
                )?;
                self.waiting.insert(command.id, (command.action.clone(), 1));
                return Ok(());
            }
            Action::Recall(_) | Action::Connect(_) => {
                self.waiting.insert(command.id, (command.action.clone(), 1));
                return memory_question(&command.action, limits);
            }
            Action::Fetch { .. } | Action::FetchKnown { .. } => {
                self.waiting.insert(command.id, (command.action.clone(), 1));
                self.photos.insert(command.id);
                let per_search = usize::try_from(limits.images_per_search).unwrap_or(usize::MAX);
                // In a search from both ends, the machine also examines photos that earlier answers left over, so the
                // limit per search does not apply.
                let photos_max = match limits.plan {
                    Plan::OneSided => per_search * self.answers,
                    Plan::BothEnds => self.hits,
                };
                return require(
                    self.photos.len() <= photos_max,
                    "more photos than the searches may look at",
                );
            }
        };
        require(
            command.attempts_max >= 1,
            "a command may be tried at least once",
        )?;
        require(
            *spent + kept + command.attempts_max <= limit,
            "a call past its budget",
        )?;
        *spent += 1;
        require(command.time_left_ms > 0, "a call after the run's time")?;
        let waiting = (command.action.clone(), command.attempts_max);
        self.waiting.insert(command.id, waiting);
        Ok(())
    }

    /// Checks that a query is not repeated, and that the page that it requests exists.
    fn question(&self, text: String, part: &ListPage) -> Result<(), Violation> {
        let mut waiting = self.waiting.values();
        let is_waiting = waiting.any(|(action, _)| {
            matches!(action, Action::Search { question, part: other, .. }
                if other == part && question.text() == text)
        });
        require(!is_waiting, "a question twice at a time")?;
        let before = part.page.checked_sub(1).map(|page| ListPage {
            page,
            ..part.clone()
        });
        if let Some(before) = before {
            let goes_on = self.answered.get(&(before, text.clone())) == Some(&true);
            require(goes_on, "a page of a list that does not go on")?;
            let mut sources = self.request.sources.iter();
            let source = sources.find(|source| Some(&source.id) == part.source.as_ref());
            let has_page = source.is_some_and(|source| part.page < source.pages_max);
            require(has_page, "a page that an image search does not have")?;
        }
        let is_answered = self.answered.contains_key(&(part.clone(), text));
        require(!is_answered, "a question that is answered")
    }

    /// Checks that a notice of the machine follows from the answers.
    pub fn notice(&mut self, told: &NoticeKind) -> Result<(), Violation> {
        require(self.last_events == 0, "an event after the last one")?;
        self.last_events += u32::from(told.is_last());
        match told {
            NoticeKind::Evidence(edge) => self.edge(edge),
            NoticeKind::PathUpdate(path) => {
                let hops_max = usize::try_from(self.request.limits.hops).unwrap_or(usize::MAX);
                require(path.len() <= hops_max + 1, "a path longer than the hops")?;
                require(
                    path.iter().all(|person| !self.request.avoids(&person.name)),
                    "an avoided person on the path",
                )
            }
            NoticeKind::Final(report) => self.final_path(report),
            NoticeKind::NoPath(report) => self.no_path(report),
            NoticeKind::PageCapture(report) => {
                self.paged.extend(&report.page.photos);
                require(
                    self.request.limits.captures_pages,
                    "a page that nobody wanted",
                )
            }
            NoticeKind::Status(_) | NoticeKind::Error(_) => Ok(()),
        }
    }

    fn threshold(&self) -> f64 {
        f64::from(self.request.limits.threshold_percent)
    }

    /// Checks that an edge has a photo in which both people were recognised at the threshold.
    fn edge(&self, edge: &EdgeReport) -> Result<(), Violation> {
        require(!edge.evidence.is_empty(), "an edge without a photo")?;
        for photo in &edge.evidence {
            let seen = self.recognised.of(&photo.digest);
            let recognised = seen.ok_or_else(|| Violation::new("evidence not recognised"))?;
            let veto = recognised.collage_check.veto();
            require(veto.is_none(), "an edge by a vetoed photo")?;
            let shows = |name: &str| {
                recognised.faces.iter().any(|face| {
                    face.confidence.percent() >= self.threshold() && fold(&face.name) == fold(name)
                })
            };
            require(
                shows(&edge.from.name) && shows(&edge.to.name),
                "an edge by a photo that does not show both at the threshold",
            )?;
            require(
                photo.image_score >= self.threshold(),
                "an image score under the threshold",
            )?;
        }
        let best = edge
            .evidence
            .iter()
            .map(|photo| photo.image_score)
            .fold(0.0, f64::max);
        require(
            best.to_bits() == edge.confidence.to_bits(),
            "an edge not as sure as its best photo",
        )
    }

    fn final_path(&self, report: &FinalReport) -> Result<(), Violation> {
        let hops = report.edges.len();
        let hops_max = usize::try_from(self.request.limits.hops).unwrap_or(usize::MAX);
        require(
            hops >= 1 && hops <= hops_max,
            "a final path longer than the hops",
        )?;
        require(
            report.path.len() == hops + 1,
            "a final path with other people than edges",
        )?;
        for edge in &report.edges {
            self.edge(edge)?;
            let best = edge.evidence.first().map(|photo| photo.reference);
            let is_told = best.is_some_and(|best| self.paged.contains(&best));
            require(
                is_told == self.request.limits.captures_pages,
                "a page of which nothing was told",
            )?;
            require(
                is_told || edge.capture.is_none(),
                "a picture of a page that nobody opened",
            )?;
        }
        let names: Vec<String> = report
            .path
            .iter()
            .map(|person| fold(&person.name))
            .collect();
        require(
            names.first() == Some(&self.request.person_a.folded())
                && names.last() == Some(&self.request.person_b.folded()),
            "a final path between other people",
        )?;
        let ids: BTreeSet<&str> = report
            .path
            .iter()
            .map(|person| person.id.as_str())
            .collect();
        require(
            ids.len() == report.path.len(),
            "a person twice on the final path",
        )?;
        require(
            report
                .path
                .iter()
                .all(|person| !self.request.avoids(&person.name)),
            "an avoided person on the final path",
        )?;
        if self.request.limits.plan == Plan::BothEnds {
            let shortest = self.recognised.shortest();
            if shortest != Some(hops) {
                return Err(Violation::new(format!(
                    "a chain of {hops} hops where {shortest:?} are verified: {:?}",
                    report.path
                )));
            }
        }
        Ok(())
    }

    /// Checks that a run without a path only mentions people that it examined.
    fn no_path(&self, report: &NoPathReport) -> Result<(), Violation> {
        let photos = report.spent.photos;
        let unread = photos.unfetchable + photos.unreadable;
        match report.reason {
            Reason::UnknownPerson => {
                require(self.looks > 0, "a name that no photo could have shown")?;
                require(
                    !report.unknown.is_empty(),
                    "an unknown person without a name",
                )
            }
            Reason::NoCandidates => require(self.looks > 0, "everybody tried, and nobody seen"),
            Reason::NoReadablePhotos => require(
                photos.looked == 0 || unread > 0 || !report.unknown.is_empty(),
                "photos that could be looked at, and a name that they show",
            ),
            _ => Ok(()),
        }
    }

    /// Checks the end of a run: the spending matches the calls, and a run from both ends reports every chain that it
    /// found.
    pub fn end(&self, machine: &Investigation) -> Result<(), Violation> {
        require(machine.is_ended(), "a last event of a run that goes on")?;
        require(self.last_events == 1, "exactly one last event")?;
        let spent = machine.spent();
        require(
            spent.search_calls == self.searches,
            "searches counted wrongly",
        )?;
        require(
            spent.recognition_calls == self.recognitions,
            "recognitions counted wrongly",
        )?;
        require(
            spent.planner_calls == self.planner_calls,
            "planner calls counted wrongly",
        )?;
        let is_found = machine.path_report().people.len() > 1;
        let hops_max = usize::try_from(self.request.limits.hops).unwrap_or(usize::MAX);
        if self.request.limits.plan == Plan::BothEnds && !is_found {
            let is_within = self
                .recognised
                .shortest()
                .is_some_and(|hops| hops <= hops_max);
            require(!is_within, "a verified chain that was not told")?;
        }
        Ok(())
    }
}
