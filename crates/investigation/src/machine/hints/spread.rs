//! Follows hints from the people connected with a side to the people whom photos may show together with them. Hints on
//! the same ground are trusted according to how often such hints proved true.

use Ground::{
    Asked, AskedNamed, AskedUnnamed, Known, PairAsked, PairNamed, PairUnnamed, Remembered, Several,
    Single,
};

use std::collections::BTreeSet;

use domain::PersonIndex;

use super::{Hints, Mention, Somebody};

/// The most links over which hints are followed.
const LINKS_MAX: usize = 4;

/// The most links over which hints are followed if photos are remembered: as many as a chain may have.
const LINKS_REMEMBERED_MAX: usize = 6;

/// The least chance worth following.
const CHANCE_MIN: f64 = 0.01;

/// A chance is multiplied by this factor for each further link, because shorter chains are better.
const LINK_LOSS: f64 = 0.9;

/// The weight of the prior for a ground, in photos.
const PRIOR_PHOTOS: f64 = 4.0;

const GROUNDS: usize = 10;

/// A link of a hinted chain: a photo that may show two people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HintedLink {
    /// The list that has the photo, and the photo's place in the list.
    pub at: (usize, usize),
    pub from: Somebody,
    pub to: Somebody,
    /// The chance that the photo shows both.
    pub chance: f64,
    /// Whether an earlier run recognised both people in the photo.
    pub is_remembered: bool,
}

/// The way by which a person is reached.
#[derive(Debug, Clone, Copy)]
enum Way {
    Start,
    Photo(usize, Somebody, f64),
    Proven(Somebody),
}

/// The people whom hints connect with a side, each with the chance that this connection exists.
#[derive(Debug, Clone)]
pub struct Spread {
    reached: Vec<(f64, Way)>,
}

impl Spread {
    /// Returns the chance that the person is connected, 0 to 1.
    pub fn chance(&self, who: Somebody) -> f64 {
        let at = usize::try_from(who.0).ok();
        at.and_then(|at| self.reached.get(at))
            .map_or(0.0, |(chance, _)| *chance)
    }

    /// Returns the number of links to the person, proven ones included.
    pub fn links(&self, who: Somebody) -> u32 {
        u32::try_from(self.way_back(who).count()).unwrap_or(u32::MAX)
    }

    /// Returns the person where the way starts.
    pub fn start(&self, who: Somebody) -> Somebody {
        self.way_back(who).last().unwrap_or(who)
    }

    /// Returns the people on the way, from the last one back to the start.
    fn way_back(&self, who: Somebody) -> impl Iterator<Item = Somebody> {
        let before = |who: Somebody| match self.way(who)? {
            Way::Photo(_, from, _) | Way::Proven(from) => Some(from),
            Way::Start => None,
        };
        std::iter::successors(before(who), move |who| before(*who)).take(2 * LINKS_REMEMBERED_MAX)
    }

    fn way(&self, who: Somebody) -> Option<Way> {
        let (chance, way) = self.reached.get(usize::try_from(who.0).ok()?)?;
        (*chance > 0.0).then_some(*way)
    }

    fn improve(&mut self, who: Somebody, chance: f64, way: Way) -> bool {
        let at = usize::try_from(who.0).ok();
        match at.and_then(|at| self.reached.get_mut(at)) {
            Some(known) if known.0 < chance && chance >= CHANCE_MIN => {
                *known = (chance, way);
                true
            }
            _ => false,
        }
    }
}

/// What photos hint of a person and another one.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// The chance that no photo shows both.
    none: f64,
    /// The greatest chance that a photo shows both, and that photo.
    best: f64,
    photo: usize,
}

/// The links of one person with others, while they are collected.
#[derive(Debug)]
struct Links {
    /// By the other person; `None` without a link.
    of: Vec<Option<Link>>,
    with: Vec<Somebody>,
}

impl Links {
    fn new(people: usize) -> Self {
        Self {
            of: vec![None; people],
            with: Vec::new(),
        }
    }

    /// Notes a photo that shows both with this chance.
    fn add(&mut self, other: Somebody, both: f64, photo: usize) {
        let place = other.place();
        let Some(slot) = place.and_then(|place| self.of.get_mut(place)) else {
            return;
        };
        if let Some(link) = slot {
            link.none *= 1.0 - both;
            if both > link.best {
                (link.best, link.photo) = (both, photo);
            }
        } else {
            *slot = Some(Link {
                none: 1.0 - both,
                best: both,
                photo,
            });
            self.with.push(other);
        }
    }

    /// Takes all links.
    fn drain(&mut self, mut take: impl FnMut(Somebody, Link)) {
        for other in self.with.drain(..) {
            let place = other.place();
            let slot = place.and_then(|place| self.of.get_mut(place));
            if let Some(link) = slot.and_then(Option::take) {
                take(other, link);
            }
        }
    }
}

impl Hints {
    /// Follows hints from these people. `neighbours` returns the people with whom a person was seen.
    pub fn spread<Neighbours: Iterator<Item = PersonIndex>>(
        &self,
        start: &[Somebody],
        neighbours: impl Fn(PersonIndex) -> Neighbours,
    ) -> Spread {
        let mut spread = Spread {
            reached: vec![(0.0, Way::Start); self.known.len()],
        };
        let decides = self.decides();
        let mut links = Links::new(self.known.len());
        let mut frontier = start.to_vec();
        for who in start {
            spread.improve(*who, 1.0, Way::Start);
        }
        let links_max = if self.has_recalled {
            LINKS_REMEMBERED_MAX
        } else {
            LINKS_MAX
        };
        for link in 0..links_max {
            let mut next = Vec::new();
            if decides {
                let mut followed = BTreeSet::new();
                frontier.retain(|who| followed.insert(*who));
            }
            for who in std::mem::take(&mut frontier) {
                if decides {
                    self.follow_links(who, &mut links, &mut spread, &mut next);
                } else {
                    self.follow(who, &mut spread, &mut next);
                }
                // `start` already includes everybody who is connected by proven links.
                let proven = self.person(who).filter(|_| link > 0);
                for neighbour in proven.map(&neighbours).into_iter().flatten() {
                    let chance = spread.chance(who) * LINK_LOSS;
                    if let Some(to) = self.of_person(neighbour)
                        && spread.improve(to, chance, Way::Proven(who))
                    {
                        next.push(to);
                    }
                }
            }
            frontier = next;
        }
        spread
    }

    /// Follows the hints from a person, if names decide: a link may rest on several photos, and each is another chance.
    fn follow_links(
        &self,
        from: Somebody,
        links: &mut Links,
        spread: &mut Spread,
        next: &mut Vec<Somebody>,
    ) {
        let before = spread.chance(from);
        let is_guess = |one: &Mention| matches!(one.ground, PairAsked | PairUnnamed);
        let photos = self.known(from).map_or(&[][..], |known| &known.photos);
        for photo in photos {
            let Some(hinted) = self.photos.get(*photo).filter(|hinted| hinted.is_open) else {
                continue;
            };
            let mut mentions = hinted.mentions.iter();
            let own = mentions.find(|mention| mention.who == from);
            let Some(own) = own.filter(|own| !is_guess(own)) else {
                continue;
            };
            let of_own = self.chance_if_recognisable(hinted.source, *own);
            let others = hinted.mentions.iter().filter(|other| are_two(own, other));
            for other in others.filter(|other| !is_guess(other)) {
                let both = of_own * self.chance_if_recognisable(hinted.source, *other);
                links.add(other.who, both, *photo);
            }
        }
        links.drain(|who, link| {
            let chance = before * self.recognisable_chance(who) * (1.0 - link.none) * LINK_LOSS;
            if spread.improve(who, chance, Way::Photo(link.photo, from, link.best)) {
                next.push(who);
            }
        });
    }

    fn follow(&self, from: Somebody, spread: &mut Spread, next: &mut Vec<Somebody>) {
        let before = spread.chance(from);
        let Some(known) = self.known(from) else {
            return;
        };
        for photo in &known.photos {
            let Some(hinted) = self.photos.get(*photo).filter(|hinted| hinted.is_open) else {
                continue;
            };
            let mut mentions = hinted.mentions.iter();
            let Some(own) = mentions.find(|mention| mention.who == from) else {
                continue;
            };
            let of_own = self.chance(hinted.source, *own);
            for other in hinted.mentions.iter().filter(|other| are_two(own, other)) {
                let both = of_own * self.chance(hinted.source, *other);
                let chance = before * both * LINK_LOSS;
                if spread.improve(other.who, chance, Way::Photo(*photo, from, both)) {
                    next.push(other.who);
                }
            }
        }
    }

    /// Returns the unproven links on the way to a person, the last one first.
    pub fn links_to(&self, who: Somebody, spread: &Spread) -> Vec<HintedLink> {
        let mut links = Vec::new();
        let mut at = who;
        for _ in 0..2 * LINKS_REMEMBERED_MAX {
            match spread.way(at) {
                Some(Way::Photo(photo, from, chance)) => {
                    if let Some(hinted) = self.photos.get(photo) {
                        links.push(HintedLink {
                            at: hinted.at,
                            from,
                            to: at,
                            chance,
                            is_remembered: [from, at].iter().all(|who| hinted.remembers(*who)),
                        });
                    }
                    at = from;
                }
                Some(Way::Proven(from)) => at = from,
                Some(Way::Start) | None => break,
            }
        }
        links
    }
}

/// Returns whether two mentions in one photo are of different people. If both rest only on the same question about two
/// people, they say no more than that the photo shows one of the two.
fn are_two(one: &Mention, other: &Mention) -> bool {
    let is_one_question = one.list.is_some()
        && one.list == other.list
        && !one.ground.is_named()
        && !other.ground.is_named();
    one.who != other.who && !is_one_question
}

/// The ground for the hint that a photo shows a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The words beside the photo name a recognised person or a person of the request.
    Known,
    /// The words beside the photo contain an unknown person's name of several words.
    Several,
    /// The words beside the photo contain an unknown person's name of one word.
    Single,
    /// The photo was found by a question about one person, and its words name nobody.
    Asked,
    /// The photo was found by a question about one person, and its words name that person.
    AskedNamed,
    /// The photo was found by a question about one person, and its words name others.
    AskedUnnamed,
    /// The photo was found by a question about two people, and its words name nobody.
    PairAsked,
    /// The photo was found by a question about two people, and its words name the person of this hint.
    PairNamed,
    /// The photo was found by a question about two people, and its words name others.
    PairUnnamed,
    /// An earlier run recognised the person in the photo.
    Remembered,
}

impl Ground {
    /// Returns the ground of an unknown person's name with this many words.
    pub fn of_words(words: usize) -> Self {
        if words < 2 { Single } else { Several }
    }

    /// Returns the ground of a question about this many people.
    pub fn asked(people: usize, names_anybody: bool) -> Self {
        match (people, names_anybody) {
            (..=1, false) => Asked,
            (..=1, true) => AskedUnnamed,
            (_, false) => PairAsked,
            (_, true) => PairUnnamed,
        }
    }

    /// Returns whether the words beside the photo name the person.
    pub fn is_named(self) -> bool {
        matches!(self, Known | Several | Single | AskedNamed | PairNamed)
    }

    /// Returns whether a question names the person.
    pub fn is_asked(self) -> bool {
        !matches!(self, Known | Several | Single | Remembered)
    }

    /// Returns the combined ground of two hints about one person.
    pub fn and(self, other: Self) -> Self {
        if self == Remembered || other == Remembered {
            return Remembered;
        }
        let named = self.is_named() || other.is_named();
        let is_asked = |one: Self| matches!(one, Asked | AskedNamed | AskedUnnamed);
        let is_pair = |one: Self| matches!(one, PairAsked | PairNamed | PairUnnamed);
        match (
            is_asked(self) || is_asked(other),
            is_pair(self) || is_pair(other),
        ) {
            (true, _) if named => AskedNamed,
            (true, _) => {
                if is_asked(self) {
                    self
                } else {
                    other
                }
            }
            (false, true) if named => PairNamed,
            _ => self,
        }
    }

    /// Returns the ground of a name, depending on whether its bearer is known by now.
    pub fn known(self, is_known: bool, has_one_word: bool) -> Self {
        match self {
            Known | Several | Single if is_known => Known,
            Known | Several | Single => {
                if has_one_word {
                    Single
                } else {
                    Several
                }
            }
            other => other,
        }
    }

    /// Returns the share of hints with this ground that is assumed to be true before any hint was checked.
    fn prior(self) -> f64 {
        match self {
            Remembered => 0.98,
            AskedNamed => 0.85,
            PairNamed | Asked => 0.75,
            Known => 0.7,
            Several => 0.6,
            AskedUnnamed => 0.5,
            PairAsked => 0.4,
            Single => 0.25,
            PairUnnamed => 0.15,
        }
    }

    fn place(self) -> usize {
        match self {
            Known => 0,
            Several => 1,
            Single => 2,
            Asked => 3,
            AskedNamed => 4,
            AskedUnnamed => 5,
            PairAsked => 6,
            PairNamed => 7,
            PairUnnamed => 8,
            Remembered => 9,
        }
    }
}

/// How often the hints of each image search proved true.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// By image search and ground: the number of hints that were checked, and how many of these were true.
    seen: Vec<[(u32, u32); GROUNDS]>,
}

impl Trust {
    pub fn learn(&mut self, source: usize, ground: Ground, is_true: bool) {
        if self.seen.len() <= source {
            self.seen.resize(source + 1, [(0, 0); GROUNDS]);
        }
        let row = self.seen.get_mut(source);
        if let Some((checked, true_ones)) = row.and_then(|row| row.get_mut(ground.place())) {
            *checked += 1;
            *true_ones += u32::from(is_true);
        }
    }

    /// Returns the estimated share of true hints among those with this ground from this image search, 0 to 1.
    pub fn of(&self, source: usize, ground: Ground) -> f64 {
        let row = self.seen.get(source);
        let seen = row.and_then(|row| row.get(ground.place())).copied();
        let (checked, true_ones) = seen.unwrap_or_default();
        (PRIOR_PHOTOS * ground.prior() + f64::from(true_ones)) / (PRIOR_PHOTOS + f64::from(checked))
    }
}
