//! The proof that an engine is one folder and one row: an engine that exists for tests alone
//! (`tests/support/countdown`) goes through all that every engine's runs go through, and no file in the
//! middle knows it.

mod bench;
mod crashes;
mod door;
mod families;
mod records;
