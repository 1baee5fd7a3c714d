//! A model of the photo memory, which finds recognised photos by digest and by person.

mod forgetting;
mod forgotten;
mod lines;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Confidence, Hit, PeopleToRecall, PersonToRecall, PhotoToRemember, RECALL_PEOPLE_MAX,
    RECALL_PHOTOS_MAX, RecalledPerson, RecalledPhoto, RememberedAnswer, RememberedSearch,
    SearchToRemember, Sha256Digest, fold, spellings, wikidata_of,
};
use platform::WantedAnswers;
use visual_degrees::memory::NAMESAKES_MAX;
use visual_degrees::memory::sure_people;

use forgotten::Forgotten;

pub use lines::KnownLine;

/// 60 days, in milliseconds. A photo that is more than this younger than the best photo of two people may replace it
/// even with a lower confidence.
const YOUNGER_MS: u64 = 60 * 24 * 60 * 60 * 1_000;
/// The confidence, in percent, with which such a younger photo replaces the best one. If the best photo's confidence is
/// lower, the younger photo only needs that.
const SURE_PERCENT: f64 = 80.0;

/// The model of the photo memory: recognised photos, answers of image searches, and what must not be stored again.
#[derive(Debug, Clone, Default)]
pub struct InMemoryPhotos {
    photos: BTreeMap<Sha256Digest, PhotoToRemember>,
    /// For each surely recognised person, the people seen together with that person in photos that are not vetoed.
    together: BTreeMap<String, BTreeMap<String, Together>>,
    by_name: BTreeMap<String, BTreeSet<String>>,
    by_number: BTreeMap<String, BTreeSet<String>>,
    /// The number of photos of each person.
    photos_of: BTreeMap<String, usize>,
    forgotten: Forgotten,
    searches: BTreeMap<Sha256Digest, SearchToRemember>,
}

/// What the memory knows about the photos that show two people.
#[derive(Debug, Clone, Default)]
struct Together {
    photos: usize,
    best: Option<(Confidence, u64, Sha256Digest)>,
}

impl InMemoryPhotos {
    /// Returns the number of stored photos.
    #[must_use]
    pub fn len(&self) -> usize {
        self.photos.len()
    }

    /// Returns whether no photo is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the stored photos, ordered by digest.
    pub fn photos(&self) -> impl Iterator<Item = &PhotoToRemember> {
        self.photos.values()
    }

    /// Stores photos. If a photo is already stored, it is replaced only if the new answer is younger.
    pub fn remember(&mut self, photos: Vec<PhotoToRemember>) {
        for photo in photos {
            let known = self.photos.get(&photo.digest);
            let is_older = known.is_some_and(|known| known.answer.at_ms >= photo.answer.at_ms);
            if is_older || self.forgotten.holds(&photo) {
                continue;
            }
            self.forget(std::slice::from_ref(&photo.digest));
            self.connect(&photo);
            self.photos.insert(photo.digest.clone(), photo);
        }
    }

    fn connect(&mut self, photo: &PhotoToRemember) {
        let sure = sure_people(&photo.answer.faces);
        for (id, face) in &sure {
            let name = self.by_name.entry(fold(&face.name)).or_default();
            name.insert(id.clone());
            if let Some(number) = wikidata_of(face) {
                let people = self.by_number.entry(number.to_string()).or_default();
                people.insert(id.clone());
            }
            *self.photos_of.entry(id.clone()).or_insert(0) += 1;
        }
        if photo.is_vetoed {
            return;
        }
        for (one, face) in &sure {
            for (other, of_other) in sure.iter().filter(|(other, _)| other != one) {
                let score = face.confidence.min(of_other.confidence);
                let others = self.together.entry(one.clone()).or_default();
                let together = others.entry(other.clone()).or_default();
                together.photos += 1;
                let at_ms = photo.answer.at_ms;
                let is_better = (together.best.as_ref()).is_none_or(|(best, known_ms, _)| {
                    let is_sure = score.percent() >= best.percent().min(SURE_PERCENT);
                    let is_younger = at_ms > known_ms.saturating_add(YOUNGER_MS);
                    score > *best || (is_younger && is_sure)
                });
                if is_better {
                    together.best = Some((score, at_ms, photo.digest.clone()));
                }
            }
        }
    }

    /// Returns the stored answer for the bytes with this digest, if `wanted` accepts it.
    #[must_use]
    pub fn answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Option<RememberedAnswer> {
        let answer = &self.photos.get(digest)?.answer;
        is_wanted(answer, wanted).then(|| answer.clone())
    }

    /// Returns an image search's stored answer to the request with this digest, if `wanted` accepts it.
    #[must_use]
    pub fn search(
        &self,
        question: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> Option<&RememberedSearch> {
        let answer = &self.searches.get(question)?.answer;
        let is_wanted = (wanted.searches_since_ms..wanted.before_ms).contains(&answer.at_ms);
        is_wanted.then_some(answer)
    }

    /// Returns the stored answers of image searches.
    pub fn searches(&self) -> impl Iterator<Item = &SearchToRemember> {
        self.searches.values()
    }

    /// Stores an answer of an image search, and deletes expired answers.
    pub fn remember_search(&mut self, search: SearchToRemember) {
        let now_ms = search.answer.at_ms;
        let known = self.searches.get(&search.question);
        if known.is_none_or(|known| known.answer.at_ms < now_ms) {
            self.searches.insert(search.question.clone(), search);
        }
        self.searches.retain(|_, kept| kept.until_ms > now_ms);
    }

    /// Returns stored photos of these people, the best ones first.
    #[must_use]
    pub fn recall(&self, people: &PeopleToRecall, wanted: &WantedAnswers) -> Vec<RecalledPhoto> {
        let mut digests: Vec<&Sha256Digest> = Vec::new();
        let toward = &people.toward;
        let people = people.people.iter().take(RECALL_PEOPLE_MAX);
        let part = RECALL_PHOTOS_MAX / people.len().max(1);
        for person in people {
            let ids = self.ids_of(person);
            let mut left = part;
            for id in ids {
                let best = self.best_of(&id, toward, left).into_iter();
                for digest in best.take(left) {
                    left -= 1;
                    if !digests.contains(&digest) {
                        digests.push(digest);
                    }
                }
            }
        }
        let photos = digests.into_iter().filter_map(|digest| {
            let photo = self.photos.get(digest)?;
            is_wanted(&photo.answer, wanted).then(|| recalled(photo))
        });
        photos.collect()
    }

    fn ids_of(&self, person: &PersonToRecall) -> Vec<String> {
        if let Some(id) = &person.id {
            return vec![id.clone()];
        }
        let numbered = person.wikidata.as_ref();
        let names = spellings(&person.name).into_iter();
        let ids = match numbered {
            Some(number) => self.by_number.get(number).cloned().unwrap_or_default(),
            None => names
                .filter_map(|name| self.by_name.get(&name))
                .flatten()
                .cloned()
                .collect(),
        };
        let mut ids: Vec<&String> = ids.iter().collect();
        ids.sort_by_key(|id| Reverse(self.photos_of.get(*id).copied()));
        ids.into_iter().take(NAMESAKES_MAX).cloned().collect()
    }

    /// Returns the best photo of this person with each of the people seen together with this person. The first photos,
    /// at most half of `photos`, show people in `toward`. After these, the pairs with the most photos come first.
    fn best_of(&self, id: &str, toward: &[String], photos: usize) -> Vec<&Sha256Digest> {
        let others = self.together.get(id).into_iter().flatten();
        let mut others: Vec<(bool, usize, Confidence, &Sha256Digest)> = others
            .filter_map(|(other, together)| {
                let (score, _, digest) = together.best.as_ref()?;
                let is_meant = toward.contains(other);
                Some((is_meant, together.photos, *score, digest))
            })
            .collect();
        others.sort_by(|left, right| {
            (right.1.cmp(&left.1))
                .then(right.2.cmp(&left.2))
                .then(left.3.cmp(right.3))
        });
        let meant = others.iter().filter(|(is_meant, ..)| *is_meant);
        let meant = meant.take(photos / 2).map(|(_, _, _, digest)| *digest);
        meant
            .chain(others.iter().map(|(_, _, _, digest)| *digest))
            .collect()
    }
}

fn is_wanted(answer: &RememberedAnswer, wanted: &WantedAnswers) -> bool {
    wanted.recognisers.contains(&answer.by.recogniser)
        && (wanted.since_ms..wanted.before_ms).contains(&answer.at_ms)
}

fn recalled(photo: &PhotoToRemember) -> RecalledPhoto {
    let people = sure_people(&photo.answer.faces).into_iter();
    let people = people.map(|(id, face)| RecalledPerson {
        id,
        name: face.name.clone(),
        number: wikidata_of(face).map(|number| number.to_string()),
        confidence: face.confidence,
    });
    RecalledPhoto {
        digest: photo.digest.clone(),
        hit: Hit {
            hints: domain::Hints::default(),
            ..photo.hit.clone()
        },
        people: people.collect(),
    }
}
