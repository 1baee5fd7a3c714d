//! The services of the platform that a Worker reaches by a binding.

/// A service of the platform that is reached by a binding, which is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// The platform's own models, by the binding `AI`.
    Ai,
    /// The platform's own browsers, by the binding `BROWSER`.
    Browser,
    /// The platform's converter of photos, by the binding `IMAGES`.
    Images,
    /// The platform's database, by the binding `DB`.
    Database,
}

/// The services of the platform that this Worker reaches by a binding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bindings(Vec<Binding>);

impl Bindings {
    /// Makes the bindings of those that are there.
    #[must_use]
    pub fn among(bindings: impl IntoIterator<Item = (Binding, bool)>) -> Self {
        let there = bindings.into_iter().filter(|(_, is_there)| *is_there);
        Self(there.map(|(binding, _)| binding).collect())
    }

    /// Returns whether a service is there.
    #[must_use]
    pub fn has(&self, binding: Binding) -> bool {
        self.0.contains(&binding)
    }
}
