//! The context in which a provider responds to a call.

use std::sync::Arc;

use crate::picture::{self, DrawnPhoto, Format, Label, format_of, is_webp};
use crate::world::{COPIES, ListRules, Listed, LiteralEngine, Rules, TellingWords, World};

use super::commons::FilePages;
use super::credentials::SandboxCredentials;
use super::model_habits::ModelHabit;

/// The world that a provider answers from, and the options that providers use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProviderContext<'sandbox> {
    pub world: &'sandbox World,
    pub rules: Rules,
    /// The engine that matches the words of a query literally; `None` if the options choose `SearchEngine::Kind`.
    pub literal: Option<&'sandbox LiteralEngine>,
    /// The pages of Commons' files.
    pub file_pages: &'sandbox FilePages,
    /// The probability that a page names a person in its photo.
    pub captions: f64,
    /// The probability that a page also names somebody who is not in the photo.
    pub lies: f64,
    /// The share of hits that are copies of other photos, and the share of hits that show none of the wanted people.
    pub lists: ListRules,
    /// The share of photos whose files are WebP, from 0 to 1.
    pub webp: f64,
    /// The share of pages whose titles contain a prompt injection, from 0 to 1.
    pub injected: f64,
    /// The scheme, host and port of all links, without a trailing slash.
    pub origin: &'sandbox str,
    pub credentials: &'sandbox SandboxCredentials,
    /// Whether some photos' files are bad, and titles vary like those of real pages.
    pub bad_images: bool,
    /// The factor by which a photo's file is larger than its drawing, in width and height.
    pub magnification: u16,
    /// The bad habit of a model when it answers an automaton; `None` for good answers.
    pub model_habit: Option<ModelHabit>,
}

impl ProviderContext<'_> {
    /// Returns all photos that a search for words finds, best first. `SearchEngine::Kind` finds the people whom the
    /// query names, and ignores all other words.
    pub fn search(&self, query: &str) -> Vec<usize> {
        let found = match self.literal {
            Some(engine) => engine.search(query, 0, usize::MAX).0,
            None => self.world.search_all(query),
        };
        if self.lists.is_plain() {
            return found;
        }
        let all = (0, found.len().saturating_mul(COPIES));
        let listed = self.world.listed(query, &found, all, self.lists);
        let number = |one: Listed| one.photo + one.copy * self.world.photos.len();
        listed.into_iter().map(number).collect()
    }

    /// Returns the photo or copy that a number in an address denotes. The numbers of copies follow those of all photos.
    pub fn listed(&self, number: usize) -> Listed {
        let photos = self.world.photos.len().max(1);
        Listed {
            photo: number % photos,
            copy: number / photos,
        }
    }

    /// Returns the words that tell of a trap in a photo or copy; `None` if words say nothing against it.
    pub fn telling_words(&self, photo: usize) -> Option<TellingWords> {
        let photo = self.listed(photo).photo;
        self.world.telling_words(photo, self.rules)
    }

    /// Returns a photo or copy as drawn, or `None` if it does not exist.
    pub fn photo(&self, photo: usize) -> Option<Arc<DrawnPhoto>> {
        match self.listed(photo) {
            Listed { photo, copy: 0 } if self.format(photo) == Format::Webp => {
                let file = picture::marked_photo(self.world, photo, self.rules, Format::Webp)?;
                let drawn = picture::photo(self.world, photo, self.rules, 1)?;
                Some(Arc::new(DrawnPhoto {
                    file: file.to_vec(),
                    ..DrawnPhoto::clone(&drawn)
                }))
            }
            Listed { photo, copy: 0 } => {
                picture::photo(self.world, photo, self.rules, self.magnification)
            }
            listed if self.is_copy(listed) => picture::copy(self.world, listed, self.rules),
            _ => None,
        }
    }

    /// Returns the format of a photo's file. Copies are always JPEGs.
    pub fn format(&self, photo: usize) -> Format {
        match self.listed(photo) {
            Listed { photo, copy: 0 } => {
                if is_webp(photo, self.webp) {
                    Format::Webp
                } else {
                    format_of(self.world, photo, self.rules)
                }
            }
            _ => Format::Jpeg,
        }
    }

    /// Returns the label of a picture that was converted to another format, which lost the label. The number in its
    /// pixels identifies the photo.
    pub fn marked_label(&self, jpeg: &[u8]) -> Option<Label> {
        let photo = picture::marked_number(jpeg)?;
        let drawn = picture::photo(self.world, photo, self.rules, 1)?;
        // The file may be one that cannot be inspected; the thumbnail has the same label.
        picture::inspect(&drawn.thumbnail).ok()?.label
    }

    /// Returns the width and the height of a photo's file. A copy must be drawn to find them.
    pub fn size_px(&self, photo: usize) -> Option<(u16, u16)> {
        if let Listed { photo, copy: 0 } = self.listed(photo) {
            let times = match self.format(photo) {
                Format::Webp => 1,
                _ => self.magnification,
            };
            picture::size_px(self.world, photo, self.rules, times)
        } else {
            let drawn = self.photo(photo)?;
            Some((drawn.width_px, drawn.height_px))
        }
    }

    fn is_copy(&self, listed: Listed) -> bool {
        self.lists.copies > 0.0 && (1..=COPIES).contains(&listed.copy)
    }
}
