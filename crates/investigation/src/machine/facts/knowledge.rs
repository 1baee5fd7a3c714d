//! The knowledge of a run: people, photos, who was seen with whom, and what was asked. Photos are identified by
//! address, digest and fingerprint, so that none is paid for twice.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Binding, Confidence, DateDoubt, Edge, EvidenceGraph, EvidenceRef, Face, FaceDoubt, Fingerprint,
    FoundHits, Hit, Life, Limits, Pair, People, PersonIndex, PersonNumber, PhotoCopy, Placements,
    Provenance, RecalledPerson, RecalledPhoto, SeenFace, Sha256Digest, Side, SidesToConnect,
    Sighting, TypedPerson, WordUse, Wording, fold,
};

use crate::judgement;
use crate::machine::hints::{Hints, Somebody};
use crate::machine::interface::{Fetched, Recognised, Request};

use super::Subject;
use super::query::{AskedQuery, Extent, ListKey, Lists};

/// The knowledge of a run.
#[derive(Debug, Clone)]
pub struct Knowledge {
    /// The lives of people of the request, as far as known.
    lives: Vec<Life>,
    people: People,
    threshold: Confidence,
    sightings: Vec<Sighting>,
    together: EvidenceGraph,
    lists: Lists,
    hints: Hints,
    photos: PhotoMemories,
    /// The digests of recalled photos, by their addresses.
    recalled: BTreeMap<String, Sha256Digest>,
    /// The photos of which the run knows only the remembered chain that they belong to, and their place in it. The key
    /// stands in for the photo's address.
    unseen: BTreeMap<String, (Box<SidesToConnect>, usize)>,
    /// For each person, the photos found by queries that do not name them.
    found_in_others: BTreeMap<PersonIndex, BTreeSet<EvidenceRef>>,
}

impl Knowledge {
    /// Creates the knowledge of a run that begins.
    pub fn new(request: &Request) -> Self {
        Self {
            lives: Vec::new(),
            people: People::new(request.person_a.clone(), request.person_b.clone()),
            threshold: Confidence::clamped(f64::from(request.limits.threshold_percent)),
            sightings: Vec::new(),
            together: EvidenceGraph::default(),
            lists: Lists::default(),
            hints: Hints::new(
                [&request.person_a, &request.person_b].map(TypedPerson::as_str),
                request.limits.words == WordUse::HintsFirst,
            ),
            photos: PhotoMemories::default(),
            recalled: BTreeMap::new(),
            unseen: BTreeMap::new(),
            found_in_others: BTreeMap::new(),
        }
    }

    /// Returns all people whom the recogniser has named, including those below the threshold.
    #[must_use]
    pub fn people(&self) -> &People {
        &self.people
    }

    /// Returns every recognised photo, in order; `ev1` is the first.
    #[must_use]
    pub fn sightings(&self) -> &[Sighting] {
        &self.sightings
    }

    /// Returns the sighting with this number.
    #[must_use]
    pub fn sighting(&self, reference: EvidenceRef) -> Option<&Sighting> {
        self.sightings
            .get(usize::try_from(reference.0.checked_sub(1)?).ok()?)
    }

    /// Returns the graph of all pairs who were seen together at the threshold.
    #[must_use]
    pub fn together(&self) -> &EvidenceGraph {
        &self.together
    }

    /// Returns the queries in the order in which they were asked.
    #[must_use]
    pub fn queries(&self) -> Vec<&str> {
        self.lists.queries()
    }

    /// Returns the lists in the order of their first requests.
    pub fn lists(&self) -> impl Iterator<Item = (&ListKey, &AskedQuery)> {
        self.lists.iter()
    }

    /// Returns the photo addresses that were tried, in the order of the addresses.
    pub fn image_urls(&self) -> impl Iterator<Item = &str> {
        self.photos.urls()
    }

    /// Returns the least confidence that counts.
    #[must_use]
    pub fn threshold(&self) -> Confidence {
        self.threshold
    }

    /// Returns a query to any image search, preferably an answered one.
    #[must_use]
    pub fn asked(&self, query: &str) -> Option<&AskedQuery> {
        self.lists.of_any(query)
    }

    /// Returns a query to one image search.
    #[must_use]
    pub fn list(&self, key: &ListKey) -> Option<&AskedQuery> {
        self.lists.get(key)
    }

    /// Returns how many different photos all queries have found, looked at or not.
    #[must_use]
    pub fn photos_found(&self) -> usize {
        self.lists.photos_found()
    }

    /// Notes that a query requests a page of its list.
    pub fn note_query(&mut self, key: &ListKey, named: &[Subject], wording: Wording, page: u32) {
        self.lists.note_query(key, named, wording, page);
    }

    /// Notes the hits that a query has found and, if `reads_hints`, the hints in them.
    pub fn note_hits(&mut self, key: &ListKey, found: FoundHits, reads_hints: bool) {
        let first = self.lists.note_hits(key, found, &self.photos);
        let Some((list, first)) = first.filter(|_| reads_hints) else {
            return;
        };
        let Some((_, asked)) = self.lists.numbered(list) else {
            return;
        };
        let named: Vec<Somebody> = asked
            .named()
            .iter()
            .filter_map(|one| self.somebody(*one))
            .collect();
        for (place, hit) in asked.hits().iter().enumerate().skip(first) {
            (self.hints).note_hit(hit, (list, place), (key.source, &named));
        }
    }

    /// Returns whether a query was the first to find a photo.
    #[must_use]
    pub fn is_found_first_by(&self, key: &ListKey, hit: &Hit) -> bool {
        self.lists.is_found_first_by(key, &hit.image_url)
    }

    /// Notes which part of the newest page is looked at.
    pub fn note_extent(&mut self, key: &ListKey, extent: &Extent) {
        self.lists.note_extent(key, extent);
    }

    /// Notes recalled photos, as hints of the people whom they show at the threshold.
    pub fn note_recalled(&mut self, photos: Vec<RecalledPhoto>) {
        for photo in photos {
            let RecalledPhoto {
                digest,
                hit,
                people,
            } = photo;
            let url = hit.image_url.clone();
            let known = self.photos.at(&url);
            if known.is_some() {
                continue;
            }
            let people = people.into_iter();
            let sure: Vec<RecalledPerson> = people
                .filter(|person| person.confidence >= self.threshold)
                .collect();
            self.recalled.insert(url.clone(), digest);
            let at = self.lists.note_recalled(hit, known);
            self.hints.note_recalled(&url, at, &sure);
        }
    }

    /// Returns the hints about whom photos may show.
    #[must_use]
    pub fn hints(&self) -> &Hints {
        &self.hints
    }

    /// Returns a list by its number in hints.
    #[must_use]
    pub fn numbered_list(&self, list: usize) -> Option<(&ListKey, &AskedQuery)> {
        self.lists.numbered(list)
    }

    /// Returns the subject as a person whom hints are about.
    #[must_use]
    pub fn somebody(&self, subject: Subject) -> Option<Somebody> {
        match subject {
            Subject::Typed(side) => Some(Hints::typed(side)),
            Subject::Person(person) => self.hints.of_person(person),
            Subject::Named(who) => Some(who),
        }
    }

    /// Notes that the photo at this address is not looked at again. Hints about it no longer lead the search.
    pub fn close_hint(&mut self, url: &str) {
        self.hints.close(url);
    }

    /// Takes photos that a query left over and looks at from now on.
    pub fn take_leftovers(&mut self, key: &ListKey, places: &[usize]) -> Vec<Hit> {
        self.lists.take_leftovers(key, places)
    }

    /// Takes a recognised photo, found by a query that names `named`: the people in it, and the edges that it proves.
    ///
    /// A vetoed photo binds typed names like any other: each half of a collage is a photo of somebody. But it may put
    /// people beside each other who never met, so it proves no edge and does not show people together.
    pub fn see(
        &mut self,
        (hit, fetched): (&Hit, &Fetched),
        query: &str,
        named: &[Subject],
        recognised: &Recognised,
        limits: &Limits,
    ) -> (EvidenceRef, Vec<Binding>) {
        let number = u32::try_from(self.sightings.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let reference = EvidenceRef(number);
        let mut seen = SeenFaces::new(self.threshold);
        let mut bindings = Vec::new();
        for face in recognised.faces.iter().filter(|face| !is_nameless(face)) {
            let person = self.people.resolve(face);
            seen.add(person, face);
            // A person seen below the threshold is not recognised.
            if face.confidence >= self.threshold {
                bindings.extend(self.people.bind(person, &face.name));
            }
            self.note_hinted(person, &face.name);
        }
        let twice = match limits.words {
            WordUse::Doubts | WordUse::HintsFirst => seen.twice(),
            // Runs of older orders are replayed as they were.
            WordUse::Ignored | WordUse::Hints => Vec::new(),
        };
        let (seen, face_doubt) = seen.finish();
        let sure: Vec<PersonIndex> = seen
            .iter()
            .filter(|face| face.confidence >= self.threshold)
            .map(|face| face.person)
            .collect();
        self.hints.learn(&hit.image_url, &sure);
        let asked_url = &hit.image_url;
        let hit = judgement::shown_hit(hit, fetched);
        let sighting = Sighting {
            reference,
            hit: shown(hit, fetched.copy),
            is_thumbnail: fetched.copy == PhotoCopy::Thumbnail,
            digest: fetched.digest.clone(),
            query: query.to_owned(),
            faces: seen,
            collage_check: recognised.collage_check,
            face_doubt,
            twice,
            word_doubt: judgement::word_doubt(limits, hit),
            date_doubt: None,
            provenance: Provenance {
                taken: judgement::taken(hit, fetched),
                ..fetched.provenance.clone()
            },
            remembered: (fetched.remembered.as_deref()).map(|one| one.from.clone()),
            recognised_by: recognised.by.clone(),
        };
        let sighting = Sighting {
            date_doubt: self.date_doubt(&sighting),
            ..sighting
        };
        if sighting.rejection().is_none() {
            self.connect(&sighting, named);
        }
        let seen = PhotoMemory::Seen(reference);
        self.note_photo(asked_url, Some(&fetched.digest), seen);
        if hit.image_url != *asked_url {
            self.note_photo(&hit.image_url, Some(&fetched.digest), seen);
        }
        self.sightings.push(sighting);
        (reference, bindings)
    }

    /// Notes when the people of the request were born and died.
    pub fn note_lives(&mut self, lives: Vec<Life>) {
        self.lives = lives;
        let doubts: Vec<_> = self
            .sightings
            .iter()
            .map(|one| self.date_doubt(one))
            .collect();
        for (sighting, doubt) in self.sightings.iter_mut().zip(doubts) {
            sighting.date_doubt = doubt;
        }
    }

    /// Returns how a photo's date contradicts the life of somebody in it.
    fn date_doubt(&self, sighting: &Sighting) -> Option<DateDoubt> {
        let year = sighting.provenance.taken?.date.year();
        let mut sides = [Side::A, Side::B].into_iter();
        sides.find_map(|side| {
            let number = self.people.given_number(side)?;
            let life = self.lives.iter().find(|life| life.wikidata == *number)?;
            let person = self.people.bound(side)?;
            sighting
                .confidence_of(person)
                .filter(|confidence| *confidence >= self.threshold)?;
            match (life.born, life.died) {
                (Some(born), _) if year < born => Some(DateDoubt::BeforeBirth(person, born)),
                (_, Some(died)) if year > died => Some(DateDoubt::AfterDeath(person, died)),
                _ => None,
            }
        })
    }

    fn note_hinted(&mut self, person: PersonIndex, name: &str) {
        let mut sides = [Side::A, Side::B].into_iter();
        let typed = sides.find(|side| self.people.bound(*side) == Some(person));
        self.hints
            .note_person(person, &domain::fold(name), name, typed);
    }

    fn connect(&mut self, sighting: &Sighting, named: &[Subject]) {
        let named: Vec<PersonIndex> = named
            .iter()
            .filter_map(|subject| self.person_of(*subject))
            .collect();
        let typed = [Side::A, Side::B]
            .into_iter()
            .filter_map(|side| self.people.bound(side));
        let always: Vec<PersonIndex> = typed.chain(named.iter().copied()).collect();
        let paired = sighting.paired_people(self.threshold, &always);
        for (position, one) in paired.iter().enumerate() {
            for other in paired.iter().skip(position + 1) {
                let edge = Pair::new(*one, *other)
                    .and_then(|pair| Edge::from_sighting(sighting, pair, self.threshold));
                if let Some(edge) = edge {
                    self.together.add(edge);
                }
            }
        }
        for person in paired.iter().filter(|person| !named.contains(person)) {
            self.found_in_others
                .entry(*person)
                .or_default()
                .insert(sighting.reference);
        }
    }

    /// Returns the number of photos of a person that other people's queries found.
    pub fn times_found_in_others(&self, person: PersonIndex) -> usize {
        self.found_in_others.get(&person).map_or(0, BTreeSet::len)
    }

    /// Returns whether this photo proves that the two people were together.
    #[must_use]
    pub fn are_shown(&self, one: Subject, other: Subject, reference: EvidenceRef) -> bool {
        let (Some(one), Some(other)) = (self.person_of(one), self.person_of(other)) else {
            return false;
        };
        let edge = self.together.edge(one, other);
        edge.is_some_and(|edge| edge.evidence().contains(&reference))
    }

    /// Returns the person of a subject, if recognised so far.
    #[must_use]
    pub fn person_of(&self, subject: Subject) -> Option<PersonIndex> {
        match subject {
            Subject::Typed(side) => self.people.bound(side),
            Subject::Person(person) => Some(person),
            Subject::Named(who) => self.hints.person(who),
        }
    }

    /// Returns the subject of a person. If a typed name was matched to the person, it is that side's person of the
    /// request.
    #[must_use]
    pub fn subject_of(&self, person: PersonIndex) -> Subject {
        for side in [Side::A, Side::B] {
            if self.people.bound(side) == Some(person) {
                return Subject::Typed(side);
            }
        }
        Subject::Person(person)
    }

    /// Returns the subject as it is known by now: whoever was only named may have been recognised since.
    #[must_use]
    pub fn current(&self, subject: Subject) -> Subject {
        match subject {
            Subject::Named(who) => self.subject_of_somebody(who),
            Subject::Typed(_) | Subject::Person(_) => subject,
        }
    }

    /// Returns the subject of a person whom hints are about.
    #[must_use]
    pub fn subject_of_somebody(&self, who: Somebody) -> Subject {
        let mut sides = [Side::A, Side::B].into_iter();
        if let Some(side) = sides.find(|side| Hints::typed(*side) == who) {
            return Subject::Typed(side);
        }
        let person = self.hints.person(who);
        person.map_or(Subject::Named(who), |person| self.subject_of(person))
    }

    /// Returns the number that identifies a subject, if there is one: the one given with a typed name, or else the
    /// recogniser's.
    pub fn number_of(&self, subject: Subject) -> Option<PersonNumber> {
        if let Subject::Typed(side) = subject
            && let Some(given) = self.people.given_number(side)
        {
            return Some(PersonNumber::Given(given.clone()));
        }
        let person = self.people.person(self.person_of(subject)?)?;
        person.wikidata.clone().map(PersonNumber::Recognised)
    }

    /// Returns the name by which a subject is searched for.
    #[must_use]
    pub fn name_of(&self, subject: Subject) -> &str {
        match subject {
            Subject::Typed(side) => self.people.shown_name(side),
            Subject::Person(person) => self.people.name(person),
            Subject::Named(who) => self.hints.name(who),
        }
    }

    /// Returns what is known of the photo at an address.
    #[must_use]
    pub fn photo_at(&self, url: &str) -> Option<PhotoMemory> {
        self.photos.at(url)
    }

    /// Returns what is known of a fetched photo, by its digest or by the photo that it copies.
    ///
    /// A copy of a collage is recognised itself: it may be one of the collage's parts, and prove what the collage
    /// cannot.
    #[must_use]
    pub fn photo_of(&self, fetched: &Fetched) -> Option<PhotoMemory> {
        let known = self.photos.of(&fetched.digest);
        known.or_else(|| {
            let whole = self.photos.whole_of(&fetched.digest)?;
            let memory = self.photos.of(whole)?;
            if memory == PhotoMemory::Rejected {
                return Some(memory);
            }
            let reference = memory.sighting()?;
            let sighting = self.sighting(reference)?;
            let is_one_photo = sighting.rejection().is_none();
            is_one_photo.then_some(PhotoMemory::Copy(reference))
        })
    }

    /// Returns the digest of the bytes that were recognised at a recalled photo's address.
    #[must_use]
    pub fn recalled_digest(&self, url: &str) -> Option<&Sha256Digest> {
        self.recalled.get(url)
    }

    /// Notes the photos of a remembered chain of which only the length is known. Returns their places among the
    /// recalled photos.
    pub fn note_connected(&mut self, sides: &SidesToConnect, photos: usize) -> Vec<usize> {
        let places = (0..photos).map(|place| {
            let url = format!("memory:{}:{place}", sides.round);
            self.unseen
                .insert(url.clone(), (Box::new(sides.clone()), place));
            let hit = Hit {
                image_url: url,
                ..Hit::default()
            };
            self.lists.note_recalled(hit, None).1
        });
        places.collect()
    }

    /// Returns the chain of a photo that is known only by its place in a remembered chain, and that place.
    #[must_use]
    pub fn unseen_photo(&self, url: &str) -> Option<(&SidesToConnect, usize)> {
        let (sides, place) = self.unseen.get(url)?;
        Some((sides, *place))
    }

    /// Returns the number of photos that are known only by their places in remembered chains.
    #[must_use]
    pub fn unseen_photos(&self) -> usize {
        self.unseen.len()
    }

    /// Notes that a recalled photo has other bytes by now. The hints about it count as false.
    pub fn note_changed_photo(&mut self, url: &str) {
        self.hints.learn(url, &[]);
        self.hints.close(url);
    }

    /// Compares a fetched photo with those fetched before.
    pub fn note_fetched(&mut self, fetched: &Fetched) {
        self.photos.note_fetched(fetched);
    }

    /// Returns whether the photo with this digest is the fetched one, or shows all that the fetched one shows.
    #[must_use]
    pub fn is_shown_by(&self, fetched: &Fetched, digest: &Sha256Digest) -> bool {
        fetched.digest == *digest || self.photos.whole_of(&fetched.digest) == Some(digest)
    }

    /// Notes the outcome for a photo, by its address and, if known, its digest.
    pub fn note_photo(&mut self, url: &str, digest: Option<&Sha256Digest>, memory: PhotoMemory) {
        self.photos.note(url, digest, memory);
        self.lists.note_photo(url, memory);
        self.hints.close(url);
    }
}

/// Returns the hit as evidence of the recognised picture. If a copy was recognised, the photo's own address is left
/// out, because nobody looked at what that address shows.
fn shown(hit: &Hit, copy: PhotoCopy) -> Hit {
    Hit {
        image_url: hit.url(copy).to_owned(),
        ..hit.clone()
    }
}

/// Returns whether a face has neither id nor name.
pub(super) fn is_nameless(face: &Face) -> bool {
    face.id.is_empty() && fold(&face.name).is_empty()
}

/// The faces of one photo while they are collected.
pub(super) struct SeenFaces {
    threshold: Confidence,
    all: Vec<SeenFace>,
}

impl SeenFaces {
    pub fn new(threshold: Confidence) -> Self {
        let all = Vec::new();
        Self { threshold, all }
    }

    pub fn add(&mut self, person: PersonIndex, face: &Face) {
        self.all.push(SeenFace {
            person,
            confidence: face.confidence,
            face_box: face.face_box,
            portrait: face.portrait.clone(),
        });
    }

    /// Returns the people, each once with the highest confidence, and the reason why the photo is doubtful, if any.
    pub fn finish(self) -> (Vec<SeenFace>, Option<FaceDoubt>) {
        let doubt = self.doubt();
        let mut people: Vec<SeenFace> = Vec::new();
        for face in self.all {
            match people.iter_mut().find(|known| known.person == face.person) {
                Some(known) if known.confidence < face.confidence => *known = face,
                Some(_) => {}
                None => people.push(face),
            }
        }
        (people, doubt)
    }

    /// Returns the people who are in the photo twice, in the order in which they were seen.
    pub fn twice(&self) -> Vec<PersonIndex> {
        let mut twice = Vec::new();
        for doubt in self.doubts() {
            if let FaceDoubt::Twice(person) = doubt
                && !twice.contains(&person)
            {
                twice.push(person);
            }
        }
        twice
    }

    fn doubt(&self) -> Option<FaceDoubt> {
        let rank = |doubt: &FaceDoubt| matches!(doubt, FaceDoubt::Twice(_));
        self.doubts().into_iter().min_by_key(rank)
    }

    /// Returns what each two sure faces say against the photo.
    fn doubts(&self) -> Vec<FaceDoubt> {
        let sure: Vec<&SeenFace> = self
            .all
            .iter()
            .filter(|face| face.confidence >= self.threshold && face.face_box.is_known())
            .collect();
        let pairs = sure.iter().enumerate().flat_map(|(place, one)| {
            let others = sure.iter().skip(place + 1);
            others.map(move |other| (*one, *other))
        });
        let doubts = pairs.filter_map(|(one, other)| {
            let is_one_face = one.face_box.is_same_face(other.face_box);
            match (is_one_face, one.person == other.person) {
                (true, false) => Some(FaceDoubt::OneFace(one.person, other.person)),
                (false, true) => Some(FaceDoubt::Twice(one.person)),
                // There is no doubt if one face was found twice for one person, or two people stand beside each other.
                (true, true) | (false, false) => None,
            }
        });
        doubts.collect()
    }
}

/// What is known of a photo by its address or digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhotoMemory {
    /// The photo was recognised; this is its sighting.
    Seen(EvidenceRef),
    /// The photo is a copy, resized or cropped, of one that was recognised.
    Copy(EvidenceRef),
    /// The photo could not be fetched or read, and is not tried again.
    Useless,
    /// The photo, or the one that it copies, proves nothing, according to its file, its date or the words beside it.
    Rejected,
}

impl PhotoMemory {
    /// Returns the sighting of the photo, or of the one that it copies.
    pub fn sighting(self) -> Option<EvidenceRef> {
        match self {
            Self::Seen(reference) | Self::Copy(reference) => Some(reference),
            Self::Useless | Self::Rejected => None,
        }
    }
}

/// What is known of each photo that was tried.
#[derive(Debug, Clone, Default)]
pub struct PhotoMemories {
    by_url: BTreeMap<String, PhotoMemory>,
    by_digest: BTreeMap<Sha256Digest, PhotoMemory>,
    fingerprints: Vec<(Sha256Digest, Fingerprint)>,
    placements: Placements,
    /// Maps each photo that is a resized or cropped copy to the photo that it copies.
    part_of: BTreeMap<Sha256Digest, Sha256Digest>,
}

impl PhotoMemories {
    pub fn note(&mut self, url: &str, digest: Option<&Sha256Digest>, memory: PhotoMemory) {
        self.by_url.insert(url.to_owned(), memory);
        if let Some(digest) = digest {
            self.by_digest.insert(digest.clone(), memory);
        }
    }

    /// Compares a fetched photo with those fetched before.
    pub fn note_fetched(&mut self, fetched: &Fetched) {
        let Some(fingerprint) = &fetched.fingerprint else {
            return;
        };
        let digest = &fetched.digest;
        if self.fingerprints.iter().any(|(known, _)| known == digest) {
            return;
        }
        let before = self
            .fingerprints
            .iter()
            .map(|(digest, fingerprint)| (fingerprint, digest));
        if let Some(whole) = fingerprint.first_whole(before, &mut self.placements) {
            self.part_of.insert(digest.clone(), whole.clone());
        } else if fetched.copy != PhotoCopy::Thumbnail {
            // Photos that are not paid for yet may be copies of this one, so they are compared, too.
            for (other, smaller) in &self.fingerprints {
                let is_open =
                    !self.by_digest.contains_key(other) && !self.part_of.contains_key(other);
                let this = || std::iter::once((fingerprint, ()));
                if is_open && smaller.first_whole(this(), &mut self.placements).is_some() {
                    self.part_of.insert(other.clone(), digest.clone());
                }
            }
        }
        // No copies of a search engine's small copy are looked for, because fewer people are recognised in it than in
        // the photo itself.
        if fetched.copy != PhotoCopy::Thumbnail {
            let known = (digest.clone(), fingerprint.clone());
            self.fingerprints.push(known);
        }
    }

    /// Returns the digest of the photo that this one copies.
    pub fn whole_of(&self, digest: &Sha256Digest) -> Option<&Sha256Digest> {
        self.part_of.get(digest)
    }

    pub fn at(&self, url: &str) -> Option<PhotoMemory> {
        self.by_url.get(url).copied()
    }

    pub fn of(&self, digest: &Sha256Digest) -> Option<PhotoMemory> {
        self.by_digest.get(digest).copied()
    }

    /// Returns the addresses that were tried, in alphabetical order.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        self.by_url.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use domain::FaceBox;

    use super::*;

    fn seen(faces: &[(u32, f64, f64)]) -> SeenFaces {
        let mut seen = SeenFaces::new(Confidence::clamped(80.0));
        for (person, percent, left) in faces {
            let face = Face {
                id: format!("{person}"),
                name: "Ann Lee".into(),
                confidence: Confidence::clamped(*percent),
                face_box: FaceBox::of_sides([*left, 0.2, 0.1, 0.2]),
                urls: Vec::new(),
                portrait: None,
            };
            seen.add(PersonIndex(*person), &face);
        }
        seen
    }

    #[track_caller]
    fn check(faces: &[(u32, f64, f64)], expect: Option<FaceDoubt>) {
        assert_eq!(seen(faces).finish().1, expect, "{faces:?}");
    }

    #[test]
    fn what_faces_say_against_a_photo() {
        let [ann, bob] = [0, 1].map(PersonIndex);
        check(&[(0, 99.0, 0.1), (1, 98.0, 0.5)], None);
        check(
            &[(0, 99.0, 0.1), (0, 90.0, 0.5)],
            Some(FaceDoubt::Twice(ann)),
        );
        check(
            &[(0, 99.0, 0.1), (1, 98.0, 0.11)],
            Some(FaceDoubt::OneFace(ann, bob)),
        );
        // The doubt about two people on one face is reported before the doubt about a person who is there twice.
        check(
            &[(0, 99.0, 0.1), (0, 99.0, 0.5), (1, 98.0, 0.51)],
            Some(FaceDoubt::OneFace(ann, bob)),
        );
        // Neither one face found twice nor faces below the threshold make a photo doubtful.
        check(&[(0, 99.0, 0.1), (0, 90.0, 0.11)], None);
        check(&[(0, 99.0, 0.1), (0, 70.0, 0.5), (1, 70.0, 0.1)], None);
    }

    #[test]
    fn everybody_who_is_there_twice_is_found_once() {
        let twice = |faces: &[(u32, f64, f64)]| -> Vec<u32> {
            seen(faces).twice().iter().map(|person| person.0).collect()
        };
        assert_eq!(twice(&[(0, 99.0, 0.1), (1, 98.0, 0.5)]), [0; 0]);
        let three_times = [
            (0, 99.0, 0.1),
            (1, 98.0, 0.3),
            (0, 97.0, 0.5),
            (0, 96.0, 0.7),
        ];
        assert_eq!(twice(&three_times), [0]);
        // Another doubt, which is told in its place, does not hide it.
        let in_one_face = [(0, 99.0, 0.1), (0, 99.0, 0.5), (1, 98.0, 0.51)];
        assert_eq!(twice(&in_one_face), [0]);
        let both = [
            (1, 99.0, 0.1),
            (0, 99.0, 0.3),
            (0, 99.0, 0.5),
            (1, 98.0, 0.8),
        ];
        assert_eq!(twice(&both), [1, 0]);
        assert_eq!(twice(&[(0, 99.0, 0.1), (0, 70.0, 0.5)]), [0; 0]);
    }

    #[test]
    fn each_person_is_kept_once_with_the_best_confidence() {
        let mut seen = SeenFaces::new(Confidence::clamped(80.0));
        for percent in [85.0, 99.0, 90.0] {
            let face = Face {
                id: "x".into(),
                name: "Ann Lee".into(),
                confidence: Confidence::clamped(percent),
                face_box: FaceBox::of_sides([percent / 100.0, 0.2, 0.001, 0.2]),
                urls: Vec::new(),
                portrait: None,
            };
            seen.add(PersonIndex(0), &face);
        }
        let (people, _) = seen.finish();
        let kept: Vec<f64> = people.iter().map(|one| one.confidence.percent()).collect();
        assert_eq!(kept, [99.0]);
    }
}
