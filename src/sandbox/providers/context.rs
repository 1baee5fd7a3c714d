//! What a provider knows when it is asked.

use std::sync::Arc;

use crate::picture::{self, DrawnPhoto};
use crate::world::{Rules, World};

use super::credentials::SandboxCredentials;

/// The world that a provider answers from, and as much of the options as concerns it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProviderContext<'sandbox> {
    pub world: &'sandbox World,
    pub rules: Rules,
    /// Scheme, host and port of all links, without a slash at the end.
    pub origin: &'sandbox str,
    pub credentials: &'sandbox SandboxCredentials,
    /// Whether some photos' files are bad.
    pub bad_images: bool,
    /// How many times as wide and high photos are as they are drawn.
    pub magnification: u16,
}

impl ProviderContext<'_> {
    /// A drawn photo; none for one that does not exist.
    pub fn photo(&self, photo: usize) -> Option<Arc<DrawnPhoto>> {
        picture::photo(self.world, photo, self.rules, self.magnification)
    }

    /// The width and the height of a photo, which need no drawing.
    pub fn size_px(&self, photo: usize) -> Option<(u16, u16)> {
        picture::size_px(self.world, photo, self.rules, self.magnification)
    }
}
