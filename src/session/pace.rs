//! How fast a provider is asked by all runs of one isolate together.

use std::cell::Cell;

/// Turns that come at a steady pace, after a second's worth of them at once.
#[derive(Debug, Default)]
pub struct Pace {
    /// When a turn after the last one taken would be due, in microseconds since 1970.
    next_us: Cell<u64>,
}

impl Pace {
    /// Takes the next turn, of so many a second: how long to wait for it, in milliseconds.
    #[must_use]
    pub fn take_turn(&self, now_ms: u64, per_second_max: u32) -> u64 {
        let (turn_us, interval_us) = self.next_turn_us(now_ms, per_second_max);
        self.next_us.set(turn_us.saturating_add(interval_us));
        wait_ms(turn_us, now_ms)
    }

    /// The same where nobody waits longer than this; none, and no turn taken, where it would be.
    #[must_use]
    pub fn take_turn_within(
        &self,
        now_ms: u64,
        per_second_max: u32,
        wait_ms_max: u64,
    ) -> Option<u64> {
        let (turn_us, _) = self.next_turn_us(now_ms, per_second_max);
        (wait_ms(turn_us, now_ms) <= wait_ms_max).then(|| self.take_turn(now_ms, per_second_max))
    }

    /// When the next turn is due, and the interval between two.
    fn next_turn_us(&self, now_ms: u64, per_second_max: u32) -> (u64, u64) {
        const SECOND_US: u64 = 1_000_000;
        let interval_us = SECOND_US / u64::from(per_second_max.max(1));
        // Who waited for a second may have a second's worth of turns at once.
        let earliest_us = now_ms
            .saturating_mul(1_000)
            .saturating_sub(SECOND_US - interval_us);
        (self.next_us.get().max(earliest_us), interval_us)
    }
}

fn wait_ms(turn_us: u64, now_ms: u64) -> u64 {
    turn_us
        .saturating_sub(now_ms.saturating_mul(1_000))
        .div_ceil(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_would_wait_too_long_takes_no_turn() {
        let pace = Pace::default();
        let turns: Vec<Option<u64>> = (0..5)
            .map(|_| pace.take_turn_within(10_000, 1, 2_000))
            .collect();
        assert_eq!(turns, [Some(0), Some(1_000), Some(2_000), None, None]);
        assert_eq!(pace.take_turn_within(12_000, 1, 2_000), Some(1_000));
    }

    #[test]
    fn a_seconds_worth_goes_at_once_and_the_rest_in_turn() {
        let pace = Pace::default();
        let waits: Vec<u64> = (0..8).map(|_| pace.take_turn(10_000, 5)).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 200, 400, 600]);
        assert_eq!(pace.take_turn(10_600, 5), 200);
        assert_eq!(pace.take_turn(20_000, 5), 0);
    }

    #[test]
    fn no_second_has_more_turns_than_twice_the_pace() {
        let pace = Pace::default();
        let mut sent: Vec<u64> = Vec::new();
        for now_ms in (0..10_000).step_by(37) {
            sent.push(now_ms + pace.take_turn(now_ms, 5));
        }
        for start in 0..9_000 {
            let within = sent
                .iter()
                .filter(|at| (start..start + 1_000).contains(*at));
            assert!(within.count() <= 10);
        }
        assert!(sent.windows(2).all(|two| two[0] <= two[1]));
    }
}
