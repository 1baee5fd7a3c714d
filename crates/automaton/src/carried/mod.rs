//! How an automaton's commands are carried out: a browser, models, runs of other engines, and the values of
//! parameters.

mod carrier;
mod chains;
mod deeds;
mod driver;
mod hiding;
mod own_browser;
mod typed_secrets;
mod values;
