//! The API's own description.

/// The `OpenAPI` 3.1 document.
pub(super) const OPENAPI: &str = include_str!("openapi.json");
