//! S7: an honest no. No speculative path.

use crate::domain::{Side, fold, reach};

use super::machine::{Investigation, Route, State};
use super::notice::{NoPathReport, Reason, Told};

/// Names offered for an unknown one at most.
const SUGGESTIONS_MAX: usize = 3;
/// How alike a recognised name must be to be offered, 0 to 1.
const SUGGESTION_SIMILARITY_MIN: f64 = 0.6;

impl Investigation {
    //= spec S7
    pub(super) fn finish_without_chain(&mut self, reason: Reason) -> bool {
        let limits = &self.request.limits;
        let message = format!(
            "No verified visual connection found within {} degrees at ≥{}% confidence.",
            limits.hops, limits.threshold_percent
        );
        let unknown = if reason == Reason::UnknownPerson {
            self.unknown_sides()
        } else {
            Vec::new()
        };
        let report = NoPathReport {
            message,
            reason,
            explanation: self.explain(reason, &unknown),
            hops_reached: self.hops_reached(),
            suggestions: self.suggestions(&unknown),
            unknown,
            graph: self.graph_report(&[]),
            spent: self.spent(),
        };
        self.tell(Told::NoPath(Box::new(report)));
        self.state = State::Ended;
        true
    }

    fn explain(&self, reason: Reason, unknown: &[Side]) -> String {
        let limits = &self.request.limits;
        let name = |side: Side| self.knowledge.people.typed_name(side).as_str();
        let (name_a, name_b) = (name(Side::A), name(Side::B));
        match reason {
            Reason::HopLimit => match self.verified_distance() {
                Some(hops) => format!(
                    "{name_a} and {name_b} are connected by verified photos, but the shortest \
                     chain found has {hops} hops; {} are allowed.",
                    limits.hops
                ),
                None => format!(
                    "Every way on that was found would need more than {} hops.",
                    limits.hops
                ),
            },
            Reason::SearchBudget => self.with_longer_chain(format!(
                "The budget of searches ({}) is used up. A larger one may find a connection.",
                limits.searches_max
            )),
            Reason::RecognitionBudget => self.with_longer_chain(format!(
                "The budget of recognitions ({}) is used up. A larger one may find a connection.",
                limits.recognitions_max
            )),
            Reason::RuntimeBudget => self.with_longer_chain(format!(
                "The run's time ({} s) is over. More time may find a connection.",
                limits.runtime_ms_max / 1000
            )),
            Reason::NoCandidates if self.knowledge.people.are_one() => format!(
                "The recogniser takes {name_a} and {name_b} for one person; no chain joins a \
                 person to themselves."
            ),
            Reason::NoCandidates => format!(
                "Everybody who was recognised beside {name_a} or {name_b} has been tried, and \
                 nobody is left."
            ),
            Reason::UnknownPerson => {
                let names: Vec<&str> = unknown.iter().map(|side| name(*side)).collect();
                format!(
                    "Three searches did not show {} once. Check the spelling; the recogniser \
                     knows public figures only, and not all of them.",
                    names.join(" nor ")
                )
            }
            Reason::Stopped => {
                self.with_longer_chain("The run was stopped before a connection was found.".into())
            }
        }
    }

    fn with_longer_chain(&self, sentence: String) -> String {
        match self.verified_distance() {
            Some(hops) => format!("{sentence} A chain of {hops} hops is verified, over the limit."),
            None => sentence,
        }
    }

    /// Edges of the shortest verified chain, however long.
    fn verified_distance(&self) -> Option<u32> {
        let (from, to) = self.typed_pair()?;
        reach(&self.verified(), from, |person| self.may_be_on_path(person)).distance(to)
    }

    /// One-sided: the longest accepted path. Both ends: how far a side has reached.
    fn hops_reached(&self) -> u32 {
        if let Route::OneSided(route) = &self.route {
            return route.hops_reached;
        }
        let verified = self.verified();
        let farthest = |side: Side| {
            let start = self.knowledge.people.bound(side)?;
            let reached = reach(&verified, start, |person| self.may_be_on_path(person));
            reached
                .order()
                .iter()
                .filter_map(|person| reached.distance(*person))
                .max()
        };
        [Side::A, Side::B]
            .into_iter()
            .filter_map(farthest)
            .max()
            .unwrap_or(0)
    }

    /// The recognised names most like an unknown one.
    fn suggestions(&self, unknown: &[Side]) -> Vec<String> {
        let mut alike: Vec<(f64, String)> = Vec::new();
        for side in unknown {
            let wanted = self.knowledge.people.typed_name(*side).folded();
            for (_, person) in self.knowledge.people.iter() {
                let similarity = similarity(&wanted, &person.folded);
                let is_new = alike.iter().all(|(_, name)| fold(name) != person.folded);
                if similarity >= SUGGESTION_SIMILARITY_MIN && is_new {
                    alike.push((similarity, person.name.clone()));
                }
            }
        }
        alike.sort_by(|left, right| {
            right
                .0
                .total_cmp(&left.0)
                .then_with(|| left.1.cmp(&right.1))
        });
        alike
            .into_iter()
            .take(SUGGESTIONS_MAX)
            .map(|(_, name)| name)
            .collect()
    }
}

/// The edit distance as a share of the longer name, or the best of the words' ("Holmes").
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
