//! The machine's transitions: the exact commands and notices of each, as transcripts.

mod found;
mod scene;
mod transcript;
mod veto;

mod both_ends;
mod captures;
mod claims;
mod confirm;
mod copies;
mod failures;
mod hints;
mod late;
mod leftovers;
mod looks;
mod memory;
mod one_number;
mod one_sided;
mod planner;
mod polish;
mod remembered;
mod resting;
mod resumed;
mod scarce;
mod sources;
mod turns;
