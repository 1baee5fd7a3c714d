//! The memory of where both halves of the search stand.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Pair, PersonIndex, PersonToConnect, RECALLED_FETCHES_MAX, Side};

use crate::machine::facts::{Frontier, ListKey, Subject};
use crate::machine::hints::Somebody;

use super::ranked::RankedCandidate;

/// The memory of the both-ends plan.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The side whose turn it is.
    turn: Side,
    /// The number of times that each person's surroundings were asked for.
    asked: BTreeMap<Subject, u32>,
    /// The frontier of the survey under way, or of the last one.
    frontier: Option<Frontier>,
    /// The person who was chosen last, until they are searched for.
    chosen: Option<Box<RankedCandidate>>,
    /// The queries that were begun. No query is asked again, not even while its answer is awaited.
    begun: BTreeSet<ListKey>,
    /// The pairs of people who were named together, each with the image search that was asked.
    paired: BTreeSet<(Pair, usize)>,
    /// The people who are connected with A, and those who are connected with B.
    reached: [BTreeSet<PersonIndex>; 2],
    /// The number of photos that `reached` takes into account.
    photos_checked: usize,
    /// The link for which a second photo is looked for, with the query.
    check: Option<(Pair, String)>,
    /// The links for which a second photo was looked for.
    checked_links: BTreeSet<Pair>,
    /// Whose remembered photos were asked for, and how often any were.
    recalled: BTreeSet<Somebody>,
    recalls: usize,
    /// The sides between whom a chain was looked for last, and the photos that such chains had brought before.
    connected: Option<Box<([Vec<PersonToConnect>; 2], usize)>>,
    /// The recalled photos that were looked at.
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

    /// Returns the side whose turn it is.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Returns where the search is. Returns `None` before the first frontier.
    pub fn frontier(&self) -> Option<Frontier> {
        self.frontier
    }

    /// Goes to somebody's surroundings, and lets the other side have the next turn. `people` are
    /// the two whom the query names, where it names two who were recognised.
    pub fn expand(
        &mut self,
        frontier: Frontier,
        list: ListKey,
        named: &[Subject],
        people: Option<Pair>,
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

    /// Looks at what is left over of somebody's surroundings, and lets the other side have the next
    /// turn.
    pub fn look_on(&mut self, frontier: Frontier) {
        self.turn = frontier.side.other();
        self.frontier = Some(frontier);
    }

    /// Looks for a guess beside a typed person. This takes no turn and asks for nobody's
    /// surroundings.
    pub fn begin_guess(&mut self, frontier: Frontier, list: ListKey) {
        self.frontier = Some(frontier);
        self.begun.insert(list);
    }

    /// Notes who is chosen, to be searched for when their proof is told.
    pub fn choose(&mut self, frontier: Frontier, chosen: RankedCandidate) {
        self.frontier = Some(frontier);
        self.chosen = Some(Box::new(chosen));
    }

    /// Takes the candidate who was chosen, if it is this person.
    pub fn take_chosen(&mut self, person: PersonIndex) -> Option<Box<RankedCandidate>> {
        let chosen = self.chosen.take();
        chosen.filter(|chosen| chosen.candidate.person == person)
    }

    /// Returns a typed person who was not asked about yet, the side in turn first.
    pub fn start_to_ask(&self) -> Option<Side> {
        let mut sides = [self.turn, self.turn.other()].into_iter();
        sides.find(|side| self.times_asked(Subject::Typed(*side)) == 0)
    }

    /// Returns how often somebody's surroundings were asked for.
    pub fn times_asked(&self, subject: Subject) -> u32 {
        self.asked.get(&subject).copied().unwrap_or(0)
    }

    /// Returns whether a query was begun, answered or not.
    pub fn has_begun(&self, list: &ListKey) -> bool {
        self.begun.contains(list)
    }

    /// Returns whether an image search was asked for two people together.
    pub fn has_paired(&self, pair: Pair, source: usize) -> bool {
        self.paired.contains(&(pair, source))
    }

    /// Returns how many searches have named two people together.
    pub fn pairs_named(&self) -> usize {
        self.paired.len()
    }

    /// Returns the people who are connected with a side's start, as of the last check.
    pub fn reached(&self, side: Side) -> &BTreeSet<PersonIndex> {
        let [from_a, from_b] = &self.reached;
        match side {
            Side::A => from_a,
            Side::B => from_b,
        }
    }

    /// Notes the people who are connected with a side's start, as a check found them.
    pub fn note_reached(&mut self, side: Side, people: BTreeSet<PersonIndex>) {
        let [from_a, from_b] = &mut self.reached;
        match side {
            Side::A => *from_a = people,
            Side::B => *from_b = people,
        }
    }

    /// Returns the number of photos that the last check of both sides took into account.
    pub fn photos_checked(&self) -> usize {
        self.photos_checked
    }

    /// Notes how many photos the check of both sides took into account.
    pub fn note_checked(&mut self, photos: usize) {
        self.photos_checked = photos;
    }

    /// Notes that the remembered photos of these people are asked for.
    pub fn note_recalled(&mut self, people: impl IntoIterator<Item = Somebody>) {
        self.recalls += 1;
        self.recalled.extend(people);
    }

    /// Returns whether somebody's remembered photos were asked for.
    pub fn has_recalled(&self, who: Somebody) -> bool {
        self.recalled.contains(&who)
    }

    /// Notes that a chain is looked for between these sides, after such chains have brought so many photos. Returns false
    /// where nothing has changed since it was looked for last.
    pub fn begin_connecting(&mut self, sides: &[Vec<PersonToConnect>; 2], photos: usize) -> bool {
        let asked = (sides.clone(), photos);
        if self.connected.as_deref() == Some(&asked) {
            return false;
        }
        self.connected = Some(Box::new(asked));
        self.recalls += 1;
        true
    }

    /// Notes that so many recalled photos are looked at. Returns false where a run may not look at so many.
    pub fn begin_free_looks(&mut self, photos: usize) -> bool {
        let looks = self.free_looks.saturating_add(photos);
        let may_look = photos == 0 || looks <= RECALLED_FETCHES_MAX;
        if may_look {
            self.free_looks = looks;
        }
        may_look
    }

    /// Returns how often remembered photos were asked for.
    pub fn recalls(&self) -> usize {
        self.recalls
    }

    /// Returns how many queries were begun.
    pub fn queries_begun(&self) -> usize {
        self.begun.len()
    }

    /// Notes that a second photo of a link is looked for by this query.
    pub fn begin_check(&mut self, link: Pair, query: String) {
        self.check = Some((link, query));
    }

    /// Takes the link for which a second photo was looked for, with the query.
    pub fn end_check(&mut self) -> Option<(Pair, String)> {
        self.check.take()
    }

    /// Notes that a second photo of a link was looked for.
    pub fn note_checked_link(&mut self, link: Pair) {
        self.checked_links.insert(link);
    }

    /// Returns whether a second photo of a link was looked for.
    pub fn is_checked_link(&self, link: Pair) -> bool {
        self.checked_links.contains(&link)
    }
}
