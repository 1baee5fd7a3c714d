//! Every stored or sent format, pinned: a change here is visible to clients and affects old documents.

mod documents;
mod events;
mod failures;
mod heavy;
mod journal;
mod operator_words;
mod orders;
mod throttled_attempts;
mod wakes;
