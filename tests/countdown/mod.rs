//! Proves that adding an engine takes one crate and one row: an engine for tests only (`devtools/countdown`) goes
//! through everything that every engine's runs go through, and no shared file knows it.

mod bench;
mod crashes;
mod door;
mod families;
mod records;
