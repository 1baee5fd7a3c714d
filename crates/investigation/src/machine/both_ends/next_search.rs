//! Chooses the next search: whether it names one person or one of each side, whom it names, and whether it asks a new
//! question or requests a further page of a list.

use std::collections::BTreeSet;

use domain::{Side, Wording, fold};

use crate::machine::advice::{TABLE_ROWS_MAX, has_planner};
use crate::machine::facts::{AskedQuery, FIRST_SOURCE, Facts, ListKey, Subject, query};
use crate::machine::scheduler::Scheduler;
use crate::machine::states::View;

use super::hints::{Depths, spread};
use super::question_worth::QuestionWorth;
use super::sides::{PairSearch, Probe, RankedCandidate, Sides, Standing};
use super::unread_photos::UnreadPhotos;
use super::unseen_photos::UnseenPhotos;
use super::weighing::{Weighing, known_people};
use super::{Memory, hits_per_search};

/// The most rows of both sides' tables together. There are two more than the planner sees, because the planner does not
/// see the two people of the request.
const ROWS_MAX: usize = TABLE_ROWS_MAX + 2;

/// The factor on the expected share of a search if the image search has already returned a whole list for the same
/// person. Other words then find few further photos.
const AFTER_WHOLE_LIST: f64 = 0.1;

/// The factor on the expected share of a search for a name with further words. It applies if such a search has found
/// nothing for the person and the name alone was not searched for yet.
const AFTER_NOTHING: f64 = 0.1;

/// Somebody whom only hints connect with a side counts as one of its people if the chance of it is at least this.
const HINTED_CHANCE_MIN: f64 = 0.05;

/// If words are read, the new photos that a further search for the same person is expected to bring are divided by 1
/// plus this number for each search before: a search for somebody else brings more news.
const AGAIN_LOSS: f64 = 0.5;

/// The least expected share for which a search is made.
const EXPECTED_MIN: f64 = 0.05;

/// Returns the tables of both sides, A first, the most worthwhile people first; and, if words are read first and have
/// named anybody, the photos that are worth most among those that nobody has looked at.
pub fn tables(memory: &Memory, view: View) -> ([Vec<RankedCandidate>; 2], Option<UnreadPhotos>) {
    let facts = view.facts();
    let weighing = Weighing::of(memory, view);
    let pair_search = |one, other| weighing.pair_search(one, other);
    let sides = sides(memory, facts, weighing.worth(), &pair_search);
    let [of_a, of_b] = [Side::A, Side::B].map(|side| weighing.ranked(side, &sides));
    // With a planner, each table keeps its rows, because the planner may name somebody of either side from further
    // down.
    let rows = |of_other_side: usize| {
        if has_planner(view.budget()) {
            ROWS_MAX
        } else {
            ROWS_MAX - of_other_side.min(ROWS_MAX / 2)
        }
    };
    let (rows_a, rows_b) = (rows(of_b.len()), rows(of_a.len()));
    let tables = [(Side::A, of_a, rows_a), (Side::B, of_b, rows_b)].map(|(side, ranked, rows)| {
        let ranked = ranked.into_iter().take(rows);
        ranked.filter_map(|one| weighing.row(side, &one)).collect()
    });
    (tables, UnreadPhotos::of(&sides, view))
}

/// Returns the lists, ordered by the worth of one more of their photos. Lists of equal worth stay in the order of their
/// requests.
pub fn lists_by_worth(memory: &Memory, facts: &Facts) -> Vec<ListKey> {
    let none = |_, _| None;
    let worth = QuestionWorth::of(facts);
    let sides = sides(memory, facts, &worth, &none);
    let knowledge = facts.knowledge();
    let worth = |(key, asked): (&ListKey, &AskedQuery)| {
        let people = known_people(facts, asked.named());
        (sides.worth_of_photo_of(&people), key.clone())
    };
    let mut lists: Vec<(f64, ListKey)> = knowledge.lists().map(worth).collect();
    lists.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    lists.into_iter().map(|(_, list)| list).collect()
}

/// Returns both sides with the people who are connected with them now.
fn sides<'plan>(
    memory: &Memory,
    facts: &Facts,
    worth: &QuestionWorth,
    pair_search: &'plan dyn Fn(Subject, Subject) -> Option<PairSearch>,
) -> Sides<'plan> {
    let limits = facts.limits();
    let estimate = UnseenPhotos::of(facts, worth);
    let photos = photos_per_search(facts);
    Sides::new(
        [Side::A, Side::B].map(|side| standings(side, memory, facts, &estimate)),
        (photos, limits.hops),
        pair_search,
    )
}

/// Returns the people connected with a side's start who are near enough to it for a chain. If names decide, these
/// are also the people whom only hints connect with it.
fn standings(side: Side, memory: &Memory, facts: &Facts, estimate: &UnseenPhotos) -> Vec<Standing> {
    let photos = f64::from(photos_per_search(facts));
    let (knowledge, decide) = (facts.knowledge(), facts.names_decide());
    let standing = |one: Connected| {
        // S1 has already named each person of the request once.
        let asked = memory.times_asked_in_all(one.subject, knowledge) + u32::from(one.depth == 0);
        let unseen_estimate = estimate.unseen(one.subject);
        let exploration = if decide {
            Exploration::OF_NAMES
        } else {
            Exploration::OF_PHOTOS
        };
        let again = if decide {
            AGAIN_LOSS * f64::from(asked)
        } else {
            0.0
        };
        Standing {
            subject: one.subject,
            person: knowledge.person_of(one.subject),
            depth: one.depth,
            chance: one.chance,
            unseen_estimate,
            unseen_weighted: one.chance
                * (unseen_estimate * exploration.factor(asked, memory.pairs_named())),
            fresh: one.chance * estimate.fresh(one.subject, photos) / (1.0 + again),
            is_asked: asked > 0,
            is_exhausted: estimate.is_exhausted(one.subject),
        }
    };
    let people = if decide {
        connected_by_hints(side, facts)
    } else {
        connected_by_photos(side, facts)
    };
    let mut standings: Vec<Standing> = people.into_iter().map(standing).collect();
    standings.sort_by(|left, right| {
        (right.unseen_weighted.total_cmp(&left.unseen_weighted))
            .then(left.person.is_none().cmp(&right.person.is_none()))
            .then(left.person.cmp(&right.person))
            .then(left.subject.cmp(&right.subject))
    });
    standings
}

/// A person who is connected with a side.
struct Connected {
    subject: Subject,
    depth: u32,
    /// The chance that the person is connected with the side.
    chance: f64,
}

fn connected_by_photos(side: Side, facts: &Facts) -> Vec<Connected> {
    let Some(start) = facts.people().bound(side) else {
        return Vec::new();
    };
    let other_start = facts.people().bound(side.other());
    let reached = facts.reach(start);
    let people = reached.order().iter().filter_map(|person| {
        let depth = reached.distance(*person)?;
        let is_meant = depth < facts.limits().hops && Some(*person) != other_start;
        is_meant.then(|| Connected {
            subject: facts.knowledge().subject_of(*person),
            depth,
            chance: 1.0,
        })
    });
    people.collect()
}

fn connected_by_hints(side: Side, facts: &Facts) -> Vec<Connected> {
    let knowledge = facts.knowledge();
    let hints = knowledge.hints();
    let (spread, depths) = (spread(facts, side), Depths::of(facts, side));
    let people = hints.everybody().filter_map(|who| {
        let chance = spread.chance(who);
        if chance < HINTED_CHANCE_MIN || !hints.is_searchable(who) {
            return None;
        }
        let subject = knowledge.subject_of_somebody(who);
        let depth = depths.of_start(facts, spread.start(who)) + spread.links(who);
        let is_meant = depth < facts.limits().hops
            && subject != Subject::Typed(side.other())
            && !facts.is_avoided(&fold(hints.name(who)));
        is_meant.then_some(Connected {
            subject,
            depth,
            chance,
        })
    });
    people.collect()
}

/// Returns, in words for the user, why a search is the best.
pub fn reason_of(probe: &Probe, facts: &Facts) -> String {
    let words = probe.one.words();
    match probe.partner {
        None => words,
        Some(partner) => {
            let name = facts.knowledge().name_of(partner.subject);
            format!("{words}, {}", partner.words_of_partner(name))
        }
    }
}

/// How the estimated number of a person's unseen photos is weighed by the searches that named the person.
#[derive(Debug, Clone, Copy)]
struct Exploration {
    /// The factor for a person who was never searched for. It exceeds 1 because such a person may have more photos than
    /// the estimate says.
    first: f64,
    /// How strongly each further search that names a person lowers that person's estimate. A person close to the other
    /// side is soon seen with people of that side, so each search in vain counts against the person. It counts less if
    /// the run has already named many pairs, because then hardly any pair is found together.
    again_loss: f64,
}

impl Exploration {
    /// For searches whose photos are looked at.
    const OF_PHOTOS: Self = Self {
        first: 1.5,
        again_loss: 10.0,
    };
    /// For searches whose words are read: the words of one search already tell most of what is around a person.
    const OF_NAMES: Self = Self {
        first: 3.0,
        again_loss: 30.0,
    };

    /// Returns the factor on the estimate, for the number of searches that named the person, and the number of pairs
    /// that the run's searches named.
    fn factor(self, searches: u32, pairs: usize) -> f64 {
        let pairs = 1.0 + f64::from(u32::try_from(pairs).unwrap_or(u32::MAX));
        match searches.checked_sub(1) {
            None => self.first,
            Some(again) => pairs / (pairs + self.again_loss * f64::from(again)),
        }
    }
}

/// Returns the number of photos from which a search brings news: those that are looked at, or all that one request
/// returns if their words are read.
fn photos_per_search(facts: &Facts) -> u32 {
    if facts.names_decide() {
        hits_per_search(facts.source(FIRST_SOURCE), facts.limits())
    } else {
        facts.limits().images_per_search
    }
}

/// A search about one person.
#[derive(Debug, Clone, Copy)]
pub struct SingleSearch {
    pub wording: Wording,
    pub source: usize,
    pub page: u32,
    /// The new photos that the search is expected to bring, as a share of the most that it could bring, 0 to 1.
    pub expected: f64,
}

/// The possible searches about one person, evaluated once for all people.
#[derive(Debug)]
pub struct SingleSearches<'run> {
    memory: &'run Memory,
    facts: &'run Facts,
    scheduler: &'run Scheduler,
    /// The first image search in order, which is asked before the others; `None` if there is only one.
    first_of_several: Option<usize>,
    /// The wordings of all image searches, the most promising first.
    options: Vec<SearchOption>,
    /// The people who were searched for alone.
    asked: BTreeSet<Subject>,
    /// The searches for people who were only named then, and perhaps under another spelling.
    asked_by_name: Vec<(Subject, usize, Wording)>,
    /// The people for whom an image search has returned a whole list, each with the image search.
    whole: Vec<(Subject, usize)>,
    /// The people for whom an image search found nothing with further words and was not asked the name alone, each with
    /// the image search.
    nameless: Vec<(Subject, usize)>,
    /// The next pages of lists that name one person and were looked at completely.
    pages: Vec<(Subject, SingleSearch)>,
}

/// A wording for an image search, and the share of new photos that an answer to it is expected to have.
#[derive(Debug, Clone, Copy)]
struct SearchOption {
    source: usize,
    wording: Wording,
    /// The factor on all expected shares of the image search.
    preference: f64,
    expected: f64,
}

impl SearchOption {
    fn first_page(&self, expected: f64) -> SingleSearch {
        SingleSearch {
            wording: self.wording,
            source: self.source,
            page: 0,
            expected,
        }
    }
}

impl<'run> SingleSearches<'run> {
    /// Evaluates which searches about one person may be made now.
    pub fn of(memory: &'run Memory, view: View<'run>, worth: &QuestionWorth) -> Self {
        let facts = view.facts();
        let mut searches = Self {
            memory,
            facts,
            scheduler: view.scheduler(),
            first_of_several: match worth.sources() {
                [first, _, ..] => Some(*first),
                _ => None,
            },
            options: options(worth),
            asked: BTreeSet::new(),
            asked_by_name: Vec::new(),
            whole: Vec::new(),
            nameless: Vec::new(),
            pages: Vec::new(),
        };
        for (key, asked) in facts.knowledge().lists() {
            if let [named] = asked.named() {
                let subject = facts.knowledge().current(*named);
                if subject != *named {
                    let search = (subject, key.source, asked.wording());
                    searches.asked_by_name.push(search);
                }
                searches.take_in(key, asked, subject, worth);
            }
        }
        searches
    }

    fn take_in(
        &mut self,
        key: &ListKey,
        asked: &AskedQuery,
        subject: Subject,
        worth: &QuestionWorth,
    ) {
        self.asked.insert(subject);
        let has_names_alone = matches!(asked.wording(), Wording::Names | Wording::InCompany);
        let is_whole = asked.is_answered() && !asked.has_more() && !asked.hits().is_empty();
        if is_whole && has_names_alone {
            self.whole.push((subject, key.source));
        }
        if asked.is_answered() && asked.hits().is_empty() && !self.was_asked_by_name(subject, key) {
            self.nameless.push((subject, key.source));
        }
        // The list is continued only if its query has the person's current name. Under another name, the person is
        // searched for again.
        let name = self.facts.knowledge().name_of(subject);
        let is_named_so = || query::single(name, asked.wording()).text() == key.query;
        let page = next_page(self.facts, key.source, asked).filter(|_| is_named_so());
        if let Some(page) = page {
            let search = SingleSearch {
                wording: asked.wording(),
                source: key.source,
                page,
                expected: asked.share_brought() * worth.preference_of(key.source),
            };
            self.pages.push((subject, search));
        }
    }

    fn was_asked_by_name(&self, subject: Subject, key: &ListKey) -> bool {
        let name = self.facts.knowledge().name_of(subject);
        let by_name = ListKey {
            query: query::single(name, Wording::Names).into_text(),
            source: key.source,
        };
        self.facts.knowledge().list(&by_name).is_some() || self.memory.has_begun(&by_name)
    }

    /// Returns the expected share of a search about one person. If further words found nothing, the name alone comes
    /// first.
    fn expected(&self, subject: Subject, option: &SearchOption) -> f64 {
        let key = (subject, option.source);
        if self.nameless.contains(&key) {
            return if option.wording == Wording::Names {
                option.preference
            } else {
                option.expected * AFTER_NOTHING
            };
        }
        let after = if self.whole.contains(&key) {
            AFTER_WHOLE_LIST
        } else {
            1.0
        };
        option.expected * after
    }

    /// Returns the most promising search about one person; among equals the first in the order of image searches and
    /// wordings.
    pub fn best(&self, subject: Subject) -> Option<SingleSearch> {
        // If a current survey names the person, its photos may already show enough, so no other image search is asked
        // yet.
        let first = self.first_of_several.filter(|_| {
            let who = self.facts.knowledge().somebody(subject).map(Subject::Named);
            self.scheduler.is_naming(subject)
                || who.is_some_and(|named| self.scheduler.is_naming(named))
        });
        let must_wait = |option: &SearchOption| first.is_some_and(|first| first != option.source);
        let times_asked = (self.memory).times_asked_in_all(subject, self.facts.knowledge());
        let was_asked = self.asked.contains(&subject) || times_asked > 0;
        if !was_asked {
            let mut options = self.options.iter();
            let option = options.find(|option| !must_wait(option))?;
            return (option.expected >= EXPECTED_MIN).then(|| option.first_page(option.expected));
        }
        let pages = self.pages.iter().filter(|(of, _)| *of == subject);
        let mut best: Option<SingleSearch> = None;
        for (_, search) in pages {
            if best
                .as_ref()
                .is_none_or(|best| search.expected > best.expected)
            {
                best = Some(*search);
            }
        }
        let knowledge = self.facts.knowledge();
        let name = knowledge.name_of(subject);
        for option in &self.options {
            let expected = self.expected(subject, option);
            let is_better = best.as_ref().is_none_or(|best| expected > best.expected);
            if expected < EXPECTED_MIN || !is_better || must_wait(option) {
                continue;
            }
            let key = ListKey {
                query: query::single(name, option.wording).into_text(),
                source: option.source,
            };
            let by_name = (subject, option.source, option.wording);
            let may_ask = knowledge.list(&key).is_none()
                && !self.asked_by_name.contains(&by_name)
                && !self.memory.has_begun(&key)
                && !self.facts.is_awaited(&key.query);
            if may_ask {
                best = Some(option.first_page(expected));
            }
        }
        best
    }
}

/// Returns the wordings of all image searches, the most promising first.
fn options(worth: &QuestionWorth) -> Vec<SearchOption> {
    let sources = worth.sources().iter().copied();
    let mut options: Vec<SearchOption> = sources
        .flat_map(|source| {
            let wordings = worth.wordings(source).into_iter();
            wordings.map(move |wording| SearchOption {
                source,
                wording,
                preference: worth.preference_of(source),
                expected: worth.expected(source, wording, 1) * worth.preference_of(source),
            })
        })
        .collect();
    options.sort_by(|left, right| right.expected.total_cmp(&left.expected));
    options
}

/// Returns the next page of a list that was looked at completely. If names decide, it was read.
fn next_page(facts: &Facts, source: usize, asked: &AskedQuery) -> Option<u32> {
    let pages_max = facts.source(source).map_or(1, |source| source.pages_max);
    let page = asked.next_page().filter(|page| *page < pages_max)?;
    let is_done = facts.names_decide() || asked.leftovers(1, |_| false).is_empty();
    is_done.then_some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_never_named_comes_first_and_who_was_named_in_vain_last() {
        assert!(Exploration::OF_PHOTOS.factor(0, 1) > Exploration::OF_PHOTOS.factor(1, 1));
        assert!(Exploration::OF_PHOTOS.factor(1, 1) > 4.0 * Exploration::OF_PHOTOS.factor(2, 1));
        assert!(Exploration::OF_PHOTOS.factor(2, 1) > 1.5 * Exploration::OF_PHOTOS.factor(3, 1));
    }

    #[test]
    fn where_hardly_any_pair_is_together_one_more_in_vain_says_little() {
        assert!(Exploration::OF_PHOTOS.factor(2, 40) > 0.8 * Exploration::OF_PHOTOS.factor(1, 40));
    }
}
