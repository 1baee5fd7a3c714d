//! The browser's client: against sockets in memory, and against a real Chromium.

mod memory;
mod real;
