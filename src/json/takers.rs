//! The visitors of serde that take a value, each asked only for what it may be given.

use std::fmt;

use serde::de::Visitor;
use serde_json::Error;

use super::given::{Given, Taker, gone};

/// Makes a taker of what a visitor visits. What else is given is refused in words that serde has for it.
macro_rules! takers {
    ($($(#[doc = $doc:literal])* $name:ident: $($given:pat => $visit:ident($($value:expr)?)),+;)+) => {
        $($(#[doc = $doc])*
        pub(super) struct $name<'de, V: Visitor<'de>> {
            visitor: Option<V>,
            taken: Option<V::Value>,
        }

        impl<'de, V: Visitor<'de>> $name<'de, V> {
            pub(super) fn read(
                visitor: V,
                give: impl FnOnce(&mut dyn Taker<'de>) -> Result<(), Error>,
            ) -> Result<V::Value, Error> {
                let mut taker = Self { visitor: Some(visitor), taken: None };
                give(&mut taker)?;
                taker.taken.ok_or_else(gone)
            }
        }

        impl<'de, V: Visitor<'de>> Taker<'de> for $name<'de, V> {
            fn take(&mut self, given: Given<'_, 'de>) -> Result<(), Error> {
                let visitor = self.visitor.take().ok_or_else(gone)?;
                let taken = match given {
                    $($given => visitor.$visit($($value)?)?,)+
                    #[allow(unreachable_patterns)]
                    other => return Err(other.unexpected(&visitor)),
                };
                self.taken = Some(taken);
                Ok(())
            }

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                match &self.visitor {
                    Some(visitor) => visitor.expecting(formatter),
                    None => Ok(()),
                }
            }
        })+
    };
}

takers! {
    TakeBool: Given::Bool(value) => visit_bool(value);
    TakeNumber:
        Given::Negative(value) => visit_i64(value),
        Given::Whole(value) => visit_u64(value),
        Given::Fraction(value) => visit_f64(value);
    TakeText: Given::Text(text) => visit_str(text), Given::Borrowed(text) => visit_borrowed_str(text);
    TakeOptional: Given::Absent => visit_none(), Given::Present(reader) => visit_some(reader);
    TakeNull: Given::Null => visit_unit();
    /// A text that is kept as it stands, too: it is given as an object.
    TakeWrapped:
        Given::Wrapped(reader) => visit_newtype_struct(reader),
        Given::Object(members) => visit_map(members);
    TakeList: Given::List(elements) => visit_seq(elements);
    TakeObject: Given::Object(members) => visit_map(members);
    TakeChoice: Given::Choice(choice) => visit_enum(choice);
    TakeAnything:
        Given::Bool(value) => visit_bool(value),
        Given::Negative(value) => visit_i64(value),
        Given::Whole(value) => visit_u64(value),
        Given::Fraction(value) => visit_f64(value),
        Given::Text(text) => visit_str(text),
        Given::Borrowed(text) => visit_borrowed_str(text),
        Given::Null => visit_unit(),
        Given::List(elements) => visit_seq(elements),
        Given::Object(members) => visit_map(members);
}
