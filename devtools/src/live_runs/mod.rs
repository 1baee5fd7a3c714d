//! Automata with a real browser: runs the engine's own machine, journal and client natively, and measures them.
//!
//! ```text
//! miniwob, todomvc, shop, kills, hostile, case_pages, copies ──> live_run ──> effects ──> watched_browser ──> browser, local_browsers
//!            └──> bare_page, bare_script      the same deeds without an engine, and the judge of what pages say
//! ```

mod arguments;
mod bare_page;
mod bare_script;
mod case_pages;
mod clock;
mod copies;
mod copying_page;
mod counting_page;
mod deeds;
mod effects;
mod hostile;
mod kills;
mod live_run;
mod local_site;
mod miniwob;
mod page_server;
mod program;
mod secret_judge;
mod shop;
mod stage;
mod states;
mod todomvc;
mod utterance;
mod watched_browser;

pub use arguments::{LIVE_HELP, LiveKind, LiveTask, parse_live};
pub use program::{Say, measure};
