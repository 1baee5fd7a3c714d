//! What a text gives to whoever reads it, one value after the other, behind names of traits: the code that finds values
//! in a text is in the Worker once, and not once for each form that is read.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error as _, Expected, Unexpected};
use serde_json::Error;

/// What a value is expected to be.
#[derive(Clone, Copy)]
pub(super) enum Expectation {
    Anything,
    Bool,
    Number,
    Text,
    Optional,
    Null,
    Wrapper(&'static str),
    List,
    Object,
    Choice(&'static str, &'static [&'static str]),
    Nothing,
}

/// A value of a text, which is there once.
pub(super) trait Source<'de> {
    fn give(&mut self, expectation: Expectation, taker: &mut dyn Taker<'de>) -> Result<(), Error>;
}

/// Takes a value of a text.
pub(super) trait Taker<'de> {
    fn take(&mut self, given: Given<'_, 'de>) -> Result<(), Error>;

    /// Says what is taken, as in "expected a number".
    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// Reads a value that stands in another one.
pub(super) trait Seed<'de> {
    fn grow(&mut self, reader: Reader<'_, 'de>) -> Result<(), Error>;
}

/// The elements of a list.
pub(super) trait Elements<'de> {
    /// Returns whether there was one more.
    fn next(&mut self, seed: &mut dyn Seed<'de>) -> Result<bool, Error>;
}

/// The members of an object.
pub(super) trait Members<'de> {
    fn next_name(&mut self) -> Result<Option<Cow<'de, str>>, Error>;

    fn value(&mut self, seed: &mut dyn Seed<'de>) -> Result<(), Error>;
}

/// What stands behind the name of a choice.
pub(super) trait Chosen<'de> {
    fn nothing(&mut self) -> Result<(), Error>;

    fn value(&mut self, seed: &mut dyn Seed<'de>) -> Result<(), Error>;

    fn list(&mut self, taker: &mut dyn Taker<'de>) -> Result<(), Error>;

    fn object(&mut self, taker: &mut dyn Taker<'de>) -> Result<(), Error>;
}

/// A value of a text that is to be read.
pub(super) struct Reader<'a, 'de>(pub(super) &'a mut dyn Source<'de>);

/// The elements of a list that are to be read.
pub(super) struct ElementReader<'a, 'de>(pub(super) &'a mut dyn Elements<'de>);

/// The members of an object that are to be read.
pub(super) struct MemberReader<'a, 'de>(pub(super) &'a mut dyn Members<'de>);

/// A choice that is to be read.
pub(super) struct ChoiceReader<'a, 'de> {
    pub(super) name: Cow<'de, str>,
    pub(super) chosen: &'a mut dyn Chosen<'de>,
}

/// A value as it is given.
pub(super) enum Given<'a, 'de> {
    Bool(bool),
    Negative(i64),
    Whole(u64),
    Fraction(f64),
    Text(&'a str),
    /// A text that stands so in the text that is read.
    Borrowed(&'de str),
    Null,
    Absent,
    Present(Reader<'a, 'de>),
    Wrapped(Reader<'a, 'de>),
    List(ElementReader<'a, 'de>),
    Object(MemberReader<'a, 'de>),
    Choice(ChoiceReader<'a, 'de>),
}

impl Given<'_, '_> {
    /// Says that it is not what was expected.
    pub(super) fn unexpected(&self, expected: &dyn Expected) -> Error {
        let unexpected = match self {
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Negative(value) => Unexpected::Signed(*value),
            Self::Whole(value) => Unexpected::Unsigned(*value),
            Self::Fraction(value) => Unexpected::Float(*value),
            Self::Text(text) | Self::Borrowed(text) => Unexpected::Str(text),
            Self::Null => Unexpected::Unit,
            Self::Absent | Self::Present(_) => Unexpected::Option,
            Self::Wrapped(_) => Unexpected::NewtypeStruct,
            Self::List(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
            Self::Choice(_) => Unexpected::Enum,
        };
        Error::invalid_type(unexpected, expected)
    }
}

/// A value that was already given, which no reader asks for.
pub(super) fn gone() -> Error {
    Error::custom("a value was read twice")
}
