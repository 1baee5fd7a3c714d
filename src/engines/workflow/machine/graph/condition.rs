//! Conditions: two values and an operator.

use serde_json::Value;

/// What an If, a case of a Switch or the exit of a Loop asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The value that is looked at.
    pub left: ValueRef,
    /// How it is compared.
    pub operator: Operator,
    /// What it is compared with; `IsEmpty` and `IsNotEmpty` do not look at it.
    pub right: ValueRef,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueRef {
    /// A variable by its whole name, like `find_text_1.found`.
    Variable(String),
    /// A string, a float or a boolean.
    Literal(Value),
}

/// The ten comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Equal, with the coercions of [`crate::engines::workflow::machine::values`].
    Equals,
    /// Not equal.
    NotEquals,
    /// Of two numbers.
    GreaterThan,
    /// Of two numbers.
    LessThan,
    /// Of two numbers.
    GreaterThanOrEqual,
    /// Of two numbers.
    LessThanOrEqual,
    /// The text of the left holds the text of the right.
    Contains,
    /// It does not.
    NotContains,
    /// Missing, null, or without content.
    IsEmpty,
    /// Not so.
    IsNotEmpty,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Self; 10] = [
        Self::Equals,
        Self::NotEquals,
        Self::GreaterThan,
        Self::LessThan,
        Self::GreaterThanOrEqual,
        Self::LessThanOrEqual,
        Self::Contains,
        Self::NotContains,
        Self::IsEmpty,
        Self::IsNotEmpty,
    ];

    /// As it is written in a workflow.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equals => "Equals",
            Self::NotEquals => "NotEquals",
            Self::GreaterThan => "GreaterThan",
            Self::LessThan => "LessThan",
            Self::GreaterThanOrEqual => "GreaterThanOrEqual",
            Self::LessThanOrEqual => "LessThanOrEqual",
            Self::Contains => "Contains",
            Self::NotContains => "NotContains",
            Self::IsEmpty => "IsEmpty",
            Self::IsNotEmpty => "IsNotEmpty",
        }
    }
}
