//! A real Chromium, with pages served from memory. Where there is none, each test says so and passes.

mod looks;
mod site;
mod support;
