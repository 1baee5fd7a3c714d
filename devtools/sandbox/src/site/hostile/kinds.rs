//! Decides which kinds of hostility each page has.

use crate::hash::{below, hash};

use super::burdens::BURDENS;
use super::copies::COPIES;
use super::dialogs::DIALOGS;
use super::fakes::FAKES;
use super::hostility::{Hostility, Twist};
use super::leaks::LEAKS;
use super::leaving::LEAVING;
use super::nested::NESTED;
use super::orders::ORDERS;
use super::windows::WINDOWS;

/// The number of hostile pages. They are numbered from 0.
pub(super) const PAGES: usize = 300;

fn all() -> Vec<&'static Hostility> {
    let lists: [&[Hostility]; 9] = [
        &DIALOGS, &LEAVING, &WINDOWS, &BURDENS, &FAKES, &ORDERS, &LEAKS, &COPIES, &NESTED,
    ];
    lists.into_iter().flatten().collect()
}

/// Returns the kinds of a page. The first pages have one kind each, so every kind occurs once alone. Each later page
/// has two, unless its first kind redirects. Returns `None` if there is no such page.
pub(super) fn kinds_of(number: usize) -> Option<Vec<&'static Hostility>> {
    if number >= PAGES {
        return None;
    }
    let all = all();
    let count = all.len();
    let first = all.get(number % count)?;
    // A page that redirects shows nothing, so a second kind would have no effect.
    let is_moved = matches!(first.twist, Twist::Moved(_));
    if number < count || is_moved {
        return Some(vec![first]);
    }
    let others: Vec<_> = all
        .iter()
        .filter(|other| other.name != first.name && !matches!(other.twist, Twist::Moved(_)))
        .collect();
    let draw = hash(&["hostile page".into(), number.into()]);
    let second = others.get(below(draw, others.len()))?;
    Some(vec![first, second])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_occurs_alone_and_the_rest_are_mixed() {
        let names: BTreeSet<_> = all().iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), all().len(), "each kind has its own name");
        let pages: Vec<_> = (0..PAGES).map(|number| kinds_of(number).unwrap()).collect();
        let alone = pages.iter().filter(|kinds| kinds.len() == 1);
        let alone: BTreeSet<_> = alone.map(|kinds| kinds[0].name).collect();
        assert_eq!(alone, names);
        let mixed = pages.iter().filter(|kinds| kinds.len() == 2);
        let mixed: BTreeSet<_> = mixed.map(|kinds| (kinds[0].name, kinds[1].name)).collect();
        assert!(mixed.len() > 80, "{}", mixed.len());
        assert!(mixed.iter().all(|(one, other)| one != other));
        assert!(kinds_of(PAGES).is_none());
    }
}
