//! How far hints lead: from those who are connected with a side to whom photos may show beside them.

use domain::PersonIndex;

use super::{Hints, Mention, Somebody};

/// The most links that hints are followed.
const LINKS_MAX: usize = 4;
/// The most links that hints are followed where photos are remembered: as many as a chain may have.
const LINKS_REMEMBERED_MAX: usize = 6;
/// The least chance that is followed.
const CHANCE_MIN: f64 = 0.01;
/// What is left of a chance for each further link, since shorter chains are better.
const LINK_LOSS: f64 = 0.9;

/// A link of a hinted chain: a photo that may show two people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HintedLink {
    /// The list that has the photo, and its place there.
    pub at: (usize, usize),
    pub from: Somebody,
    pub to: Somebody,
    /// How likely it is that the photo shows both.
    pub chance: f64,
    /// Whether an earlier run had recognised both in it.
    pub is_remembered: bool,
}

/// The way by which somebody is reached.
#[derive(Debug, Clone, Copy)]
enum Way {
    Start,
    Photo(usize, Somebody, f64),
    Proven(Somebody),
}

/// Whom hints connect with a side, and how likely that is.
#[derive(Debug, Clone)]
pub struct Spread {
    reached: Vec<(f64, Way)>,
}

impl Spread {
    /// Returns how likely it is that somebody is connected, 0 to 1.
    pub fn chance(&self, who: Somebody) -> f64 {
        let at = usize::try_from(who.0).ok();
        at.and_then(|at| self.reached.get(at))
            .map_or(0.0, |(chance, _)| *chance)
    }

    /// Returns over how many links somebody is reached, proven ones included.
    pub fn links(&self, who: Somebody) -> u32 {
        u32::try_from(self.way_back(who).count()).unwrap_or(u32::MAX)
    }

    /// Returns where the way to somebody starts.
    pub fn start(&self, who: Somebody) -> Somebody {
        self.way_back(who).last().unwrap_or(who)
    }

    /// Returns the people on the way to somebody, the last one before them first.
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

impl Hints {
    /// Follows hints from these people. `neighbours` are those with whom somebody was seen.
    pub fn spread<Neighbours: Iterator<Item = PersonIndex>>(
        &self,
        start: &[Somebody],
        neighbours: impl Fn(PersonIndex) -> Neighbours,
    ) -> Spread {
        let mut spread = Spread {
            reached: vec![(0.0, Way::Start); self.known.len()],
        };
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
            for who in std::mem::take(&mut frontier) {
                self.follow(who, &mut spread, &mut next);
                // All that is proven from the start was part of it.
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

    /// Returns the links that are not proven on the way to somebody, the last one first.
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

/// Returns whether two mentions are of two people. A question about two of whom the words name neither says only that
/// one of them is shown.
fn are_two(one: &Mention, other: &Mention) -> bool {
    let is_one_question = one.list.is_some()
        && one.list == other.list
        && !one.ground.is_named()
        && !other.ground.is_named();
    one.who != other.who && !is_one_question
}
