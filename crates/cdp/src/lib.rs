//! A client of the `DevTools` protocol: it drives a browser for a run, and implements [`platform::Browsers`].
//!
//! ```text
//! BrowserClient ──> DrivenBrowser ──> actions, look                 what is done and seen
//!       │                 ├─────────> world ──> script/*.js         the page's script, in a world of its own
//!       └──> setup        └─────────> connection ──> DevTools       commands with numbers and deadlines
//!                                          └───────> page_events    requests, dialogs, windows: answered at once
//! ```
//!
//! No page is trusted. The browser itself refuses requests to origins other than the run's; the page's script lives in
//! a world that the page can neither see nor change; and a click reaches the intended element, or nothing.
//!
//! Source: <https://chromedevtools.github.io/devtools-protocol/>

mod actions;
mod aiming;
mod client;
mod connection;
mod download;
mod drag;
mod driven_browser;
mod fields;
mod gestures;
mod guard;
mod keys;
mod look;
mod page_events;
mod settling;
mod setup;
mod tab;
mod tabs;
mod text_input;
mod upload;
mod world;

pub use client::BrowserClient;
pub use connection::{
    Command, DevTools, DevToolsSocket, Event, Incoming, MESSAGE_BYTES_MAX, Sharing, SocketClosed,
};
pub use driven_browser::DrivenBrowser;
pub use keys::{Combination, Key, clearing};
