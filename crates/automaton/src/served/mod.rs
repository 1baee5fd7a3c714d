//! What is answered of an automaton's runs, and of stored automata.

mod kept;
mod record;
mod serving;
