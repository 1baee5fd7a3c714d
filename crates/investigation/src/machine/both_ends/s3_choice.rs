//! S3: who is tried next?

use std::collections::VecDeque;

use domain::Side;

use crate::machine::advice::{
    Advice, Candidate, Consultation, TABLE_ROWS_MAX, has_planner, numbered_rows,
};
use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{Facts, Frontier, Query, Subject, query};
use crate::machine::interface::Reason;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::expand::{expand_candidate, expand_start, look_on};
use super::hinted::hinted_look;
use super::leftovers::leftovers;
use super::lookup::SingleSearches;
use super::memory::Memory;
use super::next_guess::next_guess;
use super::next_search::{reason_of, tables};
use super::question_worth::QuestionWorth;
use super::ranked::{RankedCandidate, candidates_of};

/// The least that must be expected of a search for a typed person before what is left over of their
/// lists is looked at, as a part of what it might bring.
const EXPECTED_PART_MIN: f64 = 0.4;

/// Tries a typed person who is not recognised yet, then a guess, then the person whom the planner
/// suggests, then the best.
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
    let [of_a, of_b] = tables(memory, view);
    let (near, far) = match memory.turn() {
        Side::A => (of_a, of_b),
        Side::B => (of_b, of_a),
    };
    // No chain can end without the typed people, so no planner is asked about their turn.
    if let Some(next) = unbound_start(memory, view, near.is_empty(), teller) {
        return next;
    }
    let best = best_of(near.first(), far.first()).cloned();
    let table: Vec<RankedCandidate> = interleaved(near, far);
    if let Some(guess) = next_guess(memory, &table, view, advice, teller) {
        return guess;
    }
    // The two typed people are not the planner's to choose.
    let is_choosable =
        |row: &&RankedCandidate| has_planner(view.budget()) && row.candidate.depth > 0;
    let choosable = table.iter().filter(is_choosable).map(|row| &row.candidate);
    let choosable: Vec<&Candidate> = choosable.collect();
    if let Some(suggested) = advice.take_suggestion(&choosable) {
        let mut rows = table.iter();
        if let Some(row) = rows.find(|row| row.candidate.person == suggested.person) {
            let reason = "chosen by the planner";
            return choose_one(memory, &table, row.clone(), reason, view, advice, teller);
        }
    }
    if !planner_answered && advice.may_ask(choosable.len(), view.budget(), teller) {
        return ask(memory, &choosable, view, advice);
    }
    match best {
        Some(best) => {
            let reason = reason_of(&best.probe, facts);
            choose_one(memory, &table, best, &reason, view, advice, teller)
        }
        None if view.scheduler().has_surveys() => {
            // A call under way may show somebody.
            Move::Rest
        }
        None => match view.budget().permission(CallKind::Search) {
            Permission::Refused(reason) => Move::fail(reason),
            _ => Move::fail(exhausted_reason(facts)),
        },
    }
}

/// Looks for a typed person who was never recognised and so has no candidates. On their turn they
/// are looked for again until they count as unknown: first in what their lists have left over, where
/// nothing else can be asked.
fn unbound_start(
    memory: &mut Memory,
    view: View,
    is_nobody_near: bool,
    teller: &mut Teller,
) -> Option<Move> {
    let facts = view.facts();
    let turn = memory.turn();
    let is_meant = |side: &Side| {
        let is_theirs = *side == turn || is_nobody_near;
        let is_bound = facts.people().bound(*side).is_some();
        is_theirs && !is_bound && !view.scheduler().is_naming(Subject::Typed(*side))
    };
    for side in [turn, turn.other()].into_iter().filter(is_meant) {
        let subject = Subject::Typed(side);
        let mut left = leftovers(view).into_iter();
        let left = left.rfind(|left| left.named == [subject]);
        let worth = QuestionWorth::of(facts);
        let search = SingleSearches::of(memory, view, &worth).best(subject);
        let search = search.filter(|search| search.expected >= EXPECTED_PART_MIN || left.is_none());
        if let Some(search) = search {
            return Some(expand_start(memory, side, search, facts, teller));
        }
        if let Some(left) = left {
            let frontier = Frontier {
                side,
                subject,
                depth: 0,
            };
            return Some(look_on(memory, frontier, left.list, view, teller));
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
    let table = numbered_rows(&candidates_of(table));
    let Candidate {
        person,
        side,
        depth,
        ref name,
        ..
    } = chosen.candidate;
    if depth == 0 {
        // The choice is a typed person again, so that there is nothing to verify on the way there.
        teller.keep_decision(table, name, reason);
        return expand_candidate(memory, chosen, None, view, teller);
    }
    teller.tell_choice(table, name, reason, advice.take_narration());
    let frontier = Frontier {
        side,
        subject: Subject::Person(person),
        depth,
    };
    memory.choose(frontier, chosen);
    Move::go(State::Verification {
        candidate: person,
        queries: VecDeque::new(),
    })
}

fn ask(memory: &Memory, choosable: &[&Candidate], view: View, advice: &Advice) -> Move {
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

/// Returns the templates with the table's names. No other query may be proposed.
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

/// Returns why nobody is left to try: the two are connected by a longer chain only, or not at all.
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

/// Returns the candidate whose search is worth more. Of equals it is the one of the side whose turn
/// it is.
fn best_of<'table>(
    near: Option<&'table RankedCandidate>,
    far: Option<&'table RankedCandidate>,
) -> Option<&'table RankedCandidate> {
    match (near, far) {
        (Some(near), Some(far)) if far.probe.worth > near.probe.worth => Some(far),
        (near, far) => near.or(far),
    }
}

/// Returns the candidates of both sides in turn, the first side first.
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
