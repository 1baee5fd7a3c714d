//! The queue of what an engine hands out.

use std::collections::VecDeque;

/// Commands to carry out, or notices to tell, until they are taken, the oldest first.
#[derive(Debug, Clone)]
pub struct Outbox<Item> {
    items: VecDeque<Item>,
}

impl<Item> Outbox<Item> {
    /// Adds an item behind the others.
    pub fn add(&mut self, item: Item) {
        self.items.push_back(item);
    }

    /// Takes the oldest item.
    pub fn take_next(&mut self) -> Option<Item> {
        self.items.pop_front()
    }

    /// Takes everything back that nobody has taken yet, the oldest first.
    pub fn withdraw(&mut self) -> impl Iterator<Item = Item> + use<Item> {
        std::mem::take(&mut self.items).into_iter()
    }
}

impl<Item> Default for Outbox<Item> {
    fn default() -> Self {
        Self {
            items: VecDeque::new(),
        }
    }
}
