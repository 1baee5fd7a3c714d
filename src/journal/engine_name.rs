//! Which engine a run is of.

use serde::Deserialize;

use super::workflow::WORKFLOW_ENGINE;

/// Which engine a run is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    /// The search for a chain between two people.
    Investigation,
    /// A graph whose nodes call tools.
    Workflow,
}

#[derive(Deserialize)]
struct OrderTag {
    #[serde(default)]
    engine: Option<String>,
}

#[derive(Deserialize)]
struct FirstEntry {
    opened: OpenedTag,
}

#[derive(Deserialize)]
struct OpenedTag {
    order: OrderTag,
}

impl EngineName {
    /// Of an order's JSON: that of an investigation says nothing. None where it is no order of an
    /// engine that this program has.
    #[must_use]
    pub fn of_order(json: &str) -> Option<Self> {
        let tag: OrderTag = serde_json::from_str(json).ok()?;
        Self::of_tag(&tag)
    }

    /// Of the JSON of an object that holds an order.
    #[must_use]
    pub fn of_holder(json: &str) -> Option<Self> {
        let holder: OpenedTag = serde_json::from_str(json).ok()?;
        Self::of_tag(&holder.order)
    }

    /// Of the JSON of a journal's first entry.
    #[must_use]
    pub fn of_first_entry(json: &str) -> Option<Self> {
        let first: FirstEntry = serde_json::from_str(json).ok()?;
        Self::of_tag(&first.opened.order)
    }

    fn of_tag(tag: &OrderTag) -> Option<Self> {
        match tag.engine.as_deref() {
            None => Some(Self::Investigation),
            Some(WORKFLOW_ENGINE) => Some(Self::Workflow),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_order_of_a_workflow_names_its_engine() {
        for (json, engine) in [
            (
                r#"{"opened":{"order":{"version":1}}}"#,
                Some(EngineName::Investigation),
            ),
            (
                r#"{"opened":{"order":{"engine":"workflow"}}}"#,
                Some(EngineName::Workflow),
            ),
            (r#"{"opened":{"order":{"engine":"dream"}}}"#, None),
            (r#"{"closed":{}}"#, None),
        ] {
            assert_eq!(EngineName::of_first_entry(json), engine, "{json}");
        }
        assert_eq!(EngineName::of_order("{}"), Some(EngineName::Investigation));
    }
}
