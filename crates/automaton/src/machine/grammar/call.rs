//! A call whose arguments fit its function.

use std::fmt;

use super::call_error::{CallError, Cause};
use super::signature::Function;
use super::value::Value;

/// A call whose arguments have the names of its function's parameters. Whether their values make sense
/// is not known here.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    function: Function,
    /// The arguments that were given, in the order of the function's parameters.
    arguments: Vec<(&'static str, Value)>,
}

/// An argument as it is written: where it begins, its name if it has one, and its value.
pub(super) type Written = (usize, Option<String>, Value);

impl Call {
    /// Makes a call of arguments with names. Fails where they do not fit the function.
    pub fn with_names(
        function: Function,
        arguments: Vec<(String, Value)>,
    ) -> Result<Self, CallError> {
        let written = arguments
            .into_iter()
            .map(|(name, value)| (0, Some(name), value))
            .collect();
        Self::bind(function, written)
    }

    /// Binds arguments to the parameters of a function, as Python does it.
    pub(super) fn bind(function: Function, written: Vec<Written>) -> Result<Self, CallError> {
        let parameters = function.parameters();
        let mut given: Vec<Option<Value>> = vec![None; parameters.len()];
        let bad = |byte, message: String| CallError::new(Cause::BadArguments, byte, message);
        for (position, (byte, name, value)) in written.into_iter().enumerate() {
            let at = match &name {
                None => Some(position),
                Some(name) => parameters.iter().position(|known| known.name == name),
            };
            let Some(place) = at.and_then(|at| given.get_mut(at)) else {
                let message = match name {
                    None => format!("`{}` takes fewer arguments", function.name()),
                    Some(_) => format!("`{}` has no parameter of this name", function.name()),
                };
                return Err(bad(byte, message));
            };
            if place.is_some() {
                return Err(bad(byte, "this argument is given twice".to_owned()));
            }
            *place = Some(value);
        }
        let mut arguments = Vec::new();
        for (parameter, value) in parameters.iter().zip(given) {
            match value {
                Some(value) => arguments.push((parameter.name, value)),
                None if parameter.is_required => {
                    let message = format!("`{}` needs `{}`", function.name(), parameter.name);
                    return Err(bad(0, message));
                }
                None => {}
            }
        }
        Ok(Self {
            function,
            arguments,
        })
    }

    /// Returns the function.
    #[must_use]
    pub fn function(&self) -> Function {
        self.function
    }

    /// Returns the arguments that were given, in the order of the function's parameters.
    #[must_use]
    pub fn arguments(&self) -> &[(&'static str, Value)] {
        &self.arguments
    }

    /// Returns the value of an argument. Returns `None` where it was not given.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Value> {
        let mut arguments = self.arguments.iter();
        arguments
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Returns the names of the parameters of the run that the call refers to, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let texts = self
            .arguments
            .iter()
            .filter_map(|(_, value)| value.as_text());
        texts.flat_map(super::text::Text::parameters)
    }
}

impl fmt::Display for Call {
    /// Writes the call as an action's string has it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.function.name())?;
        for (at, (name, value)) in self.arguments.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(formatter, "{comma}{name}={value}")?;
        }
        formatter.write_str(")")
    }
}
