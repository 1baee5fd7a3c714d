//! How an automaton's commands are carried out: a browser, models, and the values of parameters.

mod carrier;
mod deeds;
mod driver;
mod own_browser;
mod values;
