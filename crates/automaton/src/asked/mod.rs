//! An automaton that is asked for: what `POST /runs` says of it is held against the operator's browsers,
//! secrets and limits. Nothing is spent before it is accepted here.

mod acceptance;
mod asking;
mod begun;
mod options;
mod permission;
mod stored_document;
mod storing;
mod wanted;

pub use permission::PUBLIC_AUTOMATA;
pub use storing::check_stored_automaton;
pub use wanted::{AUTOMATON_BODY_BYTES_MAX, AutomatonRequest};
