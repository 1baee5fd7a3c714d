//! The plan that follows the specification: from A towards B, one accepted edge after the other.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use domain::{Chain, Confidence, Edge, EvidenceGraph, EvidenceRef, Pair, PersonIndex, Side};

use super::advice::{Advice, Candidate, Consultation, TABLE_ROWS_MAX, numbered_rows};
use super::budget::RunError;
use super::facts::{Facts, Frontier, Query, Subject, query};
use super::interface::Reason;
use super::states::{End, Move, State, View};
use super::telling::{Teller, counted};

/// A person on the path, and what was tried from there.
#[derive(Debug, Clone)]
struct PathStep {
    subject: Subject,
    /// The number of discovery templates asked so far.
    templates_asked: usize,
    /// The candidates that could not be verified from here, or were dead ends.
    failed: BTreeSet<PersonIndex>,
}

/// The path as accepted so far, A first.
//= spec Frontier Strategy
#[derive(Debug, Clone)]
pub struct Path {
    first: PathStep,
    further: Vec<PathStep>,
    /// The edges ever accepted, including those to dead ends.
    accepted: BTreeSet<Pair>,
    /// Whether an expansion was dropped only because of the hop limit.
    is_hop_limited: bool,
    /// The number of edges of the longest accepted path.
    hops_reached: u32,
    /// The people from whom there was no way on. For each, the number of edges from A and the number of photos looked
    /// at by then.
    exhausted: BTreeMap<PersonIndex, (u32, u32)>,
}

impl Path {
    pub fn new() -> Self {
        Self {
            first: PathStep::new(Subject::Typed(Side::A)),
            further: Vec::new(),
            accepted: BTreeSet::new(),
            is_hop_limited: false,
            hops_reached: 0,
            exhausted: BTreeMap::new(),
        }
    }

    fn last(&self) -> &PathStep {
        self.further.last().unwrap_or(&self.first)
    }

    fn last_mut(&mut self) -> &mut PathStep {
        self.further.last_mut().unwrap_or(&mut self.first)
    }

    /// Returns the last person of the path, from whom the search goes on.
    pub fn frontier(&self) -> Frontier {
        Frontier {
            side: Side::A,
            subject: self.last().subject,
            depth: self.accepted_edges(),
        }
    }

    /// Returns k, the number of accepted edges on the path.
    pub fn accepted_edges(&self) -> u32 {
        u32::try_from(self.further.len()).unwrap_or(u32::MAX)
    }

    /// Returns the recognised people on the path, A first.
    pub fn people(&self, facts: &Facts) -> Vec<PersonIndex> {
        std::iter::once(&self.first)
            .chain(&self.further)
            .filter_map(|step| facts.knowledge().person_of(step.subject))
            .collect()
    }

    /// Returns the edges ever accepted.
    pub fn verified(&self, facts: &Facts) -> EvidenceGraph {
        facts.together().restricted_to(&self.accepted)
    }

    pub fn hops_reached(&self) -> u32 {
        self.hops_reached
    }

    pub fn is_hop_limited(&self) -> bool {
        self.is_hop_limited
    }

    /// Notes that an expansion was dropped only because of the hop limit.
    pub fn note_hop_limit(&mut self) {
        self.is_hop_limited = true;
    }

    /// Returns the number of the next discovery template for the last person, and counts it as asked.
    pub fn next_template(&mut self) -> usize {
        let last = self.last_mut();
        last.templates_asked += 1;
        last.templates_asked - 1
    }

    /// Returns how many discovery templates were asked for the last person.
    pub fn templates_asked(&self) -> usize {
        self.last().templates_asked
    }

    /// Notes that a candidate could not be verified from the last person.
    pub fn note_failed(&mut self, candidate: PersonIndex) {
        self.last_mut().failed.insert(candidate);
    }

    /// Returns whether a candidate could not be verified from the last person, or was a dead end.
    pub fn has_failed(&self, candidate: PersonIndex) -> bool {
        self.last().failed.contains(&candidate)
    }

    /// Accepts an edge, whose far end becomes the last person.
    pub fn accept(&mut self, from: PersonIndex, to: PersonIndex, subject: Subject) {
        self.accepted.extend(Pair::new(from, to));
        self.further.push(PathStep::new(subject));
        self.hops_reached = self.hops_reached.max(self.accepted_edges());
    }

    /// Drops the last person. If `dropped` is given, that person counts as failed for the person before. Returns false
    /// if only A is left, who cannot be dropped.
    pub fn step_back(&mut self, dropped: Option<PersonIndex>, photos_looked: u32) -> bool {
        let depth = self.accepted_edges();
        if self.further.pop().is_none() {
            return false;
        }
        if let Some(dropped) = dropped {
            self.exhausted.insert(dropped, (depth, photos_looked));
        }
        self.last_mut().failed.extend(dropped);
        true
    }

    /// Returns whether a person, reached over this many edges, can lead nowhere new: there was no way on from them
    /// earlier, they are no closer to A now, and no photo was looked at since. Without this check the plan would walk
    /// every simple path among known people without making a single call.
    pub fn is_exhausted(&self, person: PersonIndex, depth: u32, photos_looked: u32) -> bool {
        self.exhausted
            .get(&person)
            .is_some_and(|(before, photos)| depth >= *before && photos_looked == *photos)
    }
}

impl PathStep {
    fn new(subject: Subject) -> Self {
        Self {
            subject,
            templates_asked: 0,
            failed: BTreeSet::new(),
        }
    }
}

/// Asks all three queries of the frontier. Then S3 chooses among the people seen with the frontier.
//= spec S2
pub fn discover(path: &mut Path, view: View, teller: &mut Teller) -> Move {
    let subject = path.frontier().subject;
    let template = path.next_template();
    teller.look_around(subject);
    match query::discovery(view.facts().knowledge().name_of(subject), template) {
        Some(query) => Move::search(query, vec![subject], State::Discovery),
        None => Move::go(State::CHOICE),
    }
}

/// Goes back to the nearest person with something left to try. If there is no such person, goes to S7.
//= spec Frontier Strategy
fn next_frontier(path: &mut Path, view: View, advice: &mut Advice, teller: &mut Teller) -> Move {
    let facts = view.facts();
    advice.forget_suggestions();
    loop {
        let dropped = facts.knowledge().person_of(path.frontier().subject);
        if !path.step_back(dropped, view.budget().photos_looked()) {
            return Move::fail(if path.is_hop_limited() {
                Reason::HopLimit
            } else {
                Reason::NoCandidates
            });
        }
        let next = if path.templates_asked() < query::DISCOVERY.len() {
            State::Discovery
        } else if candidates(path, view).is_empty() {
            continue;
        } else {
            State::CHOICE
        };
        teller.path(&path.people(facts));
        return Move::go(next);
    }
}

/// Chooses the target if it was seen, or else the planner's suggestion, or else the best candidate.
//= spec S3
pub fn choose(
    path: &mut Path,
    planner_answered: bool,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let frontier = path.frontier();
    let frontier_name = facts.knowledge().name_of(frontier.subject);
    let table = candidates(path, view);
    let Some(best) = table.first() else {
        teller.status(format!("Nobody is left to try beside {frontier_name}."));
        return next_frontier(path, view, advice, teller);
    };
    let rows: Vec<&Candidate> = table.iter().collect();
    let target = facts.people().bound(Side::B);
    let target = table
        .iter()
        .find(|row| facts.knowledge().person_of(row.subject) == target);
    let (chosen, reason) = if let Some(target) = target {
        let reason = format!("was seen beside {frontier_name} and is always tried first");
        (target, reason)
    } else if let Some(suggested) = advice.take_suggestion(&rows) {
        (suggested, "chosen by the planner".to_owned())
    } else if !planner_answered && advice.may_ask(table.len(), view.budget(), teller) {
        let consultation = Consultation {
            table: &rows,
            frontier: frontier_name,
            depth: frontier.depth,
            allowed_queries: allowed_queries(facts, frontier_name, &table),
        };
        return advice.ask(consultation, facts, view.budget());
    } else {
        (best, reason_of(best))
    };
    let Some(candidate) = facts.knowledge().person_of(chosen.subject) else {
        return Move::give_up(RunError::internal("a candidate was not recognised"));
    };
    let narration = advice.take_narration();
    teller.tell_choice(numbered_rows(&rows), &chosen.name, &reason, narration);
    Move::go(State::Verification {
        candidate,
        queries: verification_queries(frontier_name, &chosen.name, advice),
    })
}

/// Returns the queries that the planner may propose: those about the table's people that were not asked yet.
fn allowed_queries(facts: &Facts, frontier: &str, table: &[Candidate]) -> Vec<String> {
    let table = table.iter().take(TABLE_ROWS_MAX);
    let queries = table.flat_map(|row| own_queries(frontier, &row.name));
    queries
        .filter(|query| facts.knowledge().asked(query.text()).is_none())
        .map(|query| query.text().to_owned())
        .collect()
}

/// Returns the queries `{F} {X}` and `{F} {X} event`, beginning with those that the planner suggests.
fn verification_queries(frontier: &str, name: &str, advice: &mut Advice) -> VecDeque<Query> {
    let own = own_queries(frontier, name);
    let mut queries = VecDeque::from(advice.take_queries(&own));
    for query in own {
        if !queries.contains(&query) {
            queries.push_back(query);
        }
    }
    queries
}

fn own_queries(frontier: &str, name: &str) -> [Query; 2] {
    [
        query::pair(frontier, name),
        query::pair_event(frontier, name),
    ]
}

/// Orders candidates by the best confidence with the frontier, then by count, then by name.
//= spec S3 "fallback heuristic"
fn by_confidence(left: &Candidate, right: &Candidate) -> Ordering {
    (right.best_confidence.cmp(&left.best_confidence))
        .then(right.count.cmp(&left.count))
        .then_with(|| left.name.cmp(&right.name))
        .then(left.subject.cmp(&right.subject))
}

/// Returns the people who were seen with the frontier, are not on the path, did not fail from here, and leave enough
/// hops to reach the target. Notes if the hop limit alone excluded somebody.
fn candidates(path: &mut Path, view: View) -> Vec<Candidate> {
    let facts = view.facts();
    let Some(frontier) = facts.knowledge().person_of(path.frontier().subject) else {
        return Vec::new();
    };
    let on_path = path.people(facts);
    let target = facts.people().bound(Side::B);
    let depth = path.accepted_edges() + 1;
    let photos_looked = view.budget().photos_looked();
    // The candidate and the target make two more edges.
    let has_room = depth < facts.limits().hops;
    let mut candidates: Vec<Candidate> = Vec::new();
    for person in facts.together().neighbours(frontier) {
        let is_tried = on_path.contains(&person)
            || path.has_failed(person)
            || path.is_exhausted(person, depth, photos_looked);
        if is_tried || !facts.may_be_on_path(person) {
            continue;
        }
        if !has_room && Some(person) != target {
            path.note_hop_limit();
            continue;
        }
        candidates.push(candidate(view, frontier, person, depth));
    }
    candidates.sort_by(by_confidence);
    candidates
}

fn candidate(view: View, frontier: PersonIndex, person: PersonIndex, depth: u32) -> Candidate {
    let facts = view.facts();
    let edge = facts.together().edge(frontier, person);
    Candidate {
        subject: Subject::Person(person),
        side: Side::A,
        depth,
        count: edge.map_or(0, |edge| edge.evidence().len()),
        degree: facts.together().degree(person),
        best_confidence: edge.map_or(Confidence::ZERO, Edge::confidence),
        name: facts.name(person).to_owned(),
    }
}

/// Returns why the ranking chose this candidate, in a few words.
fn reason_of(candidate: &Candidate) -> String {
    format!(
        "seen in {}, with {}, at best {:.1} %",
        counted(candidate.count, "photo", "photos"),
        counted(candidate.degree, "person", "people"),
        candidate.best_confidence.percent()
    )
}

/// Asks one query after the other. When no query is left, the candidate has failed. A photo of frontier and candidate
/// accepts the edge at once.
//= spec S4
pub fn verify(
    path: &mut Path,
    candidate: PersonIndex,
    mut queries: VecDeque<Query>,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    if let Some(query) = queries.pop_front() {
        let subject = facts.knowledge().subject_of(candidate);
        let two = [path.frontier().subject, subject];
        return Move::search_for_pair(query, two, State::Verification { candidate, queries });
    }
    path.note_failed(candidate);
    let name = facts.name(candidate);
    teller.status(format!(
        "Unable to verify {name} as an intermediate; trying another..."
    ));
    Move::go(State::CHOICE)
}

/// Searches once for the reached person and the target together, then goes on from the reached person, unless the hop
/// limit forbids it.
//= spec S5
pub fn bridge(
    path: &mut Path,
    (reached, asked): (PersonIndex, bool),
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let hops = facts.limits().hops;
    // The condition is k+1 <= hops: one more edge may end the path.
    if !asked && path.accepted_edges() < hops {
        let name = facts.name(reached);
        let target = facts.typed_name(Side::B);
        teller.status(format!(
            "Checking whether {name} connects directly to {target}..."
        ));
        let two = [
            facts.knowledge().subject_of(reached),
            Subject::Typed(Side::B),
        ];
        let asked = State::Bridge {
            reached,
            asked: true,
        };
        return Move::search_for_pair(query::pair(name, target), two, asked);
    }
    if path.accepted_edges() + 2 <= hops {
        teller.status("No direct edge found; expanding again...");
        return Move::go(State::Discovery);
    }
    teller.status(format!(
        "No direct edge found, and the path cannot grow beyond {hops}."
    ));
    path.note_hop_limit();
    next_frontier(path, view, advice, teller)
}

/// Accepts the edge of the two wanted people if a photo shows both at the threshold.
pub fn after_photo(
    path: &mut Path,
    state: &State,
    reference: EvidenceRef,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Option<Move> {
    let knowledge = view.facts().knowledge();
    let (one, other) = wanted(path, state, view.facts())?;
    if !knowledge.are_shown(one, other, reference) {
        return None;
    }
    let from = knowledge.person_of(one)?;
    let to = knowledge.person_of(other)?;
    Some(accept(path, from, to, view.facts(), advice, teller))
}

/// Returns the two people whom the state is trying to see together, the same as in the state's `Move::search_for_pair`.
fn wanted(path: &Path, state: &State, facts: &Facts) -> Option<(Subject, Subject)> {
    let target = Subject::Typed(Side::B);
    let subject = |person: PersonIndex| facts.knowledge().subject_of(person);
    match state {
        State::Direct { .. } => Some((Subject::Typed(Side::A), target)),
        State::Verification { candidate, .. } => {
            Some((path.frontier().subject, subject(*candidate)))
        }
        State::Bridge { reached, .. } => Some((subject(*reached), target)),
        _ => None,
    }
}

/// Accepts an edge of the path and changes to the state that the specification's table names.
fn accept(
    path: &mut Path,
    from: PersonIndex,
    to: PersonIndex,
    facts: &Facts,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let subject = facts.knowledge().subject_of(to);
    advice.forget_suggestions();
    path.accept(from, to, subject);
    for person in [from, to] {
        teller.join(person, Side::A);
    }
    teller.edge(from, to);
    teller.path(&path.people(facts));
    if subject != Subject::Typed(Side::B) {
        return Move::Go {
            to: State::Bridge {
                reached: to,
                asked: false,
            },
            drops_searches: true,
            words: None,
        };
    }
    match best_accepted(path, facts) {
        Some(chain) => Move::succeed(chain),
        None => Move::give_up(RunError::internal(
            "an accepted path is not in its own graph",
        )),
    }
}

/// Returns the best path over all accepted edges, which is the answer once the path reaches B.
fn best_accepted(path: &Path, facts: &Facts) -> Option<Chain> {
    let (from, to) = facts.typed_pair()?;
    facts.best_chain(&path.verified(facts), from, to)
}

/// Decides the end again after a late photo, because the photo may add to an accepted edge, or show that the path leads
/// through somebody to avoid.
pub fn renewed_end(path: &Path, facts: &Facts) -> End {
    match best_accepted(path, facts) {
        Some(chain) => End::Success(Box::new(chain)),
        None => End::Failure(Reason::NoCandidates),
    }
}
