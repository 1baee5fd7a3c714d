//! The services of the platform that a Worker reaches by a binding.

/// The services of the platform that this Worker reaches by a binding, which is no text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bindings {
    /// Whether the platform's own models are there by the binding `AI`.
    pub has_ai: bool,
    /// Whether the platform's own browsers are there by the binding `BROWSER`.
    pub has_browser: bool,
    /// Whether the platform converts photos by the binding `IMAGES`.
    pub has_images: bool,
}
