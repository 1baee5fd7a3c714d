//! The calls to the budget's object. Each is an inner HTTP request; its address says which call it
//! is.

use serde::{Deserialize, Serialize};

use settings::StartLimits;

use super::amount::Amount;
use super::refusal::Refusal;

/// A call to the object that keeps the budget of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetCall {
    /// Reserves what the [`Claim`] in the body asks for. The answer is a [`ReserveAnswer`].
    Reserve,
    /// Notes the [`Settlement`] of a run that has ended.
    Settle,
    /// Gives the reservation of a [`Release`] back: its run was not begun.
    Release,
    /// Asks for a [`super::BudgetReport`].
    Report,
}

/// The claim of a run before it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The run's token.
    pub run: String,
    /// The [`super::client_digest`] of the client that starts it.
    pub client: String,
    /// The most that the run may spend.
    pub amount: Amount,
    /// The limits that hold for the run.
    pub limits: StartLimits,
}

/// The answer to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReserveAnswer {
    /// The amount is reserved under this number, which is another one each time it is asked for.
    Granted {
        /// The number for a [`Release`].
        number: u64,
    },
    /// The amount is not reserved.
    Refused(Refusal),
}

/// The amount that a run has spent in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    /// The run's token.
    pub run: String,
    /// The number and the cost of its calls, lost ones too.
    pub spent: Amount,
}

/// A reservation whose run was not begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The run's token.
    pub run: String,
    /// The number of the grant that is given back: a later grant stays.
    pub number: u64,
}

const BASE: &str = "https://budget";

impl BudgetCall {
    const ALL: [(&'static str, Self); 4] = [
        ("reserve", Self::Reserve),
        ("settle", Self::Settle),
        ("release", Self::Release),
        ("report", Self::Report),
    ];

    /// Returns the address of the call's inner request.
    #[must_use]
    pub fn address(self) -> String {
        let name = Self::ALL.iter().find(|(_, call)| *call == self);
        format!("{BASE}/{}", name.map_or("", |(name, _)| name))
    }

    /// Returns the call of an inner request's address.
    #[must_use]
    pub fn parse(address: &str) -> Option<Self> {
        let name = address.strip_prefix(BASE)?.strip_prefix('/')?;
        let known = Self::ALL.iter().find(|(known, _)| *known == name);
        known.map(|(_, call)| *call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_read_back_from_its_address() {
        for (_, call) in BudgetCall::ALL {
            assert_eq!(BudgetCall::parse(&call.address()), Some(call));
        }
        assert_eq!(BudgetCall::parse("https://budget/"), None);
        assert_eq!(BudgetCall::parse("https://run/reserve"), None);
    }

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
