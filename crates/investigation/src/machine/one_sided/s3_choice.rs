//! S3: who is tried next?

use std::collections::VecDeque;

use domain::Side;

use crate::machine::advice::{Advice, Candidate, Consultation, TABLE_ROWS_MAX, numbered_rows};
use crate::machine::facts::{Facts, Query, query};
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::candidates::{candidates, reason_of};
use super::next_frontier::next_frontier;
use super::path::Path;

/// Chooses the target if it is there, then the person whom the planner suggests, then the best.
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
    let target = table.iter().find(|row| Some(row.person) == target);
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
    let narration = advice.take_narration();
    teller.tell_choice(numbered_rows(&rows), &chosen.name, &reason, narration);
    Move::go(State::Verification {
        candidate: chosen.person,
        queries: verification_queries(frontier_name, &chosen.name, advice),
    })
}

/// Returns the templates with the table's names. No other query may be proposed.
fn allowed_queries(facts: &Facts, frontier: &str, table: &[Candidate]) -> Vec<String> {
    let table = table.iter().take(TABLE_ROWS_MAX);
    let queries = table.flat_map(|row| own_queries(frontier, &row.name));
    queries
        .filter(|query| facts.knowledge().asked(query.text()).is_none())
        .map(|query| query.text().to_owned())
        .collect()
}

/// Returns the queries `{F} {X}` and `{F} {X} event`, with those that the planner suggests first.
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
