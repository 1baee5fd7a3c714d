//! One reader for every form that is read: what it does for a form is little, since `source` does the rest for all of
//! them.

use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::Error;

use super::given::{Expectation, Reader, Seed};
use super::planted::Planted;
use super::takers::{
    TakeAnything, TakeBool, TakeChoice, TakeList, TakeNull, TakeNumber, TakeObject, TakeOptional,
    TakeText, TakeWrapped,
};

/// Reads a text as `serde_json::from_str` does, in less code for each form; of an object only by the names of its
/// members.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    let mut planted = Planted::new(PhantomData);
    whole(text, &mut planted)?;
    planted.grown()
}

/// What of this is the same for every form.
fn whole<'de>(text: &'de str, seed: &mut dyn Seed<'de>) -> Result<(), Error> {
    let mut source = serde_json::Deserializer::from_str(text);
    seed.grow(Reader(&mut Some(&mut source)))?;
    source.end()
}

macro_rules! read_as {
    ($($taker:ident as $expectation:ident: $($method:ident)+;)+) => {
        $($(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            <$taker<V>>::read(visitor, |taker| self.0.give(Expectation::$expectation, taker))
        })+)+
    };
}

impl<'de> Deserializer<'de> for Reader<'_, 'de> {
    type Error = Error;

    read_as! {
        TakeAnything as Anything: deserialize_any deserialize_bytes deserialize_byte_buf;
        TakeBool as Bool: deserialize_bool;
        TakeNumber as Number:
            deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
            deserialize_f32 deserialize_f64;
        TakeText as Text: deserialize_char deserialize_str deserialize_string deserialize_identifier;
        TakeOptional as Optional: deserialize_option;
        TakeNull as Null: deserialize_unit;
        TakeList as List: deserialize_seq;
        TakeObject as Object: deserialize_map;
        TakeNull as Nothing: deserialize_ignored_any;
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        TakeWrapped::read(visitor, |taker| {
            self.0.give(Expectation::Wrapper(name), taker)
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        choices: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        TakeChoice::read(visitor, |taker| {
            self.0.give(Expectation::Choice(name, choices), taker)
        })
    }
}
