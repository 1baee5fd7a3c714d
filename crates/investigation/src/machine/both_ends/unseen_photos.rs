//! Estimates how many photos of a person were not seen yet.
//!
//! Nothing says how well known a person is, so at first every order of magnitude is equally likely, except that
//! thousands of photos are rare. Each observation then reweighs the magnitudes (Bayes):
//!
//! - A person who was found by searches for other people is probably in many photos: the more such finds, the more
//!   photos.
//! - Of the photos found by a search that names a person, some were known before. Many known
//!   ones mean that there are few others: capture and recapture (Chapman 1951).
//! - A search that names two people shows more of the one with more photos.
//! - A person named beside photos that were not looked at is in many photos.
//! - A search that finds fewer photos than requested has shown all photos of the people in them.
//!
//! The estimate uses only +, -, *, / and square root, so native code and WASM agree to the bit.

use domain::{Side, Sighting, Wording};

use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{
    AskedQuery, Facts, Knowledge, ListKey, NameUse, PHOTOS_UNTIL_UNKNOWN, PhotoMemory, Subject,
};
use crate::machine::states::View;

use super::question_worth::QuestionWorth;

/// The number of magnitudes: 1, 2, 4, ... 512 photos.
const MAGNITUDES: usize = 10;

/// The number of photos above which the prior falls off: more photos of one person are rare.
const PHOTOS_TYPICAL_MAX: f64 = 64.0;

/// The least probability that a photo is a repeat; [`REPEAT_MAX`] is the greatest. Between them, neither a repeat nor a
/// new photo is ever taken as certain.
const REPEAT_MIN: f64 = 0.02;
const REPEAT_MAX: f64 = 0.98;

/// The number of repeated photos that an empty answer counts as: it suggests that few photos are left.
const EMPTY_REPEATS: u32 = 10;

/// Photos that were not looked at and whose words name a person count only up to this number.
const NAMED_IN_MAX: f64 = 4.0;

/// The least estimate of a person's unseen photos. It is not 0 even if all photos seem to be known, because a search
/// engine may err.
const UNSEEN_MIN: f64 = 0.01;

/// The chance at which a photo counts as showing somebody.
const PROBABLE: f64 = 0.5;

/// If this many photos found for a name were looked at and none shows the person, no more are looked at.
const PHOTOS_LOOKED_MAX: usize = 15;

/// What is known of one person's photos.
#[derive(Debug, Clone)]
struct Weights {
    of_magnitudes: [f64; MAGNITUDES],
    photos_seen: u32,
    /// Whether an earlier query showed or named the person.
    is_known: bool,
    is_exhausted: bool,
}

/// The estimates for all recognised people and, if names decide, for all people whom hints are about.
#[derive(Debug, Clone)]
pub struct UnseenPhotos<'run> {
    knowledge: &'run Knowledge,
    recognised: usize,
    /// Recognised people come first, in their order; then all people whom hints are about.
    people: Vec<Weights>,
}

/// A hit of a query: the people in it, and whether it was known before.
struct Shown {
    people: Vec<Subject>,
    is_repeated: bool,
}

/// The share of a query's photos that shows one person named by the query.
struct Share {
    person: Subject,
    shown: u32,
    repeated: u32,
    magnitude_before: f64,
}

impl<'run> UnseenPhotos<'run> {
    /// Estimates from all queries so far. For a query whose photos are still being looked at, those already looked at
    /// count. If names decide, a photo counts as seen as soon as the words beside it are read.
    pub fn of(facts: &'run Facts, worth: &QuestionWorth) -> Self {
        let knowledge = facts.knowledge();
        let hints = knowledge.hints();
        let recognised = knowledge.people().iter().count();
        let named = if facts.names_decide() {
            hints.people_count()
        } else {
            0
        };
        let mut estimate = Self {
            knowledge,
            recognised,
            people: vec![Weights::new(); recognised + named],
        };
        let mut photos = PhotosBefore::new(facts);
        for (list, (key, asked)) in knowledge.lists().enumerate() {
            if asked.is_answered() {
                let shown = photos.shown(list, asked);
                estimate.take_in((key, asked), &shown, worth);
            }
        }
        if facts.name_use() == NameUse::Order {
            for (person, _) in knowledge.people().iter() {
                let left = hints.of_person(person).map(|who| hints.named_left(who));
                let weights = estimate.weights_mut(knowledge.subject_of(person));
                if let (Some(left), Some(weights)) = (left, weights) {
                    weights.named_in(left);
                }
            }
        }
        estimate
    }

    /// Estimates how many photos of a person were not seen yet.
    pub fn unseen(&self, person: Subject) -> f64 {
        self.weights(person).map_or(UNSEEN_MIN, |weights| {
            if weights.is_exhausted {
                UNSEEN_MIN
            } else {
                let unseen = |photos: f64| photos - f64::from(weights.photos_seen);
                weights.mean(unseen).max(UNSEEN_MIN)
            }
        })
    }

    /// Estimates how many unseen photos a search for the person would find.
    pub fn fresh(&self, person: Subject, photos_per_search: f64) -> f64 {
        self.weights(person).map_or(0.0, |weights| {
            if weights.is_exhausted {
                0.0
            } else {
                let unseen = |photos: f64| photos - f64::from(weights.photos_seen);
                weights.mean(|photos| unseen(photos).min(photos_per_search))
            }
        })
    }

    /// Returns whether all photos of a person seem to be known.
    pub fn is_exhausted(&self, person: Subject) -> bool {
        self.weights(person)
            .is_some_and(|weights| weights.is_exhausted)
    }

    /// Returns the place of a person's weights.
    fn place(&self, person: Subject) -> Option<usize> {
        if let Some(person) = self.knowledge.person_of(person) {
            return usize::try_from(person.0).ok();
        }
        let who = self.knowledge.somebody(person)?;
        Some(self.recognised + who.place()?)
    }

    fn weights(&self, person: Subject) -> Option<&Weights> {
        self.people.get(self.place(person)?)
    }

    fn weights_mut(&mut self, person: Subject) -> Option<&mut Weights> {
        let place = self.place(person)?;
        self.people.get_mut(place)
    }

    fn take_in(
        &mut self,
        (key, asked): (&ListKey, &AskedQuery),
        shown: &ShownPhotos,
        worth: &QuestionWorth,
    ) {
        let named: Vec<Subject> = asked
            .named()
            .iter()
            .map(|subject| {
                let person = self.knowledge.person_of(*subject);
                person.map_or(*subject, |person| self.knowledge.subject_of(person))
            })
            .filter(|subject| self.weights(*subject).is_some())
            .collect();
        let shares: Vec<Share> = named
            .iter()
            .map(|person| self.share(*person, &shown.photos))
            .collect();
        for share in &shares {
            let other = shares.iter().find(|other| other.person != share.person);
            if let Some(weights) = self.weights_mut(share.person) {
                weights.recapture(share.shown, share.repeated);
                if let Some(other) = other {
                    weights.compare(share, other);
                }
                weights.is_known = true;
                // If an answer about two people is short, this says nothing about a person whom none of its photos
                // shows.
                let tells = share.shown > 0 || shares.len() == 1;
                weights.is_exhausted |= tells && shown.are_all;
                let works = !worth.has_failed(key.source, asked.wording(), asked.named().len());
                if asked.hits().is_empty() && works {
                    // An empty answer counts like a search that found only known photos.
                    weights.find_only_known();
                }
                weights.normalise();
            }
        }
        for photo in shown.photos.iter().filter(|photo| !photo.is_repeated) {
            for person in &photo.people {
                let is_named = named.contains(person);
                if let Some(weights) = self.weights_mut(*person) {
                    weights.photos_seen += 1;
                    if !is_named {
                        weights.found_by_others();
                    }
                }
            }
        }
    }

    fn share(&self, person: Subject, shown: &[Shown]) -> Share {
        let (mut seen, mut repeated) = (0, 0);
        for photo in shown.iter().filter(|photo| photo.people.contains(&person)) {
            seen += 1;
            repeated += u32::from(photo.is_repeated);
        }
        Share {
            person,
            shown: seen,
            repeated,
            magnitude_before: self
                .weights(person)
                .map_or(1.0, |weights| weights.mean(|photos| photos)),
        }
    }
}

/// The photos of a list that count as seen, and whether they are all that there are.
struct ShownPhotos {
    photos: Vec<Shown>,
    are_all: bool,
}

/// The photos that earlier queries brought.
struct PhotosBefore<'run> {
    facts: &'run Facts,
    /// By the number of the sighting or, if names decide, of the hinted photo.
    seen: Vec<bool>,
}

impl<'run> PhotosBefore<'run> {
    fn new(facts: &'run Facts) -> Self {
        let knowledge = facts.knowledge();
        let photos = if facts.names_decide() {
            knowledge.hints().photos_count()
        } else {
            knowledge.sightings().len()
        };
        Self {
            facts,
            seen: vec![false; photos],
        }
    }

    /// Returns the photos of a list that count as seen.
    fn shown(&mut self, list: usize, asked: &AskedQuery) -> ShownPhotos {
        if self.facts.names_decide() {
            ShownPhotos {
                photos: self.read(list, asked),
                // Another image search may have further photos.
                are_all: !asked.has_more() && self.facts.request().sources.len() < 2,
            }
        } else {
            ShownPhotos {
                photos: self.looked_at(asked),
                are_all: !asked.has_more() && asked.is_all_known(),
            }
        }
    }

    fn is_repeated(&mut self, photo: Option<usize>) -> bool {
        let before = photo.and_then(|photo| self.seen.get_mut(photo));
        before.is_some_and(|before| std::mem::replace(before, true))
    }

    /// Returns all photos of a list: those that were looked at with the people in them, and the others with the people
    /// whom they probably show.
    fn read(&mut self, list: usize, asked: &AskedQuery) -> Vec<Shown> {
        let knowledge = self.facts.knowledge();
        let photos = knowledge.hints().photos_of_list(list);
        let photos = photos.enumerate().map(|(place, (photo, hinted))| {
            let people = match asked.memory(place) {
                Some(PhotoMemory::Seen(reference) | PhotoMemory::Copy(reference)) => {
                    let sighting = knowledge.sighting(reference);
                    sighting.map_or_else(Vec::new, |sighting| sure_people(knowledge, sighting))
                }
                Some(PhotoMemory::Useless | PhotoMemory::Rejected) => Vec::new(),
                None => {
                    let probable = hinted.iter().filter(|(_, chance)| *chance >= PROBABLE);
                    probable
                        .map(|(who, _)| knowledge.subject_of_somebody(*who))
                        .collect()
                }
            };
            (photo, people)
        });
        let photos: Vec<(usize, Vec<Subject>)> = photos.collect();
        photos
            .into_iter()
            .map(|(photo, people)| Shown {
                people,
                is_repeated: self.is_repeated(Some(photo)),
            })
            .collect()
    }

    /// Returns the photos of a list that were looked at.
    fn looked_at(&mut self, asked: &AskedQuery) -> Vec<Shown> {
        let knowledge = self.facts.knowledge();
        // A hit that was left over counts only if it was looked at for this query.
        let looked_at = (0..asked.hits().len()).filter(|place| asked.has_looked_at(*place));
        let sightings = looked_at.filter_map(|place| match asked.memory(place)? {
            PhotoMemory::Seen(reference) | PhotoMemory::Copy(reference) => {
                knowledge.sighting(reference)
            }
            PhotoMemory::Useless | PhotoMemory::Rejected => None,
        });
        let sightings: Vec<&Sighting> = sightings.collect();
        sightings
            .into_iter()
            .map(|sighting| {
                let position = sighting.reference.0.saturating_sub(1);
                Shown {
                    people: sure_people(knowledge, sighting),
                    is_repeated: self.is_repeated(usize::try_from(position).ok()),
                }
            })
            .collect()
    }
}

/// Returns the people whom a photo shows at the threshold.
fn sure_people(knowledge: &Knowledge, sighting: &Sighting) -> Vec<Subject> {
    let threshold = knowledge.threshold();
    let faces = sighting.faces.iter();
    let sure = faces.filter(|face| face.confidence >= threshold);
    sure.map(|face| knowledge.subject_of(face.person)).collect()
}

impl Weights {
    fn new() -> Self {
        let mut of_magnitudes = [0.0; MAGNITUDES];
        // The weight is (1 - 1/64)^photos. Each magnitude has twice the photos of the one before, so its weight is the
        // square of that one's.
        let mut weight = 1.0 - 1.0 / PHOTOS_TYPICAL_MAX;
        for of_magnitude in &mut of_magnitudes {
            *of_magnitude = weight;
            weight *= weight;
        }
        Self {
            of_magnitudes,
            photos_seen: 0,
            is_known: false,
            is_exhausted: false,
        }
    }

    /// Returns each magnitude's number of photos with its mutable weight.
    fn each(&mut self) -> impl Iterator<Item = (f64, &mut f64)> {
        magnitudes().zip(&mut self.of_magnitudes)
    }

    /// Returns the mean of a count over the magnitudes. A count below 0 counts as 0.
    fn mean(&self, count: impl Fn(f64) -> f64) -> f64 {
        let (sum, all) = magnitudes()
            .zip(&self.of_magnitudes)
            .fold((0.0, 0.0), |(sum, all), (photos, weight)| {
                (sum + weight * count(photos).max(0.0), all + weight)
            });
        if all > 0.0 { sum / all } else { 0.0 }
    }

    /// Reweighs the magnitudes by the likelihood that this many of the shown photos are repeats, given the number of
    /// photos seen before.
    fn recapture(&mut self, shown: u32, repeated: u32) {
        let seen = f64::from(self.photos_seen);
        for (photos, weight) in self.each() {
            let repeats = (seen / photos).clamp(REPEAT_MIN, REPEAT_MAX);
            for _ in 0..repeated {
                *weight *= repeats;
            }
            for _ in repeated..shown {
                *weight *= 1.0 - repeats;
            }
        }
    }

    /// Notes that a search found only known photos.
    fn find_only_known(&mut self) {
        self.photos_seen = self.photos_seen.max(1);
        self.recapture(EMPTY_REPEATS, EMPTY_REPEATS);
    }

    /// Reweighs the magnitudes by the likelihood that a query shows this many photos of each of its two people.
    fn compare(&mut self, share: &Share, other: &Share) {
        let of_other = other.magnitude_before;
        for (photos, weight) in self.each() {
            let all = photos + of_other;
            for _ in 0..share.shown {
                *weight *= photos / all;
            }
            for _ in 0..other.shown {
                *weight *= of_other / all;
            }
        }
    }

    /// Notes one more photo of the person that was found by a search for others. The first one only makes the person
    /// known: people with more photos are more likely to be seen at all, but there are fewer such people, and the two
    /// effects cancel out. Each further photo counts half, because friends are photographed together, so a second photo
    /// with the same friends is little news.
    fn found_by_others(&mut self) {
        if self.is_known {
            for (photos, weight) in self.each() {
                *weight *= photos.sqrt();
            }
            self.normalise();
        }
        self.is_known = true;
    }

    /// Notes that the words beside this many photos name the person. Photos beyond [`NAMED_IN_MAX`] do not count.
    fn named_in(&mut self, photos: f64) {
        let mut left = photos.min(NAMED_IN_MAX);
        while left >= 0.5 {
            for (photos, weight) in self.each() {
                *weight *= photos.sqrt();
            }
            self.normalise();
            left -= 1.0;
        }
    }

    fn normalise(&mut self) {
        let all: f64 = self.of_magnitudes.iter().sum();
        if all > 0.0 {
            for weight in &mut self.of_magnitudes {
                *weight /= all;
            }
        }
    }
}

fn magnitudes() -> impl Iterator<Item = f64> {
    std::iter::successors(Some(1.0), |photos| Some(2.0 * photos)).take(MAGNITUDES)
}

/// Returns whether a person of the request may still be seen within the budget: either an image search was not asked
/// for the person, or few of the photos found for the person were looked at and some are left over.
pub fn may_still_show(side: Side, view: View) -> bool {
    let (facts, budget) = (view.facts(), view.budget());
    let is_refused = |kind| matches!(budget.permission(kind), Permission::Refused(_));
    if is_refused(CallKind::Recognition) {
        return false;
    }
    let subject = Subject::Typed(side);
    let lists: Vec<(usize, &AskedQuery)> = facts
        .knowledge()
        .lists()
        .filter(|(_, asked)| asked.is_answered() && asked.named() == [subject])
        .map(|(key, asked)| (key.source, asked))
        .collect();
    let sources = facts.request().sources.len().max(1);
    // If a query of a name and further words has no hits, this says nothing about the name alone.
    let was_asked = |source: usize| {
        let mut of_source = lists.iter().filter(|(of, _)| *of == source);
        of_source.any(|(_, asked)| asked.wording() == Wording::Names || !asked.hits().is_empty())
    };
    if !is_refused(CallKind::Search) && !(0..sources).all(was_asked) {
        return true;
    }
    let mut left = lists.iter().map(|(_, asked)| {
        let places = view.scheduler().leftovers_of(asked, 1);
        places.len()
    });
    let looked_max = if facts.names_decide() {
        PHOTOS_UNTIL_UNKNOWN
    } else {
        PHOTOS_LOOKED_MAX
    };
    facts.photos_looked_for(side) < looked_max && left.any(|left| left > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(shown: u32, magnitude_before: f64) -> Share {
        Share {
            person: Subject::Typed(Side::A),
            shown,
            repeated: 0,
            magnitude_before,
        }
    }

    fn photos(change: impl Fn(&mut Weights)) -> f64 {
        let mut weights = Weights::new();
        change(&mut weights);
        weights.mean(|photos| photos)
    }

    #[test]
    fn at_first_a_person_may_be_in_few_or_in_many_photos() {
        let mean = photos(|_| ());
        assert!((10.0..64.0).contains(&mean), "{mean}");
    }

    #[test]
    fn the_more_photos_that_others_searches_found_the_more_there_are() {
        let found =
            |times: u32| photos(|weights| (0..times).for_each(|_| weights.found_by_others()));
        assert!(
            (found(1) - found(0)).abs() < 1e-9,
            "the first proves nothing"
        );
        assert!(found(2) > 1.5 * found(1));
        assert!(found(3) > 1.2 * found(2));
    }

    #[test]
    fn photos_that_repeat_mean_that_there_are_few() {
        let after = |repeated| {
            photos(|weights| {
                weights.photos_seen = 5;
                weights.recapture(5, repeated);
            })
        };
        assert!(after(0) > 2.0 * after(2));
        assert!(after(2) > 1.2 * after(5));
    }

    #[test]
    fn a_search_for_two_shows_more_of_the_better_known() {
        let beside = |shown, of_other| {
            photos(|weights| weights.compare(&share(shown, 1.0), &share(of_other, 30.0)))
        };
        assert!(beside(4, 1) > 2.0 * beside(1, 4));
    }
}
