//! The worth of a question, learned during the run: how many new photos each wording has brought from each image
//! search.
//!
//! A search engine may be literal: it finds a photo only if its page contains every word of the question, so further
//! words only find fewer of the same photos. Such an engine finds nothing for two names, and nothing for one name with
//! further words.

use domain::Wording;

use crate::machine::facts::{AskedQuery, Facts};

/// The weight of the prior for a wording, in searches.
const PRIOR_SEARCHES: f64 = 0.5;
/// The expected share of new photos at which a wording counts as fully worth asking, if the search engine is not
/// literal. Photos missing beyond this share say more about the person than about the wording.
const ENOUGH: f64 = 0.5;
/// Each search multiplies the weight of all earlier ones by this factor. Earlier searches say less, because questions
/// change as more is learned of a person.
const MEMORY: f64 = 0.7;
/// The factor on an image search's expected share for each image search that precedes it in order. So the first one is
/// asked if all promise the same.
const NEXT_SOURCE_LOSS: f64 = 0.9;
/// If an image search failed and another answered in its place, the failed one comes last for this many further
/// answers, times the number of its failures.
const SILENCE_SEARCHES: usize = 2;
/// How many photos the names with further words are expected to find if a search engine is literal, as a share of those
/// that the names alone find.
const NARROWER: f64 = 0.3;

/// The wordings of questions about one person, in the order in which they are tried if equally promising.
const LOOSE: [Wording; 4] = [
    Wording::InCompany,
    Wording::Event,
    Wording::Awards,
    Wording::Names,
];
const LITERAL: [Wording; 4] = [
    Wording::Names,
    Wording::InCompany,
    Wording::Event,
    Wording::Awards,
];

/// The wordings of questions about two people, in the order in which they are tried if equally promising.
const LOOSE_PAIR: [Wording; 3] = [Wording::InCompany, Wording::Names, Wording::Event];
const LITERAL_PAIR: [Wording; 3] = [Wording::Names, Wording::InCompany, Wording::Event];

/// The record of one wording with one image search.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The image search, the wording and the number of names.
    of: (usize, Wording, usize),
    /// The number of answered searches, with less weight on earlier ones.
    searches: f64,
    /// The number of searches whose answers are awaited or lost.
    pending: f64,
    /// The weighted sum, over the answered searches, of the new photos that each brought, as a share of the most that
    /// it could bring.
    brought: f64,
}

/// The record of every wording with every image search.
#[derive(Debug, Clone, Default)]
pub struct QuestionWorth {
    rows: Vec<Row>,
    /// The image searches that found nothing for two names without further words.
    demands_both: Vec<usize>,
    /// The image searches that found nothing for one name with further words.
    demands_words: Vec<usize>,
    /// The image searches that found photos for two names without further words.
    loose: Vec<usize>,
    /// The image searches, by their places, in the order in which they are asked.
    sources: Vec<usize>,
}

impl QuestionWorth {
    /// Evaluates the answers to all searches so far.
    pub fn of(facts: &Facts) -> Self {
        let mut worth = Self {
            sources: preferred(facts),
            ..Self::default()
        };
        for (key, asked) in facts.knowledge().lists() {
            worth.take_in(key.source, asked);
        }
        worth
    }

    fn take_in(&mut self, source: usize, asked: &AskedQuery) {
        let of = (source, asked.wording(), asked.named().len());
        let place = self.rows.iter().position(|row| row.of == of);
        let mut row = match place {
            Some(place) => self.rows.swap_remove(place),
            None => Row {
                of,
                searches: 0.0,
                pending: 0.0,
                brought: 0.0,
            },
        };
        if asked.is_answered() {
            row.searches = row.searches * MEMORY + 1.0;
            row.brought = row.brought * MEMORY + asked.share_brought();
        } else {
            row.pending += 1.0;
        }
        self.rows.push(row);
        if !asked.is_answered() {
            return;
        }
        let names_both = asked.named().len() == 2 && asked.wording() == Wording::Names;
        match (names_both, asked.hits().is_empty()) {
            (true, true) => self.demands_both.push(source),
            (true, false) => self.loose.push(source),
            (false, true) if asked.named().len() == 1 => self.demands_words.push(source),
            _ => {}
        }
    }

    fn row(&self, source: usize, wording: Wording, names: usize) -> Option<&Row> {
        let of = (source, wording, names);
        self.rows.iter().find(|row| row.of == of)
    }

    /// Returns whether an image search is literal, as far as known. If any image search is literal, the others are
    /// assumed to be so until they show otherwise.
    pub fn is_literal(&self, source: usize) -> bool {
        let is_seen = |source: &usize| {
            self.demands_both.contains(source) && self.demands_words.contains(source)
        };
        is_seen(&source) || (!self.loose.contains(&source) && self.sources.iter().any(is_seen))
    }

    /// Returns the image searches, the most preferred first.
    pub fn sources(&self) -> &[usize] {
        &self.sources
    }

    /// Returns the new photos that a search with this wording for `names` names is expected to bring, as a share of the
    /// most that it could bring, 0 to 1.
    pub fn expected(&self, source: usize, wording: Wording, names: usize) -> f64 {
        let is_literal = self.is_literal(source);
        let prior = if is_literal && wording != Wording::Names {
            NARROWER
        } else {
            1.0
        };
        self.row(source, wording, names).map_or(prior, |row| {
            // A literal search engine may find nothing with this wording. So until the first answer, less is expected
            // of a second search with it.
            let is_untried = is_literal && wording != Wording::Names && row.searches <= 0.0;
            let pending = if is_untried { row.pending } else { 0.0 };
            let brought = PRIOR_SEARCHES * prior + row.brought;
            let expected = brought / (PRIOR_SEARCHES + row.searches + pending);
            if is_literal {
                expected
            } else {
                (expected / ENOUGH).min(1.0)
            }
        })
    }

    /// Returns whether searches with this wording were answered, and none of them brought anything new.
    pub fn has_failed(&self, source: usize, wording: Wording, names: usize) -> bool {
        self.row(source, wording, names)
            .is_some_and(|row| row.searches > 0.0 && row.brought <= 0.0)
    }

    /// Returns the factor on an image search's expected shares: 1 for the first in order.
    pub fn preference_of(&self, source: usize) -> f64 {
        let before = self.sources.iter().take_while(|other| **other != source);
        before.fold(1.0, |factor, _| factor * NEXT_SOURCE_LOSS)
    }

    /// Returns the wordings of questions about one person, in the order in which they are tried.
    pub fn wordings(&self, source: usize) -> [Wording; 4] {
        if self.is_literal(source) {
            LITERAL
        } else {
            LOOSE
        }
    }

    /// Returns the best wording to ask an image search for two people, and the expected share of a search with it.
    pub fn best_for_pair(&self, source: usize) -> (Wording, f64) {
        let wordings = if self.is_literal(source) {
            LITERAL_PAIR
        } else {
            LOOSE_PAIR
        };
        let mut best = (Wording::InCompany, -1.0);
        for wording in wordings {
            let expected = self.expected(source, wording, 2);
            if expected > best.1 {
                best = (wording, expected);
            }
        }
        best
    }
}

/// Returns the image searches in the order in which they are asked. If an image search failed and another answered in
/// its place, the failed one comes last for a while, and longer after each failure.
fn preferred(facts: &Facts) -> Vec<usize> {
    let mut sources: Vec<usize> = (0..facts.request().sources.len().max(1)).collect();
    if sources.len() < 2 {
        return sources;
    }
    // For each image search: how often another has answered in its place, and how many answers had arrived when that
    // last happened.
    let mut silences: Vec<(usize, usize)> = vec![(0, 0); sources.len()];
    let mut asked_in_all = 0;
    for (key, asked) in facts.knowledge().lists() {
        let is_of_another = || {
            let of_any = facts.knowledge().asked(&key.query);
            of_any.is_some_and(AskedQuery::is_answered)
        };
        if asked.is_answered() {
            asked_in_all += 1;
        } else if is_of_another()
            && let Some((times, at)) = silences.get_mut(key.source)
        {
            (*times, *at) = (*times + 1, asked_in_all);
        }
    }
    let is_silent = |source: &usize| {
        let silence = silences.get(*source);
        silence
            .is_some_and(|(times, at)| *times > 0 && asked_in_all - at <= SILENCE_SEARCHES * times)
    };
    let silent: Vec<usize> = sources.iter().copied().filter(is_silent).collect();
    sources.retain(|source| !is_silent(source));
    sources.extend(silent);
    sources
}

#[cfg(test)]
mod tests {
    use domain::{FoundHits, Hit, Limits, ListPage, Name, SearchSource, Side};

    use crate::machine::facts::{Extent, ListKey, Subject};
    use crate::machine::interface::Request;

    use super::*;

    const ANN: Subject = Subject::Typed(Side::A);
    const BOB: Subject = Subject::Typed(Side::B);

    fn facts(sources: usize) -> Facts {
        let name = |name| Name::parse(name).unwrap().into();
        let source = |number: usize| SearchSource {
            id: number.to_string(),
            name: format!("Search {number}"),
            hits_max: 10,
            pages_max: 1,
            nano_usd: 0,
        };
        Facts::new(Request {
            person_a: name("Ann"),
            person_b: name("Bob"),
            avoid: Vec::new(),
            limits: Limits::default(),
            sources: (0..sources).map(source).collect(),
        })
    }

    /// Asks an image search a question, without an answer so far.
    fn ask(
        facts: &mut Facts,
        source: usize,
        named: &[Subject],
        wording: Wording,
        query: &str,
    ) -> ListKey {
        let key = ListKey {
            query: query.to_owned(),
            source,
        };
        facts.knowledge_mut().note_query(&key, named, wording, 0);
        key
    }

    /// Answers the question with `photos` photos. The search wanted five new ones and got `new`.
    fn answer(facts: &mut Facts, key: &ListKey, photos: usize, new: usize) {
        let hit = |number: usize| Hit {
            image_url: format!("https://a.example/{}/{number}.jpg", key.query),
            ..Hit::default()
        };
        let found = FoundHits {
            hits: (0..photos).map(hit).collect(),
            part: ListPage::default(),
            has_more: false,
        };
        let extent = Extent {
            looked_at: vec![true; new],
            new,
            missing: 5 - new,
        };
        facts.note_hits(key, found);
        facts.knowledge_mut().note_extent(key, &extent);
    }

    fn asked(facts: &mut Facts, named: &[Subject], wording: Wording, query: &str, photos: usize) {
        let key = ask(facts, 0, named, wording, query);
        answer(facts, &key, photos, photos.min(5));
    }

    #[test]
    fn a_wording_that_brings_nothing_new_promises_less_each_time() {
        let mut facts = facts(1);
        let expected = |facts: &Facts| QuestionWorth::of(facts).expected(0, Wording::Event, 1);
        let mut before = expected(&facts);
        assert!(
            (before - 1.0).abs() < 1e-9,
            "all is expected of what was not tried"
        );
        for query in ["Ann event", "Bob event", "Xia event"] {
            let key = ask(&mut facts, 0, &[ANN], Wording::Event, query);
            answer(&mut facts, &key, 5, 0);
            let now = expected(&facts);
            assert!(now < before, "{now} after {before}");
            before = now;
        }
        let worth = QuestionWorth::of(&facts);
        assert!(worth.has_failed(0, Wording::Event, 1));
        assert!(
            !worth.has_failed(0, Wording::Awards, 1),
            "nobody has tried it"
        );
        assert!((worth.expected(0, Wording::Awards, 1) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_search_engine_is_literal_that_finds_nothing_for_two_names_nor_for_further_words() {
        let mut facts = facts(2);
        asked(&mut facts, &[ANN, BOB], Wording::Names, "Ann Bob", 0);
        assert!(
            !QuestionWorth::of(&facts).is_literal(0),
            "the two may never have met"
        );
        asked(
            &mut facts,
            &[ANN],
            Wording::InCompany,
            "Ann with celebrities",
            0,
        );
        let worth = QuestionWorth::of(&facts);
        assert!(worth.is_literal(0));
        assert!(
            worth.is_literal(1),
            "another is taken for the same until it shows otherwise"
        );
        assert_eq!(worth.wordings(0)[0], Wording::Names);
        assert_eq!(worth.best_for_pair(0).0, Wording::Names);
        let key = ask(&mut facts, 1, &[ANN, BOB], Wording::Names, "Ann Bob");
        answer(&mut facts, &key, 5, 5);
        assert!(!QuestionWorth::of(&facts).is_literal(1));
    }

    #[test]
    fn an_image_search_in_whose_place_another_answers_comes_last_for_a_while() {
        let mut facts = facts(2);
        assert_eq!(QuestionWorth::of(&facts).sources(), [0, 1]);
        ask(&mut facts, 0, &[ANN], Wording::Event, "Ann event");
        assert_eq!(
            QuestionWorth::of(&facts).sources(),
            [0, 1],
            "it may still answer"
        );
        let key = ask(&mut facts, 1, &[ANN], Wording::Event, "Ann event");
        answer(&mut facts, &key, 5, 5);
        assert_eq!(QuestionWorth::of(&facts).sources(), [1, 0]);
        for query in ["Bob event", "Xia event"] {
            let key = ask(&mut facts, 1, &[BOB], Wording::Event, query);
            answer(&mut facts, &key, 5, 5);
        }
        assert_eq!(QuestionWorth::of(&facts).sources(), [0, 1]);
        let worth = QuestionWorth::of(&facts);
        assert!(worth.preference_of(0) > worth.preference_of(1));
    }
}
