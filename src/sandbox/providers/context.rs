//! The context of a call: what a provider knows when it is asked.

use std::sync::Arc;

use crate::picture::{self, DrawnPhoto};
use crate::world::{Rules, World};

use super::credentials::SandboxCredentials;
use super::model_habits::ModelHabit;

/// The world that a provider answers from, and the options that concern it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProviderContext<'sandbox> {
    pub world: &'sandbox World,
    pub rules: Rules,
    /// The scheme, host and port of all links, without a slash at the end.
    pub origin: &'sandbox str,
    pub credentials: &'sandbox SandboxCredentials,
    /// Whether some photos' files are bad.
    pub bad_images: bool,
    /// The factor between the width and height of a photo's file and those of its drawing.
    pub magnification: u16,
    /// The bad habit of the model where an automaton asks it.
    pub model_habit: Option<ModelHabit>,
}

impl ProviderContext<'_> {
    /// Returns a drawn photo, or `None` for one that does not exist.
    pub fn photo(&self, photo: usize) -> Option<Arc<DrawnPhoto>> {
        picture::photo(self.world, photo, self.rules, self.magnification)
    }

    /// Returns the width and the height of a photo, which need no drawing.
    pub fn size_px(&self, photo: usize) -> Option<(u16, u16)> {
        picture::size_px(self.world, photo, self.rules, self.magnification)
    }
}
