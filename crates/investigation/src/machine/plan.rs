//! The plan that a run follows: its memory, and the questions that both plans answer.

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

/// The photos that a search asks for.
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

    /// Returns whether a planner may guess people whom nobody has seen yet.
    pub fn may_guess(&self) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(_) => true,
        }
    }

    /// Returns the person whose surroundings are looked at.
    fn frontier(&self) -> Option<Frontier> {
        match self {
            Self::OneSided(path) => Some(path.frontier()),
            Self::BothEnds(memory) => memory.frontier(),
        }
    }

    /// Returns where in the search a state of this plan is.
    pub fn place(&self, state: &State) -> Place {
        Place {
            state: state.name(),
            frontier: self.frontier(),
        }
    }

    /// Returns the accepted path, where the plan has one before its end.
    pub fn path(&self, facts: &Facts) -> Vec<PersonIndex> {
        match self {
            Self::OneSided(path) => path.people(facts),
            Self::BothEnds(_) => Vec::new(),
        }
    }

    /// Returns the edges that this plan verifies: one-sided those it accepted, both ends all.
    pub fn verified<'facts>(&self, facts: &'facts Facts) -> Cow<'facts, EvidenceGraph> {
        match self {
            Self::OneSided(path) => Cow::Owned(path.verified(facts)),
            Self::BothEnds(_) => Cow::Borrowed(facts.together()),
        }
    }

    /// Returns whether a second photo of a link was looked for, beyond what the search for a chain has shown.
    pub fn is_checked_link(&self, link: Pair) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(memory) => memory.is_checked_link(link),
        }
    }

    /// Returns the verified edges around these people, or around A and B where none are given.
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

    /// Returns how far the search has reached: one-sided the longest accepted path, both ends how
    /// far a side has reached.
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

    /// Returns what may be under way together, as of now.
    pub fn policy(&self, state: &State, facts: &Facts, budget: &Budget, advice: &Advice) -> Policy {
        match self {
            Self::OneSided(_) => Policy::one_at_a_time(facts.limits()),
            Self::BothEnds(memory) => both_ends::policy(memory, state, facts, budget, advice),
        }
    }

    /// Does what a photo changes, new or remembered.
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

    /// Returns the lists that were found, first the one one more of whose photos is worth most.
    /// There are none where photos that were left over are not looked at.
    pub fn lists_by_worth(&self, facts: &Facts) -> Vec<ListKey> {
        match self {
            Self::OneSided(_) => Vec::new(),
            Self::BothEnds(memory) => both_ends::lists_by_worth(memory, facts),
        }
    }

    /// Returns what is asked of the memory now. The specification asks for nobody's photos.
    pub fn next_recall(&mut self, state: &State, view: View) -> Option<Action> {
        match self {
            Self::OneSided(_) => None,
            Self::BothEnds(memory) => both_ends::next_recall(memory, state, view),
        }
    }

    /// Returns at how many new photos of an answer a search looks at once.
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

    /// Returns what each photo of an answer is worth, by its hints. One-sided goes by the order of the
    /// answer alone.
    pub fn photo_worth(&self, facts: &Facts) -> Option<both_ends::HintedSides> {
        match self {
            Self::OneSided(_) => None,
            Self::BothEnds(_) => {
                let has_names = facts.knowledge().hints().has_names();
                has_names.then(|| both_ends::HintedSides::of(facts))
            }
        }
    }

    /// Returns what a search asks for, of an image search at this place and a page of its list.
    /// One-sided leaves the place to the operator's order.
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

    /// Returns whether a typed person may still be seen, whatever the searches until now have shown:
    /// an image search was not asked for them, or few of the photos that were found were looked at.
    /// One-sided goes by the number of searches alone.
    pub fn may_still_show(&self, side: Side, view: View) -> bool {
        match self {
            Self::OneSided(_) => false,
            Self::BothEnds(_) => both_ends::may_still_show(side, view),
        }
    }

    /// Decides the end again after a late photo, for the one-sided plan. Returns `None` for both
    /// ends, whose `after_photo` has done so already.
    pub fn renewed_end(&self, facts: &Facts) -> Option<End> {
        match self {
            Self::OneSided(path) => Some(one_sided::renewed_end(path, facts)),
            Self::BothEnds(_) => None,
        }
    }
}
