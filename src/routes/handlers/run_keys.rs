//! The runs that idempotency keys give.

use domain::{RunToken, Secret, Sha256Digest};
use engine::Problem;
use worker::Env;

use crate::auth::{
    CALL_RUNS_MAX, IdempotencyKey, KeyClaim, KeyUse, call_key, call_periods, run_secret,
};
use crate::objects::client;
use crate::transport::bindings::{now_ms, random};
use crate::transport::failure::{Failure, Result};

/// A run that is there by now.
pub(crate) struct CreatedRun {
    /// The run's token.
    pub(crate) run: RunToken,
    /// The secret with which the creator stops, forks and deletes the run, or `None` where an
    /// earlier Worker began it, or where the caller may be another than the creator.
    pub(crate) secret: Option<Secret>,
}

impl CreatedRun {
    /// Returns the run for a caller who may be another than its creator.
    pub(crate) fn without_secret(self) -> Self {
        Self {
            secret: None,
            ..self
        }
    }
}

/// A run that a key gives.
pub(crate) struct FoundRun {
    pub(crate) created: CreatedRun,
    /// The way in which the run takes the key.
    pub(crate) claim: KeyClaim,
    /// Whether the key was not used before.
    is_new: bool,
    /// Whether the run is known to be there.
    pub(crate) is_there: bool,
}

/// The keys of one caller, in one of their sessions.
pub(crate) struct RunKeys<'request, 'session> {
    pub(crate) env: &'request Env,
    pub(crate) is_operator: bool,
    /// The address that the caller has.
    pub(crate) address: Option<String>,
    pub(crate) session: Option<&'session str>,
}

impl RunKeys<'_, '_> {
    /// Returns the caller's key of this text.
    pub(crate) fn key(&self, text: &str) -> IdempotencyKey {
        IdempotencyKey::new(
            text,
            self.is_operator,
            self.address.as_deref(),
            self.session,
        )
    }

    /// Returns the run that a key gives, and how it takes the key. The refusal is 409 where the key
    /// was used for another question.
    pub(crate) async fn run_of_key(
        &self,
        key: &IdempotencyKey,
        question: &str,
    ) -> Result<FoundRun> {
        let salt = Sha256Digest::new(random()?);
        let wanted = KeyUse::new(&salt, &Sha256Digest::of(question.as_bytes()));
        let used_for = client::find_key(self.env, &key.digest(), &wanted).await?;
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
    pub(crate) async fn run_of_call(
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
                    client::is_recent(self.env, &found.created.run).await?
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

/// Makes a token and a secret for a new run.
pub(crate) fn new_run(session: Option<&str>) -> Result<CreatedRun, Problem> {
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
