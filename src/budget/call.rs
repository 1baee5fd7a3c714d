//! The calls to the budget's object. Each is an inner HTTP request; its address says which call it
//! is.

use serde::{Deserialize, Serialize};

use crate::settings::StartLimits;

use super::amount::Amount;
use super::refusal::Refusal;

/// A call to the object that keeps the budget of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetCall {
    /// Reserves what the [`Claim`] in the body asks for; gives a [`ReserveAnswer`].
    Reserve,
    /// Notes the [`Settlement`] of a run that has ended.
    Settle,
    /// Gives the reservation of a [`Release`] back: its run was not begun.
    Release,
    /// Gives a [`super::BudgetReport`].
    Report,
}

/// What a run asks for before it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The run's token.
    pub run: String,
    /// [`super::client_digest`] of who starts it.
    pub client: String,
    /// What it may spend at most.
    pub amount: Amount,
    /// What holds for it.
    pub limits: StartLimits,
}

/// What comes of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReserveAnswer {
    /// It is reserved under this number, which is another one each time it is asked for.
    Granted {
        /// For a [`Release`].
        number: u64,
    },
    /// It is not.
    Refused(Refusal),
}

/// What a run has spent in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    /// The run's token.
    pub run: String,
    /// What its calls were and cost, lost ones too.
    pub spent: Amount,
}

/// A reservation whose run was not begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The run's token.
    pub run: String,
    /// Of the grant that is given back: a later one stays.
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

    /// The address of its inner request.
    #[must_use]
    pub fn address(self) -> String {
        let name = Self::ALL.iter().find(|(_, call)| *call == self);
        format!("{BASE}/{}", name.map_or("", |(name, _)| name))
    }

    /// The call of an inner request's address.
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
