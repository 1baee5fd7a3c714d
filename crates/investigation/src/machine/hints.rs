//! Hints: whom a photo that was not looked at may show, judged by the words beside the photo and by the question that
//! found it. A hint leads the search and proves nothing: nothing here can make a sighting or an edge.

mod naming_share;
mod recognisable_names;
mod spread;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Hit, NAME_CHARS_MAX, People, PersonIndex, RecalledPerson, SOURCES_MAX, Side, fold, spellings,
};

use naming_share::NamingShares;
use recognisable_names::{MISSED_CHANCE, RecognisableNames};
use spread::{Ground, Trust};
use words::Naming;

pub use spread::{HintedLink, Spread};

/// Somebody whose name is one word is searched for only once recognised, unless the chance that such a name is that of a
/// person whom the recogniser knows is at least this.
const RECOGNISABLE_MIN: f64 = 0.5;

/// The most photos that count against a name.
const TOLD_MAX: u32 = 8;

/// The greatest chance that a photo shows somebody.
const CHANCE_MAX: f64 = 0.95;

/// The most people who are known only by name.
const NAMED_MAX: usize = 4_000;

/// The most people named by the words beside one photo; further names are ignored.
const NAMED_IN_PHOTO_MAX: usize = 12;

/// The place of the memory in the order of image searches: after all actual image searches.
pub const RECALLED_SOURCE: usize = SOURCES_MAX;

/// A person whom hints are about: a person of the request, a recognised person, or somebody who is only named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Somebody(u32);

impl Somebody {
    /// Returns the person's place among all people whom hints are about.
    pub fn place(self) -> Option<usize> {
        usize::try_from(self.0).ok()
    }
}

/// What is known of a person whom hints are about.
#[derive(Debug, Clone)]
struct Known {
    /// The name as typed, recognised or written.
    name: String,
    /// The recogniser's id of the person, if an earlier run stored it.
    remembered_id: Option<String>,
    person: Option<PersonIndex>,
    is_typed: bool,
    has_one_word: bool,
    /// The photos that may show the person.
    photos: Vec<usize>,
    /// How many of the photos that may show the person were looked at. The next field counts those that did show the
    /// person.
    told: u32,
    shown: u32,
}

/// A photo that may show somebody.
#[derive(Debug, Clone)]
struct HintedPhoto {
    /// The first list that has the photo, and the photo's place in the list.
    at: (usize, usize),
    source: usize,
    mentions: Vec<Mention>,
    /// Whether the photo was not looked at yet.
    is_open: bool,
}

/// The hint that a photo shows somebody.
#[derive(Debug, Clone, Copy)]
struct Mention {
    who: Somebody,
    ground: Ground,
    /// The list whose question names the person, if that is the ground of the hint.
    list: Option<usize>,
}

/// All hints of a run.
#[derive(Debug, Clone)]
pub struct Hints {
    known: Vec<Known>,
    by_name: BTreeMap<u64, Somebody>,
    /// The keys of the first words in the names of recognised people and of people of the request.
    first_words: BTreeSet<u64>,
    of_person: Vec<Somebody>,
    photos: Vec<HintedPhoto>,
    by_url: BTreeMap<String, usize>,
    trust: Trust,
    naming: NamingShares,
    recognisable: RecognisableNames,
    /// For each list, its photos in the order of the list.
    of_lists: Vec<Vec<usize>>,
    /// Whether the words beside any photo have named a person.
    has_names: bool,
    /// Whether any photo was recalled.
    has_recalled: bool,
    /// Whether words are read before anything is paid for, and with more care.
    reads_first: bool,
}

impl Hints {
    /// Creates the hints of a run between two people, A first. `reads_first` says whether words are read before anything
    /// is paid for.
    pub fn new(typed: [&str; 2], reads_first: bool) -> Self {
        let mut hints = Self {
            known: Vec::new(),
            by_name: BTreeMap::new(),
            first_words: BTreeSet::new(),
            of_person: Vec::new(),
            photos: Vec::new(),
            by_url: BTreeMap::new(),
            trust: Trust::default(),
            naming: NamingShares::default(),
            recognisable: RecognisableNames::new(typed.into_iter().all(|name| !name.contains(' '))),
            of_lists: Vec::new(),
            has_names: false,
            has_recalled: false,
            reads_first,
        };
        for name in typed {
            let who = hints.add(name.to_owned(), name.split(' ').count());
            if let Some(known) = hints.known_mut(who) {
                known.is_typed = true;
            }
            for spelling in spellings(name) {
                hints.know_name(&spelling, who);
            }
        }
        hints
    }

    /// Returns the person of the request on a side.
    pub fn typed(side: Side) -> Somebody {
        match side {
            Side::A => Somebody(0),
            Side::B => Somebody(1),
        }
    }

    /// Returns a recognised person.
    pub fn of_person(&self, person: PersonIndex) -> Option<Somebody> {
        self.of_person.get(usize::try_from(person.0).ok()?).copied()
    }

    /// Returns whether the words beside any photo have named a person.
    pub fn has_names(&self) -> bool {
        self.has_names
    }

    /// Returns the recognised person that `who` stands for; `None` if `who` was not recognised.
    pub fn person(&self, who: Somebody) -> Option<PersonIndex> {
        self.known(who)?.person
    }

    /// Returns the person's name, as typed, recognised or written.
    pub fn name(&self, who: Somebody) -> &str {
        self.known(who).map_or("", |known| &known.name)
    }

    fn known(&self, who: Somebody) -> Option<&Known> {
        self.known.get(usize::try_from(who.0).ok()?)
    }

    fn known_mut(&mut self, who: Somebody) -> Option<&mut Known> {
        self.known.get_mut(usize::try_from(who.0).ok()?)
    }

    fn add(&mut self, name: String, words: usize) -> Somebody {
        let who = Somebody(u32::try_from(self.known.len()).unwrap_or(u32::MAX));
        self.known.push(Known {
            name,
            remembered_id: None,
            person: None,
            is_typed: false,
            has_one_word: words < 2,
            photos: Vec::new(),
            told: 0,
            shown: 0,
        });
        who
    }

    /// Notes a folded name of `who`, so that it is found in captions.
    fn know_name(&mut self, folded: &str, who: Somebody) {
        let key = words::key_of(folded);
        self.by_name.entry(key).or_insert(who);
        self.first_words.insert(words::first_key_of(folded));
    }

    /// Notes that a person was recognised under a folded name. If `typed` is given, it is that side's person of the
    /// request. Otherwise it is the person whom hints named so until now, if there is one.
    pub fn note_person(
        &mut self,
        person: PersonIndex,
        folded: &str,
        name: &str,
        typed: Option<Side>,
    ) {
        let place = usize::try_from(person.0).unwrap_or(usize::MAX);
        if let Some(who) = typed.map(Self::typed)
            && let Some(slot) = self.of_person.get_mut(place)
        {
            *slot = who;
        }
        let who = match (self.of_person.get(place), typed) {
            (Some(who), _) => *who,
            (None, Some(side)) => Self::typed(side),
            (None, None) => {
                let key = words::key_of(folded);
                let is_free = |who: &Somebody| {
                    self.known(*who)
                        .is_some_and(|known| known.person.is_none() && !known.is_typed)
                };
                let named = self.by_name.get(&key).copied().filter(is_free);
                named.unwrap_or_else(|| self.add(name.to_owned(), 2))
            }
        };
        if self.of_person.len() == place {
            self.of_person.push(who);
        }
        if let Some(known) = self.known_mut(who) {
            known.person.get_or_insert(person);
        }
        self.know_name(folded, who);
    }

    /// Notes a hit, its place in its list, and the people whom the list's question names. Reads the words beside the
    /// photo.
    pub fn note_hit(
        &mut self,
        hit: &Hit,
        at: (usize, usize),
        (source, asked): (usize, &[Somebody]),
    ) {
        let (list, _) = at;
        if self.of_lists.len() <= list {
            self.of_lists.resize(list + 1, Vec::new());
        }
        if let Some(photo) = self.by_url.get(&hit.image_url).copied() {
            self.note_of_list(list, photo);
            self.note_asked(photo, list, asked);
            return;
        }
        let photo = self.photos.len();
        self.note_of_list(list, photo);
        self.by_url.insert(hit.image_url.clone(), photo);
        self.photos.push(HintedPhoto {
            at,
            source,
            mentions: Vec::new(),
            is_open: true,
        });
        for naming in self.namings(hit) {
            if let Some(who) = self.named(&naming) {
                self.mention(photo, who, Ground::of_words(naming.words), None);
            }
        }
        if !asked.is_empty() {
            let is_named = asked.iter().any(|one| self.names(photo, *one));
            let names_others = self.names_others(photo, asked);
            self.naming.note_asked(source, is_named, names_others);
        }
        self.note_asked(photo, list, asked);
    }

    fn note_of_list(&mut self, list: usize, photo: usize) {
        if let Some(photos) = self.of_lists.get_mut(list) {
            photos.push(photo);
        }
    }

    /// Returns whether the words beside a photo name the person.
    fn names(&self, photo: usize, who: Somebody) -> bool {
        self.photos.get(photo).is_some_and(|hinted| {
            let mut mentions = hinted.mentions.iter();
            mentions.any(|mention| mention.who == who && mention.ground.is_named())
        })
    }

    /// Returns the chance that the words beside a photo name a person whom the recogniser knows and whom the photo's
    /// question does not name.
    fn names_others(&self, photo: usize, asked: &[Somebody]) -> f64 {
        let mentions = (self.photos.get(photo)).map_or(&[][..], |hinted| &hinted.mentions);
        let others = mentions
            .iter()
            .filter(|mention| mention.ground.is_named() && !asked.contains(&mention.who));
        let chances = others.map(|mention| self.recognisable_chance(mention.who));
        chances.fold(0.0, f64::max)
    }

    /// Returns the names in the words beside a photo, each with the person if hints are about one of that name.
    pub fn names_beside<'hit>(&self, hit: &'hit Hit) -> Vec<(Option<Somebody>, &'hit str)> {
        let namings = self.namings(hit).into_iter();
        let names = namings.map(|naming| (self.by_name.get(&naming.key).copied(), naming.text));
        names.collect()
    }

    fn namings<'hit>(&self, hit: &'hit Hit) -> Vec<Naming<'hit>> {
        let texts = std::iter::once(&hit.title).chain(&hit.hints.description);
        let namings = texts
            .chain(&hit.hints.categories)
            .flat_map(|text| self.read(text));
        let is_person = |naming: &Naming| !(self.reads_first && naming.is_where);
        namings.filter(is_person).collect()
    }

    fn read<'text>(&self, text: &'text str) -> Vec<Naming<'text>> {
        // If the names of both people of the request have a number, other names may have one, too.
        let mut typed = [Side::A, Side::B].map(Self::typed).into_iter();
        let may_have_numbers =
            self.reads_first && typed.all(|who| words::has_number(self.name(who)));
        words::read(
            text,
            may_have_numbers,
            |key| self.first_words.contains(&key),
            |key| {
                self.by_name.get(&key).is_some_and(|who| {
                    self.known(*who)
                        .is_some_and(|known| known.is_typed || known.person.is_some())
                })
            },
        )
    }

    fn named(&mut self, naming: &Naming) -> Option<Somebody> {
        if let Some(who) = self.by_name.get(&naming.key) {
            return Some(*who);
        }
        if self.known.len() >= NAMED_MAX {
            return None;
        }
        let name = naming.text.chars().take(NAME_CHARS_MAX).collect();
        let who = self.add(name, naming.words);
        self.by_name.insert(naming.key, who);
        Some(who)
    }

    fn mention(&mut self, photo: usize, who: Somebody, ground: Ground, list: Option<usize>) {
        self.has_names |= ground.is_named();
        let Some(hinted) = self.photos.get_mut(photo) else {
            return;
        };
        if let Some(known) = hinted
            .mentions
            .iter_mut()
            .find(|mention| mention.who == who)
        {
            known.ground = known.ground.and(ground);
            return;
        }
        if hinted.mentions.len() >= NAMED_IN_PHOTO_MAX {
            return;
        }
        hinted.mentions.push(Mention { who, ground, list });
        if let Some(known) = self.known_mut(who) {
            known.photos.push(photo);
        }
    }

    /// Notes that a question about these people has found a photo.
    fn note_asked(&mut self, photo: usize, list: usize, asked: &[Somebody]) {
        let names_anybody = self.photos.get(photo).is_some_and(|hinted| {
            let mut mentions = hinted.mentions.iter();
            mentions.any(|mention| mention.ground.is_named())
        });
        let ground = Ground::asked(asked.len(), names_anybody);
        for who in asked {
            self.mention(photo, *who, ground, Some(list));
        }
    }

    /// Notes that a photo need not be looked at any more.
    pub fn close(&mut self, url: &str) {
        let photo = self.by_url.get(url).copied();
        if let Some(hinted) = photo.and_then(|photo| self.photos.get_mut(photo)) {
            hinted.is_open = false;
        }
    }

    /// Notes whom a photo shows. This decides whether each hint about the photo was true.
    pub fn learn(&mut self, url: &str, shown: &[PersonIndex]) {
        let photo = self.by_url.get(url).copied();
        let Some(hinted) = photo.and_then(|photo| self.photos.get_mut(photo)) else {
            return;
        };
        let source = hinted.source;
        let mentions = std::mem::take(&mut hinted.mentions);
        for person in shown {
            let who = self.of_person(*person);
            let mention = mentions.iter().find(|mention| Some(mention.who) == who);
            if !mention.is_some_and(|mention| mention.ground.is_asked()) {
                let is_named = mention.is_some_and(|mention| mention.ground.is_named());
                self.naming.note_shown(source, is_named);
            }
        }
        for mention in mentions {
            let person = self.person(mention.who);
            let is_true = person.is_some_and(|person| shown.contains(&person));
            let ground = self.ground_of(mention);
            self.trust.learn(source, ground, is_true);
            let is_name = matches!(mention.ground, Ground::Several | Ground::Single);
            if let Some(known) = self.known(mention.who)
                && is_name
                && known.is_untold()
            {
                let has_one_word = known.has_one_word;
                self.recognisable.note(has_one_word, is_true);
            }
            if let Some(known) = self.known_mut(mention.who) {
                known.told += 1;
                known.shown += u32::from(is_true);
            }
        }
    }

    /// Returns the people whom a photo may show, each with the chance that it does.
    pub fn shown_at(&self, url: &str) -> impl Iterator<Item = (Somebody, f64)> {
        let photo = self
            .by_url
            .get(url)
            .and_then(|photo| self.photos.get(*photo));
        photo.into_iter().flat_map(|hinted| {
            let mentions = hinted.mentions.iter();
            mentions.map(|mention| (mention.who, self.chance(hinted.source, *mention)))
        })
    }

    /// Returns the share of the people in photos from an image search whom the words beside the photos name, as far as
    /// known, 0 to 1.
    pub fn naming_share(&self, source: usize) -> f64 {
        self.naming.of(source)
    }

    /// Returns whether hints decide what is paid for: words are read first, and those beside the photos of an image search
    /// name enough of the people in them.
    pub fn decides(&self) -> bool {
        self.reads_first && self.has_names && self.naming.is_enough()
    }

    /// Returns the photos of a list, each with its number and the people whom it may show, with their chances. The
    /// people are those of [`Hints::shown_at`].
    pub fn photos_of_list(
        &self,
        list: usize,
    ) -> impl Iterator<Item = (usize, Vec<(Somebody, f64)>)> {
        let photos = self.of_lists.get(list).into_iter().flatten();
        photos.filter_map(|photo| {
            let hinted = self.photos.get(*photo)?;
            let mentions = hinted.mentions.iter();
            let shown = mentions.map(|one| (one.who, self.chance(hinted.source, *one)));
            Some((*photo, shown.collect()))
        })
    }

    /// Returns whether somebody may be searched for.
    pub fn is_searchable(&self, who: Somebody) -> bool {
        self.known(who).is_some_and(|known| {
            let is_known = known.is_typed || known.person.is_some() || !known.has_one_word;
            is_known || self.recognisable.chance(true) >= RECOGNISABLE_MIN
        })
    }

    /// Returns how many photos may show somebody.
    pub fn photos_count(&self) -> usize {
        self.photos.len()
    }

    /// Returns how many photos may show the person, whether they were looked at or not.
    pub fn photos_naming(&self, who: Somebody) -> usize {
        self.known(who).map_or(0, |known| known.photos.len())
    }

    /// Returns how many people hints are about.
    pub fn people_count(&self) -> usize {
        self.known.len()
    }

    /// Returns how many photos that were not looked at may show the person.
    pub fn photos_left(&self, who: Somebody) -> usize {
        self.open_photos(who).count()
    }

    /// Estimates how many photos that were not looked at show the person. Photos whose only ground is a question about
    /// the person do not count.
    pub fn named_left(&self, who: Somebody) -> f64 {
        let open = self.open_photos(who);
        let chances = open.map(|hinted| {
            let mut mentions = hinted.mentions.iter();
            let named = mentions.find(|one| one.who == who && one.list.is_none());
            named.map_or(0.0, |mention| self.chance(hinted.source, *mention))
        });
        chances.sum()
    }

    /// Returns the photos that may show the person and were not looked at.
    fn open_photos(&self, who: Somebody) -> impl Iterator<Item = &HintedPhoto> {
        let photos = self
            .known(who)
            .map_or(&[][..], |known| known.photos.as_slice())
            .iter()
            .filter_map(|photo| self.photos.get(*photo));
        photos.filter(|hinted| hinted.is_open)
    }

    /// Returns the ground of a mention, as far as it is known now.
    fn ground_of(&self, mention: Mention) -> Ground {
        let known = self.known(mention.who);
        let is_known = known.is_some_and(|known| known.is_typed || known.person.is_some());
        mention
            .ground
            .known(is_known, known.is_some_and(|known| known.has_one_word))
    }

    /// Returns the chance that the recogniser sees the mentioned person in the photo.
    fn chance(&self, source: usize, mention: Mention) -> f64 {
        if self.decides() {
            return self.recognisable_chance(mention.who)
                * self.chance_if_recognisable(source, mention);
        }
        let of_ground = self.trust.of(source, self.ground_of(mention));
        let Some(known) = self.known(mention.who) else {
            return of_ground;
        };
        // The prior for the person's name counts as two photos.
        (2.0 * of_ground + f64::from(known.shown)) / (2.0 + f64::from(known.told))
    }

    /// Returns the chance that a name is a person's whom the recogniser knows. It is certain once the person was
    /// recognised, and falls with each photo that the name stands beside and that does not show the person.
    fn recognisable_chance(&self, who: Somebody) -> f64 {
        let Some(known) = self.known(who) else {
            return 0.0;
        };
        if known.is_typed || known.person.is_some() || known.remembered_id.is_some() {
            return 1.0;
        }
        let prior = self.recognisable.chance(known.has_one_word);
        let unseen = (0..known.told.min(TOLD_MAX)).fold(prior, |unseen, _| unseen * MISSED_CHANCE);
        unseen / (unseen + 1.0 - prior)
    }

    /// Returns the chance that the recogniser sees the mentioned person in the photo, if it knows the person.
    fn chance_if_recognisable(&self, source: usize, mention: Mention) -> f64 {
        let ground = self.ground_of(mention);
        let of_ground = self.trust.of(source, ground);
        let Some(known) = self.known(mention.who) else {
            return of_ground;
        };
        let chance = match ground {
            Ground::Several | Ground::Single => {
                of_ground / self.recognisable.chance(known.has_one_word)
            }
            _ => of_ground,
        };
        let chance = chance.min(CHANCE_MAX);
        if self.recognisable_chance(mention.who) < 1.0 {
            return chance;
        }
        (2.0 * chance + f64::from(known.shown)) / (2.0 + f64::from(known.told))
    }

    /// Returns all people whom hints are about.
    pub fn everybody(&self) -> impl Iterator<Item = Somebody> {
        let places = 0..u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        places.map(Somebody)
    }

    /// Returns whether any photo was recalled.
    pub fn has_recalled(&self) -> bool {
        self.has_recalled
    }

    /// Returns the recogniser's id of a person who was recognised or remembered; `None` for a person of the request who
    /// was not recognised in this run, because the remembered person may be a namesake.
    pub fn id<'run>(&'run self, people: &'run People, who: Somebody) -> Option<&'run str> {
        let known = self.known(who)?;
        let recognised = known.person.map(|person| people.id(person));
        let remembered = known.remembered_id.as_deref();
        recognised.or(remembered.filter(|_| !known.is_typed))
    }

    /// Notes a recalled photo at its place in a list, and whom an earlier run recognised in it.
    pub fn note_recalled(&mut self, url: &str, at: (usize, usize), people: &[RecalledPerson]) {
        let known = self.by_url.get(url).copied();
        let photo = known.unwrap_or_else(|| {
            let photo = self.photos.len();
            self.by_url.insert(url.to_owned(), photo);
            self.photos.push(HintedPhoto {
                at,
                source: RECALLED_SOURCE,
                mentions: Vec::new(),
                is_open: true,
            });
            photo
        });
        // Even if a search found the photo first, it counts as recalled now, because it then costs nothing.
        if let Some(hinted) = self.photos.get_mut(photo) {
            hinted.at = at;
        }
        self.has_recalled = true;
        for person in people {
            let folded = fold(&person.name);
            let naming = Naming {
                key: words::key_of(&folded),
                text: &person.name,
                is_known: false,
                words: 2,
                is_where: false,
            };
            if let Some(who) = self.named(&naming) {
                if let Some(known) = self.known_mut(who) {
                    known.remembered_id.get_or_insert_with(|| person.id.clone());
                }
                self.mention(photo, who, Ground::Remembered, None);
            }
        }
    }
}

impl Known {
    /// Returns whether nothing but names tells of the person: nobody has looked at a photo that may show the person,
    /// typed the name or remembers the person.
    fn is_untold(&self) -> bool {
        !self.is_typed && self.told == 0 && self.remembered_id.is_none()
    }
}

impl HintedPhoto {
    /// Returns whether an earlier run recognised the person in the photo.
    fn remembers(&self, who: Somebody) -> bool {
        let mut mentions = self.mentions.iter();
        mentions.any(|mention| mention.who == who && mention.ground == Ground::Remembered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(photo: usize, title: &str) -> Hit {
        Hit {
            image_url: format!("https://a.example/{photo}.jpg"),
            title: title.to_owned(),
            ..Hit::default()
        }
    }

    fn url(photo: usize) -> String {
        hit(photo, "").image_url
    }

    /// Returns the hints of titles found by questions about A and about B, after A was recognised.
    fn hints(of_a: &[&str], of_b: &[&str]) -> Hints {
        let mut hints = Hints::new(["Ann Lee", "Bob Day"], false);
        hints.note_person(PersonIndex(0), "ann lee", "Ann Lee", Some(Side::A));
        for (list, titles, side) in [(0, of_a, Side::A), (1, of_b, Side::B)] {
            let asked = [Hints::typed(side)];
            for (place, title) in titles.iter().enumerate() {
                hints.note_hit(&hit(10 * list + place, title), (list, place), (0, &asked));
            }
        }
        hints
    }

    fn spread(hints: &Hints) -> Spread {
        hints.spread(&[Hints::typed(Side::A)], |_| std::iter::empty())
    }

    /// Checks the links on the most likely way from A to B: each photo, and the names of the link's two people.
    #[track_caller]
    fn check_way(hints: &Hints, expect: &[((usize, usize), &str, &str)]) {
        let spread = spread(hints);
        let links = hints.links_to(Hints::typed(Side::B), &spread);
        let way = links
            .iter()
            .map(|link| (link.at, hints.name(link.from), hints.name(link.to)));
        assert_eq!(way.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn somebody_named_beside_both_joins_them() {
        let hints = hints(
            &["Ann Lee and Tom Fox", "Ann Lee with Kim Hay"],
            &["Tom Fox, Bob Day", "Bob Day and others"],
        );
        let way = [
            ((1, 0), "Tom Fox", "Bob Day"),
            ((0, 0), "Ann Lee", "Tom Fox"),
        ];
        check_way(&hints, &way);
        assert!(hints.has_names());
    }

    #[test]
    fn whoever_is_asked_for_is_hinted_at_where_no_words_name_them() {
        let hints = hints(&["Tom Fox"], &["Tom Fox and Bob Day"]);
        check_way(
            &hints,
            &[
                ((1, 0), "Tom Fox", "Bob Day"),
                ((0, 0), "Ann Lee", "Tom Fox"),
            ],
        );
    }

    #[test]
    fn a_photo_that_was_looked_at_leads_nowhere() {
        let mut hints = hints(&["Ann Lee and Tom Fox"], &["Tom Fox, Bob Day"]);
        hints.learn(&url(10), &[]);
        hints.close(&url(10));
        check_way(&hints, &[]);
        let tom = hints
            .by_name
            .get(&words::key_of("tom fox"))
            .copied()
            .unwrap();
        assert_eq!(hints.photos_left(tom), 1);
    }

    #[test]
    fn names_that_prove_false_are_believed_less() {
        let mut hints = hints(&["Ann Lee and Tom Fox"; 9], &[]);
        let chance = |hints: &Hints, name: &str| {
            let who = hints.by_name.get(&words::key_of(name)).copied().unwrap();
            spread(hints).chance(who)
        };
        let before = chance(&hints, "tom fox");
        for photo in 0..4 {
            hints.learn(&url(photo), &[PersonIndex(0)]);
            hints.close(&url(photo));
        }
        assert!(
            chance(&hints, "tom fox") < before / 2.0,
            "nobody has seen him where he was named"
        );
        hints.note_person(PersonIndex(1), "tom fox", "Tom Fox", None);
        for photo in 4..8 {
            hints.learn(&url(photo), &[PersonIndex(0), PersonIndex(1)]);
            hints.close(&url(photo));
        }
        assert!(chance(&hints, "tom fox") > before / 2.0);
    }

    #[test]
    fn a_question_about_two_says_only_that_one_of_them_is_shown() {
        let mut hints = Hints::new(["Ann Lee", "Bob Day"], false);
        let both = [Side::A, Side::B].map(Hints::typed);
        hints.note_hit(&hit(0, "Guests"), (0, 0), (0, &both));
        check_way(&hints, &[]);
        hints.note_hit(&hit(1, "Ann Lee and Bob Day"), (0, 1), (0, &both));
        check_way(&hints, &[((0, 1), "Ann Lee", "Bob Day")]);
    }

    #[test]
    fn namesakes_stay_apart() {
        let mut hints = Hints::new(["Ann Lee", "Bob Day"], false);
        hints.note_person(PersonIndex(0), "tom fox", "Tom Fox", None);
        hints.note_person(PersonIndex(1), "tom fox", "Tom Fox", None);
        let [one, other] = [0, 1].map(|person| hints.of_person(PersonIndex(person)).unwrap());
        assert_ne!(one, other);
        assert_eq!(hints.person(one), Some(PersonIndex(0)));
        assert_eq!(hints.person(other), Some(PersonIndex(1)));
    }

    #[test]
    fn hostile_captions_take_a_bounded_place() {
        let mut hints = Hints::new(["Ann Lee", "Bob Day"], false);
        for photo in 0..1_000 {
            let names: Vec<String> = (0..20)
                .map(|name| format!("Tom{photo}x{name} Fox"))
                .collect();
            hints.note_hit(&hit(photo, &names.join(", ")), (0, photo), (0, &[]));
        }
        assert!(hints.known.len() <= NAMED_MAX);
        let most = hints.photos.iter().map(|photo| photo.mentions.len()).max();
        assert_eq!(most, Some(NAMED_IN_PHOTO_MAX));
        let long = "X".repeat(10_000);
        hints = Hints::new(["Ann Lee", "Bob Day"], false);
        hints.note_hit(&hit(0, &long), (0, 0), (0, &[]));
        assert!(
            hints
                .known
                .iter()
                .all(|known| known.name.len() <= NAME_CHARS_MAX)
        );
    }
}
