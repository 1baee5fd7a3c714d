//! Tests the budget beside a model that gets the same calls, keeps every run for ever and counts
//! anew each time.

use super::*;

struct RunRow {
    run: String,
    client: String,
    amount: Amount,
    reserved_ms: u64,
    number: u64,
    /// What the run has spent once it is settled: `None` while it is reserved, and a zero amount
    /// where it was released.
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

    /// Returns whether a budget holds with the amount added, where runs under way count whole.
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

/// Returns a random part of an amount.
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
