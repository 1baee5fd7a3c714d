//! The remembered photos that the machine is not allowed to know yet, and the chains that they make.
//!
//! The machine learns how many photos make a chain, but nothing else about a photo until its bytes have arrived: see
//! [`domain::MemoryUse::Shown`]. Therefore this module, not the machine, looks for the chain. It makes no requests: the
//! caller makes them, and passes each answer in.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Confidence, Hit, PeopleToRecall, PersonToRecall, RECALL_PEOPLE_MAX, RECALL_TOWARD_MAX,
    RECALLS_MAX, RecalledPhoto, Sha256Digest, SidesToConnect, spellings,
};

/// The most questions to the memory for a run's first chain. The next constant is the limit for each later chain.
const QUESTIONS_AT_FIRST: usize = 40;
const QUESTIONS_LATER: usize = 8;

/// The photos that were recalled in one run.
#[derive(Debug)]
pub struct KnownPhotos {
    people: Vec<KnownPerson>,
    by_id: BTreeMap<String, usize>,
    photos: Vec<KnownPhoto>,
    digests: BTreeSet<Sha256Digest>,
    /// The people whose photos were requested, by their keys from [`asked_by`].
    asked: BTreeSet<String>,
    questions_left: usize,
}

/// A remembered photo, without the people whom it shows.
#[derive(Debug, Clone, PartialEq)]
pub struct PhotoToFetch {
    /// The origin of the photo.
    pub hit: Hit,
    /// The SHA-256 of the recognised bytes.
    pub digest: Sha256Digest,
}

#[derive(Debug)]
struct KnownPerson {
    id: String,
    name: String,
    /// The folded forms of the name.
    spellings: Vec<String>,
    number: Option<String>,
    /// The number of recalled photos that show the person.
    photos: usize,
}

#[derive(Debug)]
struct KnownPhoto {
    photo: PhotoToFetch,
    people: Vec<(usize, Confidence)>,
    /// Whether this run cannot use the photo, because its bytes or the stored recognition are unavailable, or because a
    /// check has vetoed it.
    is_gone: bool,
}

/// How a person is reached from a side.
#[derive(Debug, Clone, Copy)]
struct Way {
    hops: u32,
    /// The number of photos on the way. Links that are already proven have none.
    photos: u32,
    weakest: Confidence,
    /// The person before this one on the way, and the photo that shows both; `None` at the start of the side.
    by: Option<(usize, usize)>,
}

type Ways = Vec<Option<Way>>;

impl Default for KnownPhotos {
    fn default() -> Self {
        Self {
            people: Vec::new(),
            by_id: BTreeMap::new(),
            photos: Vec::new(),
            digests: BTreeSet::new(),
            asked: BTreeSet::new(),
            questions_left: RECALLS_MAX,
        }
    }
}

impl KnownPhotos {
    /// Returns the largest number of questions that may be asked for the next chain.
    #[must_use]
    pub fn questions_for(sides: &SidesToConnect) -> usize {
        if sides.round == 0 {
            QUESTIONS_AT_FIRST
        } else {
            QUESTIONS_LATER
        }
    }

    /// Returns the next question for photos that may connect these sides; `None` if no question could lead to a chain
    /// shorter than the known one, or if no questions are left.
    pub fn next_question(&mut self, sides: &SidesToConnect) -> Option<PeopleToRecall> {
        self.questions_left = self.questions_left.checked_sub(1)?;
        let ways = [0, 1].map(|side| self.ways(sides, side));
        let (people, side) = match self.next_start(sides) {
            Some((person, side)) => (vec![person], side),
            None => self.next_people(sides, &ways)?,
        };
        let known = people.iter().map(asked_by);
        self.asked.extend(known);
        let other = ways.get(1 - side)?;
        Some(PeopleToRecall {
            toward: self.nearest(other, RECALL_TOWARD_MAX),
            people,
        })
    }

    /// Takes the answer to a question.
    pub fn take(&mut self, photos: Vec<RecalledPhoto>) {
        for photo in photos {
            if !self.digests.insert(photo.digest.clone()) {
                continue;
            }
            let people = photo.people.into_iter().map(|one| {
                let people = &mut self.people;
                let place = *self.by_id.entry(one.id.clone()).or_insert_with(|| {
                    people.push(KnownPerson {
                        spellings: spellings(&one.name),
                        id: one.id,
                        name: one.name,
                        number: one.number,
                        photos: 0,
                    });
                    people.len() - 1
                });
                if let Some(known) = people.get_mut(place) {
                    known.photos += 1;
                }
                (place, one.confidence)
            });
            self.photos.push(KnownPhoto {
                people: people.collect(),
                photo: PhotoToFetch {
                    hit: photo.hit,
                    digest: photo.digest,
                },
                is_gone: false,
            });
        }
    }

    /// Notes that a photo cannot be used in this run, so that chains avoid it from now on.
    pub fn note_gone(&mut self, digest: &Sha256Digest) {
        let mut photos = self.photos.iter_mut();
        if let Some(photo) = photos.find(|one| one.photo.digest == *digest) {
            photo.is_gone = true;
        }
    }

    /// Returns the photos of the shortest chain between these sides. Among equally short chains, it is the one with the
    /// fewest photos; among those, the one whose weakest link has the highest confidence. Empty if no chain is known,
    /// or if the chain has too many photos.
    #[must_use]
    pub fn chain(&self, sides: &SidesToConnect) -> Vec<PhotoToFetch> {
        let ways = [0, 1].map(|side| self.ways(sides, side));
        let Some((middle, _)) = meeting(&ways, sides.hops_max) else {
            return Vec::new();
        };
        let mut photos = Vec::new();
        for ways in &ways {
            let mut at = middle;
            while let Some((before, photo)) = ways.get(at).copied().flatten().and_then(|one| one.by)
            {
                photos.extend(self.photos.get(photo).map(|one| one.photo.clone()));
                at = before;
            }
        }
        photos.truncate(sides.photos_max.saturating_add(1));
        if photos.len() > sides.photos_max {
            photos.clear();
        }
        photos
    }

    /// Returns a person whose photos were not requested, and the number of the person's side. The two people of the
    /// request come first.
    fn next_start(&self, sides: &SidesToConnect) -> Option<(PersonToRecall, usize)> {
        let longest = sides.sides.iter().map(Vec::len).max().unwrap_or(0);
        let places = (0..longest).flat_map(|place| [(place, 0), (place, 1)]);
        let mut people = places.filter_map(|(place, side)| {
            let person = &sides.sides.get(side)?.get(place)?.person;
            Some((person.clone(), side))
        });
        people.find(|(person, _)| !self.asked.contains(&asked_by(person)))
    }

    /// Returns one side's nearest people whose photos were not requested, and the side's number. Of the two sides, this
    /// is the one with fewer such people. `None` if there are none, or they cannot lead to a chain shorter than the
    /// known one.
    fn next_people(
        &self,
        sides: &SidesToConnect,
        ways: &[Ways; 2],
    ) -> Option<(Vec<PersonToRecall>, usize)> {
        let [of_a, of_b] = ways
            .each_ref()
            .map(|ways| self.unasked(ways, sides.hops_max));
        let hops = |unasked: &Vec<(u32, usize)>| unasked.first().map_or(u32::MAX, |one| one.0);
        // A chain that is not known yet would lead through people of both sides whose photos were not requested, so it
        // would have at least this many links.
        let least = hops(&of_a).saturating_add(hops(&of_b)).saturating_add(1);
        if meeting(ways, sides.hops_max).is_some_and(|(_, known)| known <= least) {
            return None;
        }
        let is_a = of_b.is_empty() || (!of_a.is_empty() && of_a.len() <= of_b.len());
        let (people, side) = if is_a { (of_a, 0) } else { (of_b, 1) };
        let people: Vec<PersonToRecall> = people
            .into_iter()
            .take(RECALL_PEOPLE_MAX)
            .filter_map(|(_, who)| {
                let person = self.people.get(who)?;
                Some(PersonToRecall {
                    id: Some(person.id.clone()),
                    name: person.name.clone(),
                    wikidata: None,
                })
            })
            .collect();
        (!people.is_empty()).then_some((people, side))
    }

    /// Returns the nearest people whose photos were not requested, as pairs of the number of hops and the person.
    fn unasked(&self, ways: &Ways, hops_max: u32) -> Vec<(u32, usize)> {
        let mut found = self.in_order(ways).into_iter().filter(|(hops, who)| {
            let known = self.people.get(*who);
            *hops < hops_max && known.is_some_and(|known| !self.asked.contains(&known.id))
        });
        let Some(first) = found.next() else {
            return Vec::new();
        };
        let others = found.take_while(|(hops, _)| *hops == first.0);
        std::iter::once(first).chain(others).collect()
    }

    /// Returns the ids of the nearest people of a side.
    fn nearest(&self, ways: &Ways, people_max: usize) -> Vec<String> {
        let people = self
            .in_order(ways)
            .into_iter()
            .take(people_max)
            .filter_map(|(_, who)| self.people.get(who));
        people.map(|person| person.id.clone()).collect()
    }

    /// Returns the people who are reached, as pairs of the number of hops and the person. The nearest come first. Among
    /// equally near people, those in the most photos come first, because they were probably seen with the most people.
    fn in_order(&self, ways: &Ways) -> Vec<(u32, usize)> {
        let mut reached: Vec<_> = ways
            .iter()
            .zip(&self.people)
            .enumerate()
            .filter_map(|(who, (way, known))| {
                let way = way.as_ref()?;
                Some((way.hops, Reverse(known.photos), Reverse(way.weakest), who))
            })
            .collect();
        reached.sort();
        let reached = reached.into_iter();
        reached.map(|(hops, _, _, who)| (hops, who)).collect()
    }

    /// Returns the best way from a side to each person; `None` for a person who is not reached. The best way is the
    /// shortest; among equally short ones, the one whose weakest link has the highest confidence.
    fn ways(&self, sides: &SidesToConnect, side: usize) -> Ways {
        let threshold = Confidence::clamped(f64::from(sides.threshold_percent));
        let mut ways: Ways = vec![None; self.people.len()];
        for start in sides.sides.get(side).into_iter().flatten() {
            for who in self.places_of(&start.person) {
                if let Some(way @ None) = ways.get_mut(who) {
                    *way = Some(Way {
                        hops: start.hops,
                        photos: 0,
                        weakest: Confidence::clamped(100.0),
                        by: None,
                    });
                }
            }
        }
        for hops in 0..sides.hops_max {
            for (number, photo) in self.photos.iter().enumerate() {
                if photo.is_gone {
                    continue;
                }
                let sure: Vec<(usize, Confidence)> = photo
                    .people
                    .iter()
                    .filter(|(who, confidence)| {
                        *confidence >= threshold && self.may_be_on_chain(sides, *who)
                    })
                    .copied()
                    .collect();
                Self::step(&mut ways, (hops, number), &sure);
            }
        }
        ways
    }

    /// Extends the ways that have `hops` hops by the links that one photo makes. `sure` lists the people in the photo.
    fn step(ways: &mut Ways, (hops, photo): (u32, usize), sure: &[(usize, Confidence)]) {
        for (one, of_one) in sure {
            let Some(before) = ways.get(*one).copied().flatten() else {
                continue;
            };
            if before.hops != hops {
                continue;
            }
            for (other, of_other) in sure.iter().filter(|(other, _)| other != one) {
                let weakest = before.weakest.min(*of_one).min(*of_other);
                let is_better = |known: &Way| {
                    (known.hops, known.photos, Reverse(known.weakest))
                        > (hops + 1, before.photos + 1, Reverse(weakest))
                };
                if let Some(way) = ways.get_mut(*other)
                    && way.as_ref().is_none_or(is_better)
                {
                    *way = Some(Way {
                        hops: hops + 1,
                        photos: before.photos + 1,
                        weakest,
                        by: Some((*one, photo)),
                    });
                }
            }
        }
    }

    fn may_be_on_chain(&self, sides: &SidesToConnect, who: usize) -> bool {
        let known = self.people.get(who);
        known.is_some_and(|known| !known.has_name_of(&sides.avoid))
    }

    /// Returns the known people who match this one by id, or else by number, or else by name.
    fn places_of(&self, person: &PersonToRecall) -> Vec<usize> {
        if let Some(id) = &person.id {
            return self.by_id.get(id).copied().into_iter().collect();
        }
        let names = spellings(&person.name);
        let people = self
            .people
            .iter()
            .enumerate()
            .filter(|(_, known)| match &person.wikidata {
                Some(_) => known.number == person.wikidata,
                None => known.has_name_of(&names),
            });
        people.map(|(place, _)| place).collect()
    }
}

impl KnownPerson {
    /// Returns whether one of these folded names is a spelling of the person's name.
    fn has_name_of(&self, names: &[String]) -> bool {
        self.spellings.iter().any(|name| names.contains(name))
    }
}

/// Returns the id, number or name under which a person's photos are requested.
fn asked_by(person: &PersonToRecall) -> String {
    let id = person.id.clone();
    id.unwrap_or_else(|| {
        let number = person.wikidata.as_deref().unwrap_or_default();
        format!("typed:{number}:{}", person.name)
    })
}

/// Returns the person in whom the ways from both sides meet, and the number of links of the chain through them. Prefers
/// the shortest chain, then the one with the fewest photos to look at, then the one whose weakest link has the highest
/// confidence.
fn meeting([of_a, of_b]: &[Ways; 2], hops_max: u32) -> Option<(usize, u32)> {
    let both = of_a
        .iter()
        .zip(of_b)
        .enumerate()
        .filter_map(|(who, (a, b))| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            let (hops, photos) = (a.hops.saturating_add(b.hops), a.photos + b.photos);
            // A chain without photos to look at is proven already.
            let is_chain = photos > 0 && hops <= hops_max;
            let weakest = Reverse(a.weakest.min(b.weakest));
            is_chain.then_some((hops, photos, weakest, who))
        });
    let best = both.min();
    best.map(|(hops, _, _, who)| (who, hops))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{PersonToConnect, RecalledPerson};

    /// A photo with this number that shows these people: id, name and Wikidata number.
    fn photo(number: u8, people: &[(&str, &str, Option<&str>)]) -> RecalledPhoto {
        let people = people.iter().map(|(id, name, number)| RecalledPerson {
            id: (*id).to_owned(),
            name: (*name).to_owned(),
            number: number.map(str::to_owned),
            confidence: Confidence::clamped(95.0),
        });
        RecalledPhoto {
            digest: Sha256Digest::new([number; 32]),
            hit: Hit::default(),
            people: people.collect(),
        }
    }

    fn typed(name: &str, number: Option<&str>) -> PersonToConnect {
        PersonToConnect {
            person: PersonToRecall {
                id: None,
                name: name.to_owned(),
                wikidata: number.map(str::to_owned),
            },
            hops: 0,
        }
    }

    fn sides(one: PersonToConnect, other: PersonToConnect, avoid: &[&str]) -> SidesToConnect {
        SidesToConnect {
            sides: [vec![one], vec![other]],
            hops_max: 6,
            threshold_percent: 80,
            avoid: avoid.iter().flat_map(|name| spellings(name)).collect(),
            photos_max: 30,
            round: 0,
        }
    }

    /// One photo of West and Rocky, one of Rocky and Jay, and a third of West and Jay.
    fn known() -> KnownPhotos {
        let west = ("w", "Kanye West", Some("Q15935"));
        let rocky = ("r", "A$AP Rocky", None);
        let jay = ("j", "JAY-Z", None);
        let mut known = KnownPhotos::default();
        known.take(vec![
            photo(1, &[west, rocky]),
            photo(2, &[rocky, jay]),
            photo(3, &[west, jay]),
        ]);
        known
    }

    #[track_caller]
    fn check(known: &KnownPhotos, sides: &SidesToConnect, expect: &[u8]) {
        let chain = known.chain(sides);
        let mut digests: Vec<Sha256Digest> = chain.into_iter().map(|one| one.digest).collect();
        digests.sort();
        let expect: Vec<_> = expect
            .iter()
            .map(|one| Sha256Digest::new([*one; 32]))
            .collect();
        assert_eq!(digests, expect, "{sides:?}");
    }

    #[test]
    fn somebody_is_known_by_the_number_whatever_the_name() {
        let known = known();
        let jay = || typed("JayZ", None);
        check(
            &known,
            &sides(typed("Ye", Some("Q15935")), jay(), &[]),
            &[3],
        );
        check(
            &known,
            &sides(typed("Kanye West", Some("Q1")), jay(), &[]),
            &[],
        );
        check(&known, &sides(typed("Kanye West", None), jay(), &[]), &[3]);
    }

    #[test]
    fn a_chain_that_cannot_hold_gives_way_to_another() {
        let mut known = known();
        let both = |avoid: &[&str]| sides(typed("kanye west", None), typed("Jay Z", None), avoid);
        check(&known, &both(&[]), &[3]);
        known.note_gone(&Sha256Digest::new([3; 32]));
        check(&known, &both(&[]), &[1, 2]);
        check(&known, &both(&["ASAP Rocky"]), &[]);
    }
}
