//! The states S0 to S7: what each may want to happen, and its work at one glance.

mod failure;

use std::collections::VecDeque;

use PlanMemory::{BothEnds, OneSided};

use domain::{Chain, PersonIndex, PlanQuestion, Side};

use super::advice::Advice;
use super::budget::{Budget, RunError};
use super::facts::{Facts, ListKey, Query, Subject, query};
use super::interface::{FinalReport, NoticeKind, PhotoPage, Reason, StateName};
use super::plan::PlanMemory;
use super::scheduler::Scheduler;
use super::telling::{Teller, certificate, edge_report, next_page, other_paths, person_ref};
use super::{both_ends, one_sided};

/// The state of the machine, with what it needs to go on.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// The state before S0.
    Fresh,
    /// S1. `asked` direct queries were asked.
    Direct { asked: u32 },
    /// S2: people beside the frontier are looked for.
    Discovery,
    /// S3. `planner_answered` says whether the planner was asked about this table already.
    Choice { planner_answered: bool },
    /// S4, with the queries that may still verify the candidate.
    Verification {
        candidate: PersonIndex,
        queries: VecDeque<Query>,
    },
    /// S5. `asked` says whether the bridge to the target was searched for already.
    Bridge { reached: PersonIndex, asked: bool },
    /// S6, with a proven chain and the searches that are left for it.
    Polish {
        chain: Box<Chain>,
        left: SearchesLeft,
    },
    /// S6, with the final chain, while a page of its photos is opened.
    Capture { chain: Box<Chain> },
    /// S6 or S7: the end is decided. It only waits for the calls under way.
    Ending(End),
    /// The state after the last notice, with the answer, if there is one.
    Ended { path: Option<Vec<PersonIndex>> },
}

/// The searches that may follow the first chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchesLeft {
    /// The searches that may make the chain shorter or surer.
    pub polish: u32,
    /// The searches that may confirm its most doubtful links.
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

    /// Returns whether the end is decided and not told yet.
    pub fn is_ending(&self) -> bool {
        matches!(self, Self::Ending(_))
    }

    /// Returns whether the answer is found or given up, so that nothing is searched for any more.
    pub fn is_decided(&self) -> bool {
        matches!(self, Self::Ending(_) | Self::Capture { .. })
    }
}

/// The change that a state or an answer wants to happen. Its reasons are told by then; the machine
/// alone makes it happen.
#[derive(Debug)]
pub enum Move {
    /// Look at what a query finds, and wait for it in this state.
    Search {
        query: Query,
        named: Vec<Subject>,
        /// Whether the two people who are named are to be seen together.
        is_for_pair: bool,
        /// The image search that is asked, by its place, and the page of its list. `None` for any,
        /// unless the query was asked before.
        part: Option<(usize, u32)>,
        to: State,
    },
    /// Look at photos that queries left over, at these places of their lists.
    LookOn {
        photos: Vec<(ListKey, Vec<usize>)>,
        to: State,
    },
    /// Ask the planner about these people, in the order of its table.
    Ask {
        question: Box<PlanQuestion>,
        people: Vec<PersonIndex>,
    },
    /// Go on in this state.
    Go {
        to: State,
        /// Whether the searches under way are dropped, since nobody waits any more for what they
        /// may still show.
        drops_searches: bool,
        /// The sentence that the new state says first.
        words: Option<String>,
    },
    /// Open a page of the final chain's photos, and take a picture of it.
    Capture { page: PhotoPage, chain: Box<Chain> },
    /// Decide the end, if it is not decided yet.
    End(End),
    /// Wait: nothing can be chosen before something is answered.
    Rest,
}

impl Move {
    /// Goes on in this state. Calls under way go on, too.
    pub fn go(to: State) -> Self {
        Self::Go {
            to,
            drops_searches: false,
            words: None,
        }
    }

    /// Goes on in this state, and says these words first.
    pub fn go_saying(to: State, words: impl Into<String>) -> Self {
        Self::Go {
            to,
            drops_searches: false,
            words: Some(words.into()),
        }
    }

    /// Looks at what a query finds.
    pub fn search(query: Query, named: Vec<Subject>, to: State) -> Self {
        Self::Search {
            query,
            named,
            is_for_pair: false,
            part: None,
            to,
        }
    }

    /// Looks at what one image search finds, by its place, on a page of its list.
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

    /// Looks for a photo of two people.
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

/// The facts, the budget and what is under way, as of now.
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

/// Returns what a state does next in a plan. S0 waits for the start; after the end nothing is done.
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
        // The plan `one-sided` takes the first chain as it is.
        (State::Polish { chain, .. }, OneSided(_)) => Move::succeed((**chain).clone()),
        (State::Capture { chain } | State::Ending(End::Success(chain)), plan) => {
            succeed(chain, plan, view, teller)
        }
        // S7
        (State::Ending(End::Failure(reason)), plan) => failure::finish(*reason, plan, view, teller),
        (State::Ending(End::Broken(error)), _) => failure::finish_broken(error, view, teller),
    }
}

/// Asks `{A} {B}`, and where that finds nothing the fallback template. Then comes S2. A photo that
/// shows both ends the survey by itself.
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

/// Opens the pages of the chain's photos where that is wanted, one after the other, and then tells the chain
/// with its proof, which is the last notice.
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
