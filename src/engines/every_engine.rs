//! All engines together, for runs that begin runs of any of them.

use serde_json::Value;

use engine::{Begun, ChildOrder, Engines, Given, ParentLimits};
use settings::{Caps, Providers};

use super::{EngineName, with_engine};

/// All engines of the registry.
#[derive(Debug, Clone, Copy)]
pub struct EveryEngine;

impl Engines for EveryEngine {
    fn stored_key(&self, request: &Value, caps: &Caps) -> Option<String> {
        let wanted = EngineName::wanted(request.to_string().as_bytes(), caps)?.ok()?;
        let documents = wanted.engine().documents()?;
        wanted.terms().stored_name.map(|name| documents.key(name))
    }

    fn child_order(
        &self,
        request: &Value,
        stored: Option<Value>,
        given: (&Providers, &Caps),
        left: &ParentLimits<'_>,
    ) -> Result<ChildOrder, String> {
        let body = request.to_string();
        let mut orders = EngineName::by_body().filter_map(
            |engine| with_engine!(engine, E => order_of::<E>(&body, stored.as_ref(), given, left)),
        );
        let unknown = || "No engine of this program takes this request.".to_owned();
        orders.next().unwrap_or_else(|| Err(unknown()))
    }
}

/// Makes the order of a run of one engine. Returns `None` where the request is of another one.
fn order_of<E: Begun>(
    body: &str,
    stored: Option<&Value>,
    (providers, caps): (&Providers, &Caps),
    left: &ParentLimits<'_>,
) -> Option<Result<ChildOrder, String>> {
    let wanted = E::read(body.as_bytes(), caps)?;
    let given = Given {
        stored: stored.cloned(),
        forked: None,
        providers,
        caps,
    };
    let order = wanted
        .and_then(|wanted| E::accept(wanted, given))
        .map_err(|problem| problem.detail().to_owned())
        .and_then(|order| E::limited(order, left));
    Some(order.map(|order| ChildOrder {
        nano_usd_max: E::nano_usd_max(&order),
        noun: E::NOUN,
        end: E::end,
        // Texts and numbers: writing them cannot fail.
        json: serde_json::to_string(&order).unwrap_or_default(),
    }))
}
