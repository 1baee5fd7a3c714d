//! The API's description of itself.

/// The `OpenAPI` 3.1 document.
pub(super) const DOCUMENT: &str = include_str!("openapi.json");
