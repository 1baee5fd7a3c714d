//! The both-ends plan's next search: whom to name, one person or one of each side.

use crate::domain::{Confidence, Pair, PersonIndex, Side, reach};

use super::both_ends::BothEnds;
use super::machine::{Investigation, Route};
use super::query;
use super::ranking::{Candidate, TABLE_ROWS_MAX};
use super::renown::Renown;
use super::sides::{Best, PARTNERS_MAX, Sides, Standing};
use super::subject::Subject;

/// What is not known yet may be better than it looks: who was not searched for counts so much more.
const HOPE: f64 = 1.5;
/// Whoever stands near the other side is soon seen with it: each further search that names somebody
/// counts so much against them, set against all pairs that were named. Where hardly any pair is
/// together it says little.
const AGAIN_LOSS: f64 = 10.0;
/// Rows of both sides' tables: the typed people are not the planner's to choose.
const ROWS_MAX: usize = TABLE_ROWS_MAX + 2;
/// With nobody known on a side, photos of the other still find people.
const MASS_MIN: f64 = 1.0;

/// A search that may be made next.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) query: String,
    pub(super) named: Vec<Subject>,
    /// In no unit: only to compare with others.
    pub(super) worth: f64,
    one: Standing,
    partner: Option<Standing>,
}

impl Investigation {
    /// The tables of both sides, A first, each with the most worthwhile person first.
    pub(super) fn both_ends_tables(&self) -> [Vec<Candidate>; 2] {
        let Route::BothEnds(route) = &self.route else {
            return [Vec::new(), Vec::new()];
        };
        let sides = self.sides(route);
        let ranked = [Side::A, Side::B].map(|side| self.ranked(side, &sides, route));
        let [of_a, of_b] = [&ranked[0], &ranked[1]].map(Vec::len);
        let [ranked_a, ranked_b] = ranked;
        [
            self.table(Side::A, ranked_a, of_b, route),
            self.table(Side::B, ranked_b, of_a, route),
        ]
    }

    /// Both sides as they stand now.
    pub(super) fn sides<'plan>(&self, route: &'plan BothEnds) -> Sides<'plan> {
        let renown = Renown::of(
            &self.knowledge,
            usize::try_from(self.hits_per_search()).unwrap_or(usize::MAX),
        );
        let of = [Side::A, Side::B].map(|side| self.standings(side, route, &renown));
        let mass = |side: &Vec<Standing>| side.iter().map(|one| one.unseen).sum::<f64>();
        Sides {
            mass: [mass(&of[0]).max(MASS_MIN), mass(&of[1]).max(MASS_MIN)],
            of,
            photos_per_search: f64::from(self.request.limits.images_per_search),
            hops_max: self.request.limits.hops,
            paired: &route.paired,
            typed: self.typed_pair().and_then(|(a, b)| Pair::new(a, b)),
        }
    }

    /// Everybody connected to a side's start who is near enough.
    fn standings(&self, side: Side, route: &BothEnds, renown: &Renown) -> Vec<Standing> {
        let Some(start) = self.knowledge.people.bound(side) else {
            return Vec::new();
        };
        let other_start = self.knowledge.people.bound(side.other());
        let photos = f64::from(self.request.limits.images_per_search);
        let reached = reach(self.knowledge.together(), start, |person| {
            self.may_be_on_path(person)
        });
        let standing = |person: &PersonIndex| {
            let depth = reached.distance(*person)?;
            if depth >= self.request.limits.hops || Some(*person) == other_start {
                return None;
            }
            // S1 named the typed people.
            let asked =
                route.times_asked(self.knowledge.subject_of(*person)) + u32::from(depth == 0);
            let likely = renown.unseen(*person);
            Some(Standing {
                person: *person,
                depth,
                likely,
                unseen: likely * hope(asked, route.paired.len()),
                fresh: renown.fresh(*person, photos),
                is_asked: asked > 0,
                is_exhausted: renown.is_exhausted(*person),
            })
        };
        let mut standings: Vec<Standing> = reached.order().iter().filter_map(standing).collect();
        standings.sort_by(|left, right| {
            (right.unseen.total_cmp(&left.unseen)).then(left.person.cmp(&right.person))
        });
        standings
    }

    /// A side's people with the best search for each, the best first.
    fn ranked(&self, side: Side, sides: &Sides, route: &BothEnds) -> Vec<(Standing, Best)> {
        let best = |(position, one): (usize, &Standing)| {
            let partners = if position < PARTNERS_MAX {
                sides.side(side.other())
            } else {
                &[]
            };
            let subject = self.knowledge.subject_of(one.person);
            let has_single = !one.is_asked || self.next_single(subject, route).is_some();
            Some((*one, sides.best_for(side, one, has_single, partners)?))
        };
        let people = sides.side(side).iter().enumerate();
        let mut ranked: Vec<(Standing, Best)> = people.filter_map(best).collect();
        // Stable: of equals who was seen first.
        ranked.sort_by(|(_, left), (_, right)| right.worth.total_cmp(&left.worth));
        ranked
    }

    /// A side's table: as many rows as a planner may see of both sides in turn.
    fn table(
        &self,
        side: Side,
        ranked: Vec<(Standing, Best)>,
        of_other_side: usize,
        route: &BothEnds,
    ) -> Vec<Candidate> {
        // A planner may name somebody of either side who comes further down by then.
        let rows = if self.has_planner() {
            ROWS_MAX
        } else {
            ROWS_MAX - of_other_side.min(ROWS_MAX / 2)
        };
        ranked
            .into_iter()
            .take(rows)
            .filter_map(|(one, best)| self.candidate(side, &one, best, route))
            .collect()
    }

    fn candidate(
        &self,
        side: Side,
        one: &Standing,
        best: Best,
        route: &BothEnds,
    ) -> Option<Candidate> {
        Some(Candidate {
            person: one.person,
            side,
            depth: one.depth,
            count: self.knowledge.times_found_in_others(one.person),
            degree: self.knowledge.together().degree(one.person),
            best_confidence: self.best_confidence(one.person),
            name: self.knowledge.people.name(one.person).to_owned(),
            probe: Some(self.probe(side, one, best, route)?),
        })
    }

    fn probe(&self, side: Side, one: &Standing, best: Best, route: &BothEnds) -> Option<Probe> {
        let subject = self.knowledge.subject_of(one.person);
        let mut named = vec![subject];
        let query = match best.partner {
            None => self.next_single(subject, route)?,
            Some(partner) => {
                named.push(self.knowledge.subject_of(partner.person));
                let name = self.knowledge.people.name(one.person);
                let other_name = self.knowledge.people.name(partner.person);
                match side {
                    Side::A => query::pair_in_company(name, other_name),
                    Side::B => query::pair_in_company(other_name, name),
                }
            }
        };
        Some(Probe {
            query,
            named,
            worth: best.worth,
            one: *one,
            partner: best.partner,
        })
    }

    /// Why a search is the best, in words for the user.
    pub(super) fn reason_of_probe(&self, probe: &Probe) -> String {
        let told = probe.one.told();
        match probe.partner {
            None => format!("{told}, and each may show somebody of the other side"),
            Some(partner) => format!(
                "{told}; of {} on the other side {}; one may show both",
                self.knowledge.people.name(partner.person),
                partner.told()
            ),
        }
    }

    /// The first query about one person that was neither asked nor begun.
    pub(super) fn next_single(&self, subject: Subject, route: &BothEnds) -> Option<String> {
        let name = self.knowledge.name_of(subject);
        (0..query::DISCOVERY.len())
            .filter_map(|template| query::discovery(name, template))
            .find(|query| self.knowledge.asked(query).is_none() && !route.begun.contains(query))
    }

    fn best_confidence(&self, person: PersonIndex) -> Confidence {
        let together = self.knowledge.together();
        together
            .neighbours(person)
            .filter_map(|neighbour| Some(together.edge(person, neighbour)?.confidence()))
            .max()
            .unwrap_or(Confidence::ZERO)
    }
}

/// By how much more or less somebody's photos count whom so many searches named, of a run that named
/// so many pairs.
fn hope(searches: u32, pairs: usize) -> f64 {
    let pairs = 1.0 + f64::from(u32::try_from(pairs).unwrap_or(u32::MAX));
    match searches.checked_sub(1) {
        None => HOPE,
        Some(again) => pairs / (pairs + AGAIN_LOSS * f64::from(again)),
    }
}

#[cfg(test)]
mod tests {
    use super::hope;

    #[test]
    fn who_was_never_named_comes_first_and_who_was_named_in_vain_last() {
        assert!(hope(0, 1) > hope(1, 1));
        assert!(hope(1, 1) > 4.0 * hope(2, 1));
        assert!(hope(2, 1) > 1.5 * hope(3, 1));
    }

    #[test]
    fn where_hardly_any_pair_is_together_one_more_in_vain_says_little() {
        assert!(hope(2, 40) > 0.8 * hope(1, 40));
    }
}
