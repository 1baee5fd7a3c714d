//! Weighs what may be looked at next: the worth of each search, and of the photos that lists have left over.

use domain::{Confidence, Limits, PersonIndex, Side, Wording};

use crate::machine::advice::Candidate;
use crate::machine::budget::{Budget, CallKind, Permission};
use crate::machine::facts::{
    AskedQuery, FIRST_SOURCE, Facts, ListKey, PhotoMemory, Subject, query,
};
use crate::machine::states::View;

use super::Memory;
use super::next_search::{SingleSearch, SingleSearches};
use super::question_worth::QuestionWorth;
use super::sides::{Lookup, PARTNERS_MAX, PairSearch, Probe, RankedCandidate, Sides, Standing};

/// The factor on the chance that a literal search engine finds photos of both people if it is asked for two. It may
/// find nothing at all, because it shows no photos of only one of them.
const LITERAL_PAIR_WORTH: f64 = 0.5;
/// The worth of a photo left over in a list, relative to one that a search is expected to bring. It is lower, because a
/// list begins with its best photos.
pub const LEFTOVERS_WORTH: f64 = 0.7;
/// The least price of a search, in recognitions.
const PRICE_MIN: f64 = 1.0;
/// The least factor by which a search's worth is multiplied if searches run out sooner than recognitions.
const SCARCITY_MIN: f64 = 0.1;

/// A person, and the best way to see more photos of this person.
pub struct Ranked<'run> {
    one: Standing,
    worth: f64,
    way: Way<'run>,
}

/// A way to see more photos of a person.
enum Way<'run> {
    Single(SingleSearch),
    Pair {
        partner: Standing,
        search: PairSearch,
    },
    Leftovers(&'run Leftovers),
}

/// All that is weighed for the next search.
pub struct Weighing<'run> {
    memory: &'run Memory,
    facts: &'run Facts,
    view: View<'run>,
    worth: QuestionWorth,
    singles: SingleSearches<'run>,
    /// The best search for two people on each image search, in the order of the image searches.
    pairs: Vec<PairSearch>,
    leftovers: Vec<Leftovers>,
    /// Whether another search may be made at all.
    may_search: bool,
    /// The factor by which the worth of a search on each image search is multiplied before it is compared with the worth
    /// of photos that earlier searches found and nobody has looked at.
    search_factors: Vec<f64>,
}

impl<'run> Weighing<'run> {
    /// Evaluates all that may be looked at now.
    pub fn of(memory: &'run Memory, view: View<'run>) -> Self {
        let facts = view.facts();
        let worth = QuestionWorth::of(facts);
        Self {
            memory,
            facts,
            view,
            singles: SingleSearches::of(memory, view, &worth),
            pairs: pair_searches(&worth),
            worth,
            search_factors: search_factors(view),
            leftovers: if facts.names_decide() {
                Vec::new()
            } else {
                leftovers(view)
            },
            may_search: !matches!(
                view.budget().permission(CallKind::Search),
                Permission::Refused(_)
            ),
        }
    }

    /// Returns the worth of each wording with each image search.
    pub fn worth(&self) -> &QuestionWorth {
        &self.worth
    }

    /// Returns the search that names both people, on the first image search that was not asked for both yet; `None` if
    /// there is none or it must wait.
    pub fn pair_search(&self, one: Subject, other: Subject) -> Option<PairSearch> {
        if !self.may_search {
            return None;
        }
        // S1 has already asked the first image search for both people of the request.
        let mut both = [one, other].into_iter();
        let is_typed = both.all(|one| matches!(one, Subject::Typed(_)));
        let was_asked = |search: &&PairSearch| {
            let source = search.source;
            let knowledge = self.facts.knowledge();
            self.memory.has_paired([one, other], source, knowledge)
                || (is_typed && source == FIRST_SOURCE)
        };
        let search = *self.pairs.iter().find(|search| !was_asked(search))?;
        let is_asked = self.pairs.len() > 1 && self.pairs.iter().any(|other| was_asked(&other));
        let must_wait = is_asked && self.is_under_way(one, other, search.wording);
        (!must_wait).then_some(search)
    }

    /// Returns whether a query about two people is unanswered, or its photos are still being looked at. They may yet
    /// show both.
    fn is_under_way(&self, one: Subject, other: Subject, wording: Wording) -> bool {
        if self.view.scheduler().is_naming_both(one, other) {
            return true;
        }
        let [one, other] = [one, other].map(|one| self.facts.knowledge().name_of(one));
        [(one, other), (other, one)]
            .into_iter()
            .any(|(of_a, of_b)| {
                let query = query::of_pair(of_a, of_b, wording);
                self.facts.is_awaited(query.text())
            })
    }

    /// Returns a side's people, each with the best way to see more photos of this person, the most worthwhile first.
    pub fn ranked(&self, side: Side, sides: &Sides) -> Vec<Ranked<'_>> {
        let best = |(position, one): (usize, &Standing)| {
            let partners = if position < PARTNERS_MAX {
                sides.side(side.other())
            } else {
                &[]
            };
            self.best_for(side, one, partners, sides)
        };
        let people = sides.side(side).iter().enumerate();
        let mut ranked: Vec<Ranked> = people.filter_map(best).collect();
        // The sort is stable: among people of equal worth, the one seen first comes first.
        ranked.sort_by(|left, right| right.worth.total_cmp(&left.worth));
        ranked
    }

    fn best_for(
        &self,
        side: Side,
        one: &Standing,
        partners: &[Standing],
        sides: &Sides,
    ) -> Option<Ranked<'_>> {
        let subject = one.subject;
        let single = if self.may_search {
            self.singles.best(subject)
        } else {
            None
        };
        let expected = single.as_ref().map(|single| single.expected);
        let best = sides.best_for(side, one, expected, partners);
        let searched = best.and_then(|best| {
            let (source, way) = match best.partner {
                Some((partner, search)) => (search.source, Way::Pair { partner, search }),
                None => (single?.source, Way::Single(single?)),
            };
            Some((best.worth * self.search_factors.get(source)?, way))
        });
        let is_better =
            |left: &(f64, &Leftovers)| searched.iter().all(|(worth, _)| left.0 >= *worth);
        let left = self
            .best_leftovers(subject, sides)
            .filter(is_better)
            .map(|(worth, left)| (worth, Way::Leftovers(left)));
        let (worth, way) = left.or(searched)?;
        Some(Ranked {
            one: *one,
            worth,
            way,
        })
    }

    /// Returns the most worthwhile photos that a list whose query names the person has left over, as a pair of their
    /// worth and the photos.
    fn best_leftovers(&self, subject: Subject, sides: &Sides) -> Option<(f64, &Leftovers)> {
        let mut best: Option<(f64, &Leftovers)> = None;
        for left in &self.leftovers {
            if left.named.first() != Some(&subject) {
                continue;
            }
            let people = known_people(self.facts, &left.named);
            let worth = LEFTOVERS_WORTH
                * left.photos as f64
                * left.quality
                * sides.worth_of_photo_of(&people);
            if best.is_none_or(|(known, _)| worth > known) {
                best = Some((worth, left));
            }
        }
        best
    }

    /// Returns a ranked person as a row of the table.
    pub fn row(&self, side: Side, ranked: &Ranked<'_>) -> Option<RankedCandidate> {
        let facts = self.facts;
        let knowledge = facts.knowledge();
        let one = ranked.one;
        let subject = one.subject;
        let (query, named, lookup, partner) = match &ranked.way {
            Way::Single(single) => {
                let (source, page) = (single.source, single.page);
                let lookup = Lookup::Search { source, page };
                let query = query::single(knowledge.name_of(subject), single.wording);
                (query, vec![subject], lookup, None)
            }
            Way::Pair { partner, search } => {
                let [own, other] = [one, *partner].map(|one| knowledge.name_of(one.subject));
                let (of_a, of_b) = match side {
                    Side::A => (own, other),
                    Side::B => (other, own),
                };
                let query = query::of_pair(of_a, of_b, search.wording);
                let named = vec![subject, partner.subject];
                let source = search.source;
                let lookup = Lookup::Search { source, page: 0 };
                (query, named, lookup, Some(*partner))
            }
            Way::Leftovers(left) => {
                let wording = knowledge.list(&left.list)?.wording();
                let query = query::single(knowledge.name_of(subject), wording);
                let list = left.list.clone();
                (query, left.named.clone(), Lookup::LookOn { list }, None)
            }
        };
        Some(RankedCandidate {
            candidate: Candidate {
                subject,
                side,
                depth: one.depth,
                count: (one.person).map_or(0, |one| knowledge.times_found_in_others(one)),
                degree: one.person.map_or(0, |one| facts.together().degree(one)),
                best_confidence: (one.person)
                    .map_or(Confidence::ZERO, |one| best_confidence(facts, one)),
                name: knowledge.name_of(subject).to_owned(),
            },
            probe: Probe {
                query,
                named,
                worth: ranked.worth,
                one,
                partner,
                lookup,
            },
        })
    }
}

/// Returns the best search for two people on each image search, in the order of the image searches.
fn pair_searches(worth: &QuestionWorth) -> Vec<PairSearch> {
    let sources = worth.sources().iter().copied();
    let searches = sources.map(|source| {
        let (wording, expected) = worth.best_for_pair(source);
        let preference = worth.preference_of(source);
        let either = preference * expected;
        PairSearch {
            source,
            wording,
            both: if worth.is_literal(source) {
                LITERAL_PAIR_WORTH * either
            } else {
                preference
            },
            either,
        }
    });
    searches.collect()
}

/// Returns the factor by which a search's worth is multiplied before it is compared with the worth of photos left over
/// in lists, which need no search. The factor falls if searches run out sooner than recognitions.
fn scarcity(budget: &Budget, limits: &Limits) -> f64 {
    let share = |left: u32, all: u32| f64::from(left) / f64::from(all.max(1));
    let searches = share(
        budget.left_but_for_losses(CallKind::Search),
        limits.searches_max,
    );
    let recognitions = share(
        budget.left_but_for_losses(CallKind::Recognition),
        limits.recognitions_max,
    );
    if recognitions > 0.0 {
        (searches / recognitions).clamp(SCARCITY_MIN, 1.0)
    } else {
        1.0
    }
}

/// Returns, for each image search, the factor by which the worth of a search is multiplied.
fn search_factors(view: View) -> Vec<f64> {
    let facts = view.facts();
    let scarcity = scarcity(view.budget(), facts.limits());
    let factor = |source: usize| {
        if facts.names_decide() {
            worth_of_words(source, view)
        } else {
            scarcity
        }
    };
    (0..facts.request().sources.len().max(1))
        .map(factor)
        .collect()
}

/// Returns the factor by which the worth of a search is multiplied if names decide, for a comparison with the worth of as
/// many photos as are looked at together. A search brings only words, which name a share of the people in its photos. It
/// costs as much as a number of recognitions.
fn worth_of_words(source: usize, view: View) -> f64 {
    let facts = view.facts();
    let named = facts.knowledge().hints().naming_share(source);
    named * f64::from(facts.limits().images_per_search) / search_price(source, view)
}

/// Returns the price of a search in recognitions.
fn search_price(source: usize, view: View) -> f64 {
    let (facts, budget) = (view.facts(), view.budget());
    let limits = facts.limits();
    let for_each =
        |recognitions: u32, searches: u32| f64::from(recognitions) / f64::from(searches.max(1));
    let search = facts.source(source).map_or(0, |source| source.nano_usd);
    price_in_recognitions(
        for_each(limits.recognitions_max, limits.searches_max),
        for_each(
            budget.left_but_for_losses(CallKind::Recognition),
            budget.left_but_for_losses(CallKind::Search),
        ),
        search,
        limits.prices.recognition_nano_usd_max,
    )
}

/// Returns the mean of the price by limits and of the price by dollars. `at_first` and `left` are the recognitions for
/// each search, of the limits and of what is left of them. The price by limits is `at_first` at the start and grows
/// with the square of `left`: if searches are used up sooner than recognitions, recognitions would be left over at the
/// end. If recognitions cost nothing, only the limits count.
fn price_in_recognitions(
    at_first: f64,
    left: f64,
    search_nano_usd: u64,
    recognition_nano_usd: u64,
) -> f64 {
    let by_limits = left * left / at_first.max(PRICE_MIN);
    let price = if recognition_nano_usd > 0 {
        let by_dollars = search_nano_usd as f64 / recognition_nano_usd as f64;
        f64::midpoint(by_limits, by_dollars)
    } else {
        by_limits
    };
    price.max(PRICE_MIN)
}

/// Returns the people of a query who may be on a side: the recognised ones and, if names decide, everybody.
pub fn known_people(facts: &Facts, named: &[Subject]) -> Vec<Subject> {
    let knowledge = facts.knowledge();
    let decide = facts.names_decide();
    let known = |subject: &Subject| match knowledge.person_of(*subject) {
        Some(person) => Some(knowledge.subject_of(person)),
        None => decide.then_some(*subject),
    };
    named.iter().filter_map(known).collect()
}

fn best_confidence(facts: &Facts, person: PersonIndex) -> Confidence {
    let together = facts.together();
    together
        .neighbours(person)
        .filter_map(|neighbour| Some(together.edge(person, neighbour)?.confidence()))
        .max()
        .unwrap_or(Confidence::ZERO)
}

/// The photos of a list that were not looked at.
#[derive(Debug, Clone)]
pub struct Leftovers {
    pub list: ListKey,
    pub named: Vec<Subject>,
    /// The number of new photos, at most as many as can be looked at together.
    pub photos: usize,
    /// The share of the list's photos that show a person named by its query, as far as known.
    pub quality: f64,
}

/// Returns every list with photos that were not looked at.
pub fn leftovers(view: View) -> Vec<Leftovers> {
    let facts = view.facts();
    let photos_max = usize::try_from(facts.limits().images_per_search).unwrap_or(usize::MAX);
    let lists = facts.knowledge().lists();
    let left = lists.filter_map(|(list, asked)| {
        let photos = view.scheduler().leftovers_of(asked, photos_max).len();
        (photos > 0).then(|| Leftovers {
            list: list.clone(),
            named: (asked.named().iter())
                .map(|one| facts.knowledge().current(*one))
                .collect(),
            photos,
            quality: quality(facts, asked),
        })
    });
    left.collect()
}

/// Returns the share of a list's photos that show a person named by the list's query. A list whose photos were not
/// looked at counts as good.
fn quality(facts: &Facts, asked: &AskedQuery) -> f64 {
    let knowledge = facts.knowledge();
    let threshold = knowledge.threshold();
    let named: Vec<_> = asked
        .named()
        .iter()
        .filter_map(|one| knowledge.person_of(*one))
        .collect();
    let (mut all, mut shown) = (1.0, 1.0);
    for place in 0..asked.hits().len() {
        if !asked.has_looked_at(place) {
            continue;
        }
        match asked.memory(place) {
            None => continue,
            Some(PhotoMemory::Useless | PhotoMemory::Rejected) => {}
            Some(PhotoMemory::Seen(reference) | PhotoMemory::Copy(reference)) => {
                let sighting = knowledge.sighting(reference);
                let mut seen = sighting.into_iter().flat_map(|seen| &seen.faces);
                if seen.any(|face| face.confidence >= threshold && named.contains(&face.person)) {
                    shown += 1.0;
                }
            }
        }
        all += 1.0;
    }
    shown / all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_search_is_cheaper_than_a_paid_one_and_dearer_the_fewer_are_left() {
        let price = price_in_recognitions;
        assert!(price(5.0, 5.0, 0, 1) < price(5.0, 5.0, 5, 1));
        assert!(price(5.0, 5.0, 5, 1) < price(5.0, 20.0, 5, 1));
        assert!(
            (price(5.0, 5.0, 9, 0) - 5.0).abs() < 1e-9,
            "nothing to compare with"
        );
        assert!((price(5.0, 10.0, 9, 0) - 20.0).abs() < 1e-9);
        assert!(price(5.0, 0.1, 0, 1) >= PRICE_MIN);
    }
}
