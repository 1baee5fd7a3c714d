//! The tool with which assistants search for a chain, and how they are told of it.

mod chain;
mod offering;
mod sentences;
