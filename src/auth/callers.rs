//! Checks the sender of a request, by the request's headers and by the wrong tokens that this isolate remembers.

use std::cell::RefCell;

use engine::Problem;
use engine::budget::client_of;
use settings::Settings;
use worker::Request;

use crate::transport::bindings::now_ms;
use crate::transport::failure::Result;
use crate::transport::replies::header;

use super::{
    Caller, FailedTokens, Requester, is_operator, may_call_tools, may_forget, may_link_start,
    may_look_deep, may_read_atlas, may_replay, may_start, may_store,
};

thread_local! {
    static FAILED_TOKENS: RefCell<FailedTokens> = RefCell::default();
}

/// Checks whether the sender may start a run. Call [`check_operator`] first.
pub(crate) fn check_start(request: &Request, settings: &Settings) -> Result<()> {
    Ok(may_start(settings, &caller(request)?)?)
}

/// Returns whether a link may start its run as soon as it is opened.
pub(crate) fn may_start_by_link(request: &Request, settings: &Settings) -> Result<bool> {
    Ok(may_link_start(settings, &caller(request)?))
}

/// Checks whether the page that sent a request, if any, may call this server's tools.
pub(crate) fn check_page(request: &Request, settings: &Settings) -> Result<()> {
    Ok(may_call_tools(settings, &caller(request)?)?)
}

/// Checks whether the sender of a tool call may start a run. Call [`check_operator`] first.
pub(crate) fn check_tool_start(
    request: &Request,
    settings: &Settings,
    is_operator: bool,
) -> Result<()> {
    let mut caller = caller(request)?;
    if is_operator {
        // A request with the operator's token comes from a run of the operator. So no stranger can have made the Worker
        // send it.
        caller.worker = None;
    }
    Ok(may_start(settings, &caller)?)
}

/// Checks whether the sender may have a sealed file replayed.
pub(crate) fn check_replay(request: &Request, settings: &Settings) -> Result<()> {
    check(request, settings, may_replay)
}

/// Checks whether the sender may store documents. `noun` is the word for a document in refusals.
pub(crate) fn check_store(request: &Request, settings: &Settings, noun: &str) -> Result<()> {
    check(request, settings, |settings, caller| {
        may_store(settings, caller, noun)
    })
}

/// Checks whether the sender may read the atlas. Returns whether the request carries the operator's token.
pub(crate) fn check_atlas(request: &Request, settings: &Settings) -> Result<bool> {
    let is_operator = check_operator(request, settings)?;
    may_read_atlas(settings, &caller(request)?)?;
    Ok(is_operator)
}

/// Checks whether the sender may delete data from the atlas.
pub(crate) fn check_forget(request: &Request, settings: &Settings) -> Result<()> {
    check(request, settings, may_forget)
}

/// Checks whether the sender may request a check that calls every provider. Only the operator may.
pub(crate) fn check_deep_look(request: &Request, settings: &Settings) -> Result<()> {
    check(request, settings, may_look_deep)
}

/// Returns in which role the sender acts on a run: as the operator, as the holder of a secret, or as a watcher.
pub(crate) fn requester(request: &Request, settings: &Settings) -> Result<Requester> {
    Ok(requester_as(request, check_operator(request, settings)?))
}

/// Returns the same as [`requester`], without checking the operator's token again. `is_operator` is the result of the
/// earlier check.
pub(crate) fn requester_as(request: &Request, is_operator: bool) -> Requester {
    if is_operator {
        Requester::Operator
    } else {
        Requester::with(header(request, "run-secret").as_deref())
    }
}

/// Returns whether a request carries the operator's token. After too many wrong tokens, refuses for a while without
/// comparing the token.
pub(crate) fn check_operator(request: &Request, settings: &Settings) -> Result<bool> {
    let caller = caller(request)?;
    if caller.authorization.is_none() || settings.operator_token.is_none() {
        return Ok(false);
    }
    let client = client_of(header(request, "cf-connecting-ip").as_deref());
    FAILED_TOKENS.with_borrow_mut(|failed| {
        if let Some(wait_s) = failed.wait_s(&client, now_ms()) {
            return Err(too_many_failed(wait_s).into());
        }
        let is_operator = is_operator(settings, &caller);
        if is_operator {
            failed.note_right(&client);
        } else {
            failed.note_wrong(&client, now_ms());
        }
        Ok(is_operator)
    })
}

fn check(
    request: &Request,
    settings: &Settings,
    may: impl Fn(&Settings, &Caller) -> Result<(), Problem>,
) -> Result<()> {
    check_operator(request, settings)?;
    Ok(may(settings, &caller(request)?)?)
}

fn caller(request: &Request) -> worker::Result<Caller> {
    Ok(Caller {
        authorization: header(request, "authorization"),
        origin: header(request, "origin"),
        fetch_site: header(request, "sec-fetch-site"),
        referrer: header(request, "referer"),
        worker: header(request, "cf-worker"),
        own_origin: request.url()?.origin().ascii_serialization(),
    })
}

fn too_many_failed(wait_s: u64) -> Problem {
    let detail = format!(
        "Too many wrong tokens were sent from this address, so that none is looked at; try again in {wait_s} seconds."
    );
    Problem::too_many(detail, wait_s)
}
