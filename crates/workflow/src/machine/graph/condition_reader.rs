//! Reads a condition.

use serde_json::Value;

use super::condition::{Condition, Operator, ValueRef};
use super::members::{Members, ReadError};

/// Reads a condition.
pub(super) fn condition(members: &Members<'_, '_>) -> Result<Condition, ReadError> {
    Ok(Condition {
        left: value_ref(&members.object("left")?)?,
        operator: members.word(
            "operator",
            &Operator::ALL.map(|known| (known.as_str(), known)),
        )?,
        right: value_ref(&members.object("right")?)?,
    })
}

#[derive(Clone, Copy)]
enum Source {
    Variable,
    Literal,
}

fn value_ref(members: &Members<'_, '_>) -> Result<ValueRef, ReadError> {
    let sources = [("Variable", Source::Variable), ("Literal", Source::Literal)];
    Ok(match members.word("type", &sources)? {
        Source::Variable => ValueRef::Variable(members.text("name")?.to_owned()),
        Source::Literal => ValueRef::Literal(literal(&members.object("value")?)?),
    })
}

#[derive(Clone, Copy)]
enum LiteralType {
    String,
    Number,
    Bool,
}

fn literal(members: &Members<'_, '_>) -> Result<Value, ReadError> {
    let types = [
        ("String", LiteralType::String),
        ("Number", LiteralType::Number),
        ("Bool", LiteralType::Bool),
    ];
    Ok(match members.word("type", &types)? {
        LiteralType::String => Value::from(members.text("value")?),
        // The value is always a float, so that its text is `3.0`.
        LiteralType::Number => Value::from(members.number("value")?),
        LiteralType::Bool => Value::from(members.flag("value")?),
    })
}
