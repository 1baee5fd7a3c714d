//! What may be asked of an automaton's run: the automaton's own part of what every engine gives.

use std::collections::BTreeMap;

use domain::Secret;
use engine::budget::Amount;
use engine::{Asked, ForkTerms, Given, Problem, StartTerms};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::stored::{AutomatonEngine, AutomatonOrder};

use super::acceptance::needs;
use super::permission::may_start_automaton;
use super::wanted::{AUTOMATON_BODY_BYTES_MAX, AutomatonRequest, WantedAutomaton};

impl Asked for AutomatonEngine {
    type Wanted = AutomatonRequest;

    const KEEPS_ARTIFACTS: bool = true;
    const KEPT_SECRETS: Option<&'static str> = Some("AUTOMATON_SECRETS");
    const BODY_BYTES_MAX: usize = AUTOMATON_BODY_BYTES_MAX;
    const BEGIN_ANEW: &'static str = "Start the automaton anew.";
    const HOW_TO_FORK: &'static str = "The run to fork is of an automaton; send the automaton, or the state from which \
                                       models are to be asked again, beside the fork.";

    fn read(body: &[u8], _caps: &Caps) -> Option<Result<AutomatonRequest, Problem>> {
        AutomatonRequest::from_body(body).transpose()
    }

    fn terms(wanted: &AutomatonRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session.as_deref(),
            turnstile_token: wanted.turnstile_token.as_deref(),
            fork: wanted.fork.as_ref().map(|fork| ForkTerms {
                run: &fork.run,
                before: fork.state.map(|state| state.to_string()),
            }),
            stored_name: match &wanted.automaton {
                WantedAutomaton::Stored(name) => Some(name),
                WantedAutomaton::Sent(_) | WantedAutomaton::OfFork => None,
            },
        }
    }

    fn secrets(wanted: &AutomatonRequest) -> BTreeMap<String, Secret> {
        wanted.secrets.clone()
    }

    fn may_start(
        settings: &Settings,
        is_operator: bool,
        wanted: &AutomatonRequest,
    ) -> Result<(), Problem> {
        may_start_automaton(settings, is_operator, wanted)
    }

    fn needs(order: &AutomatonOrder) -> Vec<SettingsPart> {
        needs(order.prompts().is_some())
    }

    fn accept(wanted: AutomatonRequest, given: Given<'_, Self>) -> Result<AutomatonOrder, Problem> {
        wanted.accept(given.stored, given.forked, given.providers, given.caps)
    }

    fn order_runtime_ms_max(order: &AutomatonOrder) -> u64 {
        order.runtime_ms_max()
    }

    /// Returns what the browser and the questions to models may cost.
    fn most(order: &AutomatonOrder, _providers: &Providers) -> Option<Amount> {
        let limits = order.order().ok()?.limits;
        let seconds = limits.runtime_ms_max.div_ceil(1_000);
        let browser = seconds.saturating_mul(limits.second_nano_usd_max);
        let asks = match order.prompts() {
            Some(_) => u64::from(limits.asks_max).saturating_mul(limits.ask_nano_usd_max),
            None => 0,
        };
        let most = browser.saturating_add(asks);
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: limits.nano_usd_max.map_or(most, |cap| cap.min(most)),
        })
    }
}
