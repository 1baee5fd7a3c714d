//! The question to the planner, and its answer.

use crate::people::Side;

/// One numbered row of the closed table: only these people may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRow {
    /// The row's number from 1, in ranking order.
    pub number: usize,
    /// The recogniser's name.
    pub name: String,
    /// The number of looked-at photos in which the person stands with the frontier (one-sided), or
    /// was seen at all (both ends).
    pub count: usize,
    /// The best confidence of being together with the frontier or the side's people, in percent.
    pub best_confidence: f64,
    /// The side on which the person was found.
    pub side: Side,
}

/// The question that the planner is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanQuestion {
    /// The first name as typed.
    pub person_a: String,
    /// The second name as typed.
    pub person_b: String,
    /// The name of the person whose surroundings were looked at last.
    pub frontier: String,
    /// The closed table, best first: nobody else may be chosen.
    pub candidates: Vec<CandidateRow>,
    /// The only queries that may be proposed.
    pub allowed_queries: Vec<String>,
    /// The number of edges that may still be added.
    pub hops_left: u32,
    /// The number of attempts of searches that may still be made.
    pub searches_left: u32,
    /// The number of attempts of recognitions that may still be made.
    pub recognitions_left: u32,
    /// Whether the planner may guess people whom nobody has seen yet.
    pub may_guess: bool,
}

/// The planner's answer, not yet checked against the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanAnswer {
    /// The names to try next, best first.
    pub next_candidates: Vec<String>,
    /// The queries to run next.
    pub search_queries: Vec<String>,
    /// The people believed to stand between the two although nobody has seen them yet.
    pub hypotheses: Vec<String>,
    /// One sentence for people.
    pub narration: String,
}
