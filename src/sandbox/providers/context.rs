//! The context of a call: what a provider knows when it is asked.

use std::sync::Arc;

use crate::picture::{self, DrawnPhoto};
use crate::world::{LiteralEngine, Rules, World};

use super::credentials::SandboxCredentials;
use super::model_habits::ModelHabit;

/// The world that a provider answers from, and the options that concern it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProviderContext<'sandbox> {
    pub world: &'sandbox World,
    pub rules: Rules,
    /// The engine behind the searches by words, where it is literal; without one, it is kind.
    pub literal: Option<&'sandbox LiteralEngine>,
    /// The probability that a page names somebody who is shown.
    pub captions: f64,
    /// The share of pages whose titles hold an order.
    pub injected: f64,
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
    /// Returns all photos that a search by words finds, best first. A kind engine finds those who are
    /// named in the query, whatever else it says and the pages say.
    pub fn search(&self, query: &str) -> Vec<usize> {
        match self.literal {
            Some(engine) => engine.search(query, 0, usize::MAX).0,
            None => self.world.search_all(query),
        }
    }

    /// Returns a drawn photo, or `None` for one that does not exist.
    pub fn photo(&self, photo: usize) -> Option<Arc<DrawnPhoto>> {
        picture::photo(self.world, photo, self.rules, self.magnification)
    }

    /// Returns the width and the height of a photo, which need no drawing.
    pub fn size_px(&self, photo: usize) -> Option<(u16, u16)> {
        picture::size_px(self.world, photo, self.rules, self.magnification)
    }
}
