//! Calls as a model writes them: an element of the page has a number instead of a selector.
//!
//! ```text
//! click(3)   type(5, "text")   type(5, parameters['NAME'])   press_key("Enter")   scroll("down")
//! scroll_to(3)   navigate_to("https://...")   wait(1)   terminate("why")
//! ```

use super::call_error::{CallError, Cause};
use super::reader::read_named;
use super::signature::Function;
use super::value::Value;

/// A call as a model writes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbered {
    /// Something is done.
    Do {
        /// The function.
        function: Function,
        /// The number of the element, from 1, where the function is about one.
        element: Option<usize>,
        /// The other arguments, by the names of the function's parameters.
        arguments: Vec<(String, Value)>,
    },
    /// Nothing more is done.
    Terminate,
}

const ELEMENT: &str = "element";

/// Returns the function of a name, and the parameters that a model gives it, of which so many must be
/// given.
fn signature(name: &str) -> Option<(Option<Function>, &'static [&'static str], usize)> {
    let function = Function::named(name);
    Some(match function {
        None if name == "terminate" => (None, &["reason"], 0),
        // A model spends nothing but its own question.
        None | Some(Function::Investigate) => return None,
        Some(Function::NavigateTo) => (function, &["url"], 1),
        Some(Function::Click | Function::ScrollTo) => (function, &[ELEMENT], 1),
        Some(Function::Type) => (function, &[ELEMENT, "text"], 2),
        Some(Function::Scroll) => (function, &["direction"], 1),
        Some(Function::PressKey) => (function, &["key"], 1),
        Some(Function::Wait) => (function, &["seconds"], 1),
    })
}

/// Reads a call as a model writes it: exactly one, with nothing around it.
pub fn read_numbered(source: &str) -> Result<Numbered, CallError> {
    let (name, written, unknown) = read_named(source)?;
    let bad = |byte, why: String| CallError::new(Cause::BadArguments, byte, why);
    let Some((function, parameters, needed)) = signature(name) else {
        let why = "no function of this name may be called";
        return Err(CallError::new(Cause::UnknownName, 0, why));
    };
    if let Some(error) = unknown {
        return Err(error);
    }
    let mut arguments: Vec<(String, Value)> = Vec::new();
    for (position, (byte, given, value)) in written.into_iter().enumerate() {
        let known = match &given {
            None => parameters.get(position),
            Some(given) => parameters.iter().find(|known| *known == given),
        };
        let Some(known) = known else {
            return Err(bad(byte, format!("`{name}` takes {}", takes(parameters))));
        };
        if arguments.iter().any(|(taken, _)| taken == known) {
            return Err(bad(byte, "this argument is given twice".to_owned()));
        }
        arguments.push(((*known).to_owned(), value));
    }
    if arguments.len() < needed {
        return Err(bad(0, format!("`{name}` takes {}", takes(parameters))));
    }
    let Some(function) = function else {
        return Ok(Numbered::Terminate);
    };
    let place = arguments.iter().position(|(name, _)| name == ELEMENT);
    let element = match place.map(|at| arguments.remove(at).1) {
        None => None,
        Some(Value::Whole(number)) => match usize::try_from(number) {
            Ok(number) => Some(number),
            Err(_) => return Err(bad(0, "the number of an element is from 1".to_owned())),
        },
        Some(_) => return Err(bad(0, "an element is given by its number".to_owned())),
    };
    Ok(Numbered::Do {
        function,
        element,
        arguments,
    })
}

fn takes(parameters: &[&str]) -> String {
    parameters.join(" and ")
}
