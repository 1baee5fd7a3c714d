//! The plan that searches from both ends: every two people recognised in one photo are an edge, and
//! after each photo a chain is looked for.
//!
//! Each typed person is searched for once. Then a search names one person of each side, as in
//! `{X} {Y} with celebrities`: it shows a photo of both first, if there is one, and then photos of
//! either in company. Whom to name is weighed by how many photos of each were probably not seen yet
//! (`unseen_photos.rs`), how far they are from the ends and how often they were named in vain
//! (`sides.rs`, `next_search.rs`), and by what each wording has brought from each image search
//! (`question_worth.rs`). Against a search stand the photos that lists have left over
//! (`leftovers.rs`, `weighing.rs`).
//!
//! Where the words beside photos name people, they say which photos are looked at first, and which
//! chain is worth checking before anybody else is searched for (`hinted.rs`).
//!
//! A planner may choose among the people found, and guess others: they are searched for, shown as
//! guesses, and become part of a chain only by photos (`next_guess.rs`). A run that may polish its
//! chain asks for two people whose photo would make it shorter, and for a second photo of the edge
//! that is least certain (`s6_polish.rs`). A run that confirms its chain asks for a second photo of its most
//! doubtful links, and leaves them where there is none and another way (`s6_confirm.rs`).

mod expand;
mod hinted;
mod joining;
mod leftovers;
mod lookup;
mod meeting;
mod memory;
mod next_guess;
mod next_search;
mod policy;
mod question_worth;
mod ranked;
mod recall;
mod s2_discovery;
mod s3_choice;
mod s4_s5_proven;
mod s6_confirm;
mod s6_polish;
mod sides;
mod still_unseen;
mod unseen_photos;
mod weighing;

pub use hinted::{HintedSides, photos_at_once, remembered_look};
pub use meeting::after_photo;
pub use memory::Memory;
pub use next_search::lists_by_worth;
pub use policy::{hits_per_search, policy};
pub use recall::next_recall;
pub use s2_discovery::discover;
pub use s3_choice::choose;
pub use s4_s5_proven::{bridge, verify};
pub use s6_polish::polish;
pub use still_unseen::may_still_show;
