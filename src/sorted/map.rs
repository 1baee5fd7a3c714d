//! A map as a list in the order of its keys.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::order::sort_by;

/// A map as a list in the order of its keys. Adding a key that is greater than all others takes
/// constant time; adding another one takes a time that grows with their number. So it is for
/// thousands of entries, not for millions.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Makes an empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Most keys are numbers that are given out one after the other.
        match self.entries.last() {
            Some((last, _)) if last.borrow() < key => Err(self.entries.len()),
            _ => self
                .entries
                .binary_search_by(|(known, _)| known.borrow().cmp(key)),
        }
    }

    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// Returns the value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    /// Returns whether there is such a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key. Returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => {
                let (_, known) = self.entries.get_mut(at)?;
                Some(std::mem::replace(known, value))
            }
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key. Returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        Some(self.entries.remove(at).1)
    }

    /// Returns the place of a key, where a value is or may be put.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let place = self.find(&key);
        Entry {
            map: self,
            key,
            place,
        }
    }

    /// Keeps the entries for which `is_kept` returns true, and removes the others.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| is_kept(key, value));
    }

    /// Returns the first entry.
    #[must_use]
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.entries.first().map(|(key, value)| (key, value))
    }

    /// Removes the first entry and returns it.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.entries.is_empty()).then(|| self.entries.remove(0))
    }
}

impl<K, V> SortedMap<K, V> {
    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Returns the entries in the order of their keys.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Returns the keys in their order.
    #[must_use]
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// Returns the values in the order of their keys.
    #[must_use]
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// Returns the values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// Returns the keys alone.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.entries.into_iter().map(|(key, _)| key)
    }

    /// Returns the values alone, in the order of their keys.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

/// The place of a key in a map.
pub struct Entry<'map, K, V> {
    map: &'map mut SortedMap<K, V>,
    key: K,
    place: Result<usize, usize>,
}

impl<'map, K: Ord, V> Entry<'map, K, V> {
    /// Returns the value that is there, or puts this one in where there is none.
    pub fn or_insert(self, value: V) -> &'map mut V {
        self.or_insert_with(|| value)
    }

    /// Returns the value that is there, or puts the default in where there is none.
    pub fn or_default(self) -> &'map mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Returns the value that is there, or puts in what `make` gives where there is none.
    // The place is that of a value, or has just been given one.
    #[allow(clippy::indexing_slicing)]
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'map mut V {
        let entries = &mut self.map.entries;
        let at = self.place.unwrap_or_else(|at| {
            entries.insert(at, (self.key, make()));
            at
        });
        &mut entries[at].1
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    /// Makes a map of these entries. Where several have the same key, the value of the last one
    /// stays.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        let is_sorted = |all: &[(K, V)]| all.is_sorted_by(|one, other| one.0 < other.0);
        self.entries.extend(entries);
        if !is_sorted(&self.entries) {
            // Equal keys stay in their order, so that the last of them is the newest.
            sort_by(&mut self.entries, |one, other| one.0.cmp(&other.0));
            self.entries.reverse();
            self.entries.dedup_by(|one, other| one.0 == other.0);
            self.entries.reverse();
        }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type IntoIter = std::vec::IntoIter<(K, V)>;
    type Item = (K, V);

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

type Split<K, V> = for<'map> fn(&'map (K, V)) -> (&'map K, &'map V);

impl<'map, K, V> IntoIterator for &'map SortedMap<K, V> {
    type IntoIter = std::iter::Map<std::slice::Iter<'map, (K, V)>, Split<K, V>>;
    type Item = (&'map K, &'map V);

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K: Ord + Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(PhantomData))
    }
}

struct MapVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K: Ord + Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for MapVisitor<K, V> {
    type Value = SortedMap<K, V>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = SortedMap::new();
        while let Some((key, value)) = entries.next_entry()? {
            map.insert(key, value);
        }
        Ok(map)
    }
}
