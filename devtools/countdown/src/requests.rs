//! The requests: `{"countdown": 3, "then"?: BODY, "budgetNanoUsd"?: 5, "fork"?: RUN, "before"?: "2",
//! "secrets"?: {NAME: TEXT}}`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use domain::{RunToken, Secret};
use engine::budget::Amount;
use engine::values::{members_of, read_members};
use engine::{
    ChildOutput, ChildResult, ForkTerms, Given, ParentLimits, Problem, Requests, StartTerms,
};
use settings::{Caps, Providers, Settings};

use crate::machine::{CountdownEngine, CountdownOrder, PRICE_NANO_USD};

/// A parsed request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wanted {
    countdown: u32,
    then: Option<Value>,
    budget_nano_usd: Option<u64>,
    fork: Option<RunToken>,
    before: Option<String>,
    #[serde(default)]
    secrets: BTreeMap<String, String>,
}

impl Requests for CountdownEngine {
    type Wanted = Wanted;

    const BODY_BYTES_MAX: usize = 10_000;
    const BEGIN_ANEW: &'static str = "Start the countdown anew.";
    const HOW_TO_FORK: &'static str = "The run to fork is a countdown.";

    fn read(body: &[u8], _caps: &Caps) -> Option<Result<Wanted, Problem>> {
        members_of(body, usize::MAX, ["countdown", "countdown"]).map(read_members)
    }

    fn terms(wanted: &Wanted) -> StartTerms<'_> {
        let before = wanted.before.clone();
        let fork = wanted.fork.as_ref().map(|run| ForkTerms { run, before });
        StartTerms {
            fork,
            ..StartTerms::default()
        }
    }

    fn secrets(wanted: &Wanted) -> BTreeMap<String, Secret> {
        let secrets = wanted.secrets.iter();
        let secrets = secrets.map(|(name, text)| (name.clone(), text.as_str().into()));
        secrets.collect()
    }

    fn may_start(_: &Settings, is_operator: bool, wanted: &Wanted) -> Result<(), Problem> {
        if is_operator || wanted.countdown < 100 {
            return Ok(());
        }
        Err(Problem::new(403, "Long countdowns are the operator's."))
    }

    fn accept(wanted: Wanted, given: Given<'_, Self>) -> Result<CountdownOrder, Problem> {
        let most = given.caps.nano_usd_max.unwrap_or(u64::MAX);
        Ok(CountdownOrder {
            engine: "countdown".to_owned(),
            from: wanted.countdown,
            runtime_ms_max: 600_000,
            nano_usd_max: wanted
                .budget_nano_usd
                .unwrap_or(1_000 * PRICE_NANO_USD)
                .min(most),
            then: wanted.then,
        })
    }

    fn order_runtime_ms_max(order: &CountdownOrder) -> u64 {
        order.runtime_ms_max
    }

    fn most(order: &CountdownOrder, _: &Providers) -> Option<Amount> {
        let nano_usd = u64::from(order.from)
            .saturating_mul(2 * PRICE_NANO_USD)
            .min(order.nano_usd_max);
        Some(Amount {
            nano_usd,
            ..Amount::default()
        })
    }

    const NOUN: &'static str = "countdown";

    fn limited(
        mut order: CountdownOrder,
        left: &ParentLimits<'_>,
    ) -> Result<CountdownOrder, String> {
        order.runtime_ms_max = order.runtime_ms_max.min(left.runtime_ms_max);
        order.nano_usd_max = order
            .nano_usd_max
            .min(left.nano_usd_max.unwrap_or(u64::MAX));
        Ok(order)
    }

    fn nano_usd_max(order: &CountdownOrder) -> u64 {
        order.nano_usd_max
    }

    fn end(last_event: &Value) -> (ChildResult, u64) {
        let spent = last_event.pointer("/spent/nanoUsd").and_then(Value::as_u64);
        let message = last_event["message"].as_str().unwrap_or("It is gone.");
        let result = match last_event["type"].as_str() {
            Some("landed") => Ok(ChildOutput {
                value: json!({"landed": true}),
                message: message.to_owned(),
            }),
            _ => Err(message.into()),
        };
        (result, spent.unwrap_or_default())
    }
}
