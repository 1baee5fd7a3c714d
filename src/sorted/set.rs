//! A set as a list in order.

use std::borrow::Borrow;
use std::fmt;

use super::map::SortedMap;

/// A set as a list in order. [`SortedMap`] tells what it costs.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedSet<K> {
    members: SortedMap<K, ()>,
}

impl<K: Ord> SortedSet<K> {
    /// Makes an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            members: SortedMap::new(),
        }
    }

    /// Returns whether this is a member.
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.members.contains_key(member)
    }

    /// Adds a member. Returns whether it is new.
    pub fn insert(&mut self, member: K) -> bool {
        self.members.insert(member, ()).is_none()
    }

    /// Removes a member. Returns whether it was one.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.members.remove(member).is_some()
    }
}

impl<K> SortedSet<K> {
    /// Returns the number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.members.clear();
    }

    /// Returns the members in order.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.members.keys()
    }
}

impl<K> Default for SortedSet<K> {
    fn default() -> Self {
        Self {
            members: SortedMap::default(),
        }
    }
}

impl<K: fmt::Debug> fmt::Debug for SortedSet<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

impl<K: Ord> FromIterator<K> for SortedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(members: I) -> Self {
        Self {
            members: members.into_iter().map(|member| (member, ())).collect(),
        }
    }
}

impl<K: Ord> Extend<K> for SortedSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, members: I) {
        self.members
            .extend(members.into_iter().map(|member| (member, ())));
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for SortedSet<K> {
    fn from(members: [K; N]) -> Self {
        members.into_iter().collect()
    }
}

impl<K> IntoIterator for SortedSet<K> {
    type IntoIter = std::iter::Map<std::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;
    type Item = K;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter().map(|(member, ())| member)
    }
}

type Member<K> = for<'set> fn((&'set K, &'set ())) -> &'set K;

impl<'set, K> IntoIterator for &'set SortedSet<K> {
    type IntoIter = std::iter::Map<<&'set SortedMap<K, ()> as IntoIterator>::IntoIter, Member<K>>;
    type Item = &'set K;

    fn into_iter(self) -> Self::IntoIter {
        (&self.members).into_iter().map(|(member, ())| member)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::order::numbers;
    use super::*;

    /// Returns the steps that a test does to both collections, in the same order.
    fn steps(seed: u64) -> Vec<(u64, u64)> {
        let drawn = numbers(seed, 600);
        drawn
            .chunks(2)
            .map(|two| (two[0] % 6, two[1] % 40))
            .collect()
    }

    #[test]
    fn a_map_does_what_a_tree_does() {
        for seed in 0..50 {
            let (mut map, mut model) = (SortedMap::new(), BTreeMap::new());
            for (n, (step, key)) in steps(seed).into_iter().enumerate() {
                match step {
                    0 | 1 => assert_eq!(map.insert(key, n), model.insert(key, n)),
                    2 => assert_eq!(map.remove(&key), model.remove(&key)),
                    3 => {
                        *map.entry(key).or_insert(8) += 1;
                        *model.entry(key).or_insert(8) += 1;
                    }
                    4 => map.extend([(key, n), (key / 2, n), (key, n + 1)]),
                    _ => map.retain(|known, _| known % 5 != key % 5),
                }
                match step {
                    4 => model.extend([(key, n), (key / 2, n), (key, n + 1)]),
                    5 => model.retain(|known, _| known % 5 != key % 5),
                    _ => {}
                }
                assert!(map.iter().eq(model.iter()));
                assert_eq!(
                    (map.get(&key), map.contains_key(&key)),
                    (model.get(&key), model.contains_key(&key))
                );
                assert_eq!(
                    (map.len(), map.first_key_value()),
                    (model.len(), model.first_key_value())
                );
            }
            assert_eq!(
                serde_json::to_string(&map).unwrap(),
                serde_json::to_string(&model).unwrap()
            );
            let read: SortedMap<u64, usize> =
                serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
            assert_eq!(read, map);
            assert_eq!(map.pop_first(), model.pop_first());
            assert!(map.into_iter().eq(model));
        }
    }

    #[test]
    fn a_set_does_what_a_tree_does() {
        for seed in 0..50 {
            let (mut set, mut model) = (SortedSet::new(), BTreeSet::new());
            for (step, key) in steps(seed) {
                match step {
                    0..=2 => assert_eq!(set.insert(key), model.insert(key)),
                    3 => assert_eq!(set.remove(&key), model.remove(&key)),
                    _ => {
                        set.extend([key, key / 3, key]);
                        model.extend([key, key / 3, key]);
                    }
                }
                assert!(set.iter().eq(model.iter()));
                assert_eq!(
                    (set.contains(&key), set.len()),
                    (model.contains(&key), model.len())
                );
            }
            assert_eq!(set, model.iter().copied().rev().collect());
            assert!(set.into_iter().eq(model));
        }
    }
}
