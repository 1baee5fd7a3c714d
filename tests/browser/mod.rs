//! The browser's client: with simulated sockets, and with a real Chromium.

mod memory;
mod real;
