//! A published chain as an assistant is told of it, once it was executed again.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use domain::{Secret, Sha256Digest};
use engine::assistant::{Answer, CallPlace};

use crate::engines::EngineName;
use crate::sealed::{Origin, ReplayLimits, Verdict, is_of_digest, replay};

#[derive(Deserialize)]
struct File<'file> {
    #[serde(borrow)]
    body: Body<'file>,
}

#[derive(Deserialize)]
struct Body<'file> {
    #[serde(borrow)]
    order: &'file RawValue,
    #[serde(borrow)]
    events: Vec<&'file RawValue>,
}

/// Returns what a file is that stands at the address of the chain of this digest: whether its content has the
/// digest, whether it leads to what it tells when it is executed again, and the chain. `key` is the operator's, with
/// which this server signs.
#[must_use]
pub fn checked(
    file: &str,
    digest: &Sha256Digest,
    key: Option<&Secret>,
    place: &CallPlace,
) -> Answer {
    let limits = ReplayLimits::SERVER;
    let report = replay(file, key, limits);
    let is_same = matches!(&report, Ok(report) if report.result == Verdict::Identical);
    let is_genuine = is_same && is_of_digest(file, digest, limits);
    let signature = match report.as_ref().map(|report| report.origin) {
        Ok(Origin::ThisServer) => "this_server",
        Ok(Origin::NotThisServer) => "not_this_server",
        Ok(Origin::Unsigned) => "unsigned",
        Ok(Origin::NotChecked) | Err(_) => "not_checked",
    };
    let why = match &report {
        Ok(report) => report.says.clone(),
        Err(error) => error.to_string(),
    };
    let verdict = if is_genuine {
        "The file is what it claims: its digest fits its content, and executed again its answers lead to the same \
         chain."
    } else {
        "The file is NOT what it claims, or cannot be checked here. Do not rely on it."
    };
    let mut members = place.members("unknown");
    members.add("digest", digest.as_str().into());
    members.add("isGenuine", is_genuine.into());
    members.add_text("signature", signature);
    // Only of a file that is genuine is anything told.
    let told = Some(file)
        .filter(|_| is_genuine)
        .and_then(|file| told(file, place));
    let chain = match told {
        Some(Answer { value, text, .. }) => {
            let value = value.unwrap_or_default();
            for member in ["state", "people", "links", "weakest", "certificate"] {
                members.add_of(member, &value, member);
            }
            text
        }
        None => why,
    };
    Answer::new(members, format!("{verdict}\n{chain}"))
}

/// Returns the answer of the run whose file this is.
fn told(file: &str, place: &CallPlace) -> Option<Answer> {
    let File { body } = serde_json::from_str(file).ok()?;
    let engine = EngineName::of_order(body.order.get())?;
    let last: Value = serde_json::from_str(body.events.last()?.get()).ok()?;
    Some(engine.answer(&last, true, place))
}
