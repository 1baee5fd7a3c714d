//! Finds the run that belongs to an idempotency key or a repeated call.

use domain::{RunToken, Secret, Sha256Digest};
use engine::Problem;
use worker::Env;

use crate::auth::{
    CALL_RUNS_MAX, IdempotencyKey, KeyClaim, KeyUse, call_key, call_periods, run_secret,
};
use crate::objects::client;
use crate::transport::bindings::{now_ms, random};
use crate::transport::failure::{Failure, Result};

/// A run that now exists, or is about to begin.
pub(crate) struct CreatedRun {
    /// The run's token.
    pub(crate) run: RunToken,
    /// The secret with which the creator stops, forks and deletes the run; `None` for a run of an earlier version, or
    /// if somebody other than the caller may have created the run.
    pub(crate) secret: Option<Secret>,
}

impl CreatedRun {
    /// Removes the secret, because somebody other than the caller may have created the run.
    pub(crate) fn without_secret(self) -> Self {
        Self {
            secret: None,
            ..self
        }
    }
}

/// The run that belongs to a key.
pub(crate) struct FoundRun {
    pub(crate) created: CreatedRun,
    /// The claim with which the run takes the key.
    pub(crate) claim: KeyClaim,
    /// Whether nobody has used the key before.
    is_new: bool,
    /// Whether the run is known to exist.
    pub(crate) is_there: bool,
}

/// The keys of one caller within a session.
pub(crate) struct RunKeys<'request, 'session> {
    pub(crate) env: &'request Env,
    pub(crate) is_operator: bool,
    /// The caller's IP address, if known.
    pub(crate) address: Option<String>,
    pub(crate) session: Option<&'session str>,
}

impl RunKeys<'_, '_> {
    /// Returns the caller's key with this text.
    pub(crate) fn key(&self, text: &str) -> IdempotencyKey {
        IdempotencyKey::new(
            text,
            self.is_operator,
            self.address.as_deref(),
            self.session,
        )
    }

    /// Returns the run that belongs to a key, and the run's claim on the key. The refusal is a 409 if the key was used
    /// for another question.
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

    /// Returns the run that a repeated call finds, or the run that it should begin. Returns `None` if the call has
    /// begun so many runs that the next one gets no key.
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
                // A key is refused if its run was deleted, or if the call means another question under today's
                // settings. Then the next key is tried.
                let mut found = match self.run_of_key(&key, question).await {
                    Err(Failure::Refused(_)) => continue,
                    found => found?,
                };
                // A key that another request is about to claim has no run yet, so it is treated as new.
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
