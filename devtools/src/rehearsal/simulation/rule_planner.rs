//! Planners without a language model, which choose by a fixed rule.

use std::collections::BTreeMap;

use domain::{CandidateRow, PlanAnswer, PlanQuestion, Side};
use sandbox::World;

/// How a planner chooses among the candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannerRule {
    /// Chooses the first row of the table, as the ranking does.
    First,
    /// Chooses the row whose person has the fewest hops to the person at the other end, according to the world's
    /// photos; if there are several such rows, the first. No real planner can know these distances, so this is an upper
    /// bound.
    Perfect,
}

/// A planner that chooses by a rule, for questions about one world.
#[derive(Debug)]
pub(super) struct RulePlanner<'world> {
    world: &'world World,
    rule: PlannerRule,
    /// The number of hops from a person to everybody, by the name under which the request names that person.
    hops_from: BTreeMap<String, Vec<Option<usize>>>,
}

impl<'world> RulePlanner<'world> {
    pub(super) fn new(world: &'world World, rule: PlannerRule) -> Self {
        Self {
            world,
            rule,
            hops_from: BTreeMap::new(),
        }
    }

    /// Returns the name that the rule chooses; no name if the table has no row.
    pub(super) fn answer(&mut self, question: &PlanQuestion) -> PlanAnswer {
        let rows = &question.candidates;
        let chosen = match self.rule {
            PlannerRule::First => rows.first(),
            // Of several nearest rows, `min_by_key` returns the first.
            PlannerRule::Perfect => rows.iter().min_by_key(|row| {
                let hops = self.hops_left(question, row);
                hops.unwrap_or(usize::MAX)
            }),
        };
        PlanAnswer {
            next_candidates: chosen.map(|row| row.name.clone()).into_iter().collect(),
            ..PlanAnswer::default()
        }
    }

    /// Returns the number of hops from the person of a row to the person at the other end.
    fn hops_left(&mut self, question: &PlanQuestion, row: &CandidateRow) -> Option<usize> {
        let end = match row.side {
            Side::A => &question.person_b,
            Side::B => &question.person_a,
        };
        let world = self.world;
        let hops = self.hops_from.entry(end.clone()).or_insert_with(|| {
            let start = world.bearers(end).first();
            start.map_or_else(Vec::new, |start| world.hops_from(*start, None))
        });
        let bearers = world.bearers(&row.name).iter();
        bearers
            .filter_map(|person| hops.get(*person).copied().flatten())
            .min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, side: Side) -> CandidateRow {
        CandidateRow {
            number: 1,
            name: name.to_owned(),
            count: 1,
            best_confidence: 90.0,
            side,
        }
    }

    fn check(rule: PlannerRule, rows: &[(&str, Side)], expect: &str) {
        let world = World::parse(
            r#"{"name":"n","source":"s","license":"l","photos":
                [["A","P"],["P","Q"],["Q","B"],["A","X"],["B","R"]]}"#,
        )
        .unwrap();
        let question = PlanQuestion {
            person_a: "A".into(),
            person_b: "B".into(),
            frontier: "A".into(),
            candidates: rows.iter().map(|(name, side)| row(name, *side)).collect(),
            allowed_queries: Vec::new(),
            hops_left: 6,
            searches_left: 9,
            recognitions_left: 9,
            may_guess: true,
        };
        let answer = RulePlanner::new(&world, rule).answer(&question);
        assert_eq!(answer.next_candidates, [expect], "{rows:?}");
    }

    #[test]
    fn the_perfect_planner_names_whoever_is_nearest_to_the_other_end() {
        let (a, b) = (Side::A, Side::B);
        check(PlannerRule::Perfect, &[("X", a), ("P", a)], "P");
        check(PlannerRule::Perfect, &[("X", a), ("P", a), ("Q", a)], "Q");
        check(PlannerRule::Perfect, &[("R", b), ("Q", b), ("P", a)], "Q");
        check(PlannerRule::Perfect, &[("P", a), ("Q", b)], "P");
        check(PlannerRule::Perfect, &[("Nobody", a), ("X", a)], "X");
    }

    #[test]
    fn the_first_row_is_what_the_ranking_says() {
        check(PlannerRule::First, &[("X", Side::A), ("P", Side::A)], "X");
    }
}
