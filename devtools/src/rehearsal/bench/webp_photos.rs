//! The photos whose files are WebP. Each is drawn, converted to a JPEG as in the Worker, and recognised once for all
//! runs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use sandbox::picture::{Format, is_webp, marked_number, marked_photo};
use sandbox::{Rules, World};

use investigation::effects::jpeg_of_webp;

use crate::rehearsal::simulation::PhotoFiles;

/// The photos of a world whose files are WebP.
#[derive(Debug)]
pub(super) struct WebpPhotos<'world> {
    world: &'world World,
    rules: Rules,
    share: f64,
    /// Whether the converted picture is still recognisable, by the photo's number.
    read: RefCell<BTreeMap<usize, bool>>,
}

impl<'world> WebpPhotos<'world> {
    /// Makes this share of a world's photos, from 0 to 1, WebP files.
    pub(super) fn new(world: &'world World, rules: Rules, share: f64) -> Self {
        Self {
            world,
            rules,
            share,
            read: RefCell::default(),
        }
    }
}

impl PhotoFiles for WebpPhotos<'_> {
    fn is_converted(&self, photo: usize) -> Option<bool> {
        is_webp(photo, self.share).then(|| {
            let mut read = self.read.borrow_mut();
            *read.entry(photo).or_insert_with(|| {
                let file = marked_photo(self.world, photo, self.rules, Format::Webp);
                let jpeg = file.and_then(|file| jpeg_of_webp(&file).ok());
                jpeg.and_then(|jpeg| marked_number(&jpeg)) == Some(photo)
            })
        })
    }
}
