//! Checks who may come in, by what a request's headers tell of the caller and by what this isolate
//! remembers of wrong tokens.

use std::cell::RefCell;
use std::time::Duration;

use domain::{RunToken, Secret, Sha256Digest};
use engine::Problem;
use engine::budget::client_of;
use settings::Settings;
use worker::{Env, Error, Request, Response, SqlStorage, State};

use crate::auth::{
    CALL_RUNS_MAX, Caller, FailedTokens, IdempotencyKey, KeyAnswer, KeyClaim, KeyRecord, KeyUse,
    Requester, call_key, call_periods, is_operator, may_call_tools, may_forget, may_link_start,
    may_look_deep, may_read_atlas, may_replay, may_start, may_store, run_secret,
};
use crate::routes::is_robot;

use super::environment::now_ms;
use super::failure::{Failure, Result};
use super::replies::{self, header};
use super::{deletion, json_table};

thread_local! {
    static FAILED_TOKENS: RefCell<FailedTokens> = RefCell::default();
}

/// Checks whether the sender may start a run. [`check_operator`] comes before it.
pub(super) fn check_start(request: &Request, settings: &Settings) -> Result<()> {
    Ok(may_start(settings, &caller(request)?)?)
}

/// Returns whether the page may start the run of a link as soon as the link is opened. A program that looks at links
/// by itself never starts one.
pub(super) fn may_start_by_link(request: &Request, settings: &Settings) -> Result<bool> {
    let is_robot = is_robot(header(request, "user-agent").as_deref());
    Ok(!is_robot && may_link_start(settings, &caller(request)?))
}

/// Checks whether the page that a request comes from may call this server's tools, if it comes from a page.
pub(super) fn check_page(request: &Request, settings: &Settings) -> Result<()> {
    Ok(may_call_tools(settings, &caller(request)?)?)
}

/// Checks whether the sender of a call of a tool may start a run. [`check_operator`] comes before it.
pub(super) fn check_tool_start(
    request: &Request,
    settings: &Settings,
    is_operator: bool,
) -> Result<()> {
    let mut caller = caller(request)?;
    if is_operator {
        // The token was sent on purpose: a run of the operator's that calls this server is no page that led here.
        caller.worker = None;
    }
    Ok(may_start(settings, &caller)?)
}

/// Checks whether the sender may have a sealed file executed.
pub(super) fn check_replay(request: &Request, settings: &Settings) -> Result<()> {
    check(request, settings, may_replay)
}

/// Checks whether the sender may store documents that sentences call `noun`.
pub(super) fn check_store(request: &Request, settings: &Settings, noun: &str) -> Result<()> {
    check(request, settings, |settings, caller| {
        may_store(settings, caller, noun)
    })
}

/// Checks whether the sender may read the atlas. Returns whether the operator's token came with the request.
pub(super) fn check_atlas(request: &Request, settings: &Settings) -> Result<bool> {
    let is_operator = check_operator(request, settings)?;
    may_read_atlas(settings, &caller(request)?)?;
    Ok(is_operator)
}

/// Checks whether the sender may have something of the atlas forgotten.
pub(super) fn check_forget(request: &Request, settings: &Settings) -> Result<()> {
    check(request, settings, may_forget)
}

/// Checks whether the sender may have every provider asked.
pub(super) fn check_deep_look(request: &Request, settings: &Settings) -> Result<()> {
    check(request, settings, may_look_deep)
}

/// Returns who asks for something that belongs to a run's creator: a caller with a run's secret, or
/// the operator with the token.
pub(super) fn requester(request: &Request, settings: &Settings) -> Result<Requester> {
    Ok(requester_as(request, check_operator(request, settings)?))
}

/// Returns what [`requester`] does, where it is known whether the operator's token came.
pub(super) fn requester_as(request: &Request, is_operator: bool) -> Requester {
    if is_operator {
        Requester::Operator
    } else {
        Requester::with(header(request, "run-secret").as_deref())
    }
}

/// Returns whether the operator's token came with a request. After too many wrong tokens the check
/// refuses for a while and looks at none.
pub(super) fn check_operator(request: &Request, settings: &Settings) -> Result<bool> {
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

/// A run that is there by now.
pub(super) struct CreatedRun {
    /// The run's token.
    pub(super) run: RunToken,
    /// The secret with which the creator stops, forks and deletes the run, or `None` where an
    /// earlier Worker began it, or where the caller may be another than the creator.
    pub(super) secret: Option<Secret>,
}

impl CreatedRun {
    /// Returns the run for a caller who may be another than its creator.
    pub(super) fn without_secret(self) -> Self {
        Self {
            secret: None,
            ..self
        }
    }
}

/// A run that a key gives.
pub(super) struct FoundRun {
    pub(super) created: CreatedRun,
    /// The way in which the run takes the key.
    pub(super) claim: KeyClaim,
    /// Whether the key was not used before.
    is_new: bool,
    /// Whether the run is known to be there.
    pub(super) is_there: bool,
}

/// The keys of one caller, in one of their sessions.
pub(super) struct RunKeys<'request, 'session> {
    pub(super) env: &'request Env,
    pub(super) is_operator: bool,
    /// The address that the caller has.
    pub(super) address: Option<String>,
    pub(super) session: Option<&'session str>,
}

impl RunKeys<'_, '_> {
    /// Returns the caller's key of this text.
    pub(super) fn key(&self, text: &str) -> IdempotencyKey {
        IdempotencyKey::new(
            text,
            self.is_operator,
            self.address.as_deref(),
            self.session,
        )
    }

    /// Returns the run that a key gives, and how it takes the key. The refusal is 409 where the key
    /// was used for another question.
    pub(super) async fn run_of_key(
        &self,
        key: &IdempotencyKey,
        question: &str,
    ) -> Result<FoundRun> {
        let salt = Sha256Digest::new(random()?);
        let wanted = KeyUse::new(&salt, &Sha256Digest::of(question.as_bytes()));
        let used_for = deletion::find_key(self.env, &key.digest(), &wanted).await?;
        if !used_for.asks_the_same(&wanted) {
            let detail = "This Idempotency-Key started a run of another question; use a new key.";
            return Err(Problem::new(409, detail).into());
        }
        let kept = used_for.salt();
        let is_new = kept.as_ref() == Some(&salt);
        let run = kept.and_then(|salt| key.run(&salt).ok());
        let (run, secret) = run.ok_or_else(|| Problem::new(500, "A kept run is unreadable."))?;
        Ok(FoundRun {
            created: CreatedRun {
                run,
                secret: Some(secret),
            },
            claim: KeyClaim {
                key: key.digest().to_string(),
                used_for,
            },
            is_new,
            is_there: false,
        })
    }

    /// Returns the run that a call is meant to find, or the one that it is to begin. Returns `None` where the same
    /// call has begun so many runs that it begins one without a key.
    pub(super) async fn run_of_call(
        &self,
        name: &Sha256Digest,
        question: &str,
    ) -> Result<Option<FoundRun>> {
        let periods = call_periods(now_ms());
        let newest = *periods.end();
        for period in periods {
            for runs in 0..CALL_RUNS_MAX {
                let key = self.key(&call_key(name, period, runs));
                // The run of a key may be deleted, or may be another question's under today's settings.
                let mut found = match self.run_of_key(&key, question).await {
                    Err(Failure::Refused(_)) => continue,
                    found => found?,
                };
                // A key that another request is about to use has no run yet, like one that is new.
                let is_recent = if found.is_new {
                    None
                } else {
                    deletion::is_recent(self.env, &found.created.run).await?
                };
                match is_recent {
                    Some(false) => {}
                    None if period < newest => break,
                    _ => {
                        found.is_there = is_recent == Some(true);
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Returns random bytes.
pub(super) fn random() -> worker::Result<[u8; 32]> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| Error::RustError(error.to_string()))?;
    Ok(random)
}

/// Makes a token and a secret for a new run.
pub(super) fn new_run(session: Option<&str>) -> Result<CreatedRun, Problem> {
    let (mut for_token, mut for_secret) = ([0; 24], [0; 32]);
    getrandom::fill(&mut for_token)
        .and_then(|()| getrandom::fill(&mut for_secret))
        .map_err(|_| Problem::new(500, "No randomness for a run id; try again."))?;
    let run = RunToken::new(session, for_token);
    let run = run.map_err(|error| Problem::field("session", error))?;
    Ok(CreatedRun {
        run,
        secret: Some(run_secret(for_secret)),
    })
}

/// The name under which is stored what a key was used for.
const KEY_NAME: &str = "idempotencyKey";

/// The part of an object that knows its key.
#[derive(Default)]
pub(super) struct KeyHolder {
    /// The use that the key is about to have. A start that is refused leaves nothing else behind.
    wanted: RefCell<Option<KeyUse>>,
}

impl KeyHolder {
    /// Answers with what the key was used for, else with what it is about to be used for, so that
    /// requests that come at the same time ask for one run. Stores nothing.
    pub(super) fn find(&self, sql: &SqlStorage, wanted: KeyUse) -> Result<Response> {
        if let Some(kept) = json_table::get::<KeyRecord>(sql, KEY_NAME)? {
            return replies::json(&kept.answer());
        }
        let mut held = self.wanted.borrow_mut();
        let found = match held.take().filter(|held| held.asks_the_same(&wanted)) {
            Some(held) => held,
            None => wanted,
        };
        *held = Some(found.clone());
        replies::json(&KeyAnswer::Use(found))
    }
}

/// Stores what the key is used for, unless it is taken, and sets the alarm for the time when its
/// run expires.
pub(super) async fn claim(state: &State, claim: KeyRecord) -> Result<Response> {
    let storage = state.storage();
    let sql = storage.sql();
    let kept = json_table::get::<KeyRecord>(&sql, KEY_NAME)?;
    let claimed = KeyRecord::claimed(kept, claim);
    json_table::put(&sql, KEY_NAME, &claimed)?;
    let left_ms = claimed.expires_ms().saturating_sub(now_ms());
    storage.set_alarm(Duration::from_millis(left_ms)).await?;
    replies::json(&claimed.answer())
}

/// Drops what the key was used for, and keeps that it was used.
pub(super) fn drop_use(sql: &SqlStorage) -> Result<Response> {
    if let Some(kept) = json_table::get::<KeyRecord>(sql, KEY_NAME)? {
        json_table::put(sql, KEY_NAME, &kept.dropped())?;
    }
    Ok(Response::empty()?)
}
