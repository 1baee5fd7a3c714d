//! S7: an honest no, without a speculative path.

use domain::{Side, fold};

use crate::machine::budget::RunError;
use crate::machine::facts::Facts;
use crate::machine::interface::{NoPathReport, NoticeKind, Reason};
use crate::machine::plan::PlanMemory;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::s7_unread::{no_readable_photos, remark_on_unread, sides_without_photos, told_reason};

/// The most names that are offered for an unknown one.
const SUGGESTIONS_MAX: usize = 3;
/// The least similarity of a recognised name that is offered, 0 to 1.
const SUGGESTION_SIMILARITY_MIN: f64 = 0.6;

/// Tells why there is no chain. It is the last notice.
//= spec S7
pub fn finish(reason: Reason, plan: &PlanMemory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let limits = facts.limits();
    let message = format!(
        "No verified visual connection found within {} degrees at ≥{}% confidence.",
        limits.hops, limits.threshold_percent
    );
    let reason = told_reason(reason, facts, view.budget());
    let unknown = match reason {
        Reason::UnknownPerson => facts.unknown_sides(),
        Reason::NoReadablePhotos => sides_without_photos(facts),
        _ => Vec::new(),
    };
    let unknown = given_up(unknown, plan, view);
    let explanation = explanation(reason, &unknown, plan, view);
    let report = NoPathReport {
        message,
        reason,
        explanation: explanation + &remark_on_unread(reason, view.budget()),
        hops_reached: plan.hops_reached(facts),
        suggestions: suggestions(facts, &unknown),
        unknown,
        graph: plan.graph(facts, &[], teller.joined()),
        spent: view.budget().spent(),
    };
    teller.tell(NoticeKind::NoPath(Box::new(report)));
    Move::go(State::Ended { path: None })
}

/// Returns the sides of whom nothing more can be seen, or all of these where that is none of them.
fn given_up(sides: Vec<Side>, plan: &PlanMemory, view: View) -> Vec<Side> {
    let is_given_up = |side: &Side| !plan.may_still_show(*side, view);
    let given_up: Vec<Side> = sides.iter().copied().filter(is_given_up).collect();
    if given_up.is_empty() { sides } else { given_up }
}

/// Tells what broke the run, with all that was spent by now. It is the last notice.
pub fn finish_broken(error: &RunError, view: View, teller: &mut Teller) -> Move {
    teller.tell(NoticeKind::Error(error.report(view.budget().spent())));
    Move::go(State::Ended { path: None })
}

fn explanation(reason: Reason, unknown: &[Side], plan: &PlanMemory, view: View) -> String {
    let facts = view.facts();
    let limits = facts.limits();
    let name = |side: Side| facts.typed_name(side);
    let (name_a, name_b) = (name(Side::A), name(Side::B));
    let distance = verified_distance(plan, facts);
    let with_longer_chain = |sentence: String| match distance {
        Some(hops) => format!("{sentence} A chain of {hops} hops is verified, over the limit."),
        None => sentence,
    };
    match reason {
        Reason::HopLimit => match distance {
            Some(hops) => format!(
                "{name_a} and {name_b} are connected by verified photos, but the shortest chain \
                 found has {hops} hops; {} are allowed.",
                limits.hops
            ),
            None => format!(
                "Every way on that was found would need more than {} hops.",
                limits.hops
            ),
        },
        Reason::SearchBudget => with_longer_chain(format!(
            "The budget of searches ({}) is used up. A larger one may find a connection.",
            limits.searches_max
        )),
        Reason::RecognitionBudget => with_longer_chain(format!(
            "The budget of recognitions ({}) is used up. A larger one may find a connection.",
            limits.recognitions_max
        )),
        Reason::RuntimeBudget => with_longer_chain(format!(
            "The run's time ({} s) is over. More time may find a connection.",
            limits.runtime_ms_max / 1000
        )),
        Reason::UsdBudget => with_longer_chain(format!(
            "The budget of ${} is used up. A larger one may find a connection.",
            limits.nano_usd_max.unwrap_or_default() as f64 / 1e9
        )),
        Reason::NoCandidates if facts.people().are_one() => format!(
            "The recogniser takes {name_a} and {name_b} for one person; no chain joins a person to \
             themselves."
        ),
        Reason::NoCandidates => format!(
            "Everybody who was recognised beside {name_a} or {name_b} has been tried, and nobody \
             is left."
        ),
        Reason::UnknownPerson => {
            let names: Vec<String> = unknown.iter().map(|side| meant(facts, *side)).collect();
            let names = names.join(" nor ");
            let people = facts.people();
            let is_only_numbered =
                |side: &Side| people.given_number(*side).is_some() && people.has_namesake(*side);
            let advice = if unknown.iter().any(is_only_numbered) {
                "Somebody of that name was recognised; a run without the number goes by the name."
            } else {
                "Check the spelling; the recogniser knows public figures only, and not all of them."
            };
            format!("Three searches did not show {names} once. {advice}")
        }
        Reason::NoReadablePhotos => no_readable_photos(facts, view.budget()),
        Reason::Stopped => {
            with_longer_chain("The run was stopped before a connection was found.".into())
        }
    }
}

/// Returns a typed name, with the number that says who is meant by it.
fn meant(facts: &Facts, side: Side) -> String {
    let name = facts.people().typed_name(side).as_str();
    match facts.people().given_number(side) {
        Some(number) => format!("{name} ({number})"),
        None => name.to_owned(),
    }
}

/// Returns the number of edges of the shortest verified chain, however long.
fn verified_distance(plan: &PlanMemory, facts: &Facts) -> Option<u32> {
    let (from, to) = facts.typed_pair()?;
    facts.reach_in(&plan.verified(facts), from).distance(to)
}

/// Returns the recognised names most like an unknown one.
fn suggestions(facts: &Facts, unknown: &[Side]) -> Vec<String> {
    let mut alike: Vec<(f64, String)> = Vec::new();
    for side in unknown {
        let wanted = facts.people().typed_name(*side).folded();
        for (_, person) in facts.people().iter() {
            let similarity = similarity(&wanted, &person.folded);
            let is_new = alike.iter().all(|(_, name)| fold(name) != person.folded);
            if similarity >= SUGGESTION_SIMILARITY_MIN && is_new {
                alike.push((similarity, person.name.clone()));
            }
        }
    }
    alike.sort_by(|left, right| (right.0.total_cmp(&left.0)).then_with(|| left.1.cmp(&right.1)));
    alike
        .into_iter()
        .take(SUGGESTIONS_MAX)
        .map(|(_, name)| name)
        .collect()
}

/// Returns the similarity of two names: by the edit distance as a share of the longer name, or by
/// the best of the words' ("Holmes").
fn similarity(wanted: &str, known: &str) -> f64 {
    let whole = strsim::normalized_damerau_levenshtein(wanted, known);
    let shares_word = wanted
        .split(' ')
        .any(|word| word.chars().count() >= 4 && known.split(' ').any(|other| other == word));
    if shares_word {
        whole.max(SUGGESTION_SIMILARITY_MIN)
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_and_shared_words_are_alike() {
        assert!(similarity("sherlok homes", "sherlock holmes") > 0.8);
        assert!(similarity("mycroft holmes", "sherlock holmes") >= SUGGESTION_SIMILARITY_MIN);
        assert!(similarity("captain ahab", "jane bennet") < SUGGESTION_SIMILARITY_MIN);
    }
}
