//! A least-recently-used cache.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A cache of the most recently used values, up to a total number of bytes.
#[derive(Debug)]
pub(super) struct RecentlyUsed<K, V> {
    bytes_max: usize,
    state: Mutex<State<K, V>>,
}

#[derive(Debug)]
struct State<K, V> {
    kept: BTreeMap<Arc<K>, Kept<V>>,
    /// The keys by last use, the least recently used first.
    used: BTreeMap<u64, Arc<K>>,
    uses: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Kept<V> {
    value: Arc<V>,
    bytes: usize,
    last_use: u64,
}

impl<K: Ord, V> RecentlyUsed<K, V> {
    pub(super) const fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            state: Mutex::new(State {
                kept: BTreeMap::new(),
                used: BTreeMap::new(),
                uses: 0,
                bytes: 0,
            }),
        }
    }

    /// Returns the value of a key from the cache, or else from `make`, which also returns the value's size in bytes.
    /// Returns `None` if `make` fails.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> Option<(V, usize)>) -> Option<Arc<V>> {
        // No panic can leave the state half changed, so a poisoned lock is safe to use.
        let state = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = state().take(&key) {
            return Some(known);
        }
        // The lock is not held while the value is made. Two callers with the same key may both make the value, but
        // neither waits for the other.
        let (value, bytes) = make()?;
        let value = Arc::new(value);
        state().keep(key, Arc::clone(&value), bytes, self.bytes_max);
        Some(value)
    }
}

impl<K: Ord, V> State<K, V> {
    fn take(&mut self, key: &K) -> Option<Arc<V>> {
        let kept = self.kept.get_mut(key)?;
        let key = self.used.remove(&kept.last_use)?;
        self.uses += 1;
        kept.last_use = self.uses;
        self.used.insert(self.uses, key);
        Some(Arc::clone(&kept.value))
    }

    fn keep(&mut self, key: K, value: Arc<V>, bytes: usize, bytes_max: usize) {
        let key = Arc::new(key);
        self.uses += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let last_use = self.uses;
        self.used.insert(last_use, Arc::clone(&key));
        let kept = Kept {
            value,
            bytes,
            last_use,
        };
        if let Some(before) = self.kept.insert(key, kept) {
            self.used.remove(&before.last_use);
            self.bytes = self.bytes.saturating_sub(before.bytes);
        }
        while self.bytes > bytes_max
            && let Some((_, oldest)) = self.used.pop_first()
        {
            let freed = self.kept.remove(&oldest).map_or(0, |kept| kept.bytes);
            self.bytes = self.bytes.saturating_sub(freed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gets keys one after the other, with values of ten bytes. Returns the keys whose values had to be made.
    fn made(cache: &RecentlyUsed<u8, u8>, keys: &[u8]) -> Vec<u8> {
        let mut made = Vec::new();
        for key in keys {
            let value = cache.get(*key, || {
                made.push(*key);
                Some((key + 100, 10))
            });
            assert_eq!(value.as_deref(), Some(&(key + 100)));
        }
        made
    }

    #[test]
    fn what_was_unused_for_longest_is_forgotten_first() {
        let cache = RecentlyUsed::new(30);
        assert_eq!(made(&cache, &[1, 2, 3, 1, 2, 3]), [1, 2, 3]);
        assert_eq!(made(&cache, &[1, 4]), [4]);
        assert!(made(&cache, &[3, 1, 4]).is_empty());
        assert_eq!(made(&cache, &[2, 4, 1, 3]), [2, 3]);
    }

    #[test]
    fn what_cannot_be_made_is_not_kept() {
        let cache = RecentlyUsed::<u8, u8>::new(30);
        assert_eq!(cache.get(1, || None), None);
        assert_eq!(made(&cache, &[1]), [1]);
    }

    #[test]
    fn what_is_too_large_is_given_and_not_kept() {
        let cache = RecentlyUsed::new(5);
        assert_eq!(made(&cache, &[1, 1]), [1, 1]);
    }
}
