//! The names of the nodes' folders: each node has one of its own, with a number where the name was
//! taken.

use std::collections::{BTreeMap, BTreeSet};

/// The names that are taken.
#[derive(Debug, Default)]
pub(super) struct Folders {
    taken: BTreeSet<String>,
    /// The number to be tried next for each name.
    next: BTreeMap<String, u32>,
}

impl Folders {
    /// Returns a name that is not taken, and takes it.
    pub(super) fn take(&mut self, name: &str) -> String {
        let mut folder = name.to_owned();
        while !self.taken.insert(folder.clone()) {
            let number = self.next.entry(name.to_owned()).or_insert(2);
            folder = format!("{name}_{number}");
            *number = number.saturating_add(1);
        }
        folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_the_next_number_that_is_free() {
        let mut folders = Folders::default();
        let names = ["a", "a", "a_2", "a", "b", "a_2"];
        let taken = names.map(|name| folders.take(name));
        assert_eq!(taken, ["a", "a_2", "a_2_2", "a_3", "b", "a_2_3"]);
    }

    #[test]
    fn many_nodes_of_one_name_take_no_longer_than_others() {
        let mut folders = Folders::default();
        for number in 1..=10_000_u32 {
            let folder = folders.take("a");
            assert!(number == 1 || folder == format!("a_{number}"));
        }
    }
}
