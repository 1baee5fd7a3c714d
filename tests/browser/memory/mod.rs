//! The client with a simulated browser in virtual time: what is sent, and how late, lost, wrong or hostile answers are
//! handled.

mod beginnings;
mod failures;
mod scripted;
mod told;
mod typed;
