//! The platform's interfaces: bindings, network, browsers, and responses.

pub(crate) mod bindings;
pub(crate) mod browsers;
pub(crate) mod failure;
pub(crate) mod network;
pub(crate) mod replies;
