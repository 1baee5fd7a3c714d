//! The settings that engines name.

/// A setting that says which runs of an engine others than the operator may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedVariable {
    /// The setting's name.
    pub name: &'static str,
    /// Whether others may be allowed to start any of them.
    pub may_be_any: bool,
}

/// The settings that engines name, each with a form that is read here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineVariables {
    /// The settings that say which runs of an engine others than the operator may start.
    pub shared: Vec<SharedVariable>,
    /// The settings with secrets that the operator keeps for runs of an engine.
    pub secrets: Vec<&'static str>,
}
