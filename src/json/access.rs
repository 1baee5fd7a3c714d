//! What stands in lists, objects and choices, as serde asks for it.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Error;

use super::given::{ChoiceReader, Chosen, ElementReader, MemberReader};
use super::planted::Planted;
use super::takers::{TakeList, TakeObject};

impl<'de> SeqAccess<'de> for ElementReader<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let mut planted = Planted::new(seed);
        let is_there = self.0.next(&mut planted)?;
        is_there.then(|| planted.grown()).transpose()
    }
}

impl<'de> MapAccess<'de> for MemberReader<'_, 'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        match self.0.next_name()? {
            Some(name) => seed.deserialize(NameReader(&name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let mut planted = Planted::new(seed);
        self.0.value(&mut planted)?;
        planted.grown()
    }
}

impl<'a, 'de> EnumAccess<'de> for ChoiceReader<'a, 'de> {
    type Error = Error;
    type Variant = ChosenReader<'a, 'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), Error> {
        let name = seed.deserialize(NameReader(&self.name))?;
        Ok((name, ChosenReader(self.chosen)))
    }
}

/// What stands behind the name of a choice that was read.
pub(super) struct ChosenReader<'a, 'de>(&'a mut dyn Chosen<'de>);

impl<'de> VariantAccess<'de> for ChosenReader<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.0.nothing()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        let mut planted = Planted::new(seed);
        self.0.value(&mut planted)?;
        planted.grown()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        TakeList::read(visitor, |taker| self.0.list(taker))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        TakeObject::read(visitor, |taker| self.0.object(taker))
    }
}

/// The name of a member or a choice, which is a text whatever is asked for.
struct NameReader<'name>(&'name str);

impl<'de> Deserializer<'de> for NameReader<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        choices: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        StrDeserializer::new(self.0).deserialize_enum(name, choices, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}
