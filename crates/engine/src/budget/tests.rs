//! Tests the budget against a naive model, and among runs whose messages are late, repeated and
//! lost.

mod cases;
mod model;
mod protocol;

use settings::StartLimits;

use super::*;

const DAY_MS: u64 = 86_400_000;
/// The noon of some day.
const NOON_MS: u64 = 20_000 * DAY_MS + DAY_MS / 2;

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

/// Returns the budget of an object that dies and comes back with what it has stored.
fn reborn(budget: &DailyBudget) -> DailyBudget {
    let json = serde_json::to_string(budget).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// A source of small pseudo-random numbers, which are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        // This is SplitMix64.
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
