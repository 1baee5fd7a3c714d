//! The commands of the machine.

use domain::{ListPage, PeopleToRecall, PlanQuestion, SearchQuestion, SidesToConnect};
use kernel::CommandId;

/// Something to be carried out; its answer carries the id.
pub type Command = kernel::Command<Action>;

/// The things that a run does outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search for images.
    Search {
        /// The people to find. Each search engine makes its own query of it.
        question: SearchQuestion,
        /// The most hits that are wanted.
        count: u32,
        /// The image search that is asked, and the page of its list.
        part: ListPage,
        /// The ids of the image searches that were asked this question before: they are not asked it
        /// in place of the one that is meant.
        asked_before: Vec<String>,
    },
    /// Fetch a photo, by its first address that gives one. The conductor keeps the bytes
    /// as long as [`crate::machine::Investigation::needs_photo`] says so.
    Fetch {
        /// The address of the photo.
        image_url: String,
        /// The address of the original, where `image_url` is that of a copy.
        original_url: Option<String>,
        /// The address of the small copy, for when neither of the others can be had.
        thumbnail_url: Option<String>,
        /// Whether the platform may make a JPEG of a photo that the recogniser does not take as it is.
        may_convert: bool,
    },
    /// Recognise the people in the photo that this earlier command fetched.
    Recognise {
        /// The command that fetched it.
        fetched_by: CommandId,
    },
    /// Ask the planner whom to try next.
    Plan(PlanQuestion),
    /// Open the page that shows a photo, and take a picture of it. That may be repeated.
    Capture {
        /// The address of the page.
        url: String,
    },
    /// Recall the photos of these people that earlier runs had recognised.
    Recall(PeopleToRecall),
    /// Look for a chain of photos between two sides that earlier runs had recognised.
    Connect(Box<SidesToConnect>),
    /// Fetch a photo of such a chain, of which the run knows nothing but its place there.
    FetchKnown {
        /// The question that the chain answered.
        sides: Box<SidesToConnect>,
        /// The place of the photo, from 0.
        place: usize,
        /// Whether the platform may make a JPEG of it.
        may_convert: bool,
    },
}
