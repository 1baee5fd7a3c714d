//! A client of the `DevTools` protocol: it drives a browser for a run, and implements
//! [`platform::Browsers`].
//!
//! ```text
//! BrowserClient ──> DrivenBrowser ──> actions, look                 what is done and seen
//!       │                 ├─────────> world ──> script/*.js         the page's script, in a world of its own
//!       └──> setup        └─────────> connection ──> DevTools       commands with numbers and deadlines
//!                                          └───────> page_events    requests, dialogs, windows: answered at once
//! ```
//!
//! No page is trusted. Requests to other origins than the run's are refused by the browser itself; the
//! page's script lives in a world that the page neither sees nor changes; and a click reaches the element
//! that it is meant for, or nothing.
//!
//! Source: <https://chromedevtools.github.io/devtools-protocol/>

mod actions;
mod client;
mod connection;
mod driven_browser;
mod fields;
mod guard;
mod keys;
mod look;
mod page_events;
mod setup;
mod text_input;
mod world;

pub use client::BrowserClient;
pub use connection::{
    Command, DevTools, DevToolsSocket, Event, Incoming, MESSAGE_BYTES_MAX, Sharing, SocketClosed,
};
pub use driven_browser::DrivenBrowser;
pub use keys::{Combination, Key, clearing};
