//! The photos that nobody has looked at and whose words do not tell who else is in them.

use domain::Side;

use crate::machine::facts::{Facts, Frontier, ListKey, Subject};
use crate::machine::states::{Move, State, View};
use crate::machine::telling::{Teller, counted};

use super::Memory;
use super::sides::{RankedCandidate, Sides};
use super::weighing::LEFTOVERS_WORTH;

/// Photos that lists have left over and that are worth most together: as many as are looked at together.
pub struct UnreadPhotos {
    /// The worth of all, in the unit of a search's worth.
    worth: f64,
    /// The place of the person who is most likely shown.
    frontier: Frontier,
    photos: Vec<(ListKey, Vec<usize>)>,
}

impl UnreadPhotos {
    /// Returns the photos that are worth most, if words are read first and have named anybody. A photo of somebody who is
    /// connected with a side is worth what one more photo of that person is, as far as words leave open who else is in
    /// it. A photo of nobody who is connected is worth nothing, and is looked at last.
    pub fn of(sides: &Sides, view: View) -> Option<Self> {
        let facts = view.facts();
        let knowledge = facts.knowledge();
        let hints = knowledge.hints();
        if !facts.may_read_first() || !hints.has_names() {
            return None;
        }
        let places = sides.best_places();
        let nowhere = Frontier {
            side: Side::A,
            subject: Subject::Typed(Side::A),
            depth: 0,
        };
        let mut left: Vec<(f64, Frontier, &ListKey, usize, &str)> = Vec::new();
        for (number, (list, asked)) in knowledge.lists().enumerate() {
            let unnamed = 1.0 - hints.naming_share(list.source);
            let hinted: Vec<_> = hints.photos_of_list(number).collect();
            for place in view.scheduler().leftovers_of(asked, usize::MAX) {
                let (Some(hit), Some((_, shown))) = (asked.hits().get(place), hinted.get(place))
                else {
                    continue;
                };
                let shown = shown.iter().filter_map(|(who, chance)| {
                    let (worth, frontier) = places.get(&knowledge.subject_of_somebody(*who))?;
                    Some((chance * unnamed * worth, *frontier))
                });
                let best = shown.max_by(|(one, _), (other, _)| one.total_cmp(other));
                let (worth, frontier) = best.unwrap_or((0.0, nowhere));
                left.push((worth, frontier, list, place, &hit.image_url));
            }
        }
        left.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
        let (_, frontier, ..) = *left.first()?;
        let photos_max = usize::try_from(facts.limits().images_per_search).unwrap_or(usize::MAX);
        let mut unread = Self {
            worth: 0.0,
            frontier,
            photos: Vec::new(),
        };
        let mut urls: Vec<&str> = Vec::new();
        for (worth, _, list, place, url) in left {
            // A photo that several lists have is looked at once.
            if urls.len() < photos_max && !urls.contains(&url) {
                urls.push(url);
                unread.add(worth, list, place);
            }
        }
        Some(unread)
    }

    fn add(&mut self, worth: f64, list: &ListKey, place: usize) {
        self.worth += LEFTOVERS_WORTH * worth;
        match self.photos.iter_mut().find(|(known, _)| known == list) {
            Some((_, places)) => places.push(place),
            None => self.photos.push((list.clone(), vec![place])),
        }
    }

    /// Returns whether to look at these photos before the best search is made, if there is one. Unless names decide, they
    /// come after everything else.
    pub fn is_better_than(&self, best: Option<&RankedCandidate>, view: View) -> bool {
        let decide = view.facts().names_decide();
        match best {
            Some(best) => decide && self.worth > best.probe.worth,
            None => decide || !view.scheduler().has_surveys(),
        }
    }

    /// Looks at the photos.
    pub fn look(self, memory: &mut Memory, facts: &Facts, teller: &mut Teller) -> Move {
        memory.look_on(self.frontier);
        teller.look_around(self.frontier.subject);
        teller.move_to(self.frontier);
        // Otherwise each list is told on its own.
        if facts.names_decide() {
            let photos: usize = self.photos.iter().map(|(_, places)| places.len()).sum();
            teller.status(format!(
                "Looking at {photos} of {} found so far: words do not tell who else is in {}.",
                counted(facts.knowledge().photos_found(), "photo", "photos"),
                if photos == 1 { "it" } else { "them" },
            ));
        }
        Move::LookOn {
            photos: self.photos,
            to: State::Discovery,
        }
    }
}
