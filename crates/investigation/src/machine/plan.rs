//! The plan of a run: its memory, and what both plans have in common.

use std::borrow::Cow;
use std::collections::BTreeMap;

use domain::{EvidenceGraph, EvidenceRef, ListPage, Pair, PersonIndex, Plan, Side};

use super::advice::Advice;
use super::budget::Budget;
use super::facts::{Facts, Frontier, ListKey, Place};
use super::interface::{Action, GraphReport};
use super::scheduler::Policy;
use super::states::{End, Move, State, View};
use super::telling::{Teller, graph_report};
use super::{both_ends, one_sided};

/// The memory of a run's plan.
#[derive(Debug, Clone)]
pub enum PlanMemory {
    OneSided(one_sided::Path),
    BothEnds(both_ends::Memory),
}

/// The extent of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The most hits.
    pub count: u32,
    /// The image search, and the page of its list.
    pub part: ListPage,
}

impl PlanMemory {
    pub fn new(plan: Plan) -> Self {
        match plan {
            Plan::OneSided => Self::OneSided(one_sided::Path::new()),
            Plan::BothEnds => Self::BothEnds(both_ends::Memory::new()),
        }
    }

    /// Returns whether a planner may guess people who were not seen yet.
    pub fn may_guess(&self) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(_) => true,
        }
    }

    /// Returns the person whose surroundings are searched.
    fn frontier(&self) -> Option<Frontier> {
        match self {
            Self::OneSided(path) => Some(path.frontier()),
            Self::BothEnds(memory) => memory.frontier(),
        }
    }

    /// Returns the place in the search of a state of this plan.
    pub fn place(&self, state: &State) -> Place {
        Place {
            state: state.name(),
            frontier: self.frontier(),
        }
    }

    /// Returns the accepted path, if the plan has one before its end.
    pub fn path(&self, facts: &Facts) -> Vec<PersonIndex> {
        match self {
            Self::OneSided(path) => path.people(facts),
            Self::BothEnds(_) => Vec::new(),
        }
    }

    /// Returns the edges that this plan verifies: one-sided the accepted ones, both ends all.
    pub fn verified<'facts>(&self, facts: &'facts Facts) -> Cow<'facts, EvidenceGraph> {
        match self {
            Self::OneSided(path) => Cow::Owned(path.verified(facts)),
            Self::BothEnds(_) => Cow::Borrowed(facts.together()),
        }
    }

    /// Returns whether a second photo of a link was searched for, once the chain was found.
    pub fn is_checked_link(&self, link: Pair) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(memory) => memory.is_checked_link(link),
        }
    }

    /// Returns the verified edges around these people, or around A and B if none are given.
    pub fn graph(
        &self,
        facts: &Facts,
        people: &[PersonIndex],
        joined: &BTreeMap<PersonIndex, Side>,
    ) -> GraphReport {
        let verified = self.verified(facts);
        if people.is_empty() {
            let typed = [Side::A, Side::B]
                .into_iter()
                .filter_map(|side| facts.people().bound(side));
            graph_report(facts, &verified, &typed.collect::<Vec<_>>(), joined)
        } else {
            graph_report(facts, &verified, people, joined)
        }
    }

    /// Returns how far the search has reached: one-sided the length of the longest accepted path, both ends the
    /// farthest distance from a side's start.
    pub fn hops_reached(&self, facts: &Facts) -> u32 {
        match self {
            Self::OneSided(path) => path.hops_reached(),
            Self::BothEnds(_) => {
                let farthest = |side: Side| {
                    let reached = facts.reach(facts.people().bound(side)?);
                    let people = reached.order().iter();
                    people.filter_map(|person| reached.distance(*person)).max()
                };
                let sides = [Side::A, Side::B].into_iter();
                sides.filter_map(farthest).max().unwrap_or(0)
            }
        }
    }

    /// Returns what may run at the same time, as of now.
    pub fn policy(&self, state: &State, facts: &Facts, budget: &Budget, advice: &Advice) -> Policy {
        match self {
            Self::OneSided(_) => Policy::one_at_a_time(facts.limits()),
            Self::BothEnds(memory) => both_ends::policy(memory, state, facts, budget, advice),
        }
    }

    /// Decides what a new or remembered photo changes.
    pub fn after_photo(
        &mut self,
        state: &State,
        reference: EvidenceRef,
        view: View,
        advice: &mut Advice,
        teller: &mut Teller,
    ) -> Option<Move> {
        match self {
            Self::OneSided(path) => {
                one_sided::after_photo(path, state, reference, view, advice, teller)
            }
            Self::BothEnds(memory) => both_ends::after_photo(memory, state, view, teller),
        }
    }

    /// Returns the lists, ordered by the worth of one more of their photos; empty if the plan does not look at photos
    /// that were left over.
    pub fn lists_by_worth(&self, facts: &Facts) -> Vec<ListKey> {
        match self {
            Self::OneSided(_) => Vec::new(),
            Self::BothEnds(memory) => both_ends::lists_by_worth(memory, facts),
        }
    }

    /// Returns the next request to the memory. The specification knows no memory.
    pub fn next_recall(&mut self, state: &State, view: View) -> Option<Action> {
        match self {
            Self::OneSided(_) => None,
            Self::BothEnds(memory) => both_ends::next_recall(memory, state, view),
        }
    }

    /// Returns how many new photos of an answer a search looks at.
    //= spec S2 "num=5"
    pub fn photos_at_once(&self, facts: &Facts) -> u32 {
        let photos = facts.limits().images_per_search;
        match self {
            Self::BothEnds(_) if facts.knowledge().hints().has_names() => {
                both_ends::photos_at_once(photos)
            }
            _ => photos,
        }
    }

    /// Returns the worth of each photo of an answer, by its hints; one-sided keeps the order of the answer.
    pub fn photo_worth(&self, facts: &Facts) -> Option<both_ends::HintedSides> {
        match self {
            Self::OneSided(_) => None,
            Self::BothEnds(_) => {
                let has_names = facts.knowledge().hints().has_names();
                has_names.then(|| both_ends::HintedSides::of(facts))
            }
        }
    }

    /// Returns the extent of a search, for an image search at this place and a page of its list. One-sided leaves the
    /// choice of the image search to the operator's order.
    //= spec S2 "num=5"
    pub fn wanted(&self, facts: &Facts, (place, page): (usize, u32)) -> Wanted {
        let count = facts.limits().images_per_search;
        match (self, facts.source(place)) {
            (Self::OneSided(_), _) => Wanted {
                count,
                part: ListPage::default(),
            },
            (Self::BothEnds(_), source) => Wanted {
                count: both_ends::hits_per_search(source, facts.limits()),
                part: ListPage {
                    source: source.map(|source| source.id.clone()),
                    page,
                },
            },
        }
    }

    /// Returns whether a typed person may still be seen, despite the searches so far: an image search was not asked for
    /// them, or few of the found photos were looked at. One-sided goes by the number of searches alone.
    pub fn may_still_show(&self, side: Side, view: View) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(_) => both_ends::may_still_show(side, view),
        }
    }

    /// Decides the end again after a late photo, for the one-sided plan; `None` for both ends, whose `after_photo` has
    /// already done so.
    pub fn renewed_end(&self, facts: &Facts) -> Option<End> {
        match self {
            Self::OneSided(path) => Some(one_sided::renewed_end(path, facts)),
            Self::BothEnds(_) => None,
        }
    }
}
