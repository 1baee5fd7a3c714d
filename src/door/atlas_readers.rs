//! Slows clients who read much of the atlas: an isolate remembers what each has asked for.

use std::collections::BTreeMap;

/// The time for which questions count, in milliseconds from the first one.
const WINDOW_MS: u64 = 60_000;
/// The points that a client may ask for within this time.
const POINTS_MAX: u32 = 240;
/// The most clients that are remembered; then the one who has asked for the longest time gives way.
const CLIENTS_MAX: usize = 1_000;

/// A question of the atlas, by the rows that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtlasReading {
    /// Some hundred rows: a person, a name.
    Some,
    /// Up to some ten thousand: a chain between two people.
    Many,
}

impl AtlasReading {
    fn points(self) -> u32 {
        match self {
            Self::Some => 1,
            Self::Many => 20,
        }
    }
}

/// What each client has asked for since the beginning of its window.
#[derive(Debug, Default)]
pub struct AtlasReaders {
    clients: BTreeMap<String, (u64, u32)>,
}

impl AtlasReaders {
    /// Counts a question of this client. Returns the seconds to wait where it asks for too much.
    pub fn take(&mut self, client: &str, reading: AtlasReading, now_ms: u64) -> Result<(), u64> {
        let left_ms = |since_ms: u64| WINDOW_MS.saturating_sub(now_ms.saturating_sub(since_ms));
        self.clients
            .retain(|_, (since_ms, _)| left_ms(*since_ms) > 0);
        if self.clients.len() >= CLIENTS_MAX && !self.clients.contains_key(client) {
            let clients = self.clients.iter();
            let longest = clients.min_by_key(|(_, (since_ms, _))| *since_ms);
            if let Some(longest) = longest.map(|(client, _)| client.clone()) {
                self.clients.remove(&longest);
            }
        }
        let entry = self.clients.entry(client.to_owned());
        let (since_ms, points) = entry.or_insert((now_ms, 0));
        let asked = points.saturating_add(reading.points());
        if asked > POINTS_MAX {
            return Err(left_ms(*since_ms).div_ceil(1_000));
        }
        *points = asked;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_reads_so_much_in_a_minute_and_others_are_not_slowed() {
        let mut readers = AtlasReaders::default();
        for number in 0..12 {
            assert_eq!(readers.take("a", AtlasReading::Many, number), Ok(()));
        }
        assert_eq!(readers.take("a", AtlasReading::Many, 1_000), Err(59));
        assert_eq!(readers.take("a", AtlasReading::Some, 59_500), Err(1));
        assert_eq!(readers.take("b", AtlasReading::Many, 1_000), Ok(()));
        assert_eq!(readers.take("a", AtlasReading::Many, 60_000), Ok(()));
        let mut typed = AtlasReaders::default();
        for number in 0..240 {
            assert_eq!(
                typed.take("a", AtlasReading::Some, number),
                Ok(()),
                "{number}"
            );
        }
        assert_eq!(typed.take("a", AtlasReading::Some, 240), Err(60));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut readers = AtlasReaders::default();
        for number in 0..2 * CLIENTS_MAX as u64 {
            let client = format!("client {number}");
            assert_eq!(readers.take(&client, AtlasReading::Many, number), Ok(()));
        }
        assert_eq!(readers.clients.len(), CLIENTS_MAX);
    }
}
