//! Where a run's page is.

/// Where the run's page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub context: String,
    pub target: String,
    pub session: String,
}
