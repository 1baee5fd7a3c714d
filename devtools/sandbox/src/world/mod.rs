//! The world: the people in each photo, what a search finds, and whom the recogniser sees.
//!
//! All of it is pure: no clock, no I/O and no ambient randomness. The results are identical natively and in
//! WebAssembly.

mod casts_world;
mod connected_pairs;
mod definition;
mod distance;
mod draw;
mod example;
mod file;
mod groups_world;
mod index;
mod listed;
mod literal_engine;
mod namesakes;
mod own_world;
mod page_text;
mod people;
mod person_file;
mod random_world;
mod recognition;
mod rules;
mod search;
mod sparse_world;
mod traps;
mod world_error;

pub use casts_world::{CASTS_PEOPLE, CASTS_PHOTOS};
pub use definition::World;
pub use distance::ConnectedPair;
pub use groups_world::GroupShape;
pub use listed::{COPIES, ListRules, Listed};
pub use literal_engine::{LiteralEngine, PageRules};
pub use own_world::own_world;
pub(crate) use page_text::{agency_title, event_of, names_in_a_row};
pub use people::{WorldPerson, WorldPhoto};
pub use recognition::RecognisedFace;
pub use rules::Rules;
pub use sparse_world::{SPARSE_PEOPLE, SPARSE_PHOTOS};
pub use traps::{TellingWords, Trap, TrapKind};
pub use world_error::WorldError;
