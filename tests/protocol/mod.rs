//! The client of the Model Context Protocol against scripted servers: which requests it sends, and
//! what it makes of each answer.

mod conversation;
mod eras;
mod hostile;
mod losses;
mod script;
mod tools;
