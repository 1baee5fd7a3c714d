//! The client against a browser that is a function, in virtual time: what is sent, and what comes of
//! answers that are late, lost, wrong or hostile.

mod beginnings;
mod failures;
mod scripted;
mod told;
mod typed;
