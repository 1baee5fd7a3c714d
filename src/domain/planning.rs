//! What the planner is shown and what it may say.

use super::people::Side;

/// One numbered row of the closed table: only these people may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRow {
    /// From 1, in ranking order.
    pub number: usize,
    /// The recogniser's name.
    pub name: String,
    /// In how many looked-at photos the person stands with the frontier (one-sided), or was seen
    /// at all (both ends).
    pub count: usize,
    /// The best confidence of being together with the frontier or the side's people, in percent.
    pub best_confidence: f64,
    /// Whose side the person was found on.
    pub side: Side,
}

/// What the planner sees.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanQuestion {
    /// The first name as typed.
    pub person_a: String,
    /// The second name as typed.
    pub person_b: String,
    /// Whose surroundings were looked at last.
    pub frontier: String,
    /// The closed table, best first: nobody else may be chosen.
    pub candidates: Vec<CandidateRow>,
    /// The only queries that may be proposed.
    pub allowed_queries: Vec<String>,
    /// Edges that may still be added.
    pub hops_left: u32,
    /// Attempts of searches that may still be made.
    pub searches_left: u32,
    /// Attempts of recognitions that may still be made.
    pub recognitions_left: u32,
    /// Whether people may be guessed whom nobody has seen yet.
    pub may_guess: bool,
}

/// What the planner said, not yet held against the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanAnswer {
    /// Names, best first.
    pub next_candidates: Vec<String>,
    /// Queries to run next.
    pub search_queries: Vec<String>,
    /// People believed to stand between the two although nobody has seen them yet.
    pub hypotheses: Vec<String>,
    /// One sentence for people.
    pub narration: String,
}
