//! The rule of whom the server of tools answers.

/// Whom the server of tools answers, which assistants call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolsAccess {
    /// Nobody: there is no such server.
    Nobody,
    /// The operator alone.
    Operator,
    /// Everybody; whoever may start runs may do so by its tools, too.
    Everybody,
}
