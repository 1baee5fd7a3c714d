//! The requests that begin an investigation, as every engine gives its own.

use engine::budget::Amount;
use engine::{Asked, ForkTerms, Given, Problem, StartTerms, check_parts};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::stored::{InvestigationEngine, Order};

use super::create_request::CreateRequest;
use super::options::{BODY_BYTES_MAX, RunRequest};

impl Asked for InvestigationEngine {
    type Wanted = CreateRequest;

    const KEEPS_ARTIFACTS: bool = true;
    const BODY_BYTES_MAX: usize = BODY_BYTES_MAX;
    const BEGIN_ANEW: &'static str = "Start the pair anew.";
    const HOW_TO_FORK: &'static str = "The run to fork is a search; send its fork alone.";

    /// Reads every body that is not empty and not too long. A body that asks for no other engine is
    /// the investigation's.
    fn read(body: &[u8], caps: &Caps) -> Option<Result<CreateRequest, Problem>> {
        let may_be_one = !body.is_empty() && body.len() <= BODY_BYTES_MAX;
        may_be_one.then(|| CreateRequest::from_body(body, caps))
    }

    fn read_query(query: &str, caps: &Caps) -> Option<Result<CreateRequest, Problem>> {
        Some(RunRequest::from_query(query, caps).map(CreateRequest::New))
    }

    fn terms(wanted: &CreateRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session(),
            turnstile_token: wanted.turnstile_token(),
            fork: match wanted {
                CreateRequest::New(_) => None,
                CreateRequest::Fork(fork) => Some(ForkTerms {
                    run: fork.run(),
                    before: None,
                }),
            },
            stored_name: None,
        }
    }

    fn may_start(_: &Settings, _is_operator: bool, _: &CreateRequest) -> Result<(), Problem> {
        Ok(())
    }

    fn accept(wanted: CreateRequest, given: Given<'_, Self>) -> Result<Order, Problem> {
        let wanted = match (wanted, given.forked) {
            (CreateRequest::New(wanted), _) => wanted,
            (CreateRequest::Fork(fork), Some(forked)) => fork.resolve(forked, given.caps)?,
            (CreateRequest::Fork(_), None) => return Err(Problem::new(404, Self::BEGIN_ANEW)),
        };
        let order = Order::new(&wanted.request);
        check_parts(given.providers, &Self::needs(&order))?;
        if wanted.request.limits.captures_pages && given.providers.browser.is_none() {
            let what = "needs a browser, and this server's operator has set none (BROWSER_CDP, or the \
                        binding BROWSER)";
            return Err(Problem::conflict("capture", what));
        }
        Ok(order)
    }

    fn needs(order: &Order) -> Vec<SettingsPart> {
        let captures_pages = order.captures_pages();
        captures_pages
            .then_some(SettingsPart::Browsers)
            .into_iter()
            .collect()
    }

    /// Returns the order, with a planner budget of 0 where there is no planner.
    fn with_settings(mut order: Order, providers: &Providers) -> Order {
        if providers.planners.is_empty() {
            order = order.without_planner();
        }
        if providers.converter.is_some() {
            order = order.with_conversions();
        }
        order = match providers.memory {
            Some(memory) => order.told_of_memory(memory.is_everybodys),
            None => order.without_memory(),
        };
        order
            .with_prices(providers.attempt_prices())
            .with_sources(&providers.search_sources())
    }

    fn order_runtime_ms_max(order: &Order) -> u64 {
        order.runtime_ms_max()
    }

    fn most(order: &Order, providers: &Providers) -> Option<Amount> {
        let limits = order.request().ok()?.limits;
        Some(Amount::most_of(&limits, providers.attempt_prices()))
    }
}
