//! What serde finds in a text, given behind the traits of `given`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde_json::Error;

use super::given::{
    ChoiceReader, Chosen, ElementReader, Elements, Expectation, Given, MemberReader, Members,
    Reader, Seed, Source, Taker, gone,
};

impl<'de, D: Deserializer<'de>> Source<'de> for Option<D> {
    fn give(&mut self, expectation: Expectation, taker: &mut dyn Taker<'de>) -> Result<(), Error> {
        let source = self.take().ok_or_else(gone)?;
        let visit = Visit(taker);
        let given = match expectation {
            Expectation::Anything => source.deserialize_any(visit),
            Expectation::Bool => source.deserialize_bool(visit),
            Expectation::Number => source.deserialize_f64(visit),
            Expectation::Text => source.deserialize_str(visit),
            Expectation::Optional => source.deserialize_option(visit),
            Expectation::Null => source.deserialize_unit(visit),
            Expectation::Wrapper(name) => source.deserialize_newtype_struct(name, visit),
            Expectation::List => source.deserialize_seq(visit),
            Expectation::Object => source.deserialize_map(visit),
            Expectation::Choice(name, choices) => source.deserialize_enum(name, choices, visit),
            Expectation::Nothing => source.deserialize_ignored_any(visit),
        };
        // Its words name the place in the text, and are read back with it.
        given.map_err(Error::custom)
    }
}

/// Hands on what a source gives.
struct Visit<'a, 'de>(&'a mut dyn Taker<'de>);

impl<'de> Visit<'_, 'de> {
    fn take<E: serde::de::Error>(self, given: Given<'_, 'de>) -> Result<(), E> {
        self.0.take(given).map_err(E::custom)
    }
}

impl<'de> Visitor<'de> for Visit<'_, 'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(formatter)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        self.take(Given::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.take(Given::Negative(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        self.take(Given::Whole(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        self.take(Given::Fraction(value))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.take(Given::Text(text))
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<(), E> {
        self.take(Given::Borrowed(text))
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.take(Given::Absent)
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        self.take(Given::Present(Reader(&mut Some(source))))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.take(Given::Null)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        self.take(Given::Wrapped(Reader(&mut Some(source))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<(), A::Error> {
        self.take(Given::List(ElementReader(&mut Held(elements))))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        self.take(Given::Object(MemberReader(&mut Held(members))))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<(), A::Error> {
        let (name, chosen) = choice.variant_seed(Name)?;
        let chosen = &mut Some(chosen);
        self.take(Given::Choice(ChoiceReader { name, chosen }))
    }
}

/// What serde gives access by, behind the traits above.
struct Held<A>(A);

impl<'de, A: SeqAccess<'de>> Elements<'de> for Held<A> {
    fn next(&mut self, seed: &mut dyn Seed<'de>) -> Result<bool, Error> {
        let next = self.0.next_element_seed(SeedOf(seed));
        next.map(|next| next.is_some()).map_err(Error::custom)
    }
}

impl<'de, A: MapAccess<'de>> Members<'de> for Held<A> {
    fn next_name(&mut self) -> Result<Option<Cow<'de, str>>, Error> {
        self.0.next_key_seed(Name).map_err(Error::custom)
    }

    fn value(&mut self, seed: &mut dyn Seed<'de>) -> Result<(), Error> {
        self.0.next_value_seed(SeedOf(seed)).map_err(Error::custom)
    }
}

impl<'de, A: VariantAccess<'de>> Chosen<'de> for Option<A> {
    fn nothing(&mut self) -> Result<(), Error> {
        let chosen = self.take().ok_or_else(gone)?;
        chosen.unit_variant().map_err(Error::custom)
    }

    fn value(&mut self, seed: &mut dyn Seed<'de>) -> Result<(), Error> {
        let chosen = self.take().ok_or_else(gone)?;
        chosen
            .newtype_variant_seed(SeedOf(seed))
            .map_err(Error::custom)
    }

    fn list(&mut self, taker: &mut dyn Taker<'de>) -> Result<(), Error> {
        let chosen = self.take().ok_or_else(gone)?;
        chosen.tuple_variant(0, Visit(taker)).map_err(Error::custom)
    }

    fn object(&mut self, taker: &mut dyn Taker<'de>) -> Result<(), Error> {
        let chosen = self.take().ok_or_else(gone)?;
        chosen
            .struct_variant(&[], Visit(taker))
            .map_err(Error::custom)
    }
}

struct SeedOf<'a, 'de>(&'a mut dyn Seed<'de>);

impl<'de> DeserializeSeed<'de> for SeedOf<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        let grown = self.0.grow(Reader(&mut Some(source)));
        grown.map_err(serde::de::Error::custom)
    }
}

/// Reads the name of a member or a choice.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }
}
