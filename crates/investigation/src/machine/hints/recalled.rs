//! The hints of photos that earlier runs had recognised: those of the highest standing.

use domain::{People, RecalledPerson, SOURCES_MAX, fold};

use super::caption::Naming;
use super::trust::Ground;
use super::{HintedPhoto, Hints, Somebody, words};

/// The place of the memory among the image searches: after all that there may be.
pub const RECALLED_SOURCE: usize = SOURCES_MAX;

impl HintedPhoto {
    /// Returns whether an earlier run had recognised somebody in the photo.
    pub(super) fn remembers(&self, who: Somebody) -> bool {
        let mut mentions = self.mentions.iter();
        mentions.any(|mention| mention.who == who && mention.ground == Ground::Remembered)
    }
}

impl Hints {
    /// Returns everybody whom hints are about.
    pub fn everybody(&self) -> impl Iterator<Item = Somebody> {
        let places = 0..u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        places.map(Somebody)
    }

    /// Returns whether any photo was recalled.
    pub fn has_recalled(&self) -> bool {
        self.has_recalled
    }

    /// Returns the recogniser's id of somebody who is recognised or remembered. Returns `None` for a typed person who
    /// is not recognised in this run: whoever has the name may be another.
    pub fn id<'run>(&'run self, people: &'run People, who: Somebody) -> Option<&'run str> {
        let known = self.known(who)?;
        let recognised = known.person.map(|person| people.id(person));
        let remembered = known.remembered_id.as_deref();
        recognised.or(remembered.filter(|_| !known.is_typed))
    }

    /// Notes a photo at its place in a list, and whom an earlier run had seen in it.
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
        // It costs nothing now, wherever a search has found it.
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
