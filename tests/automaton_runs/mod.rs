//! Runs of automata in memory: requests, crashes of the browser, the record, replays.

mod beginners;
mod bench;
mod committed;
mod crashes;
mod door;
mod pages;
mod records;
mod secrets;
mod stopped_children;
