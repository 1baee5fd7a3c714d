//! Every stored or sent shape, pinned: a change here is a change that clients and old documents
//! see.

mod documents;
mod events;
mod failures;
mod heavy;
mod journal;
mod operator_words;
mod orders;
mod throttled_attempts;
mod wakes;
