//! The platform's ways in and out: its bindings, its network, its browsers, and answers.

pub(crate) mod bindings;
pub(crate) mod browsers;
pub(crate) mod failure;
pub(crate) mod network;
pub(crate) mod replies;
