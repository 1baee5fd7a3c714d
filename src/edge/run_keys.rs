//! The tokens and secrets of runs: new ones, or those that a key gives. A request that is sent again has the key of the
//! one before, or is the same call of the same caller, and finds the run of that one.

use worker::{Env, Error, Result};

use domain::{RunToken, Secret, Sha256Digest};
use engine::Problem;

use crate::door::{
    CALL_RUNS_MAX, IdempotencyKey, KeyClaim, KeyUse, call_key, call_periods, run_secret,
};

use super::clock::now_ms;
use super::run_objects;

/// A value that is asked for, or the reason why it is refused.
pub(super) type Accepted<T> = std::result::Result<T, Problem>;

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
    ) -> Result<Accepted<FoundRun>> {
        let salt = Sha256Digest::new(random()?);
        let wanted = KeyUse::new(&salt, &Sha256Digest::of(question.as_bytes()));
        let used_for = match run_objects::find_key(self.env, &key.digest(), &wanted).await? {
            Ok(used_for) => used_for,
            Err(problem) => return Ok(Err(problem)),
        };
        if !used_for.asks_the_same(&wanted) {
            let detail = "This Idempotency-Key started a run of another question; use a new key.";
            return Ok(Err(Problem::new(409, detail)));
        }
        let kept = used_for.salt();
        let is_new = kept.as_ref() == Some(&salt);
        let run = kept.and_then(|salt| key.run(&salt).ok());
        let Some((run, secret)) = run else {
            return Ok(Err(Problem::new(500, "A kept run is unreadable.")));
        };
        Ok(Ok(FoundRun {
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
        }))
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
                let Ok(mut found) = self.run_of_key(&key, question).await? else {
                    continue;
                };
                // A key that another request is about to use has no run yet, like one that is new.
                let is_recent = if found.is_new {
                    None
                } else {
                    run_objects::is_recent(self.env, &found.created.run).await?
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
pub(super) fn random() -> Result<[u8; 32]> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| Error::RustError(error.to_string()))?;
    Ok(random)
}

/// Makes a token and a secret for a new run.
pub(super) fn new_run(session: Option<&str>) -> Accepted<CreatedRun> {
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
