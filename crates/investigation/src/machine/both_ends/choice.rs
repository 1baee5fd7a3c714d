//! S2 to S5: finds people who were seen with the two people of the request, and chooses whom to try next.
//!
//! The photo that shows a candidate already proves the edge, so S4 and S5 need no call, and the search goes on around
//! the candidate. A person whom the planner guesses is searched for together with A and then together with B.

use std::collections::VecDeque;

use domain::{Name, PersonIndex, Side};

use crate::machine::advice::{
    Advice, Candidate, Consultation, TABLE_ROWS_MAX, has_planner, is_recognised, numbered_rows,
};
use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{
    Facts, Frontier, ListKey, PHOTOS_UNTIL_UNKNOWN, Query, Subject, query,
};
use crate::machine::hints::Hints;
use crate::machine::interface::Reason;
use crate::machine::states::{Move, State, View};
use crate::machine::telling::{Teller, counted};

use super::Memory;
use super::hints::hinted_look;
use super::next_search::{SingleSearches, reason_of, tables};
use super::question_worth::QuestionWorth;
use super::sides::{RankedCandidate, candidates_of, expand_candidate, expand_start, look_on};
use super::weighing::leftovers;

/// If the expected share of a search for a person of the request is less than this, the photos left over in that
/// person's lists are looked at first.
const EXPECTED_PART_MIN: f64 = 0.4;

/// If names decide, the number of searches after which a photo of each person of the request is looked at.
const SEARCHES_BEFORE_START: usize = 3;

/// If the words beside photos that were not looked at probably name a person of the request fewer times than this, a
/// search for the person alone does not wait for them.
const NAMED_LEFT_MIN: f64 = 0.5;

/// Tries a person of the request who is not recognised yet, then a guess, then the planner's suggestion, then the best
/// candidate.
//= spec S3
pub fn choose(
    memory: &mut Memory,
    planner_answered: bool,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    if let Some(next) = hinted_look(memory, State::Discovery, view, teller) {
        return next;
    }
    if let Some(next) = start_look(memory, view, teller) {
        return next;
    }
    let ([of_a, of_b], unread) = tables(memory, view);
    let (near, far) = match memory.turn() {
        Side::A => (of_a, of_b),
        Side::B => (of_b, of_a),
    };
    // A chain needs both people of the request. While one of them is not recognised, no planner is asked on that
    // person's turn.
    if let Some(next) = unbound_start(memory, view, near.is_empty(), teller) {
        return next;
    }
    let best = best_of(near.first(), far.first()).cloned();
    if let Some(unread) = unread
        && unread.is_better_than(best.as_ref(), view)
    {
        return unread.look(memory, facts, teller);
    }
    let table: Vec<RankedCandidate> = interleaved(near, far);
    if let Some(guess) = next_guess(memory, &table, view, advice, teller) {
        return guess;
    }
    // The planner is not allowed to choose either of the two people of the request.
    let is_choosable =
        |row: &&RankedCandidate| has_planner(view.budget()) && row.candidate.depth > 0;
    let choosable: Vec<&Candidate> = table
        .iter()
        .filter(is_choosable)
        .map(|row| &row.candidate)
        .collect();
    if let Some(suggested) = advice.take_suggestion(&choosable) {
        let mut rows = table.iter();
        if let Some(row) = rows.find(|row| row.candidate.subject == suggested.subject) {
            let reason = "chosen by the planner";
            return choose_one(memory, &table, row.clone(), reason, view, advice, teller);
        }
    }
    if !planner_answered && advice.may_ask(choosable.len(), view.budget(), teller) {
        return ask_planner(memory, &choosable, view, advice);
    }
    match best {
        Some(best) => {
            let reason = reason_of(&best.probe, facts);
            choose_one(memory, &table, best, &reason, view, advice, teller)
        }
        None if view.scheduler().has_surveys() => {
            // Nothing is chosen yet, because a call in flight may show somebody to try.
            Move::Rest
        }
        None => match view.budget().permission(CallKind::Search) {
            Permission::Refused(reason) => Move::fail(reason),
            _ => Move::fail(exhausted_reason(facts)),
        },
    }
}

/// Searches for a person of the request who was never recognised and so has no candidates. On that person's turn the
/// searches go on until the name counts as unknown. If no search for the person promises enough, looks at the photos
/// left over in the person's lists.
fn unbound_start(
    memory: &mut Memory,
    view: View,
    is_nobody_near: bool,
    teller: &mut Teller,
) -> Option<Move> {
    let facts = view.facts();
    if facts.names_decide() {
        // Searches go on with those whom hints name beside this person.
        return None;
    }
    let turn = memory.turn();
    let is_meant = |side: &Side| {
        let is_theirs = *side == turn || is_nobody_near;
        let is_bound = facts.people().bound(*side).is_some();
        is_theirs && !is_bound && !view.scheduler().is_naming(Subject::Typed(*side))
    };
    for side in [turn, turn.other()].into_iter().filter(is_meant) {
        let subject = Subject::Typed(side);
        let left = leftovers(view)
            .into_iter()
            .rfind(|left| left.named == [subject]);
        let worth = QuestionWorth::of(facts);
        let search = SingleSearches::of(memory, view, &worth)
            .best(subject)
            .filter(|search| search.expected >= EXPECTED_PART_MIN || left.is_none());
        if let Some(search) = search {
            return Some(expand_start(memory, side, search, facts, teller));
        }
        if let Some(left) = left {
            let frontier = Frontier {
                side,
                subject,
                depth: 0,
            };
            let photos = facts.limits().images_per_search;
            return Some(look_on(memory, frontier, (left.list, photos), view, teller));
        }
    }
    None
}

/// If names decide, makes sure that a person of the request who was not recognised yet is known at all, because further
/// searches are in vain otherwise. Searches for a person of whom no photo is left to look at and, after a few searches,
/// for one whom no words name. Then looks at one photo found for the person, then at as many as before, and waits for
/// them.
fn start_look(memory: &mut Memory, view: View, teller: &mut Teller) -> Option<Move> {
    let facts = view.facts();
    if !facts.names_decide() {
        return None;
    }
    let hints = facts.knowledge().hints();
    let permission = view.budget().permission(CallKind::Search);
    let may_search = !matches!(permission, Permission::Refused(_));
    let may_look = memory.queries_begun() >= SEARCHES_BEFORE_START;
    for side in [Side::A, Side::B] {
        let subject = Subject::Typed(side);
        let looked = facts.photos_looked_for(side);
        if facts.people().bound(side).is_some() || looked >= PHOTOS_UNTIL_UNKNOWN {
            continue;
        }
        if view.scheduler().is_naming(subject) {
            if may_look && looked > 0 {
                return Some(Move::Rest);
            }
            continue;
        }
        let is_list_of = facts.is_list_of(side);
        let mut left = leftovers(view).into_iter();
        let left = left.rfind(|left| may_look && is_list_of(&left.named));
        let who = Hints::typed(side);
        let is_unnamed = may_look && left.is_none() && hints.named_left(who) < NAMED_LEFT_MIN;
        let has_none = is_unnamed || hints.photos_left(who) == 0;
        if may_search && has_none {
            let worth = QuestionWorth::of(facts);
            if let Some(search) = SingleSearches::of(memory, view, &worth).best(subject) {
                return Some(expand_start(memory, side, search, facts, teller));
            }
        }
        if let Some(left) = left {
            let frontier = Frontier {
                side,
                subject,
                depth: 0,
            };
            let photos = u32::try_from(looked.max(1)).unwrap_or(u32::MAX);
            let photos = photos.min(facts.limits().images_per_search);
            return Some(look_on(memory, frontier, (left.list, photos), view, teller));
        }
    }
    None
}

fn choose_one(
    memory: &mut Memory,
    table: &[RankedCandidate],
    chosen: RankedCandidate,
    reason: &str,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let table = numbered_rows(&candidates_of(table));
    let Candidate {
        subject,
        side,
        depth,
        ref name,
        ..
    } = chosen.candidate;
    if depth == 0 {
        // The chosen person is a person of the request, so S4 has no edge to verify.
        teller.keep_decision(table, name, reason);
        return expand_candidate(memory, chosen, None, view, teller);
    }
    teller.tell_choice(table, name, reason, advice.take_narration());
    let candidate = facts.knowledge().person_of(subject);
    let start = facts.people().bound(side);
    let reached = start.map(|start| facts.reach(start));
    let is_reached =
        |person: &PersonIndex| reached.is_some_and(|reached| reached.distance(*person).is_some());
    let Some(candidate) = candidate.filter(is_reached) else {
        // Only hints connect this person with a side, so S4 has no edge to verify.
        return expand_candidate(memory, chosen, None, view, teller);
    };
    let frontier = Frontier {
        side,
        subject,
        depth,
    };
    memory.choose(frontier, chosen);
    Move::go(State::Verification {
        candidate,
        queries: VecDeque::new(),
    })
}

fn ask_planner(memory: &Memory, choosable: &[&Candidate], view: View, advice: &Advice) -> Move {
    let facts = view.facts();
    let frontier = memory.frontier();
    let consultation = Consultation {
        allowed_queries: allowed_queries(facts, choosable),
        table: choosable,
        frontier: frontier.map_or("", |one| facts.knowledge().name_of(one.subject)),
        depth: frontier.map_or(0, |one| one.depth),
    };
    advice.ask(consultation, facts, view.budget())
}

/// Returns the templates with the table's names; the planner may propose no other query.
fn allowed_queries(facts: &Facts, table: &[&Candidate]) -> Vec<String> {
    let is_asked = |query: &Query| facts.knowledge().asked(query.text()).is_some();
    let mut allowed = Vec::new();
    for Candidate { name, .. } in table.iter().take(TABLE_ROWS_MAX) {
        let templates = 0..query::DISCOVERY.len();
        allowed.extend(templates.filter_map(|template| query::discovery(name, template)));
        for side in [Side::A, Side::B] {
            let typed = facts.typed_name(side);
            if !query::naming_both(name, typed).iter().any(is_asked) {
                allowed.push(query::pair(name, typed));
            }
        }
    }
    allowed.retain(|query| !is_asked(query));
    allowed
        .iter()
        .map(|query| query.text().to_owned())
        .collect()
}

/// Returns why no one is left to try: the two people of the request are connected only by a chain that is too long, or
/// not at all.
fn exhausted_reason(facts: &Facts) -> Reason {
    let distance = facts
        .typed_pair()
        .and_then(|(from, to)| facts.reach(from).distance(to));
    if distance.is_some() {
        Reason::HopLimit
    } else {
        Reason::NoCandidates
    }
}

/// Returns the candidate whose search is worth more. If both are worth the same, returns `near`, the candidate of the
/// side whose turn it is.
fn best_of<'table>(
    near: Option<&'table RankedCandidate>,
    far: Option<&'table RankedCandidate>,
) -> Option<&'table RankedCandidate> {
    match (near, far) {
        (Some(near), Some(far)) if far.probe.worth > near.probe.worth => Some(far),
        (near, far) => near.or(far),
    }
}

/// Returns the candidates of both sides alternately, the first side first.
fn interleaved(near: Vec<RankedCandidate>, far: Vec<RankedCandidate>) -> Vec<RankedCandidate> {
    let mut far = far.into_iter();
    let mut table = Vec::new();
    for candidate in near {
        table.push(candidate);
        table.extend(far.next());
    }
    table.extend(far);
    table
}

/// Searches once for each person of the request. From then on S3 chooses.
//= spec S2
pub fn discover(memory: &mut Memory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    // If names decide, the words of S1 have already told who is around both, and S3 weighs a search for one of them
    // like any other.
    let first = memory.start_to_ask().filter(|_| !facts.names_decide());
    let start = first.and_then(|side| {
        let worth = QuestionWorth::of(facts);
        let searches = SingleSearches::of(memory, view, &worth);
        let search = searches.best(Subject::Typed(side))?;
        Some((side, search))
    });
    match start {
        Some((side, search)) => expand_start(memory, side, search, facts, teller),
        None => Move::go(State::CHOICE),
    }
}

/// Searches for the next guess; `None` if there is no guess, or if a search for the last one is still in flight.
pub fn next_guess(
    memory: &mut Memory,
    table: &[RankedCandidate],
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Option<Move> {
    let facts = view.facts();
    let guesses = advice.guesses();
    while let Some((name, side)) = guesses.next() {
        if side == Side::B && is_looked_for_beside_a(view, &name) {
            // The guessed person is searched for together with B only after the searches in flight have shown whether
            // the person exists.
            return None;
        }
        guesses.remove_next();
        // If the search together with A has not shown the guessed person, a search together with B would not help.
        let is_in_vain = side == Side::B && !is_recognised(facts, &name.folded());
        let query = guess_query(facts, &name, side);
        if is_in_vain || facts.knowledge().asked(query.text()).is_some() {
            continue;
        }
        if side == Side::A {
            guesses.add_beside_b(name.clone());
        }
        return Some(begin_guess(
            memory,
            table,
            (&name, side),
            query,
            facts,
            teller,
        ));
    }
    None
}

fn begin_guess(
    memory: &mut Memory,
    table: &[RankedCandidate],
    (name, side): (&Name, Side),
    query: Query,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let guess = name.as_str();
    let typed = Subject::Typed(side);
    let frontier = Frontier {
        side,
        subject: typed,
        depth: 0,
    };
    let list = ListKey {
        query: query.text().to_owned(),
        source: 0,
    };
    memory.begin_guess(frontier, list);
    teller.move_to(frontier);
    let table = numbered_rows(&candidates_of(table));
    let reason = "a guess of the planner, to be proven by photos";
    teller.keep_decision(table, guess, reason);
    let beside = facts.typed_name(side);
    teller.guess(
        guess,
        format!("The planner guesses {guess}; looking beside {beside}."),
    );
    Move::search(query, vec![typed], State::Discovery)
}

fn guess_query(facts: &Facts, name: &Name, side: Side) -> Query {
    let typed = facts.typed_name(side);
    match side {
        Side::A => query::pair(typed, name.as_str()),
        Side::B => query::pair(name.as_str(), typed),
    }
}

fn is_looked_for_beside_a(view: View, name: &Name) -> bool {
    let query = guess_query(view.facts(), name, Side::A);
    let mut surveys = view.scheduler().surveys();
    surveys.any(|survey| survey.query() == query.text())
}

/// Reports the proof of the candidate's edge, once, and the path to the candidate.
//= spec S4
pub fn verify(memory: &Memory, candidate: PersonIndex, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let side = memory.frontier().map_or(Side::A, |frontier| frontier.side);
    if let Some(start) = facts.people().bound(side) {
        let reached = facts.reach(start);
        if let Some(parent) = reached.parent(candidate) {
            tell_proof(facts, candidate, parent, teller);
        }
        let mut path = reached.path_to(candidate);
        if side == Side::B {
            path.reverse();
        }
        teller.path(&path);
    }
    Move::go(State::Bridge {
        reached: candidate,
        asked: false,
    })
}

fn tell_proof(facts: &Facts, candidate: PersonIndex, parent: PersonIndex, teller: &mut Teller) {
    let Some(edge) = facts.together().edge(parent, candidate) else {
        return;
    };
    if teller.is_new_proof(edge.pair()) {
        let (name, beside) = (facts.name(candidate), facts.name(parent));
        let photos = counted(edge.evidence().len(), "photo", "photos");
        teller.status(format!(
            "{name} is already proven beside {beside}, by {photos}."
        ));
    }
}

/// Asks a bridging query only if the planner wants it. Otherwise none is needed, because any photo that joins the sides
/// completes a chain.
//= spec S5
pub fn bridge(
    memory: &mut Memory,
    reached: PersonIndex,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let chosen = memory.take_chosen(reached, facts.knowledge());
    let planned = planned_query(facts, reached, advice);
    match chosen {
        Some(chosen) => expand_candidate(memory, *chosen, planned, view, teller),
        None => Move::go(State::CHOICE),
    }
}

fn planned_query(facts: &Facts, person: PersonIndex, advice: &mut Advice) -> Option<Query> {
    let name = facts.name(person);
    let templates = 0..query::DISCOVERY.len();
    let pairs = [Side::A, Side::B].map(|side| query::pair(name, facts.typed_name(side)));
    let own: Vec<Query> = templates
        .filter_map(|template| query::discovery(name, template))
        .chain(pairs)
        .collect();
    let mut planned = advice.take_queries(&own).into_iter();
    planned.find(|query| facts.knowledge().asked(query.text()).is_none())
}
