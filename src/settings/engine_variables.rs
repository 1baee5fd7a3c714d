//! The settings that engines name.

/// The settings that engines name, each with a form that is read here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineVariables {
    /// The settings that say which runs of an engine others than the operator may start.
    pub shared: Vec<&'static str>,
    /// The settings with secrets that the operator keeps for runs of an engine.
    pub secrets: Vec<&'static str>,
}
