//! Whole runs: the conductor with the whole sandbox in memory, in virtual time.

mod answered_calls;
mod canaries;
mod canary_runs;
mod doctor;
mod documents;
mod error_table;
mod failures;
mod hand_over;
mod hand_over_crashes;
mod hand_over_hiccups;
mod limits;
mod lines;
mod namesakes;
mod own_host;
mod people;
mod people_table;
mod photo_formats;
mod photo_pool;
mod providers;
mod references;
mod runs;
mod sandbox_network;
mod scenario;
mod throttling;
mod unread_photos;
mod unreadable_answers;
