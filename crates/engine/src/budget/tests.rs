//! Tests of the budget: its stored forms, its sentences, a comparison with a naive model, and a simulation of runs
//! whose messages arrive late, twice or never.

use settings::StartLimits;

use super::*;

const DAY_MS: u64 = 86_400_000;
/// Noon of an arbitrary day.
const NOON_MS: u64 = 20_000 * DAY_MS + DAY_MS / 2;

const ONE: Amount = Amount {
    searches: 2,
    recognitions: 4,
    nano_usd: 8,
};

const BUDGET: u64 = 35;
/// The most that a run in the simulation may spend.
const MOST: u64 = 7;
const RUNS: usize = 20;

fn amount(searches: u64, recognitions: u64, nano_usd: u64) -> Amount {
    Amount {
        searches,
        recognitions,
        nano_usd,
    }
}

fn claim(run: &str, client: &str, amount: Amount, limits: StartLimits) -> Claim {
    Claim {
        run: run.to_owned(),
        client: client.to_owned(),
        amount,
        limits,
    }
}

/// Returns the budget as its object would restore it after a restart.
fn reborn(budget: &DailyBudget) -> DailyBudget {
    let json = serde_json::to_string(budget).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// A generator of small pseudo-random numbers that are the same in every test run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        // The algorithm is SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % most
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

struct RunRow {
    run: String,
    client: String,
    amount: Amount,
    reserved_ms: u64,
    number: u64,
    /// What the run has spent: `None` while its amount is reserved, zero if it was released.
    spent: Option<Amount>,
}

#[derive(Default)]
struct Model {
    rows: Vec<RunRow>,
    numbers: u64,
}

impl Model {
    fn sum(&self, now_ms: u64, of: impl Fn(&RunRow) -> u64) -> u64 {
        let of_day = |row: &&RunRow| row.reserved_ms / DAY_MS == now_ms / DAY_MS;
        self.rows.iter().filter(of_day).map(of).sum()
    }

    /// Returns whether the amount `asked` fits into the budget `most`. Runs in progress count with their whole reserved
    /// amounts.
    fn fits(&self, now_ms: u64, most: Option<u64>, asked: u64, of: fn(&Amount) -> u64) -> bool {
        let used = self.sum(now_ms, |row| of(&row.spent.unwrap_or(row.amount)));
        asked == 0 || most.is_none_or(|most| used + asked <= most)
    }

    fn may_begin(&self, claim: &Claim, now_ms: u64) -> bool {
        let Claim {
            amount,
            limits,
            client,
            ..
        } = claim;
        let live = self.rows.iter().filter(|row| row.spent.is_none());
        let own = live.clone().filter(|row| row.client == *client).count();
        let starts = self
            .rows
            .iter()
            .filter(|row| row.client == *client && row.reserved_ms + 60_000 > now_ms);
        let below = |count: usize, most: Option<u64>| most.is_none_or(|most| (count as u64) < most);
        self.fits(now_ms, limits.daily_searches_max, amount.searches, |one| {
            one.searches
        }) && self.fits(
            now_ms,
            limits.daily_recognitions_max,
            amount.recognitions,
            |one| one.recognitions,
        ) && self.fits(now_ms, limits.daily_nano_usd_max, amount.nano_usd, |one| {
            one.nano_usd
        }) && below(live.count(), limits.live_runs_max)
            && below(own, limits.live_runs_per_client_max)
            && below(starts.count(), limits.starts_per_minute_max)
    }

    fn reserve(&mut self, claim: &Claim, now_ms: u64) -> Option<u64> {
        let mut live = self.rows.iter_mut();
        let known = live.find(|row| row.run == claim.run && row.spent.is_none());
        if let Some(row) = known {
            self.numbers += 1;
            row.number = self.numbers;
            return Some(self.numbers);
        }
        if !self.may_begin(claim, now_ms) {
            return None;
        }
        self.numbers += 1;
        self.rows.push(RunRow {
            run: claim.run.clone(),
            client: claim.client.clone(),
            amount: claim.amount,
            reserved_ms: now_ms,
            number: self.numbers,
            spent: None,
        });
        Some(self.numbers)
    }

    fn end(&mut self, run: &str, number: Option<u64>, spent: Amount) {
        let mut live = self.rows.iter_mut();
        let is_meant = |row: &&mut RunRow| {
            row.run == run && row.spent.is_none() && number.is_none_or(|one| one == row.number)
        };
        if let Some(row) = live.find(is_meant) {
            row.spent = Some(spent);
        }
    }
}

fn random_claim(chance: &mut Chance) -> Claim {
    let limits = StartLimits {
        daily_searches_max: Some(40),
        daily_recognitions_max: (!chance.one_in(9)).then_some(90),
        daily_nano_usd_max: Some(1_000),
        live_runs_max: (!chance.one_in(5)).then_some(6),
        live_runs_per_client_max: (!chance.one_in(5)).then_some(3),
        starts_per_minute_max: (!chance.one_in(5)).then_some(4),
    };
    let run = format!("run{}", chance.below(60));
    let client = format!("client{}", chance.below(4));
    let amount = amount(chance.below(9), chance.below(20), chance.below(150));
    claim(&run, &client, amount, limits)
}

/// Returns a random part of an amount, from nothing to all of it.
fn part(chance: &mut Chance, of: Amount) -> Amount {
    amount(
        chance.below(of.searches + 1),
        chance.below(of.recognitions + 1),
        chance.below(of.nano_usd + 1),
    )
}

fn check(seed: u64) -> (u64, u64) {
    let mut chance = Chance(seed);
    let (mut budget, mut model) = (DailyBudget::default(), Model::default());
    let (mut granted, mut refused) = (0, 0);
    let mut now_ms = NOON_MS;
    for step in 0..400 {
        now_ms += match chance.below(30) {
            0 => chance.below(DAY_MS / 2),
            1..=9 => chance.below(30_000),
            _ => 0,
        };
        let call = random_claim(&mut chance);
        match chance.below(4) {
            0 | 1 => {
                let expected = model.reserve(&call, now_ms);
                let begun = budget.reserve(&call, now_ms);
                assert_eq!(begun.ok(), expected, "seed {seed}, step {step}: {call:?}");
                granted += u64::from(begun.is_ok());
                refused += u64::from(begun.is_err());
            }
            2 => {
                let live = model.rows.iter().find(|row| row.spent.is_none());
                let (run, most) = match live.filter(|_| !chance.one_in(4)) {
                    Some(row) => (row.run.clone(), row.amount),
                    None => (call.run.clone(), Amount::default()),
                };
                let spent = part(&mut chance, most);
                for _ in 0..=chance.below(2) {
                    model.end(&run, None, spent);
                    budget.settle(&run, spent, now_ms);
                }
            }
            _ => {
                let number = chance.below(model.numbers + 2);
                model.end(&call.run, Some(number), Amount::default());
                budget.release(&call.run, number);
            }
        }
        if chance.one_in(7) {
            budget = reborn(&budget);
        }
        let report = budget.report(now_ms);
        let of = |row: &RunRow| row.spent.unwrap_or_default();
        assert_eq!(
            report.spent.searches,
            model.sum(now_ms, |row| of(row).searches)
        );
        assert_eq!(
            report.spent.nano_usd,
            model.sum(now_ms, |row| of(row).nano_usd)
        );
        let held = report.spent.plus(report.reserved);
        assert!(
            held.searches <= 40 && held.nano_usd <= 1_000,
            "seed {seed}, step {step}"
        );
    }
    (granted, refused)
}

#[test]
fn it_answers_as_a_model_does_that_counts_everything_anew() {
    let mut sum = (0, 0);
    for seed in 0..200 {
        let (granted, refused) = check(seed);
        sum = (sum.0 + granted, sum.1 + refused);
    }
    assert!(sum.0 > 5_000 && sum.1 > 5_000, "granted, refused: {sum:?}");
}

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
    // The clock steps back over midnight. The ledger's day does not; otherwise the day's budget would be granted twice.
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
    let due = budget.due(asked_ms + 120_000, 9);
    let later: Vec<&str> = due.iter().map(|one| one.run.as_str()).collect();
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

/// The phase of a run in the simulation.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
enum Phase {
    #[default]
    NotBegun,
    GoesOn,
    Ended,
    Settled,
    Deleted,
}

/// What the object of a run has stored.
#[derive(Clone, Copy, Default)]
struct RunObject {
    phase: Phase,
    calls: u64,
    /// The number of the last grant that the object released. No grant up to this number can begin the run.
    released: u64,
}

impl RunObject {
    fn account(&self) -> RunAccount {
        match self.phase {
            Phase::NotBegun | Phase::Deleted => RunAccount::Unknown,
            Phase::GoesOn => RunAccount::GoesOn,
            Phase::Ended | Phase::Settled => RunAccount::Ended {
                spent: amount(self.calls, 0, 0),
            },
        }
    }
}

/// A message between a run's object and the budget's object, still in transit.
#[derive(Clone)]
enum Message {
    Granted {
        run: usize,
        asked_ms: u64,
        number: u64,
    },
    Settle {
        run: usize,
        spent: u64,
    },
    Release {
        run: usize,
        number: u64,
    },
    Account {
        due: DueReservation,
        account: RunAccount,
    },
}

struct Stage {
    chance: Chance,
    now_ms: u64,
    budget: DailyBudget,
    runs: [RunObject; RUNS],
    way: Vec<Message>,
    refused: u64,
}

impl Stage {
    fn new(seed: u64) -> Self {
        Self {
            chance: Chance(seed),
            now_ms: NOON_MS,
            budget: DailyBudget::default(),
            runs: [RunObject::default(); RUNS],
            way: Vec::new(),
            refused: 0,
        }
    }

    /// Loses a message, delivers it once, or delivers it twice, at random.
    fn send(&mut self, message: &Message) {
        let copies = match self.chance.below(8) {
            0 => 0,
            1 => 2,
            _ => 1,
        };
        for _ in 0..copies {
            self.way.push(message.clone());
        }
    }

    fn step(&mut self) {
        self.now_ms += self.chance.below(5_000);
        let run = usize::try_from(self.chance.below(RUNS as u64)).unwrap();
        match self.chance.below(8) {
            0 | 1 => self.create(run),
            2 | 3 => self.go_on(run),
            4 => self.delete(run),
            5 => self.ask_due(),
            6 => self.budget = reborn(&self.budget),
            _ => {}
        }
        if !self.way.is_empty() && !self.chance.one_in(3) {
            let next = self.chance.below(self.way.len() as u64);
            let message = self.way.swap_remove(usize::try_from(next).unwrap());
            self.deliver(message);
        }
    }

    fn create(&mut self, run: usize) {
        if self.runs[run].phase > Phase::NotBegun {
            return;
        }
        let limits = StartLimits {
            daily_searches_max: Some(BUDGET),
            ..StartLimits::default()
        };
        let claim = claim(&run.to_string(), "x", amount(MOST, 0, 0), limits);
        match self.budget.reserve(&claim, self.now_ms) {
            Ok(number) => {
                let asked_ms = self.now_ms;
                self.send(&Message::Granted {
                    run,
                    asked_ms,
                    number,
                });
            }
            Err(_) => self.refused += 1,
        }
    }

    fn go_on(&mut self, run: usize) {
        let object = &mut self.runs[run];
        match object.phase {
            Phase::GoesOn => {
                object.calls += u64::from(object.calls < MOST);
                if object.calls == MOST || self.chance.one_in(6) {
                    object.phase = Phase::Ended;
                }
            }
            Phase::Ended => {
                let spent = object.calls;
                self.send(&Message::Settle { run, spent });
            }
            Phase::NotBegun | Phase::Settled | Phase::Deleted => {}
        }
    }

    /// Deletes the object of a run once its settlement has arrived.
    fn delete(&mut self, run: usize) {
        let object = &mut self.runs[run];
        if object.phase == Phase::Settled {
            object.phase = Phase::Deleted;
        }
    }

    fn ask_due(&mut self) {
        for due in self.budget.due(self.now_ms, 3) {
            let run: usize = due.run.parse().unwrap();
            if self.chance.one_in(3) {
                self.budget.note_account(&due, None, self.now_ms);
            } else {
                let account = self.runs[run].account();
                self.send(&Message::Account { due, account });
            }
        }
    }

    fn deliver(&mut self, message: Message) {
        let now_ms = self.now_ms;
        match message {
            Message::Granted {
                run,
                asked_ms,
                number,
            } => {
                // An older grant may have been released by now, so only a fresh one begins the run.
                let is_fresh = now_ms - asked_ms <= ledger::GRANT_MS_MAX;
                let holds = is_fresh && number > self.runs[run].released;
                if holds && !self.chance.one_in(6) {
                    let phase = &mut self.runs[run].phase;
                    if *phase == Phase::NotBegun {
                        *phase = Phase::GoesOn;
                    }
                } else if self.runs[run].phase == Phase::NotBegun {
                    let released = &mut self.runs[run].released;
                    *released = number.max(*released);
                    self.send(&Message::Release { run, number });
                }
            }
            Message::Settle { run, spent } => {
                self.budget
                    .settle(&run.to_string(), amount(spent, 0, 0), now_ms);
                let is_heard = !self.chance.one_in(4);
                let phase = &mut self.runs[run].phase;
                if is_heard && *phase == Phase::Ended {
                    *phase = Phase::Settled;
                }
            }
            Message::Release { run, number } => self.budget.release(&run.to_string(), number),
            Message::Account { due, account } => {
                self.budget.note_account(&due, Some(account), now_ms);
            }
        }
    }

    /// Returns the number of calls that all runs have really made.
    fn calls(&self) -> u64 {
        self.runs.iter().map(|object| object.calls).sum()
    }
}

#[test]
fn no_loss_repetition_or_death_lets_the_runs_pass_the_budget() {
    let (mut spent, mut refused, mut full) = (0, 0, 0);
    for seed in 0..100 {
        let mut stage = Stage::new(seed);
        for step in 0..2_000 {
            stage.step();
            assert!(stage.calls() <= BUDGET, "seed {seed}, step {step}");
        }
        // At the end every run is asked for its account. After that, the ledger must match every call.
        stage.way.clear();
        for object in &mut stage.runs {
            if object.phase == Phase::GoesOn {
                object.phase = Phase::Ended;
            }
        }
        stage.now_ms += 600_000;
        for due in stage.budget.due(stage.now_ms, RUNS) {
            let run: usize = due.run.parse().unwrap();
            let account = stage.runs[run].account();
            stage.budget.note_account(&due, Some(account), stage.now_ms);
        }
        let report = stage.budget.report(stage.now_ms);
        assert_eq!(report.reserved, amount(0, 0, 0), "seed {seed}");
        assert_eq!(report.spent.searches, stage.calls(), "seed {seed}");
        spent += stage.calls();
        refused += stage.refused;
        full += u64::from(stage.calls() + MOST > BUDGET);
    }
    assert!(
        refused > 1_000 && full > 30,
        "{spent} calls, {refused} refused, {full} full"
    );
}

mod amount {
    use super::*;

    #[test]
    fn the_most_is_every_attempt_at_its_price_or_the_runs_own_dollars() {
        let prices = CallPrices {
            search_nano_usd_max: 5,
            recognition_nano_usd_max: 1,
            planner_nano_usd_max: 100,
            page_nano_usd_max: 1_000,
            conversion_nano_usd_max: 10_000,
        };
        let most = |nano_usd_max| {
            let limits = Limits {
                nano_usd_max,
                ..Limits::default()
            };
            Amount::most_of(&limits, prices)
        };
        let calls = Amount {
            searches: 20,
            recognitions: 100,
            nano_usd: 20 * 5 + 100 + 12 * 100,
        };
        assert_eq!(most(None), calls);
        assert_eq!(most(Some(1_000_000)), calls);
        assert_eq!(most(Some(7)).nano_usd, 7);
        let with_pages = Limits {
            captures_pages: true,
            ..Limits::default()
        };
        let pages = Amount::most_of(&with_pages, prices).nano_usd;
        assert_eq!(pages, calls.nano_usd + 12 * 1_000);
    }
}

mod call {
    use super::*;

    #[test]
    fn formats_unchanged_and_read_back() {
        let claim = Claim {
            run: "s.r".into(),
            client: "c".into(),
            amount: Amount {
                searches: 1,
                recognitions: 2,
                nano_usd: 3,
            },
            limits: StartLimits {
                live_runs_max: Some(4),
                ..StartLimits::default()
            },
        };
        let json = r#"{"run":"s.r","client":"c","amount":{"searches":1,"recognitions":2,"nanoUsd":3},"limits":{"dailySearchesMax":null,"dailyRecognitionsMax":null,"dailyNanoUsdMax":null,"liveRunsMax":4,"liveRunsPerClientMax":null,"startsPerMinuteMax":null}}"#;
        assert_eq!(serde_json::to_string(&claim).unwrap(), json);
        assert_eq!(serde_json::from_str::<Claim>(json).unwrap(), claim);
        for call in [BudgetCall::Reserve(claim), BudgetCall::Report] {
            let json = serde_json::to_string(&call).unwrap();
            assert_eq!(serde_json::from_str::<BudgetCall>(&json).unwrap(), call);
        }
        for (answer, json) in [
            (
                ReserveAnswer::Granted { number: 7 },
                r#"{"granted":{"number":7}}"#,
            ),
            (
                ReserveAnswer::Refused(Refusal::LiveRuns { runs_max: 1 }),
                r#"{"refused":{"liveRuns":{"runsMax":1}}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&answer).unwrap(), json);
            assert_eq!(serde_json::from_str::<ReserveAnswer>(json).unwrap(), answer);
        }
    }
}

mod refusal {
    use super::*;

    #[track_caller]
    fn check(refusal: Refusal, status: u16, retry_after_s: Option<u64>, words: &str) {
        let problem = refusal.problem();
        assert_eq!(problem.status(), status);
        let seconds = retry_after_s.map(|seconds| seconds.to_string());
        let header = seconds.as_deref().map(|seconds| ("retry-after", seconds));
        assert_eq!(problem.header(), header);
        assert!(problem.detail().contains(words), "{}", problem.detail());
        let json = serde_json::to_string(&refusal).unwrap();
        assert_eq!(serde_json::from_str::<Refusal>(&json).unwrap(), refusal);
    }

    #[test]
    fn each_refusal_says_why_and_when_to_come_back() {
        let (asked, budget) = (Quantity::Searches(20), Quantity::Searches(1));
        check(Refusal::AboveDay { asked, budget }, 403, None, "1 search");
        let spent = |left| Refusal::DaySpent {
            asked: Quantity::NanoUsd(290_000_000),
            left: Quantity::NanoUsd(left),
            retry_after_s: 77,
        };
        check(
            spent(0),
            429,
            Some(77),
            "used up; it is renewed at midnight",
        );
        check(spent(10_000_000), 429, Some(77), "$0.010 are left");
        check(Refusal::DayHeld, 429, Some(30), "held for runs under way");
        check(
            Refusal::LiveRuns { runs_max: 10 },
            429,
            Some(30),
            "it may have, 10;",
        );
        let own = Refusal::LiveRunsOfClient { runs_max: 2 };
        check(own, 429, Some(30), "one visitor may have, 2;");
        check(Refusal::Unanswered, 503, Some(5), "try again");
        let fast = Refusal::StartsOfClient {
            starts_max: 6,
            retry_after_s: 9,
        };
        check(fast, 429, Some(9), "one visitor may, 6;");
    }
}

mod client {
    use super::*;

    const DAY_MS: u64 = 86_400_000;

    #[test]
    fn a_client_is_an_ipv4_address_or_an_ipv6_network_for_a_day() {
        let of = |address| client_digest(Some(address), DAY_MS);
        assert_eq!(of("192.0.2.1").len(), CLIENT_DIGEST_CHARS);
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(
            of("192.0.2.1"),
            client_digest(Some("192.0.2.1"), 2 * DAY_MS)
        );
        assert_eq!(client_digest(None, DAY_MS), of("nonsense"));
    }
}

mod client_address {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_network_of_ipv6() {
        assert_eq!(client_of(Some("192.0.2.7")), "192.0.2.7");
        assert_eq!(client_of(Some("::ffff:192.0.2.7")), "192.0.2.7");
        assert_eq!(client_of(Some("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::/64");
        assert_eq!(client_of(Some("2001:db8:1:2::1")), "2001:db8:1:2::/64");
        assert_eq!(client_of(Some("no address")), "");
        assert_eq!(client_of(None), "");
    }
}
