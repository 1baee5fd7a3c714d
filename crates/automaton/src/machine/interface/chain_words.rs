//! The word that an automaton and what is told of it have for the runs that it begins.

/// The name of one in events and records.
pub const CHAIN_RUN: &str = "investigation";
