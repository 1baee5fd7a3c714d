//! Conditions: two values and an operator.

use serde_json::Value;

/// The question of an If, of a case of a Switch, or of the exit of a Loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The value that is looked at.
    pub left: ValueRef,
    /// The operator by which the two values are compared.
    pub operator: Operator,
    /// The value that it is compared with. `IsEmpty` and `IsNotEmpty` do not look at it.
    pub right: ValueRef,
}

/// The source of a value.
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
    /// The two values are equal, with the coercions of
    /// [`crate::machine::values`].
    Equals,
    /// The two values are not equal.
    NotEquals,
    /// The left number is greater than the right one.
    GreaterThan,
    /// The left number is less than the right one.
    LessThan,
    /// The left number is greater than the right one, or equal to it.
    GreaterThanOrEqual,
    /// The left number is less than the right one, or equal to it.
    LessThanOrEqual,
    /// The text of the left value holds the text of the right one.
    Contains,
    /// The text of the left value does not hold the text of the right one.
    NotContains,
    /// The left value is missing, null, or without content.
    IsEmpty,
    /// The left value is not empty.
    IsNotEmpty,
}

impl Operator {
    /// All operators.
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

    /// Returns the operator as it is written in a workflow.
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
