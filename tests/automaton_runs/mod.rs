//! Runs of automata, conducted in memory: the door, the browser's crashes, the record, the replay.

mod beginners;
mod bench;
mod committed;
mod crashes;
mod door;
mod pages;
mod records;
mod secrets;
mod stopped_children;
