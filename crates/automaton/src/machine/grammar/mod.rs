//! The grammar of an action's string: one call of a known function with plain values. It is a
//! whitelist, and nothing of a string is ever executed as code.
//!
//! ```text
//! call  = name "(" [argument {"," argument} [","]] ")"
//! argument = [name "="] value
//! value = text {"+" text} | number | "True" | "False" | "None"
//! text  = a string in ' or " with Python's escapes | "parameters" "[" string "]"
//! ```
//!
//! //= seed 001, Triggers and Actions

mod call;
mod call_error;
mod cursor;
mod number;
mod numbered;
mod reader;
mod signature;
mod string;
mod text;
mod value;

pub use call::Call;
pub use call_error::{CallError, Cause};
pub use numbered::{Numbered, read_numbered};
pub use reader::{ACTION_BYTES_MAX, read_call};
pub use signature::{Function, Parameter};
pub use text::{Text, TextPart};
pub use value::Value;
