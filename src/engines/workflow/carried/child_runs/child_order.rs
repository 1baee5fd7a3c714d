//! The order of a run that a node of a workflow begins: the options of `POST /runs`, within the
//! operator's caps and what is left of the workflow's own budget.

use serde_json::{Map, Value};

use crate::engines::investigation::asked::RunRequest;
use crate::engines::investigation::stored::Order;
use crate::engines::workflow::machine::InvestigateCall;
use crate::settings::Caps;

/// The part of the workflow's time that is left for what comes after the run, in milliseconds.
const TIME_AFTER_MS: u64 = 2_000;
/// The shortest run that makes sense, in milliseconds.
const RUNTIME_MS_MIN: u64 = 1_000;

/// Returns the order of the run, or why there can be none.
pub(super) fn child_order(
    call: &InvestigateCall,
    time_left_ms: u64,
    caps: &Caps,
) -> Result<Order, String> {
    let mut members = Map::new();
    members.insert("personA".into(), call.person_a.as_str().into());
    members.insert("personB".into(), call.person_b.as_str().into());
    if !call.options.is_null() {
        members.insert("options".into(), call.options.clone());
    }
    let wanted = RunRequest::from_members(members, caps);
    let mut request = wanted
        .map_err(|problem| problem.detail().to_owned())?
        .request;
    let limits = &mut request.limits;
    if let Some(left) = call.nano_usd_max {
        limits.nano_usd_max = Some(limits.nano_usd_max.unwrap_or(left).min(left));
    }
    let most_ms = time_left_ms.saturating_sub(TIME_AFTER_MS);
    if most_ms < RUNTIME_MS_MIN {
        return Err("The workflow's time does not last for an investigation.".to_owned());
    }
    limits.runtime_ms_max = limits.runtime_ms_max.min(most_ms);
    Ok(Order::new(&request))
}

/// Returns the most that the run may spend, in billionths of a dollar, or 0 where that is not
/// known.
pub(super) fn nano_usd_max(order: &Order) -> u64 {
    let limits = order.request().map(|request| request.limits.nano_usd_max);
    limits.ok().flatten().unwrap_or_default()
}

/// Returns the text of an object's member, or an empty text where the member is no text.
pub(super) fn text_of<'json>(json: &'json Value, member: &str) -> &'json str {
    json.get(member).and_then(Value::as_str).unwrap_or_default()
}
