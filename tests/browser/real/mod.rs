//! A real Chromium, with pages served from memory. Without one, each test says so and passes.

mod acts;
mod clicks;
mod files;
mod frames;
mod guarded;
mod hostile;
mod looks;
mod pictures;
mod private;
mod questions;
mod site;
mod support;
mod telling;
mod unguarded;
mod windows;
