//! Who may come in: the caller as a request's headers tell, and what this isolate remembers of wrong
//! tokens.

use std::cell::RefCell;

use worker::{Request, Result};

use crate::session::{
    Caller, FailedTokens, Problem, Settings, client_of, may_look_deep, may_replay, may_start,
};

use super::clock::now_ms;
use super::incoming::header;

thread_local! {
    static FAILED_TOKENS: RefCell<FailedTokens> = RefCell::default();
}

/// What somebody may do, or why not.
type Allowed = std::result::Result<(), Problem>;

/// Whether the sender may start a run.
pub(super) fn check_start(request: &Request, settings: &Settings) -> Result<Allowed> {
    check(request, settings, may_start)
}

/// Whether the sender may have a sealed file executed.
pub(super) fn check_replay(request: &Request, settings: &Settings) -> Result<Allowed> {
    check(request, settings, may_replay)
}

/// Whether the sender may have every provider asked.
pub(super) fn check_deep_look(request: &Request, settings: &Settings) -> Result<Allowed> {
    check(request, settings, may_look_deep)
}

fn check(
    request: &Request,
    settings: &Settings,
    may: fn(&Settings, &Caller) -> Allowed,
) -> Result<Allowed> {
    let caller = Caller {
        authorization: header(request, "authorization"),
        origin: header(request, "origin"),
        fetch_site: header(request, "sec-fetch-site"),
        worker: header(request, "cf-worker"),
        own_origin: request.url()?.origin().ascii_serialization(),
    };
    let without_token = Caller {
        authorization: None,
        ..caller.clone()
    };
    let allowed = may(settings, &without_token);
    let needs_token = matches!(&allowed, Err(problem) if problem.status() == 401);
    if !needs_token || caller.authorization.is_none() || settings.operator_token.is_none() {
        return Ok(allowed);
    }
    let client = client_of(header(request, "cf-connecting-ip").as_deref());
    Ok(FAILED_TOKENS.with_borrow_mut(|failed| {
        if let Some(wait_s) = failed.wait_s(&client, now_ms()) {
            return Err(too_many_failed(wait_s));
        }
        let allowed = may(settings, &caller);
        match &allowed {
            Err(problem) if problem.status() == 401 => failed.note_wrong(&client, now_ms()),
            Err(_) => {}
            Ok(()) => failed.note_right(&client),
        }
        allowed
    }))
}

fn too_many_failed(wait_s: u64) -> Problem {
    let detail = format!("Too many wrong tokens were sent; try again in {wait_s} seconds.");
    Problem::new(429, detail).with_header("retry-after", wait_s.to_string())
}
