//! Tests one rule after the other.

use super::*;

const ONE: Amount = Amount {
    searches: 2,
    recognitions: 4,
    nano_usd: 8,
};

fn day_of_two() -> StartLimits {
    StartLimits {
        daily_searches_max: Some(4),
        daily_recognitions_max: Some(100),
        daily_nano_usd_max: Some(100),
        ..StartLimits::default()
    }
}

fn reserve(budget: &mut DailyBudget, run: &str, now_ms: u64) -> Result<u64, Refusal> {
    budget.reserve(&claim(run, run, ONE, day_of_two()), now_ms)
}

#[test]
fn what_is_not_spent_is_given_back_and_what_is_spent_is_gone_until_midnight() {
    let mut budget = DailyBudget::default();
    assert!(reserve(&mut budget, "a", NOON_MS).is_ok());
    assert!(reserve(&mut budget, "b", NOON_MS).is_ok());
    assert_eq!(reserve(&mut budget, "c", NOON_MS), Err(Refusal::DayHeld));
    budget.settle("a", amount(0, 0, 0), NOON_MS);
    assert!(reserve(&mut budget, "c", NOON_MS).is_ok());
    budget.settle("b", amount(2, 1, 1), NOON_MS);
    budget.settle("c", amount(1, 1, 1), NOON_MS);
    let short = Refusal::DaySpent {
        asked: Quantity::Searches(2),
        left: Quantity::Searches(1),
        retry_after_s: 43_200,
    };
    assert_eq!(reserve(&mut budget, "d", NOON_MS), Err(short));
    assert!(reserve(&mut budget, "d", NOON_MS + DAY_MS / 2).is_ok());
}

#[test]
fn a_run_counts_on_the_day_of_its_reservation() {
    let mut budget = DailyBudget::default();
    reserve(&mut budget, "a", NOON_MS).unwrap();
    let tomorrow_ms = NOON_MS + DAY_MS;
    let report = budget.report(tomorrow_ms);
    assert_eq!((report.reserved, report.live_runs), (amount(0, 0, 0), 1));
    budget.settle("a", ONE, tomorrow_ms);
    assert_eq!(budget.report(tomorrow_ms).spent, amount(0, 0, 0));
    // The clock steps back over midnight: the day does not, and its budget is not given twice.
    reserve(&mut budget, "b", tomorrow_ms).unwrap();
    budget.settle("b", ONE, tomorrow_ms);
    assert_eq!(budget.report(NOON_MS).spent, ONE);
}

#[test]
fn a_run_that_never_fits_is_told_so() {
    let mut budget = DailyBudget::default();
    let dear = claim("a", "a", amount(0, 0, 101), day_of_two());
    let expected = Refusal::AboveDay {
        asked: Quantity::NanoUsd(101),
        budget: Quantity::NanoUsd(100),
    };
    assert_eq!(budget.reserve(&dear, NOON_MS), Err(expected));
}

#[test]
fn repeated_calls_change_nothing() {
    let mut budget = DailyBudget::default();
    let first = reserve(&mut budget, "a", NOON_MS).unwrap();
    let second = reserve(&mut budget, "a", NOON_MS).unwrap();
    assert_eq!(budget.report(NOON_MS).reserved, ONE);
    budget.release("a", first);
    assert_eq!(budget.report(NOON_MS).live_runs, 1, "a later grant stays");
    budget.release("a", second);
    assert_eq!(budget.report(NOON_MS).live_runs, 0);
    reserve(&mut budget, "a", NOON_MS).unwrap();
    budget.settle("a", ONE, NOON_MS);
    budget.settle("a", ONE, NOON_MS);
    assert_eq!(budget.report(NOON_MS).spent, ONE);
}

#[test]
fn clients_have_so_many_runs_at_once_and_so_many_starts_a_minute() {
    let limits = StartLimits {
        live_runs_max: Some(3),
        live_runs_per_client_max: Some(2),
        starts_per_minute_max: Some(4),
        ..StartLimits::default()
    };
    let mut budget = DailyBudget::default();
    let mut start = |run: &str, client, now_ms| {
        let begun = budget.reserve(&claim(run, client, ONE, limits), now_ms);
        if begun.is_ok() && run.starts_with("short") {
            budget.settle(run, ONE, now_ms);
        }
        begun.map(|_| ())
    };
    assert_eq!(start("1", "x", NOON_MS), Ok(()));
    assert_eq!(start("2", "x", NOON_MS), Ok(()));
    let own = Refusal::LiveRunsOfClient { runs_max: 2 };
    assert_eq!(start("3", "x", NOON_MS), Err(own));
    assert_eq!(start("3", "y", NOON_MS), Ok(()));
    let all = Refusal::LiveRuns { runs_max: 3 };
    assert_eq!(start("4", "z", NOON_MS), Err(all));

    let mut budget = DailyBudget::default();
    let mut start = |run: &str, now_ms| {
        let begun = budget.reserve(&claim(run, "x", ONE, limits), now_ms);
        budget.settle(run, ONE, now_ms);
        begun.map(|_| ())
    };
    for second in 0..4 {
        let run = format!("short{second}");
        assert_eq!(start(&run, NOON_MS + second * 1_000), Ok(()));
    }
    let fast = Refusal::StartsOfClient {
        starts_max: 4,
        retry_after_s: 50,
    };
    assert_eq!(start("5", NOON_MS + 10_000), Err(fast));
    assert_eq!(start("5", NOON_MS + 60_000), Ok(()));
}

#[test]
fn a_run_is_asked_how_it_is_and_kept_as_long_as_it_does_not_answer() {
    let mut budget = DailyBudget::default();
    for run in ["ended", "goes on", "silent", "unknown"] {
        let limits = StartLimits::default();
        let claim = claim(run, run, ONE, limits);
        budget.reserve(&claim, NOON_MS).unwrap();
    }
    assert_eq!(budget.next_due_ms(), Some(NOON_MS + 120_000));
    assert_eq!(budget.due(NOON_MS + 119_999, 9), []);
    let asked_ms = NOON_MS + 120_000;
    let due = budget.due(asked_ms, 9);
    assert_eq!(due.len(), 4);
    assert_eq!(budget.due(asked_ms, 2).len(), 2);
    let spent = amount(1, 1, 1);
    for one in &due {
        let account = match one.run.as_str() {
            "ended" => Some(RunAccount::Ended { spent }),
            "goes on" => Some(RunAccount::GoesOn),
            "unknown" => Some(RunAccount::Unknown),
            _ => None,
        };
        budget.note_account(one, account, asked_ms);
    }
    let report = budget.report(asked_ms);
    assert_eq!((report.spent, report.reserved), (spent, ONE.plus(ONE)));
    assert_eq!(budget.next_due_ms(), Some(asked_ms + 60_000));
    let later = budget.due(asked_ms + 120_000, 9);
    let later: Vec<&str> = later.iter().map(|one| one.run.as_str()).collect();
    assert_eq!(later, ["goes on", "silent"]);
}

#[test]
fn an_answer_from_before_a_new_reservation_gives_nothing_back() {
    let mut budget = DailyBudget::default();
    reserve(&mut budget, "a", NOON_MS).unwrap();
    let due = budget.due(NOON_MS + 120_000, 9);
    reserve(&mut budget, "a", NOON_MS + 120_001).unwrap();
    budget.note_account(&due[0], Some(RunAccount::Unknown), NOON_MS + 120_002);
    assert_eq!(budget.report(NOON_MS + 120_002).reserved, ONE);
}

#[test]
fn nothing_grows_without_bound() {
    let mut budget = DailyBudget::default();
    let mut refused = 0;
    for number in 0..1_000 {
        let claim = claim(&number.to_string(), "x", ONE, StartLimits::default());
        refused += u64::from(budget.reserve(&claim, NOON_MS).is_err());
    }
    assert_eq!((budget.report(NOON_MS).live_runs, refused), (500, 500));
    let mut budget = DailyBudget::default();
    let mut started = 0;
    for number in 0..4_000 {
        let run = number.to_string();
        let claim = claim(&run, &run, ONE, StartLimits::default());
        started += u64::from(budget.reserve(&claim, NOON_MS).is_ok());
        budget.settle(&run, ONE, NOON_MS);
    }
    assert_eq!(started, 3_000);
}

#[test]
fn stored_format_unchanged_and_read_back() {
    let mut budget = DailyBudget::default();
    reserve(&mut budget, "s.r", NOON_MS).unwrap();
    let json = r#"{"day":20000,"spent":{"searches":0,"recognitions":0,"nanoUsd":0},"lastNumber":1,"reservations":{"s.r":{"client":"s.r","amount":{"searches":2,"recognitions":4,"nanoUsd":8},"day":20000,"number":1,"askMs":1728043320000}},"starts":[{"client":"s.r","atMs":1728043200000}]}"#;
    assert_eq!(serde_json::to_string(&budget).unwrap(), json);
    assert_eq!(serde_json::from_str::<DailyBudget>(json).unwrap(), budget);
    assert_eq!(reborn(&budget), budget);
}
