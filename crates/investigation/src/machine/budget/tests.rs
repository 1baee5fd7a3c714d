//! The budget's order of checks, its clock, and how the last attempts are shared.

use super::*;

#[test]
fn the_clock_comes_before_the_count() {
    let limits = Limits {
        searches_max: 1,
        runtime_ms_max: 100,
        ..Limits::default()
    };
    let mut budget = Budget::new(&limits);
    budget.advance(Millis(1_000));
    budget.start();
    let at = |budget: &Budget, now| Budget {
        now: Millis(now),
        ..budget.clone()
    };
    let search = |budget: &Budget, now| at(budget, now).permission(CallKind::Search);
    let refused = Permission::Refused;
    assert_eq!(search(&budget, 1_099), Permission::Granted);
    assert_eq!(search(&budget, 1_100), refused(Reason::RuntimeBudget));
    assert_eq!(budget.begin(CallKind::Search, 1), 1);
    assert_eq!(search(&budget, 1_050), refused(Reason::SearchBudget));
    assert_eq!(
        at(&budget, 1_050).permission(CallKind::Recognition),
        Permission::Granted
    );
}

#[test]
fn the_time_of_a_run_neither_steps_back_nor_counts_a_pause() {
    let limits = Limits {
        runtime_ms_max: 100,
        ..Limits::default()
    };
    let mut budget = Budget::new(&limits);
    budget.advance(Millis(1_000));
    budget.start();
    assert_eq!(budget.advance(Millis(900)), 0);
    assert_eq!(budget.time_left_ms(), 100);
    let pause_ms = budget.advance(Millis(1_060));
    budget.pause(pause_ms);
    assert_eq!((pause_ms, budget.time_left_ms()), (60, 100));
}

/// Checks how many attempts each of this many photos at hand has, when this many attempts are
/// left.
fn check_shares(left: u32, photos: usize, expect: &[u32]) {
    let limits = Limits {
        recognitions_max: left,
        ..Limits::default()
    };
    let mut budget = Budget::new(&limits);
    budget.advance(Millis(1));
    let mut begun = Vec::new();
    for sharers in (1..=photos).rev() {
        if budget.permission_to_recognise(sharers) == Permission::Granted {
            begun.push(budget.begin(CallKind::Recognition, sharers));
        }
    }
    assert_eq!(begun, expect);
}

#[test]
fn the_last_photos_share_what_is_left_and_do_not_wait_for_each_other() {
    check_shares(100, 5, &[3, 3, 3, 3, 3]);
    check_shares(12, 5, &[2, 2, 2, 3, 3]);
    check_shares(5, 5, &[1, 1, 1, 1, 1]);
    check_shares(3, 5, &[1, 1, 1]);
    check_shares(2, 1, &[2]);
}

#[test]
fn the_last_attempts_are_not_shared_by_calls_at_the_same_time() {
    let limits = Limits {
        searches_max: 5,
        ..Limits::default()
    };
    let mut budget = Budget::new(&limits);
    budget.advance(Millis(1));
    assert_eq!(budget.begin(CallKind::Search, 1), 3);
    assert_eq!(budget.permission(CallKind::Search), Permission::Later);
    budget.settle(CallKind::Search, 3, 3);
    assert_eq!(budget.permission(CallKind::Search), Permission::Granted);
}
