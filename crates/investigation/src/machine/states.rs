//! The states S0 to S7, the moves that each may request, and a table of their work.

mod failure;

use std::collections::VecDeque;

use PlanMemory::{BothEnds, OneSided};

use domain::{Chain, PersonIndex, PlanQuestion, Side};

use super::PlanMemory;
use super::advice::Advice;
use super::budget::{Budget, RunError};
use super::facts::{Facts, ListKey, Query, Subject, query};
use super::interface::{FinalReport, NoticeKind, PhotoPage, Reason, StateName};
use super::scheduler::Scheduler;
use super::telling::{Teller, certificate, edge_report, next_page, other_paths, person_ref};
use super::{both_ends, one_sided};

/// The machine's state, with the data that it needs to go on.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// The state before S0.
    Fresh,
    /// S1, after `asked` direct queries.
    Direct { asked: u32 },
    /// S2: searches for people who are seen with the frontier.
    Discovery,
    /// S3. `planner_answered` says whether the planner has already advised on this table.
    Choice { planner_answered: bool },
    /// S4, with the queries that may still verify the candidate.
    Verification {
        candidate: PersonIndex,
        queries: VecDeque<Query>,
    },
    /// S5. `asked` says whether the bridge to the target was already searched for.
    Bridge { reached: PersonIndex, asked: bool },
    /// S6, with a proven chain and the number of searches left to improve or confirm it.
    Polish {
        chain: Box<Chain>,
        left: SearchesLeft,
    },
    /// S6, with the final chain, while a page with its photos is captured.
    Capture { chain: Box<Chain> },
    /// S6 or S7: the end is decided and waits only for the calls in flight.
    Ending(End),
    /// The state after the last notice, with the path, if one was found.
    Ended { path: Option<Vec<PersonIndex>> },
}

/// The numbers of searches that may still follow the first chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchesLeft {
    /// The number of searches that may make the chain shorter or more certain.
    pub polish: u32,
    /// The number of searches that may confirm the chain's most doubtful links.
    pub confirm: u32,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// S6, with this chain.
    Success(Box<Chain>),
    /// S7, for this reason.
    Failure(Reason),
    /// S7: the run could not go on.
    Broken(Box<RunError>),
}

impl State {
    /// The state S3 with a table that the planner has not seen.
    pub const CHOICE: Self = Self::Choice {
        planner_answered: false,
    };

    /// Returns the state by its name in the specification.
    pub fn name(&self) -> StateName {
        match self {
            Self::Fresh => StateName::S0,
            Self::Direct { .. } => StateName::S1,
            Self::Discovery => StateName::S2,
            Self::Choice { .. } => StateName::S3,
            Self::Verification { .. } => StateName::S4,
            Self::Bridge { .. } => StateName::S5,
            Self::Polish { .. }
            | Self::Capture { .. }
            | Self::Ending(End::Success(_))
            | Self::Ended { path: Some(_) } => StateName::S6,
            Self::Ending(_) | Self::Ended { path: None } => StateName::S7,
        }
    }

    /// Returns whether the end is decided but not reported yet.
    pub fn is_ending(&self) -> bool {
        matches!(self, Self::Ending(_))
    }

    /// Returns whether a chain is found or given up. Then no more searches begin.
    pub fn is_decided(&self) -> bool {
        matches!(self, Self::Ending(_) | Self::Capture { .. })
    }
}

/// A transition that a state or an answer requests. Its reasons are already reported; only the machine executes it.
#[derive(Debug)]
pub enum Move {
    /// Search with a query, and wait in this state for what the search brings.
    Search {
        query: Query,
        named: Vec<Subject>,
        /// Whether the query is for a photo of the two named people together.
        is_for_pair: bool,
        /// The image search to ask, by its place, and the page of its list. With `None`, the first image search is
        /// asked, unless the query was asked before: then the photos of the earlier answer are looked at again.
        part: Option<(usize, u32)>,
        to: State,
    },
    /// Look at photos that earlier queries left over, at these places of their lists.
    LookOn {
        photos: Vec<(ListKey, Vec<usize>)>,
        to: State,
    },
    /// Ask the planner about these people, in the order of its table.
    Ask {
        question: Box<PlanQuestion>,
        people: Vec<Subject>,
    },
    /// Change to this state.
    Go {
        to: State,
        /// Whether to drop the surveys in flight, whose results are no longer needed.
        drops_searches: bool,
        /// The sentence that the new state reports first.
        words: Option<String>,
    },
    /// Capture a page of the final chain's photos.
    Capture { page: PhotoPage, chain: Box<Chain> },
    /// Decide the end, if it is not decided yet.
    End(End),
    /// Wait: nothing can be chosen before an answer arrives.
    Rest,
}

impl Move {
    /// Changes to this state, while calls in flight go on.
    pub fn go(to: State) -> Self {
        Self::Go {
            to,
            drops_searches: false,
            words: None,
        }
    }

    /// Changes to this state, and reports these words first.
    pub fn go_saying(to: State, words: impl Into<String>) -> Self {
        Self::Go {
            to,
            drops_searches: false,
            words: Some(words.into()),
        }
    }

    /// Searches with a query.
    pub fn search(query: Query, named: Vec<Subject>, to: State) -> Self {
        Self::Search {
            query,
            named,
            is_for_pair: false,
            part: None,
            to,
        }
    }

    /// Searches a page of one image search's list.
    pub fn search_at(
        (source, page): (usize, u32),
        query: Query,
        named: Vec<Subject>,
        to: State,
    ) -> Self {
        Self::Search {
            query,
            named,
            is_for_pair: false,
            part: Some((source, page)),
            to,
        }
    }

    /// Searches for a photo of two people together.
    pub fn search_for_pair(query: Query, two: [Subject; 2], to: State) -> Self {
        Self::Search {
            query,
            named: two.to_vec(),
            is_for_pair: true,
            part: None,
            to,
        }
    }

    /// Ends the run with a chain.
    pub fn succeed(chain: Chain) -> Self {
        Self::End(End::Success(Box::new(chain)))
    }

    /// Ends the run without a chain.
    pub fn fail(reason: Reason) -> Self {
        Self::End(End::Failure(reason))
    }

    /// Ends the run with an error.
    pub fn give_up(error: RunError) -> Self {
        Self::End(End::Broken(Box::new(error)))
    }
}

/// The facts, the budget and the calls in flight, as of now.
#[derive(Debug, Clone, Copy)]
pub struct View<'run> {
    facts: &'run Facts,
    budget: &'run Budget,
    scheduler: &'run Scheduler,
}

impl<'run> View<'run> {
    pub fn new(facts: &'run Facts, budget: &'run Budget, scheduler: &'run Scheduler) -> Self {
        Self {
            facts,
            budget,
            scheduler,
        }
    }

    pub fn facts(self) -> &'run Facts {
        self.facts
    }

    pub fn budget(self) -> &'run Budget {
        self.budget
    }

    pub fn scheduler(self) -> &'run Scheduler {
        self.scheduler
    }
}

/// Returns what a state does next in a plan. S0 waits for the start; an ended run does nothing.
//= spec Worker State Machine
pub fn next(
    state: &State,
    plan: &mut PlanMemory,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    match (state, plan) {
        // S0, and after the end
        (State::Fresh | State::Ended { .. }, _) => Move::Rest,
        // S1
        (State::Direct { asked }, BothEnds(memory)) => {
            let to = State::Direct { asked: *asked };
            both_ends::remembered_look(memory, to, view, teller)
                .unwrap_or_else(|| ask_directly(*asked, view, teller))
        }
        (State::Direct { asked }, OneSided(_)) => ask_directly(*asked, view, teller),
        // S2
        (State::Discovery, OneSided(path)) => one_sided::discover(path, view, teller),
        (State::Discovery, BothEnds(memory)) => both_ends::discover(memory, view, teller),
        // S3
        (State::Choice { planner_answered }, OneSided(path)) => {
            one_sided::choose(path, *planner_answered, view, advice, teller)
        }
        (State::Choice { planner_answered }, BothEnds(memory)) => {
            both_ends::choose(memory, *planner_answered, view, advice, teller)
        }
        // S4
        (State::Verification { candidate, queries }, OneSided(path)) => {
            one_sided::verify(path, *candidate, queries.clone(), view, teller)
        }
        (State::Verification { candidate, .. }, BothEnds(memory)) => {
            both_ends::verify(memory, *candidate, view, teller)
        }
        // S5
        (State::Bridge { reached, asked }, OneSided(path)) => {
            one_sided::bridge(path, (*reached, *asked), view, advice, teller)
        }
        (State::Bridge { reached, .. }, BothEnds(memory)) => {
            both_ends::bridge(memory, *reached, view, advice, teller)
        }
        // S6
        (State::Polish { chain, left }, BothEnds(memory)) => {
            both_ends::polish(memory, chain, *left, view, teller)
        }
        // The plan `one-sided` accepts the first chain as it is.
        (State::Polish { chain, .. }, OneSided(_)) => Move::succeed((**chain).clone()),
        (State::Capture { chain } | State::Ending(End::Success(chain)), plan) => {
            succeed(chain, plan, view, teller)
        }
        // S7
        (State::Ending(End::Failure(reason)), plan) => failure::finish(*reason, plan, view, teller),
        (State::Ending(End::Broken(error)), _) => failure::finish_broken(error, view, teller),
    }
}

/// Asks `{A} {B}`, then the fallback template if that finds nothing; S2 is next. A photo that shows both people ends S1
/// at once.
//= spec S1
fn ask_directly(asked: u32, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let [name_a, name_b] = [Side::A, Side::B].map(|side| facts.typed_name(side));
    let first = query::pair(name_a, name_b);
    let found = facts.knowledge().asked(first.text());
    let query = match asked {
        0 => {
            teller.status("Searching for direct visual connections...");
            first
        }
        1 if found.is_some_and(|asked| asked.hits().is_empty()) => {
            query::pair_together(name_a, name_b)
        }
        _ => {
            let words = "Expanding search to find strong intermediates...";
            return Move::go_saying(State::Discovery, words);
        }
    };
    let two = [Subject::Typed(Side::A), Subject::Typed(Side::B)];
    Move::search_for_pair(query, two, State::Direct { asked: asked + 1 })
}

/// If requested, captures the pages of the chain's photos, one after the other. Then reports the chain with its proof
/// as the last notice.
//= spec S6
fn succeed(chain: &Chain, plan: &PlanMemory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    teller.chain(chain);
    if facts.limits().captures_pages
        && let Some(page) = next_page(facts, chain)
    {
        return Move::Capture {
            page,
            chain: Box::new(chain.clone()),
        };
    }
    let verified = plan.verified(facts);
    let path = chain.people.iter();
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    let edges = neighbours.zip(&chain.edges);
    let report = FinalReport {
        path: path.map(|person| person_ref(facts, *person)).collect(),
        edges: edges
            .map(|((from, to), edge)| edge_report(facts, *from, *to, edge))
            .collect(),
        bottleneck: chain.bottleneck().percent(),
        cumulative: chain.cumulative(),
        certificate: certificate(facts, chain, |link| plan.is_checked_link(link)),
        other_paths: other_paths(facts, &verified, chain),
        graph: plan.graph(facts, &chain.people, teller.joined()),
        spent: view.budget().spent(),
    };
    teller.tell(NoticeKind::Final(Box::new(report)));
    Move::go(State::Ended {
        path: Some(chain.people.clone()),
    })
}
