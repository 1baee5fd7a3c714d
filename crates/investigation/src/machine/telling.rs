//! The notices to viewers, and the records that explain the run: the story of a run (what was reported), the teller
//! that reports it, and its lines.

mod certificate;
mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use domain::{
    CandidateRow, Chain, CollageCheck, DateDoubt, EvidenceRef, FaceDoubt, Pair, PersonIndex,
    Rejection, Side, Sighting,
};
use kernel::Outbox;

use super::budget::Budget;
use super::facts::{Facts, Frontier, Place, Query, Subject};
use super::interface::{Decision, Notice, NoticeKind, PersonRef, StateName, Status};

pub use certificate::certificate;
pub use report::{
    edge_report, frontier_records, graph_report, next_page, other_paths, page_urls, path_report,
    person_ref, subject_ref,
};

/// The longest part of the planner's narration in a line, in characters.
const NARRATION_CHARS_MAX: usize = 90;

/// The most hints shown to viewers at once. When there are more, the oldest are dropped.
const TOLD_MAX: usize = 20;

/// The most names that a line lists.
const NAMES_TOLD_MAX: usize = 4;

/// Reports what happens at a place in the search, during one input.
#[derive(Debug)]
pub struct Teller<'run> {
    story: &'run mut Story,
    facts: &'run Facts,
    place: Place,
    budget: &'run Budget,
}

impl<'run> Teller<'run> {
    /// Creates a teller that reports for this place in the search, together with what was spent so far.
    pub fn new(
        story: &'run mut Story,
        facts: &'run Facts,
        budget: &'run Budget,
        place: Place,
    ) -> Self {
        Self {
            story,
            facts,
            place,
            budget,
        }
    }

    /// Moves the place of the following reports to somebody else's surroundings.
    pub fn move_to(&mut self, frontier: Frontier) {
        self.place.frontier = Some(frontier);
    }

    pub fn tell(&mut self, kind: NoticeKind) {
        let at = self.budget.now();
        self.story.add(Notice { at, kind });
    }

    /// Reports what is being tried.
    pub fn status(&mut self, message: impl Into<String>) {
        let status = self.status_of(message.into(), None);
        self.tell(NoticeKind::Status(status));
    }

    /// Reports the query that is sent, the page if it is not the first, and the image search if there are several.
    pub fn searching(&mut self, query: &Query, source: usize, page: u32) {
        let of_several = self
            .facts
            .source(source)
            .filter(|_| self.facts.source(1).is_some());
        let whom = of_several.map_or(String::new(), |source| format!(" {}", source.name));
        let page = match page {
            0 => String::new(),
            further => format!(", page {}", further.saturating_add(1)),
        };
        let text = query.text();
        self.status(format!("Searching{whom} for photos: “{text}”{page}"));
    }

    /// Reports a search for somebody whom the planner guessed.
    pub fn guess(&mut self, guess: &str, message: String) {
        let status = self.status_of(message, Some(guess.to_owned()));
        self.tell(NoticeKind::Status(status));
    }

    /// Reports why photos are looked at: the words beside each say that it may show two people.
    pub fn hints(&mut self, hints: Vec<(String, [PersonRef; 2])>, message: String) {
        for (url, two) in hints {
            self.story.hints_mut().add(url, two);
        }
        self.status(message);
    }

    fn status_of(&mut self, message: String, guess: Option<String>) -> Status {
        let frontier = self.place.frontier;
        Status {
            state: self.place.state,
            message: self.story.note_status(message),
            hop: frontier.map_or(0, |frontier| frontier.depth),
            frontier: frontier.map(|frontier| report::subject_ref(self.facts, frontier.subject)),
            side: frontier.map(|frontier| frontier.side),
            spent: self.budget.spent(),
            limits: self.facts.limits().clone(),
            guess,
            hinted: self.story.hints_mut().take_changed(),
        }
    }

    /// Reports an edge with its photos, once.
    pub fn edge(&mut self, from: PersonIndex, to: PersonIndex) {
        let Some(edge) = self.facts.together().edge(from, to) else {
            return;
        };
        if self.story.note_told_edge(edge.pair()) {
            let report = report::edge_report(self.facts, from, to, edge);
            self.tell(NoticeKind::Evidence(report));
        }
    }

    /// Notes that an edge is reported to need no search. Returns false if this was already reported.
    pub fn is_new_proof(&mut self, pair: Pair) -> bool {
        self.story.note_told_proof(pair)
    }

    /// Reports the current chain, unless it was the last one reported.
    pub fn path(&mut self, people: &[PersonIndex]) {
        if self.story.note_told_path(people) {
            let path = people
                .iter()
                .map(|person| report::person_ref(self.facts, *person))
                .collect();
            self.tell(NoticeKind::PathUpdate(path));
        }
    }

    /// Reports the evidence of each edge, and the path.
    pub fn chain(&mut self, chain: &Chain) {
        for (from, to) in chain.people.iter().zip(chain.people.iter().skip(1)) {
            self.edge(*from, *to);
        }
        self.path(&chain.people);
    }

    /// Notes that somebody is connected with a side. Returns whether that is new.
    pub fn join(&mut self, person: PersonIndex, side: Side) -> bool {
        self.story.join(person, side)
    }

    /// Returns the people proven to be connected with A or B, each with the side that reached them first.
    pub fn joined(&self) -> &BTreeMap<PersonIndex, Side> {
        self.story.joined()
    }

    /// Notes whose surroundings are searched from now on.
    pub fn look_around(&mut self, subject: Subject) {
        self.story.add_frontier(subject);
    }

    /// Records a choice with its table and its reason.
    pub fn keep_decision(&mut self, table: Vec<CandidateRow>, chosen: &str, reason: &str) {
        let frontier = self.place.frontier.map(|frontier| frontier.subject);
        self.story.add_decision(Decision {
            state: StateName::S3,
            frontier: frontier
                .map_or("", |subject| self.facts.knowledge().name_of(subject))
                .to_owned(),
            table,
            chosen: chosen.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Reports who is tried next, in the planner's words if there are any.
    pub fn tell_choice(
        &mut self,
        table: Vec<CandidateRow>,
        chosen: &str,
        reason: &str,
        narration: Option<String>,
    ) {
        self.keep_decision(table, chosen, reason);
        self.status(match narration {
            Some(narration) => {
                let narration = shortened(&narration, NARRATION_CHARS_MAX);
                format!("{narration} (next: {chosen}, {reason})")
            }
            None => format!("Trying an expansion via {chosen}: {reason}."),
        });
    }
}

/// Returns as many of the words as fit into this many characters.
fn shortened(words: &str, chars_max: usize) -> String {
    if words.chars().count() <= chars_max {
        return words.to_owned();
    }
    let start: String = words.chars().take(chars_max).collect();
    let whole = start.rsplit_once(' ').map_or(&*start, |(whole, _)| whole);
    format!("{whole}…")
}

/// The story of a run: what was reported and recorded.
#[derive(Debug, Clone, Default)]
pub struct Story {
    notices: Outbox<Notice>,
    /// The people proven to be connected with A or B, each with the side that reached them first.
    joined: BTreeMap<PersonIndex, Side>,
    /// The edges whose evidence was reported.
    edges: BTreeSet<Pair>,
    /// The edges that were reported to need no further search.
    proofs: BTreeSet<Pair>,
    /// The last line about what is being tried.
    last_status: String,
    /// The chain reported last.
    path: Vec<PersonIndex>,
    hints: ToldHints,
    decisions: Vec<Decision>,
    /// The people whose surroundings were searched, each once, in the order of their latest searches.
    frontiers: Vec<Subject>,
}

impl Story {
    pub fn add(&mut self, notice: Notice) {
        self.notices.add(notice);
    }

    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.take_next()
    }

    pub fn joined(&self) -> &BTreeMap<PersonIndex, Side> {
        &self.joined
    }

    /// Notes that somebody is connected with a side. Returns whether that is new.
    pub fn join(&mut self, person: PersonIndex, side: Side) -> bool {
        if self.joined.contains_key(&person) {
            return false;
        }
        self.joined.insert(person, side);
        true
    }

    /// Notes an edge as reported. Returns false if the edge was already reported.
    pub fn note_told_edge(&mut self, pair: Pair) -> bool {
        self.edges.insert(pair)
    }

    /// Notes an edge as reported to need no search. Returns false if this was already reported.
    pub fn note_told_proof(&mut self, pair: Pair) -> bool {
        self.proofs.insert(pair)
    }

    /// Changes a line that equals the last one, as it may if two photos show the same people. Notes the result as the
    /// last line.
    pub fn note_status(&mut self, message: String) -> String {
        let message = if message == self.last_status {
            let sentence = message.strip_suffix('.').unwrap_or(&message);
            format!("{sentence}, too.")
        } else {
            message
        };
        self.last_status.clone_from(&message);
        message
    }

    /// Notes a chain as reported. Returns false if it was the last one reported.
    pub fn note_told_path(&mut self, people: &[PersonIndex]) -> bool {
        let is_new = self.path != people;
        if is_new {
            self.path = people.to_vec();
        }
        is_new
    }

    /// Returns the chain reported last, empty before the first.
    pub fn path(&self) -> &[PersonIndex] {
        &self.path
    }

    /// Returns the hints that viewers see.
    pub fn hints_mut(&mut self) -> &mut ToldHints {
        &mut self.hints
    }

    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    pub fn add_decision(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }

    /// Notes whose surroundings are searched from now on.
    pub fn add_frontier(&mut self, subject: Subject) {
        self.frontiers.retain(|known| *known != subject);
        self.frontiers.push(subject);
    }

    /// Returns the people whose surroundings were searched.
    pub fn frontiers(&self) -> &[Subject] {
        &self.frontiers
    }
}

/// Writes the line about one of a search's photos, like `Photo 2 of 5 shows A and B, but not C.`; it mentions C only if
/// the search was for a photo of two people together.
pub fn photo_line(
    facts: &Facts,
    (number, all): (usize, usize),
    wanted: Option<(Subject, Subject)>,
    reference: EvidenceRef,
) -> String {
    let Some(sighting) = facts.knowledge().sighting(reference) else {
        return String::new();
    };
    let threshold = facts.knowledge().threshold();
    let sure: Vec<&str> = sighting
        .faces
        .iter()
        .filter(|face| face.confidence >= threshold)
        .map(|face| facts.name(face.person))
        .collect();
    let unsure = sighting.faces.len() - sure.len();
    let mut line = match sure.as_slice() {
        [] => format!("Photo {number} of {all} shows nobody for certain"),
        names => format!("Photo {number} of {all} shows {}", listed(names)),
    };
    // Writing to a String cannot fail.
    if let Some(rejection) = sighting.rejection() {
        let verdict = match rejection {
            Rejection::Collage(_) => "looks put together",
            Rejection::Making(_) | Rejection::Words(_) => "proves nothing",
        };
        let _ = write!(line, ", but {verdict}: {rejection}.");
        return line;
    }
    if unsure > 0 {
        let _ = write!(line, ", and {unsure} below the threshold");
    }
    if let Some(missing) = wanted.and_then(|two| missing_of(facts, two, sighting)) {
        let _ = write!(line, ", but not {missing}");
    }
    if let Some(doubt) = doubt_beside_pixels(facts, sighting) {
        let _ = write!(line, ", and is doubtful: {doubt}");
    }
    line.push('.');
    line
}

/// Returns why a photo is doubtful, as the end of a sentence; `None` if it is not.
fn doubt_words(facts: &Facts, sighting: &Sighting) -> Option<String> {
    let by_pixels = || match sighting.collage_check {
        CollageCheck::Doubtful => Some("it nearly looks put together".to_owned()),
        CollageCheck::NotJudged(why) => Some(format!(
            "its pixels could not be judged, since {}",
            why.reason()
        )),
        CollageCheck::Passed | CollageCheck::Vetoed(_) => None,
    };
    doubt_beside_pixels(facts, sighting).or_else(by_pixels)
}

fn doubt_beside_pixels(facts: &Facts, sighting: &Sighting) -> Option<String> {
    let by_words = || sighting.word_doubt.as_ref().map(ToString::to_string);
    let by_date = || date_doubt_words(facts, sighting);
    face_doubt_words(facts, sighting)
        .or_else(by_words)
        .or_else(by_date)
}

fn date_doubt_words(facts: &Facts, sighting: &Sighting) -> Option<String> {
    let taken = sighting.provenance.taken?;
    Some(match sighting.date_doubt? {
        DateDoubt::BeforeBirth(person, born) => {
            let name = facts.name(person);
            format!("it was taken {taken}, and {name} was born in {born}")
        }
        DateDoubt::AfterDeath(person, died) => {
            let name = facts.name(person);
            format!("it was taken {taken}, and {name} died in {died}")
        }
    })
}

fn face_doubt_words(facts: &Facts, sighting: &Sighting) -> Option<String> {
    Some(match sighting.face_doubt? {
        FaceDoubt::OneFace(one, other) => {
            let (one, other) = (facts.name(one), facts.name(other));
            format!("{one} and {other} are one face in it")
        }
        FaceDoubt::Twice(person) => format!("{} is in it twice", facts.name(person)),
    })
}

/// Returns the wanted person who is missing from a photo that shows the other wanted person.
fn missing_of<'run>(
    facts: &'run Facts,
    (one, other): (Subject, Subject),
    sighting: &Sighting,
) -> Option<&'run str> {
    let knowledge = facts.knowledge();
    let is_in = |subject: Subject| {
        knowledge
            .person_of(subject)
            .and_then(|person| sighting.confidence_of(person))
            .is_some_and(|confidence| confidence >= knowledge.threshold())
    };
    match (is_in(one), is_in(other)) {
        (true, false) => Some(knowledge.name_of(other)),
        (false, true) => Some(knowledge.name_of(one)),
        _ => None,
    }
}

/// The hints shown to viewers until their photos are looked at.
#[derive(Debug, Clone, Default)]
pub struct ToldHints {
    /// The hints, each with the address of its photo, the oldest first.
    hints: Vec<(String, [PersonRef; 2])>,
    /// Whether the hints have changed since they were last sent.
    are_changed: bool,
}

impl ToldHints {
    /// Adds the hint that the photo at an address shows these two people.
    pub fn add(&mut self, url: String, two: [PersonRef; 2]) {
        self.hints.retain(|(known, _)| *known != url);
        self.hints.push((url, two));
        let over = self.hints.len().saturating_sub(TOLD_MAX);
        self.hints.drain(..over);
        self.are_changed = true;
    }

    /// Removes the hint about a photo that was looked at or lost, because it no longer needs to be checked.
    pub fn remove(&mut self, url: &str) {
        let before = self.hints.len();
        self.hints.retain(|(known, _)| known != url);
        self.are_changed |= self.hints.len() != before;
    }

    /// Removes all hints, because the search no longer follows them.
    pub fn clear(&mut self) {
        self.are_changed |= !self.hints.is_empty();
        self.hints.clear();
    }

    /// Returns all hints if they have changed since the last call.
    pub fn take_changed(&mut self) -> Option<Vec<[PersonRef; 2]>> {
        if !std::mem::take(&mut self.are_changed) {
            return None;
        }
        Some(self.hints.iter().map(|(_, two)| two.clone()).collect())
    }
}

/// Counts something in words, like `1 photo` or `2 photos`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Lists names, like `A`, `A and B`, or `A, B and C`. A long list ends with a count.
fn listed(names: &[&str]) -> String {
    let (told, rest) = names.split_at(names.len().min(NAMES_TOLD_MAX));
    if !rest.is_empty() {
        return format!("{} and {} more", told.join(", "), rest.len());
    }
    match told.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_narration_ends_with_a_whole_word() {
        assert_eq!(shortened("one two", 7), "one two");
        assert_eq!(shortened("one two three", 9), "one two…");
        assert_eq!(shortened("onetwothree", 4), "onet…");
    }

    fn two(names: &str) -> [PersonRef; 2] {
        let (one, other) = names.split_once(' ').unwrap();
        [one, other].map(|name| PersonRef {
            id: format!("name:{name}"),
            name: name.to_owned(),
        })
    }

    #[test]
    fn hints_are_told_when_they_change_and_are_gone_when_their_photos_were_seen() {
        let mut hints = ToldHints::default();
        assert_eq!(hints.take_changed(), None);
        hints.add("1".into(), two("Ann Bob"));
        hints.add("2".into(), two("Bob Cleo"));
        assert_eq!(
            hints.take_changed(),
            Some(vec![two("Ann Bob"), two("Bob Cleo")])
        );
        hints.remove("3");
        assert_eq!(hints.take_changed(), None, "no hint rests on it");
        hints.remove("1");
        assert_eq!(hints.take_changed(), Some(vec![two("Bob Cleo")]));
        hints.clear();
        assert_eq!(hints.take_changed(), Some(Vec::new()));
        hints.clear();
        assert_eq!(hints.take_changed(), None);
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many() {
        let mut hints = ToldHints::default();
        for photo in 0..=TOLD_MAX {
            hints.add(photo.to_string(), two(&format!("Ann {photo}")));
        }
        let told = hints.take_changed().unwrap();
        assert_eq!(told.len(), TOLD_MAX);
        assert_eq!(told[0], two("Ann 1"));
    }

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
        assert_eq!(
            listed(&["A", "B", "C", "D", "E", "F"]),
            "A, B, C, D and 2 more"
        );
    }
}
