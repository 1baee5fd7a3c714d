//! The paces of all providers and photo hosts that the runs of one isolate ask.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::pace::Pace;

/// The most paces that are remembered: those of the providers, and of hosts of photos.
const PACES_MAX: usize = 64;

/// The paces of providers and of photo hosts, shared by all runs of an isolate.
#[derive(Debug, Default)]
pub struct Paces {
    by_name: RefCell<BTreeMap<String, Rc<Pace>>>,
}

impl Paces {
    /// Returns the pace of a provider, by its id, or of a photo host, by its name. Where too many
    /// paces are busy, a new one is returned that is not shared.
    #[must_use]
    pub fn of(&self, name: &str, now_ms: u64) -> Rc<Pace> {
        let mut by_name = self.by_name.borrow_mut();
        if let Some(pace) = by_name.get(name) {
            return pace.clone();
        }
        if by_name.len() >= PACES_MAX {
            by_name.retain(|_, pace| pace.busy_until_ms() > now_ms);
        }
        let pace = Rc::new(Pace::default());
        if by_name.len() < PACES_MAX {
            by_name.insert(name.to_owned(), pace.clone());
        }
        pace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_pace_and_idle_ones_make_room() {
        let paces = Paces::default();
        paces.of("brave", 0).slow_down(0, 0, Some(90_000), 0.0);
        assert_eq!(paces.of("brave", 0).busy_until_ms(), 90_000);
        for host in 0..200 {
            let _ = paces.of(&format!("{host}.example"), 1_000);
        }
        assert!(paces.by_name.borrow().len() <= PACES_MAX);
        assert_eq!(paces.of("brave", 1_000).busy_until_ms(), 90_000);
        for host in 0..200 {
            let pace = paces.of(&format!("{host}.example"), 1_000);
            pace.slow_down(0, 0, Some(90_000), 0.0);
        }
        assert!(paces.by_name.borrow().len() <= PACES_MAX, "all are busy");
    }
}
