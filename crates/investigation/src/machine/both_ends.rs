//! The plan that searches from both ends: every two people recognised in one photo are an edge, and each photo may
//! complete a chain.
//!
//! Each person of the request is searched for once. Then each search names one person of each side, as in `{X} {Y} with
//! celebrities`: it brings photos of both first, if there are any, and then photos of one of them with others. The
//! choice of the two weighs how many photos of each were probably not seen yet (`unseen_photos`), how far they are from
//! the ends and how often they were named in vain (`sides`, `next_search`), and what each wording has brought from each
//! image search (`question_worth`). Instead of a search, the plan may look at photos that earlier lists left over
//! (`weighing`).
//!
//! If the words beside photos name people, they decide which photos are looked at first, and which chain is checked
//! before the next search (`hints`).
//!
//! A planner may choose among the people found, and guess others. Guessed people are searched for and shown as guesses,
//! and only photos can make them part of a chain (`choice`). A run that may polish its chain searches for two people
//! whose photo would make it shorter, and for a second photo of the least certain edge. A run that confirms its chain
//! searches for a second photo of its most doubtful links, and avoids a link for which none is found, if an equally
//! short chain exists (`polish`).

mod choice;
mod hints;
mod next_search;
mod polish;
mod question_worth;
mod sides;
mod unread_photos;
mod unseen_photos;
mod weighing;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Chain, Edge, Limits, Pace, Pair, PersonIndex, PersonToConnect, RECALLED_FETCHES_MAX,
    SearchSource, SeenFace, Side, reach,
};

use super::advice::Advice;
use super::budget::{Budget, CallKind, Permission};
use super::facts::{Facts, Frontier, Knowledge, ListKey, Subject};
use super::hints::Somebody;
use super::scheduler::{Beside, Policy};
use super::states::{End, Move, SearchesLeft, State, View};
use super::telling::{Teller, counted};

use polish::chain_without_doubt;
use sides::RankedCandidate;

pub use choice::{bridge, choose, discover, verify};
pub use hints::{HintedSides, next_recall, photos_per_answer, remembered_look};
pub use next_search::lists_by_worth;
pub use polish::polish;
pub use unseen_photos::may_still_show;

/// The number of photos that a search requests from an image search whose limit is unknown.
const HITS_PER_SEARCH: u32 = 10;

/// The largest number of concurrent surveys: searches whose photos are being looked at.
const SURVEYS_MAX: usize = 3;

/// The most surveys while a chain is polished: one to make the chain shorter, one to make it more certain.
const SURVEYS_OF_POLISH_MAX: usize = 2;

/// What the both-ends plan remembers of its searches and choices.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The side whose turn it is to be searched.
    turn: Side,
    /// How often each person's surroundings were searched.
    asked: BTreeMap<Subject, u32>,
    /// The frontier of the current survey, or of the last one.
    frontier: Option<Frontier>,
    /// The person chosen last, until their search begins.
    chosen: Option<Box<RankedCandidate>>,
    /// The queries that were begun. None is repeated, not even before its answer arrives.
    begun: BTreeSet<ListKey>,
    /// The people named together, each two with the image search that was asked.
    paired: BTreeSet<([Subject; 2], usize)>,
    /// The people connected with A, and those connected with B.
    reached: [BTreeSet<PersonIndex>; 2],
    /// The number of photos that `reached` accounts for.
    photos_checked: usize,
    /// The link whose second photo is being searched for, with the query.
    check: Option<(Pair, String)>,
    /// The links whose second photo was searched for.
    checked_links: BTreeSet<Pair>,
    /// The people whose remembered photos were requested.
    recalled: BTreeSet<Somebody>,
    recalls: usize,
    /// The two sides in the last request for a remembered chain, and the number of photos that such chains had brought
    /// before the request.
    connected: Option<Box<([Vec<PersonToConnect>; 2], usize)>>,
    /// The number of recalled photos that were looked at.
    free_looks: usize,
}

impl Memory {
    pub fn new() -> Self {
        Self {
            turn: Side::A,
            asked: BTreeMap::new(),
            frontier: None,
            chosen: None,
            begun: BTreeSet::new(),
            paired: BTreeSet::new(),
            reached: [BTreeSet::new(), BTreeSet::new()],
            photos_checked: 0,
            check: None,
            checked_links: BTreeSet::new(),
            recalled: BTreeSet::new(),
            recalls: 0,
            connected: None,
            free_looks: 0,
        }
    }

    /// Returns the side whose turn it is to be searched.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Returns the current frontier; `None` before the first one.
    pub fn frontier(&self) -> Option<Frontier> {
        self.frontier
    }

    /// Notes a search of somebody's surroundings, and gives the other side the next turn. `people` are the two people
    /// whom the query names, if it names two.
    pub fn expand(
        &mut self,
        frontier: Frontier,
        list: ListKey,
        named: &[Subject],
        people: Option<[Subject; 2]>,
    ) {
        self.look_on(frontier);
        if let Some(pair) = people {
            self.paired.insert((pair, list.source));
        }
        self.begun.insert(list);
        for subject in named {
            *self.asked.entry(*subject).or_insert(0) += 1;
        }
    }

    /// Notes that photos left over from somebody's surroundings are looked at, and gives the other side the next turn.
    pub fn look_on(&mut self, frontier: Frontier) {
        self.turn = frontier.side.other();
        self.frontier = Some(frontier);
    }

    /// Notes a search for a guessed person together with a person of the request. It takes no turn and does not count
    /// as a search of anybody's surroundings.
    pub fn begin_guess(&mut self, frontier: Frontier, list: ListKey) {
        self.frontier = Some(frontier);
        self.begun.insert(list);
    }

    /// Notes the chosen candidate. The search for the candidate begins after the proof of the candidate's edge is
    /// reported.
    pub fn choose(&mut self, frontier: Frontier, chosen: RankedCandidate) {
        self.frontier = Some(frontier);
        self.chosen = Some(Box::new(chosen));
    }

    /// Takes the chosen candidate, if it is this person.
    pub fn take_chosen(
        &mut self,
        person: PersonIndex,
        knowledge: &Knowledge,
    ) -> Option<Box<RankedCandidate>> {
        let chosen = self.chosen.take();
        chosen.filter(|chosen| knowledge.person_of(chosen.candidate.subject) == Some(person))
    }

    /// Returns the side of a person of the request whose surroundings were not searched yet. The side whose turn it is
    /// comes first.
    pub fn start_to_ask(&self) -> Option<Side> {
        let mut sides = [self.turn, self.turn.other()].into_iter();
        sides.find(|side| self.times_asked(Subject::Typed(*side)) == 0)
    }

    /// Returns how often somebody's surroundings were searched.
    pub fn times_asked(&self, subject: Subject) -> u32 {
        self.asked.get(&subject).copied().unwrap_or(0)
    }

    /// Returns how often somebody's surroundings were searched, also before the person was recognised.
    pub fn times_asked_in_all(&self, subject: Subject, knowledge: &Knowledge) -> u32 {
        let who = knowledge.somebody(subject).map(Subject::Named);
        let before = who.filter(|named| *named != subject);
        self.times_asked(subject) + before.map_or(0, |named| self.times_asked(named))
    }

    /// Returns whether a query was begun, answered or not.
    pub fn has_begun(&self, list: &ListKey) -> bool {
        self.begun.contains(list)
    }

    /// Returns whether an image search was asked for two people together. Somebody who was only named when it was asked
    /// may have been recognised since.
    pub fn has_paired(
        &self,
        [one, other]: [Subject; 2],
        source: usize,
        knowledge: &Knowledge,
    ) -> bool {
        let is_same = |left: Subject, right: Subject| {
            let person = knowledge.person_of(left);
            left == right || (person.is_some() && person == knowledge.person_of(right))
        };
        self.paired.iter().any(|([left, right], asked)| {
            *asked == source
                && ((is_same(*left, one) && is_same(*right, other))
                    || (is_same(*left, other) && is_same(*right, one)))
        })
    }

    /// Returns how many searches have named two people together.
    pub fn pairs_named(&self) -> usize {
        self.paired.len()
    }

    /// Returns the people connected with a side's start, as of the last check.
    pub fn reached(&self, side: Side) -> &BTreeSet<PersonIndex> {
        let [from_a, from_b] = &self.reached;
        match side {
            Side::A => from_a,
            Side::B => from_b,
        }
    }

    /// Notes the people connected with a side's start, as found by a check.
    pub fn note_reached(&mut self, side: Side, people: BTreeSet<PersonIndex>) {
        let [from_a, from_b] = &mut self.reached;
        match side {
            Side::A => *from_a = people,
            Side::B => *from_b = people,
        }
    }

    /// Returns the number of photos that the last check of both sides accounted for.
    pub fn photos_checked(&self) -> usize {
        self.photos_checked
    }

    /// Notes how many photos the check of both sides accounted for.
    pub fn note_checked(&mut self, photos: usize) {
        self.photos_checked = photos;
    }

    /// Notes that the remembered photos of these people are requested.
    pub fn note_recalled(&mut self, people: impl IntoIterator<Item = Somebody>) {
        self.recalls += 1;
        self.recalled.extend(people);
    }

    /// Returns whether somebody's remembered photos were requested.
    pub fn has_recalled(&self, who: Somebody) -> bool {
        self.recalled.contains(&who)
    }

    /// Notes a request for a remembered chain between these sides, made after such chains have brought this many
    /// photos. Returns false if neither the sides nor that number have changed since the last request.
    pub fn begin_connecting(&mut self, sides: &[Vec<PersonToConnect>; 2], photos: usize) -> bool {
        let asked = (sides.clone(), photos);
        if self.connected.as_deref() == Some(&asked) {
            return false;
        }
        self.connected = Some(Box::new(asked));
        self.recalls += 1;
        true
    }

    /// Counts recalled photos that are about to be looked at. Returns false if they would exceed the run's limit.
    pub fn begin_free_looks(&mut self, photos: usize) -> bool {
        let looks = self.free_looks.saturating_add(photos);
        let may_look = photos == 0 || looks <= RECALLED_FETCHES_MAX;
        if may_look {
            self.free_looks = looks;
        }
        may_look
    }

    /// Counts the requests for remembered photos.
    pub fn recalls(&self) -> usize {
        self.recalls
    }

    /// Counts the queries that were begun.
    pub fn queries_begun(&self) -> usize {
        self.begun.len()
    }

    /// Notes that this query searches for a second photo of a link.
    pub fn begin_check(&mut self, link: Pair, query: String) {
        self.check = Some((link, query));
    }

    /// Takes the link whose second photo was searched for, with the query.
    pub fn end_check(&mut self) -> Option<(Pair, String)> {
        self.check.take()
    }

    /// Notes that a second photo of a link was searched for.
    pub fn note_checked_link(&mut self, link: Pair) {
        self.checked_links.insert(link);
    }

    /// Returns whether a second photo of a link was searched for.
    pub fn is_checked_link(&self, link: Pair) -> bool {
        self.checked_links.contains(&link)
    }
}

/// Returns the number of photos to request from an image search: as many as one request can return. Photos that are not
/// looked at cost nothing.
pub fn hits_per_search(source: Option<&SearchSource>, limits: &Limits) -> u32 {
    let hits_max = source.map_or(HITS_PER_SEARCH, |source| source.hits_max);
    limits.images_per_search.max(hits_max)
}

/// Returns which searches may run at the same time, as of now.
pub fn policy(
    memory: &Memory,
    state: &State,
    facts: &Facts,
    budget: &Budget,
    advice: &Advice,
) -> Policy {
    let limits = facts.limits();
    let may_search =
        limits.pace == Pace::Quick && budget.permission(CallKind::Search) == Permission::Granted;
    // No search is chosen early while a person of the request may turn out to be unknown, because that search might be
    // wasted. The planner chooses only once all photos are seen.
    let is_known = facts.typed_pair().is_some() || facts.names_decide();
    let may_choose_early = may_search && is_known && !advice.would_ask(budget);
    let starts_both = *state == State::Discovery && memory.start_to_ask().is_some();
    let beside = if may_search && starts_both {
        // Both people of the request are searched for in any case, so neither search waits for the other's photos.
        Beside::Anything
    } else if may_choose_early {
        Beside::WhereSlotsAreLeft {
            surveys_max: surveys_max(state),
        }
    } else {
        Beside::Nothing
    };
    let is_early_or_late = matches!(state, State::Direct { .. } | State::Polish { .. });
    Policy {
        beside,
        may_defer: may_choose_early && !is_early_or_late,
        pairs_named: memory.pairs_named(),
        ..Policy::one_at_a_time(limits)
    }
}

/// Returns how many surveys may run at the same time if one is chosen before all photos of the others are seen.
fn surveys_max(state: &State) -> usize {
    match state {
        State::Polish { left, .. } if left.polish > 0 => SURVEYS_OF_POLISH_MAX,
        State::Direct { .. } | State::Polish { .. } => 0,
        _ => SURVEYS_MAX,
    }
}

/// Reports who has joined a side, and decides what a chain between the sides changes.
pub fn after_photo(
    memory: &mut Memory,
    state: &State,
    view: View,
    teller: &mut Teller,
) -> Option<Move> {
    if !tell_joined(memory, view.facts(), teller) {
        return None;
    }
    let (from, to) = view.facts().typed_pair()?;
    if let Some(chain) = surest_best_chain(memory, view.facts(), from, to) {
        return on_chain(chain, state, view, teller);
    }
    let had_chain = matches!(state, State::Polish { .. } | State::Ending(End::Success(_)));
    had_chain.then(|| {
        // The recogniser has given a person of the chain a further name, which is among those to avoid.
        teller.status("The chain leads through somebody to avoid, as it turns out.");
        Move::go(State::Discovery)
    })
}

/// Reports the evidence of each edge that first joins a person to A's or B's side. Returns whether the sides have met,
/// by a chain of any length.
fn tell_joined(memory: &mut Memory, facts: &Facts, teller: &mut Teller) -> bool {
    for side in [Side::A, Side::B] {
        let Some(start) = facts.people().bound(side) else {
            continue;
        };
        teller.join(start, side);
        if !may_have_grown(memory, facts, side, start) {
            continue;
        }
        let reached = reach(facts.together(), start, |_| true);
        let mut news: Vec<(PersonIndex, PersonIndex)> = Vec::new();
        for person in reached.order() {
            if let Some(parent) = reached.parent(*person)
                && teller.join(*person, side)
            {
                news.push((parent, *person));
            }
        }
        memory.note_reached(side, reached.order().iter().copied().collect());
        for (parent, person) in news {
            teller.edge(parent, person);
        }
    }
    memory.note_checked(facts.knowledge().sightings().len());
    let to = facts.people().bound(Side::B);
    to.is_some_and(|to| memory.reached(Side::A).contains(&to))
}

/// Returns whether a photo since the last check shows somebody of the side together with somebody who is not of the
/// side.
fn may_have_grown(memory: &Memory, facts: &Facts, side: Side, start: PersonIndex) -> bool {
    let known = memory.reached(side);
    if !known.contains(&start) {
        return true;
    }
    let sightings = facts.knowledge().sightings().iter();
    sightings.skip(memory.photos_checked()).any(|sighting| {
        let is_known = |face: &SeenFace| known.contains(&face.person);
        sighting.faces.iter().any(is_known) && !sighting.faces.iter().all(is_known)
    })
}

/// Decides what follows from a proven chain, which is the first one or, while polishing, perhaps a better one.
fn on_chain(chain: Chain, state: &State, view: View, teller: &mut Teller) -> Option<Move> {
    let unspent = view.budget().unspent(CallKind::Search);
    let limits = view.facts().limits();
    let polish = limits.polish_searches_max.min(unspent);
    let confirm = limits.confirm_searches_max.min(unspent - polish);
    match state {
        State::Polish { chain: known, .. } if **known == chain => None,
        State::Polish { chain: known, left } => {
            let what = match chain.hops().cmp(&known.hops()) {
                Ordering::Less => "shorter than the one before",
                Ordering::Equal => "surer than the one before",
                Ordering::Greater => "longer; the one before led through somebody to avoid",
            };
            teller.chain(&chain);
            teller.status(format!("This chain is {what}."));
            Some(Move::go(State::Polish {
                chain: Box::new(chain),
                left: *left,
            }))
        }
        // A proven chain is reported, whatever end was decided.
        State::Ending(_) => Some(Move::go(State::Ending(End::Success(Box::new(chain))))),
        _ if polish + confirm == 0 => Some(Move::succeed(chain)),
        _ => {
            teller.chain(&chain);
            let more = |searches: u32| {
                let searches = usize::try_from(searches).unwrap_or(usize::MAX);
                counted(searches, "more search", "more searches")
            };
            let what = match (polish, confirm) {
                (0, _) => format!("{} may confirm its most doubtful links", more(confirm)),
                (_, 0) => format!("{} may make it shorter or surer", more(polish)),
                _ => format!(
                    "{} may make it shorter or surer, and {confirm} confirm its most doubtful links",
                    more(polish)
                ),
            };
            let hops = counted(chain.hops(), "hop", "hops");
            let words = format!("A chain of {hops} is proven; up to {what}.");
            Some(Move::Go {
                to: State::Polish {
                    chain: Box::new(chain),
                    left: SearchesLeft { polish, confirm },
                },
                drops_searches: true,
                words: Some(words),
            })
        }
    }
}

/// Returns the best chain of verified edges. Among equally short chains, prefers one without links whose second photo
/// was searched for in vain. If chains are polished, also prefers one whose edges all have a second photo, because one
/// face is seldom mistaken for another twice.
fn surest_best_chain(
    memory: &Memory,
    facts: &Facts,
    from: PersonIndex,
    to: PersonIndex,
) -> Option<Chain> {
    let together = facts.together();
    let first = facts.best_chain(together, from, to)?;
    let best = chain_without_doubt(memory, facts, &first).unwrap_or(first);
    if facts.limits().polish_searches_max == 0 || best.edges.iter().all(is_confirmed) {
        return Some(best);
    }
    let confirmed: BTreeSet<_> = together
        .edges()
        .filter(|edge| is_confirmed(edge))
        .map(Edge::pair)
        .collect();
    let sure = facts.best_chain(&together.restricted_to(&confirmed), from, to);
    Some(
        sure.filter(|sure| sure.hops() == best.hops())
            .unwrap_or(best),
    )
}

fn is_confirmed(edge: &Edge) -> bool {
    edge.evidence().len() > 1
}
