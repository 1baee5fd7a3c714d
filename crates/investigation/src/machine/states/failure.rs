//! S7: the report that no chain was found, without any speculative path, and the sentences about photos that could not
//! be looked at.

use domain::{Name, Side, fold};

use crate::machine::PlanMemory;
use crate::machine::budget::{Budget, RunError};
use crate::machine::facts::Facts;
use crate::machine::interface::{NoPathReport, NoticeKind, Reason};
use crate::machine::telling::{Teller, counted};

use super::{Move, State, View};

/// The most names suggested for unknown names.
const SUGGESTIONS_MAX: usize = 3;

/// The least similarity of a suggested name, 0 to 1.
const SUGGESTION_SIMILARITY_MIN: f64 = 0.6;

/// The most reasons listed for photos that could not be fetched, and for those that could not be read.
const REASONS_TOLD_MAX: usize = 2;

/// An explanation mentions photos that could not be looked at if they are at least one in this many of all tried
/// photos.
const UNREAD_SHARE_MIN: u32 = 4;

/// Reports why there is no chain, as the last notice.
//= spec S7
pub fn finish(reason: Reason, plan: &PlanMemory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let limits = facts.limits();
    let message = format!(
        "No verified visual connection found within {} degrees at ≥{}% confidence.",
        limits.hops, limits.threshold_percent
    );
    let reason = told_reason(reason, facts, view.budget());
    let not_seen = match reason {
        Reason::UnknownPerson => facts.unknown_sides(),
        Reason::NoReadablePhotos => sides_without_photos(facts),
        _ => Vec::new(),
    };
    let unknown = given_up(not_seen, plan, view);
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

/// Returns those of `sides` whose person of the request can no longer be seen. If there are none, returns all of
/// `sides`.
fn given_up(sides: Vec<Side>, plan: &PlanMemory, view: View) -> Vec<Side> {
    let is_given_up = |side: &Side| !plan.may_still_show(*side, view);
    let given_up: Vec<Side> = sides.iter().copied().filter(is_given_up).collect();
    if given_up.is_empty() { sides } else { given_up }
}

/// Reports what broke the run and all that was spent, as the last notice.
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
            let names = unknown
                .iter()
                .map(|side| meant(facts, *side))
                .collect::<Vec<_>>()
                .join(" nor ");
            let people = facts.people();
            let is_only_numbered =
                |side: &Side| people.given_number(*side).is_some() && people.has_namesake(*side);
            let advice = if unknown.iter().any(is_only_numbered) {
                "Somebody of that name was recognised; a run without the number goes by the name."
            } else {
                "Check the spelling; the recogniser knows public figures only, and not all of them."
            };
            let how = if facts.names_decide() {
                "The photos that were looked at"
            } else {
                "Three searches"
            };
            format!("{how} did not show {names} once. {advice}")
        }
        Reason::NoReadablePhotos => no_readable_photos(facts, view.budget()),
        Reason::Stopped => {
            with_longer_chain("The run was stopped before a connection was found.".into())
        }
    }
}

/// Returns a typed name, with the Wikidata number given for it.
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

/// Returns the recognised names that are most similar to an unknown name.
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

/// Returns the similarity of two names, by edit distance relative to the longer name. Names that share a word of some
/// length, like "Holmes", are always similar enough for a suggestion.
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

/// Returns the reason to report. If no photo could be looked at, some reasons, such as a used-up search budget, are
/// replaced by [`Reason::NoReadablePhotos`].
pub fn told_reason(reason: Reason, facts: &Facts, budget: &Budget) -> Reason {
    let is_unseeing = budget.photos_looked() == 0;
    let has_unread = budget.photos_unread() > 0;
    match reason {
        Reason::NoCandidates if is_unseeing && !facts.people().are_one() => {
            Reason::NoReadablePhotos
        }
        Reason::SearchBudget | Reason::RecognitionBudget if is_unseeing && has_unread => {
            Reason::NoReadablePhotos
        }
        _ => reason,
    }
}

/// Returns the sides for whose person of the request no search has found a photo.
pub fn sides_without_photos(facts: &Facts) -> Vec<Side> {
    let mut sides = facts.unfound_sides();
    sides.retain(|side| facts.searches_naming(*side).unread() == 0);
    sides
}

/// Says how many photos were found, how many could not be fetched or read, and why.
pub fn no_readable_photos(facts: &Facts, budget: &Budget) -> String {
    let names = |sides: &[Side], between: &str| {
        let names: Vec<&str> = sides
            .iter()
            .map(|side| facts.people().typed_name(*side))
            .map(Name::as_str)
            .collect();
        names.join(between)
    };
    let both = |between| names(&[Side::A, Side::B], between);
    let searches = counted(size(facts.searches().all()), "search", "searches");
    let found = facts.knowledge().photos_found();
    let of_nobody = sides_without_photos(facts);
    let (tried, unread) = (size(budget.photos_unread()), unread_photos(facts, budget));
    if facts.searches().all() == 0 {
        "No image search gave an answer that could be read; later it may.".to_owned()
    } else if found == 0 {
        let both = both(" and ");
        format!("{searches} found no photo at all. Check how {both} are spelt.")
    } else if !of_nobody.is_empty() {
        let other = match tried {
            0 => String::new(),
            _ => format!(" Of other photos, {unread}."),
        };
        let names = names(&of_nobody, " or of ");
        format!("No search found a photo of {names}. Check the spelling.{other}")
    } else if budget.photos_looked() > 0 {
        let names = names(&facts.unfound_sides(), " or ");
        match tried {
            0 => format!("No photo that was found for {names} was looked at."),
            _ => {
                format!("No photo that was found for {names} could be looked at. In all, {unread}.")
            }
        }
    } else {
        let photos = counted(found, "photo", "photos");
        let which = if found > tried { " that was tried" } else { "" };
        let both = both(" or ");
        format!(
            "{searches} found {photos}, and none{which} could be looked at: {unread}. That says \
             nothing about {both}."
        )
    }
}

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Returns a sentence to append to an explanation if many photos could not be looked at; otherwise an empty text.
pub fn remark_on_unread(reason: Reason, budget: &Budget) -> String {
    let unread = budget.photos_unread();
    let tried = unread + budget.photos_looked();
    let is_told = !matches!(
        reason,
        Reason::HopLimit | Reason::NoReadablePhotos | Reason::Stopped
    );
    if !is_told || unread == 0 || unread * UNREAD_SHARE_MIN < tried {
        return String::new();
    }
    format!(" {unread} of {tried} photos could not be looked at.")
}

/// Says how many photos failed and why, like `12 could not be fetched (its host answered HTTP 403), 1 could not be read
/// (it is empty)`.
fn unread_photos(facts: &Facts, budget: &Budget) -> String {
    let photos = budget.spent().photos;
    let reasons = facts.unread_photos();
    let kinds = [
        (photos.unfetchable, "fetched", reasons.unfetchable()),
        (photos.unreadable, "read", reasons.unreadable()),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0);
    let told = kinds.map(|(count, what, reasons)| {
        format!("{count} could not be {what} ({})", listed(&reasons))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Lists the reasons. A single reason is returned as it is. Of several, the most frequent ones are listed, each with
/// its count.
fn listed(reasons: &[(&str, u32)]) -> String {
    if let [(why, _)] = reasons {
        return (*why).to_owned();
    }
    let told: Vec<String> = reasons
        .iter()
        .take(REASONS_TOLD_MAX)
        .map(|(why, times)| format!("{times}: {why}"))
        .collect();
    let more = if reasons.len() > REASONS_TOLD_MAX {
        "; and others"
    } else {
        ""
    };
    format!("{}{more}", told.join("; "))
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

    #[test]
    fn the_most_frequent_reasons_are_told() {
        assert_eq!(listed(&[("it is empty", 3)]), "it is empty");
        assert_eq!(listed(&[("a", 3), ("b", 1)]), "3: a; 1: b");
        assert_eq!(
            listed(&[("a", 3), ("b", 2), ("c", 1)]),
            "3: a; 2: b; and others"
        );
    }
}
