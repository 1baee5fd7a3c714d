//! A photo as a file of Commons: its name, its size and its addresses.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::images::{OVERSIZE_BYTES, file_caption};

/// The widths in which thumbnails exist.
pub(super) const STEPS_PX: [u32; 11] = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];
/// The size in bytes of an upload that is four times as wide as the drawing.
const MEDIUM_BYTES: usize = 1_500_000;
const FOLDER: &str = "/commons/files/";
/// The characters that are not escaped in an address.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'(')
    .remove(b')');

/// A photo's file. Three files in four claim to be larger than the drawing, as uploads are: four times as wide, or
/// eight times as wide and too large for a client. Every thumbnail has the drawing's content, and so has the original,
/// which is padded to the claimed size.
#[derive(Clone, Debug)]
pub(super) struct CommonsFile {
    pub photo: usize,
    /// The file name with its extension, without `File:`.
    pub name: String,
    pub width_px: u32,
    pub height_px: u32,
    pub bytes: usize,
}

/// The version of a file that an address denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copy {
    Original,
    /// A thumbnail of this width, in pixels.
    Wide(u32),
}

impl CommonsFile {
    pub(super) fn new(context: ProviderContext<'_>, photo: usize) -> Option<Self> {
        let (width_px, height_px) = context.size_px(photo)?;
        let times = match below(hash(&["upload".into(), photo.into()]), 4) {
            0 => 1,
            1 | 2 => 4,
            _ => 8,
        };
        let bytes = match times {
            1 => context.photo(photo)?.file.len(),
            4 => MEDIUM_BYTES,
            _ => OVERSIZE_BYTES,
        };
        Some(Self {
            photo,
            name: file_name(context, photo),
            width_px: u32::from(width_px) * times,
            height_px: u32::from(height_px) * times,
            bytes,
        })
    }

    /// Returns the height in pixels that the file has at this width.
    pub(super) fn height_at(&self, width_px: u32) -> u32 {
        (self.height_px * width_px).div_ceil(self.width_px.max(1))
    }

    /// Returns the address of the original file.
    pub(super) fn address(&self, origin: &str) -> String {
        let (folder, name) = (folder(self.photo), address_name(&self.name));
        format!("{origin}{FOLDER}{folder}{name}")
    }

    /// Returns the address of a thumbnail of any width.
    pub(super) fn thumbnail_address(&self, origin: &str, width_px: u32) -> String {
        let (folder, name) = (folder(self.photo), address_name(&self.name));
        format!("{origin}{FOLDER}thumb/{folder}{name}/{width_px}px-{name}")
    }
}

/// Returns the name of a photo's file, without drawing the photo.
pub(super) fn file_name(context: ProviderContext<'_>, photo: usize) -> String {
    let (caption, ending) = (
        file_caption(context, photo),
        context.format(photo).extension(),
    );
    format!("{caption} ({photo}).{ending}")
}

/// Returns a file name in the form that addresses have.
pub(super) fn address_name(name: &str) -> String {
    utf8_percent_encode(&name.replace(' ', "_"), KEPT).to_string()
}

/// Returns the photo and the version at an address, or `None` if no file is there.
pub(super) fn asked_for(context: ProviderContext<'_>, path: &str) -> Option<(usize, Copy)> {
    let rest = path.strip_prefix(FOLDER)?;
    let (rest, copy) = match rest.strip_prefix("thumb/") {
        None => (rest, Copy::Original),
        Some(rest) => {
            let (rest, copy) = rest.rsplit_once('/')?;
            let (width, name) = copy.split_once("px-")?;
            let is_named_so = rest.rsplit_once('/').is_some_and(|(_, file)| file == name);
            let width = width.parse().ok().filter(|_| is_named_so)?;
            (rest, Copy::Wide(width))
        }
    };
    let (_, name) = rest.rsplit_once('/')?;
    let name = percent_decode_str(name)
        .decode_utf8()
        .ok()?
        .replace('_', " ");
    let (_, number) = name.rsplit_once('(')?;
    let photo: usize = number.split_once(')')?.0.parse().ok()?;
    let exists = photo < context.world.photos.len() && file_name(context, photo) == name;
    let is_there = exists && rest.starts_with(&folder(photo));
    is_there.then_some((photo, copy))
}

/// Returns the two folders of a file's address, chosen by hash.
fn folder(photo: usize) -> String {
    let digest = hash(&["folder".into(), photo.into()]) & 0xff;
    format!("{:x}/{digest:02x}/", digest >> 4)
}
