//! Polishing: searches after the first chain, to make it shorter or surer.
//!
//! An edge is looked for by naming both its people, and first where it would help most: this is
//! lazy search (arXiv 1710.04101), which pays for an edge of a hypothesised path only when that
//! edge decides.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use crate::domain::{Chain, Edge, PersonIndex, Reach, reach};

use super::machine::{Investigation, State};
use super::query;
use super::spend::Kind;
use super::subject::Subject;

/// People of each distance from an end that are looked at for a shorter way, those proven with
/// most people first.
const PEOPLE_PER_DISTANCE_MAX: usize = 12;

/// Two people who are asked for together.
struct Probe {
    one: PersonIndex,
    other: PersonIndex,
    query: String,
    why: String,
}

impl Investigation {
    /// A chain is proven: the first one, or while polishing perhaps a better one.
    pub(super) fn on_chain(&mut self, chain: Chain) {
        let unspent = self.spend.allowance(Kind::Search).unspent();
        let searches = self.request.limits.polish_searches_max.min(unspent);
        match &self.state {
            State::Polish { chain: known, left } => {
                if **known != chain {
                    let left = *left;
                    let what = match chain.hops().cmp(&known.hops()) {
                        Ordering::Less => "shorter than the one before",
                        Ordering::Equal => "surer than the one before",
                        Ordering::Greater => "longer; the one before led through somebody to avoid",
                    };
                    self.state = State::Polish {
                        chain: Box::new(chain.clone()),
                        left,
                    };
                    self.tell_chain(&chain);
                    self.status(format!("This chain is {what}."));
                }
            }
            // Whatever the end was to be: a chain that is proven is told.
            State::Success(_) | State::Failure(_) | State::Broken(_) => {
                self.state = State::Success(Box::new(chain));
            }
            _ if searches == 0 => self.end_as(State::Success(Box::new(chain))),
            _ => {
                self.drop_surveys();
                self.state = State::Polish {
                    chain: Box::new(chain.clone()),
                    left: searches,
                };
                self.tell_chain(&chain);
                self.status(format!(
                    "A chain of {} is proven; up to {searches} more searches may make it shorter \
                     or surer.",
                    counted(chain.hops(), "hop", "hops")
                ));
            }
        }
    }

    /// The evidence of each edge, and the path.
    pub(super) fn tell_chain(&mut self, chain: &Chain) {
        for (from, to) in chain.people.iter().zip(chain.people.iter().skip(1)) {
            self.tell_edge(*from, *to);
        }
        self.tell_path(&chain.people);
    }

    /// The best chain by the verified edges; of equally many hops, one whose edges all have a
    /// second photo, where chains are polished: one face taken for another seldom happens twice.
    pub(super) fn best_now(&self, from: PersonIndex, to: PersonIndex) -> Option<Chain> {
        let together = self.knowledge.together();
        let best = self.best_in(together, from, to)?;
        if self.request.limits.polish_searches_max == 0 || best.edges.iter().all(is_confirmed) {
            return Some(best);
        }
        let confirmed: BTreeSet<_> = together
            .edges()
            .filter(|edge| is_confirmed(edge))
            .map(Edge::pair)
            .collect();
        let sure = self.best_in(&together.restricted_to(&confirmed), from, to);
        Some(
            sure.filter(|sure| sure.hops() == best.hops())
                .unwrap_or(best),
        )
    }

    pub(super) fn step_polish(&mut self, chain: Box<Chain>, left: u32) {
        let is_alone = self.surveys.is_empty();
        let number = self.request.limits.polish_searches_max.saturating_sub(left);
        let probe = if left == 0 {
            None
        } else if number.is_multiple_of(2) {
            self.shortcut(&chain).or_else(|| self.second_look(&chain))
        } else {
            self.second_look(&chain).or_else(|| self.shortcut(&chain))
        };
        match probe {
            Some(probe) => {
                self.state = State::Polish {
                    chain,
                    left: left - 1,
                };
                self.status(probe.why);
                let subject = |person| self.knowledge.subject_of(person);
                let named: Vec<Subject> = vec![subject(probe.one), subject(probe.other)];
                self.begin_survey(probe.query, named);
            }
            None if is_alone => self.end_as(State::Success(chain)),
            None => self.rests = true,
        }
    }

    /// Two people whose photo would make the chain shorter: those with most acquaintances in
    /// common first, then where it would become shortest, then the best known.
    fn shortcut(&self, chain: &Chain) -> Option<Probe> {
        let (from, to) = (*chain.people.first()?, *chain.people.last()?);
        let hops = u32::try_from(chain.hops()).unwrap_or(u32::MAX);
        let ends = [from, to].map(|end| {
            reach(self.knowledge.together(), end, |person| {
                self.may_be_on_path(person)
            })
        });
        let [near_from, near_to] = &ends;
        let mut best: Option<(_, Probe)> = None;
        for (one, to_one) in self.near(near_from, hops.checked_sub(2)?) {
            for (other, to_other) in self.near(near_to, hops - 2 - to_one) {
                let length = to_one + 1 + to_other;
                let Some(query) = self.unasked_for(one, other) else {
                    continue;
                };
                let rank = (
                    self.common(one, other),
                    Reverse(length),
                    self.degree(one).min(self.degree(other)),
                    Reverse((one, other)),
                );
                if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                    let why = format!(
                        "Asking for {} with {}: a photo of both would make a chain of {}.",
                        self.knowledge.people.name(one),
                        self.knowledge.people.name(other),
                        counted(usize::try_from(length).unwrap_or(0), "hop", "hops")
                    );
                    let probe = Probe {
                        one,
                        other,
                        query,
                        why,
                    };
                    best = Some((rank, probe));
                }
            }
        }
        best.map(|(_, probe)| probe)
    }

    /// The best known people within so many hops of an end, with their hops.
    fn near(&self, reached: &Reach, hops_max: u32) -> Vec<(PersonIndex, u32)> {
        let mut near: Vec<(PersonIndex, u32)> = Vec::new();
        for hops in 0..=hops_max {
            let people = reached.order().iter().copied();
            let mut people: Vec<PersonIndex> = people
                .filter(|person| reached.distance(*person) == Some(hops))
                .collect();
            people.sort_by_key(|person| (Reverse(self.degree(*person)), *person));
            people.truncate(PEOPLE_PER_DISTANCE_MAX);
            near.extend(people.into_iter().map(|person| (person, hops)));
        }
        near
    }

    /// The chain's edge that is least certain: with the fewest photos, then the least confidence.
    fn second_look(&self, chain: &Chain) -> Option<Probe> {
        let mut edges: Vec<&Edge> = chain.edges.iter().collect();
        edges.sort_by_key(|edge| (edge.evidence().len().min(2), edge.confidence(), edge.pair()));
        edges.into_iter().find_map(|edge| {
            let (one, other) = edge.pair().people();
            let name = |person| self.knowledge.people.name(person);
            let query = self.unasked(one, other)?;
            let photos = edge.evidence().len();
            let why = format!(
                "Looking for another photo of {} with {}: {} of them, at {:.1} %.",
                name(one),
                name(other),
                counted(photos, "photo", "photos"),
                edge.confidence().percent()
            );
            Some(Probe {
                one,
                other,
                query,
                why,
            })
        })
    }

    /// A query for two people who are not proven together.
    fn unasked_for(&self, one: PersonIndex, other: PersonIndex) -> Option<String> {
        let is_new = one != other && self.knowledge.together().edge(one, other).is_none();
        if is_new {
            self.unasked(one, other)
        } else {
            None
        }
    }

    /// A query for two people that was not asked; none where the pair was asked for both ways.
    fn unasked(&self, one: PersonIndex, other: PersonIndex) -> Option<String> {
        let name = |person| self.knowledge.name_of(self.knowledge.subject_of(person));
        let (one, other) = (name(one), name(other));
        let is_asked = |query: &String| self.knowledge.asked(query).is_some();
        if query::naming_both(one, other).iter().any(is_asked) {
            let event = query::pair_event(one, other);
            return (!is_asked(&event)).then_some(event);
        }
        Some(query::pair(one, other))
    }

    /// How many people were seen with both.
    fn common(&self, one: PersonIndex, other: PersonIndex) -> usize {
        let together = self.knowledge.together();
        let of_one = together.neighbours(one);
        of_one
            .filter(|person| together.edge(*person, other).is_some())
            .count()
    }

    fn degree(&self, person: PersonIndex) -> usize {
        self.knowledge.together().degree(person)
    }
}

fn is_confirmed(edge: &Edge) -> bool {
    edge.evidence().len() > 1
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
