//! The record of an automaton's run: what is kept of it.

mod record;
