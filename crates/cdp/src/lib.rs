//! A client of the `DevTools` protocol: it drives a browser for a run, and implements
//! [`platform::Browsers`].
//!
//! ```text
//! BrowserClient ──> DrivenBrowser ──> acting, looking, picture      what is done and seen
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

mod acting;
mod as_browser;
mod clicking;
mod client;
mod connection;
mod devtools;
mod driven;
mod fields;
mod guard;
mod key_names;
mod keys;
mod looking;
mod message;
mod page_events;
mod page_script;
mod picture;
mod place;
mod pointing;
mod read_back;
mod refused_pages;
mod remarks;
mod sending;
mod settling;
mod setup;
mod typing;
mod wish;
mod world;

pub use client::BrowserClient;
pub use devtools::{DevTools, DevToolsSocket, Sharing, SocketClosed};
pub use driven::DrivenBrowser;
pub use keys::{Combination, Key, clearing};
pub use message::{Command, Event, Incoming, MESSAGE_BYTES_MAX};
