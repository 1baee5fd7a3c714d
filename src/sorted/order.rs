//! Stable sorting, by which items are compared and swapped by their places alone.

use std::cmp::Ordering;

/// Sorts the items. Equal items stay in their order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts the items by what `key` gives. Equal items stay in their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts the items by `compare`. Equal items stay in their order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = order_of(items.len(), &mut |one, other| {
        let pair = items.get(one).zip(items.get(other));
        pair.map_or(Ordering::Equal, |(one, other)| compare(one, other))
    });
    arrange(&mut order, &mut |one, other| items.swap(one, other));
}

/// Returns the places from 0 to `length` in the order of the items that lie there.
fn order_of(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Swaps items until each place holds the item of the place that `order` gives for it.
fn arrange(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while let Some(taken_from) = order.get_mut(place) {
            let next = std::mem::replace(taken_from, place);
            if next == start {
                break;
            }
            // A place that is done already holds its own number.
            if next == place {
                break;
            }
            swap(place, next);
            place = next;
        }
    }
}

/// Returns numbers without a pattern, by the rule of a linear congruential generator.
#[cfg(test)]
pub(super) fn numbers(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 33
    };
    (0..count).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    #[test]
    fn sorts_like_the_standard_library_and_keeps_equal_items_in_their_order() {
        for length in 0..60 {
            let items = numbers(length as u64, length);
            let mut sorted: Vec<(u64, usize)> = items
                .iter()
                .zip(0..)
                .map(|(item, i)| (item % 7, i))
                .collect();
            let mut expected = sorted.clone();
            sort_by_key(&mut sorted, |(key, _)| *key);
            expected.sort_by_key(|(key, _)| *key);
            assert_eq!(sorted, expected);
            sort_by(&mut sorted, |one, other| other.0.cmp(&one.0));
            expected.sort_by_key(|item| Reverse(item.0));
            assert_eq!(sorted, expected);
            let mut words: Vec<String> = items.iter().map(u64::to_string).collect();
            let mut expected = words.clone();
            sort(&mut words);
            expected.sort();
            assert_eq!(words, expected);
        }
    }
}
