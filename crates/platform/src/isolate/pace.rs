//! The pace at which the runs of an isolate, all together, send requests to a provider.
//!
//! Turns come at the pace that the operator set. If the provider throttles, nobody sends for a while, and then turns
//! come more slowly. Each answer restores some of the pace.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

const SECOND_US: u64 = 1_000_000;
/// How long nobody sends after the first throttle without a retry hint, in milliseconds. Each further throttle doubles
/// this rest.
const REST_MS_MIN: u64 = 500;
/// The longest rest after a throttle without a retry hint, in milliseconds.
const REST_MS_MAX: u64 = 30_000;
/// The time between two turns after the first throttle, in microseconds. Each further throttle doubles the time.
const SLOWED_INTERVAL_US_MIN: u64 = 100_000;
/// The longest time between two turns after throttles, in microseconds.
const SLOWED_INTERVAL_US_MAX: u64 = 2 * SECOND_US;

/// The most paces of providers and photo hosts that an isolate keeps.
const PACES_MAX: usize = 64;

/// A permission to send one request, after a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The time to wait for the turn, in milliseconds.
    pub wait_ms: u64,
    generation: u64,
}

/// The reason why no turn can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTurn {
    /// The wait in the queue is longer than the caller can wait.
    Crowded,
    /// The rest after the provider's throttle is longer than the caller can wait.
    Resting,
}

/// Grants turns at a steady pace. After a pause, a burst of one second's worth of turns is available.
#[derive(Debug, Default)]
pub struct Pace {
    /// The time of the next free turn, in microseconds since 1970.
    next_us: Cell<u64>,
    /// The time between two turns while the provider does not throttle, in microseconds.
    interval_us: Cell<u64>,
    slowdown: Cell<Slowdown>,
    /// The current generation of turns. Each throttle begins a new generation, which invalidates earlier turns.
    generation: Cell<u64>,
}

impl Pace {
    /// Takes the next turn, at the pace of `per_second_max` if given. Fails if the turn comes later than the caller
    /// can wait.
    pub fn take_turn(
        &self,
        now_ms: u64,
        per_second_max: Option<u32>,
        wait_ms_max: u64,
    ) -> Result<Turn, NoTurn> {
        let interval_us = per_second_max.map_or(0, |count| SECOND_US / u64::from(count.max(1)));
        self.interval_us.set(interval_us);
        let slowdown = self.slowdown.get();
        if slowdown.rest_until_ms.saturating_sub(now_ms) > wait_ms_max {
            return Err(NoTurn::Resting);
        }
        let interval_us = interval_us.max(slowdown.interval_us);
        // After a pause of at least a second, one second's worth of turns is available at once.
        let burst_us = SECOND_US.saturating_sub(interval_us);
        let earliest_us = now_ms.saturating_mul(1_000).saturating_sub(burst_us);
        let turn_us = (self.next_us.get())
            .max(earliest_us)
            .max(slowdown.rest_until_ms.saturating_mul(1_000));
        let wait_ms = (turn_us.saturating_sub(now_ms.saturating_mul(1_000))).div_ceil(1_000);
        if wait_ms > wait_ms_max {
            return Err(NoTurn::Crowded);
        }
        self.next_us.set(turn_us.saturating_add(interval_us));
        Ok(Turn {
            wait_ms,
            generation: self.generation.get(),
        })
    }

    /// Returns whether a turn is still valid. After a throttle it is not, and the caller must take a new turn.
    #[must_use]
    pub fn holds(&self, turn: Turn) -> bool {
        turn.generation == self.generation.get()
    }

    /// Slows down because the provider throttled a request that was sent at `sent_ms`. `hint_ms` is the wait that the
    /// provider requested, if it did. `jitter`, from 0 to 1, varies the length of the rest.
    pub fn slow_down(&self, sent_ms: u64, now_ms: u64, hint_ms: Option<u64>, jitter: f64) {
        let mut slowdown = self.slowdown.get();
        let hint_ms = hint_ms.unwrap_or_default();
        let mut rest_ms = hint_ms;
        if sent_ms >= slowdown.since_ms {
            rest_ms = rest_ms.max(backoff_ms(slowdown.throttles_in_a_row, jitter));
            slowdown.throttles_in_a_row = slowdown.throttles_in_a_row.saturating_add(1);
            slowdown.interval_us = (self.interval_us.get().max(slowdown.interval_us))
                .saturating_mul(2)
                .clamp(SLOWED_INTERVAL_US_MIN, SLOWED_INTERVAL_US_MAX)
                .max(self.interval_us.get());
            slowdown.since_ms = now_ms.saturating_add(1);
        }
        let rest_until_ms = now_ms.saturating_add(rest_ms);
        if rest_until_ms > slowdown.rest_until_ms {
            slowdown.rest_until_ms = rest_until_ms;
            self.next_us.set(rest_until_ms.saturating_mul(1_000));
            self.generation.set(self.generation.get().wrapping_add(1));
        }
        self.slowdown.set(slowdown);
    }

    /// Speeds up a little because the provider answered a request that was sent at `sent_ms`.
    pub fn speed_up(&self, sent_ms: u64) {
        let mut slowdown = self.slowdown.get();
        if sent_ms < slowdown.since_ms {
            return;
        }
        slowdown.throttles_in_a_row = 0;
        slowdown.interval_us -= slowdown.interval_us / 4;
        if slowdown.interval_us <= self.interval_us.get().max(SLOWED_INTERVAL_US_MIN / 2) {
            slowdown.interval_us = 0;
        }
        self.slowdown.set(slowdown);
    }

    /// Returns the time until which calls must wait at this pace, in milliseconds since 1970.
    #[must_use]
    pub fn busy_until_ms(&self) -> u64 {
        let rest_until_ms = self.slowdown.get().rest_until_ms;
        rest_until_ms.max(self.next_us.get() / 1_000)
    }
}

/// The effect of throttles on a pace. The default is no effect.
#[derive(Debug, Clone, Copy, Default)]
struct Slowdown {
    interval_us: u64,
    rest_until_ms: u64,
    throttles_in_a_row: u32,
    /// Only answers to requests sent from this time on, in milliseconds since 1970, change the pace. Earlier requests
    /// were sent before the last throttle slowed the pace.
    since_ms: u64,
}

/// Returns the length of a rest, in milliseconds: 0.5, 1, 2 seconds and so on, shortened by up to half depending on
/// `jitter`.
fn backoff_ms(throttles_in_a_row: u32, jitter: f64) -> u64 {
    let full_ms = (REST_MS_MIN << throttles_in_a_row.min(10)).min(REST_MS_MAX);
    // The value is at most 30 seconds and not negative, so the conversion loses only the fraction.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let spread_ms = (full_ms as f64 * (0.5 + jitter.clamp(0.0, 1.0) / 2.0)) as u64;
    spread_ms
}

/// The paces of providers and photo hosts, shared by all runs of an isolate.
#[derive(Debug, Default)]
pub struct Paces {
    by_name: RefCell<BTreeMap<String, Rc<Pace>>>,
}

impl Paces {
    /// Returns the pace of a provider, by the provider's id, or of a photo host, by the host's name. If too many
    /// paces are busy, returns a new pace that is not shared.
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

    fn wait(pace: &Pace, now_ms: u64, per_second_max: u32) -> u64 {
        let turn = pace.take_turn(now_ms, Some(per_second_max), u64::MAX);
        turn.unwrap().wait_ms
    }

    #[test]
    fn who_would_wait_too_long_takes_no_turn() {
        let pace = Pace::default();
        let take = |now_ms| {
            let turn = pace.take_turn(now_ms, Some(1), 2_000);
            turn.map(|turn| turn.wait_ms)
        };
        let turns: Vec<_> = (0..4).map(|_| take(10_000)).collect();
        assert_eq!(turns, [Ok(0), Ok(1_000), Ok(2_000), Err(NoTurn::Crowded)]);
        assert_eq!(take(12_000), Ok(1_000));
    }

    #[test]
    fn a_seconds_worth_goes_at_once_and_the_rest_in_turn() {
        let pace = Pace::default();
        let waits: Vec<u64> = (0..8).map(|_| wait(&pace, 10_000, 5)).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 200, 400, 600]);
        assert_eq!(wait(&pace, 10_600, 5), 200);
        assert_eq!(wait(&pace, 20_000, 5), 0);
    }

    #[test]
    fn no_second_has_more_turns_than_twice_the_pace() {
        let pace = Pace::default();
        let mut sent: Vec<u64> = Vec::new();
        for now_ms in (0..10_000).step_by(37) {
            sent.push(now_ms + wait(&pace, now_ms, 5));
        }
        for start in 0..9_000 {
            let within = sent
                .iter()
                .filter(|at| (start..start + 1_000).contains(*at));
            assert!(within.count() <= 10);
        }
        assert!(sent.windows(2).all(|two| two[0] <= two[1]));
    }

    #[test]
    fn nothing_waits_where_nothing_limits() {
        let pace = Pace::default();
        let turns = (0..100).map(|_| pace.take_turn(10_000, None, 0).unwrap().wait_ms);
        assert_eq!(turns.sum::<u64>(), 0);
    }

    #[test]
    fn a_throttle_makes_everybody_rest_and_go_on_more_slowly() {
        let pace = Pace::default();
        let before = pace.take_turn(10_000, None, 0).unwrap();
        pace.slow_down(10_000, 10_050, None, 1.0);
        assert!(!pace.holds(before));
        let waits = || {
            let turn = pace.take_turn(10_050, None, 60_000).unwrap();
            assert!(pace.holds(turn));
            turn.wait_ms
        };
        assert_eq!([waits(), waits(), waits()], [500, 600, 700]);
        assert_eq!(pace.take_turn(10_050, None, 499), Err(NoTurn::Resting));
    }

    #[test]
    fn calls_sent_before_a_throttle_slow_down_no_further_but_their_hints_hold() {
        let pace = Pace::default();
        for _ in 0..5 {
            pace.slow_down(10_000, 10_050, None, 1.0);
        }
        assert_eq!(pace.busy_until_ms(), 10_550);
        pace.slow_down(10_000, 10_060, Some(37_000), 1.0);
        assert_eq!(pace.busy_until_ms(), 47_060);
        pace.slow_down(10_000, 10_070, None, 1.0);
        assert_eq!(pace.busy_until_ms(), 47_060, "never shorter");
    }

    #[test]
    fn rests_double_to_half_a_minute_and_an_answer_ends_them() {
        let pace = Pace::default();
        let mut now_ms = 10_000;
        let rest = |now_ms| {
            pace.slow_down(now_ms, now_ms, None, 1.0);
            pace.busy_until_ms() - now_ms
        };
        let mut rests = Vec::new();
        for _ in 0..8 {
            rests.push(rest(now_ms));
            now_ms += 60_000;
        }
        let expected = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
        assert_eq!(rests, expected);
        pace.speed_up(now_ms);
        assert_eq!(rest(now_ms), 500);
    }

    #[test]
    fn answers_bring_the_pace_back() {
        let pace = Pace::default();
        pace.slow_down(10_000, 10_000, None, 0.0);
        let interval = || {
            let wait = || pace.take_turn(20_000, Some(20), u64::MAX).unwrap().wait_ms;
            for _ in 0..20 {
                wait();
            }
            wait().abs_diff(wait())
        };
        assert_eq!(interval(), 100);
        for _ in 0..2 {
            pace.speed_up(20_000);
        }
        assert!((51..60).contains(&interval()), "{}", interval());
        pace.speed_up(20_000);
        assert_eq!(interval(), 50, "the operator's own pace");
    }

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
