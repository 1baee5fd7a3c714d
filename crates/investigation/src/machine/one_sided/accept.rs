//! The proof of a photo for the path.

use domain::{Chain, EvidenceRef, PersonIndex, Side};

use crate::machine::advice::Advice;
use crate::machine::budget::RunError;
use crate::machine::facts::{Facts, Subject};
use crate::machine::interface::Reason;
use crate::machine::state::{End, Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::path::Path;

/// Accepts the edge of the two wanted people where a photo shows both at the threshold.
pub fn after_photo(
    path: &mut Path,
    state: &State,
    reference: EvidenceRef,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Option<Move> {
    let knowledge = view.facts().knowledge();
    let (one, other) = wanted(path, state, view.facts())?;
    if !knowledge.are_shown(one, other, reference) {
        return None;
    }
    let from = knowledge.person_of(one)?;
    let to = knowledge.person_of(other)?;
    Some(accept(path, from, to, view.facts(), advice, teller))
}

/// Returns the two people whom the state wants to see together now: the same two that its
/// `Move::search_for_pair` names.
fn wanted(path: &Path, state: &State, facts: &Facts) -> Option<(Subject, Subject)> {
    let target = Subject::Typed(Side::B);
    let subject = |person: PersonIndex| facts.knowledge().subject_of(person);
    match state {
        State::Direct { .. } => Some((Subject::Typed(Side::A), target)),
        State::Verification { candidate, .. } => {
            Some((path.frontier().subject, subject(*candidate)))
        }
        State::Bridge { reached, .. } => Some((subject(*reached), target)),
        _ => None,
    }
}

/// Accepts an edge of the path and goes where the specification's table says.
fn accept(
    path: &mut Path,
    from: PersonIndex,
    to: PersonIndex,
    facts: &Facts,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let subject = facts.knowledge().subject_of(to);
    advice.forget_suggestions();
    path.accept(from, to, subject);
    for person in [from, to] {
        teller.join(person, Side::A);
    }
    teller.edge(from, to);
    teller.path(&path.people(facts));
    if subject != Subject::Typed(Side::B) {
        return Move::Go {
            to: State::Bridge {
                reached: to,
                asked: false,
            },
            drops_searches: true,
            words: None,
        };
    }
    match best_accepted(path, facts) {
        Some(chain) => Move::succeed(chain),
        None => Move::give_up(RunError::internal(
            "an accepted path is not in its own graph",
        )),
    }
}

/// Returns the best path in all accepted edges, which is the answer once the path ends at B.
fn best_accepted(path: &Path, facts: &Facts) -> Option<Chain> {
    let (from, to) = facts.typed_pair()?;
    facts.best_chain(&path.verified(facts), from, to)
}

/// Returns the end anew, for a photo that came after the end was decided. It may be one more of an
/// accepted edge, or show that the path leads through somebody to avoid.
pub fn renewed_end(path: &Path, facts: &Facts) -> End {
    match best_accepted(path, facts) {
        Some(chain) => End::Success(Box::new(chain)),
        None => End::Failure(Reason::NoCandidates),
    }
}
