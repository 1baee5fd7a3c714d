//! What a run provides to its forks, and what a fork takes from the run that was forked.

use domain::Sha256Digest;
use engine::Engine;
use engine::journal::{Entry, answers_to_inherit};
use worker::{Env, Response, Result, SqlStorage};

use crate::engines::with_engine;
use crate::run_object::{ArtifactFrame, ArtifactSource, ForkSource, ForkSourceOf, LiveRunCall};
use crate::storage::{artifact_table, journal_table};
use crate::transport::failure::Failure;
use crate::transport::replies;

use super::client;
use super::live_run::LiveRun;

/// Responds with the run's order and answers. If `before` is given, only answers from before that point of the run
/// are included.
pub(crate) fn answer(
    sql: &SqlStorage,
    live: &LiveRun,
    before: Option<&str>,
) -> Result<Response, Failure> {
    with_engine!(live.opened().engine(), E => answer_as::<E>(sql, live, before))
}

fn answer_as<E: Engine>(
    sql: &SqlStorage,
    live: &LiveRun,
    before: Option<&str>,
) -> Result<Response, Failure> {
    let Some(opened) = live.opened().as_engine::<E>() else {
        return Ok(Response::error("its order cannot be read", 500)?);
    };
    let source: ForkSourceOf<E> = ForkSource {
        order: opened.order,
        answers: answers_to_inherit(entries(sql)?, before),
    };
    replies::json(&source)
}

/// The artifacts that a fork takes from its source.
pub(crate) struct InheritedArtifacts {
    frames: Vec<u8>,
    source: ArtifactSource,
}

/// Fetches the artifacts that a fork needs from the source's object.
pub(crate) async fn artifacts(
    env: &Env,
    source: ArtifactSource,
) -> Result<Option<InheritedArtifacts>> {
    let mut answer = client::call(env, &source.run, LiveRunCall::Artifacts).await?;
    if answer.status_code() != 200 {
        return Ok(None);
    }
    let frames = answer.bytes().await?;
    Ok(Some(InheritedArtifacts { frames, source }))
}

impl InheritedArtifacts {
    /// Stores the artifacts in the fork's own object.
    pub(crate) fn keep(&self, sql: &SqlStorage) -> Result<()> {
        let mut frames = self.frames.as_slice();
        while let Some(frame) = ArtifactFrame::take(&mut frames) {
            let is_whole = Sha256Digest::of(frame.bytes) == frame.digest;
            if is_whole && self.source.answers.contains(frame.digest.as_str()) {
                artifact_table::put(sql, &frame.digest, frame.mime_type, frame.bytes)?;
            }
        }
        Ok(())
    }
}

/// Parses the journal's entries. Unreadable entries are skipped.
fn entries<E: Engine>(sql: &SqlStorage) -> Result<Vec<Entry<E>>> {
    let entries = journal_table::entries(sql)?;
    let entries = entries.iter();
    Ok(entries
        .filter_map(|json| Entry::from_json(json).ok())
        .collect())
}
