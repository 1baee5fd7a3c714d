//! Seals a run, and publishes its file at an address of its own.

use domain::Sha256Digest;
use engine::Problem;
use settings::Settings;
use worker::{Env, Response, SqlStorage};

use crate::publication::{ChainMeta, Publication, PublishedFile, check_publishable};
use crate::sealed::{ReplayLimits, digest_within, seal};
use crate::storage::{chains, journal_table, json_table};
use crate::transport::bindings::{now_ms, settings};
use crate::transport::failure::Result;
use crate::transport::replies;

use super::beginning::creator_key;
use super::live_run::LiveRun;

/// The name under which the run's publications are stored.
const PUBLISHED_NAME: &str = "published";

/// Responds with the ended run as one sealed file.
pub(crate) fn sealed_file(sql: &SqlStorage, env: &Env, live: &LiveRun) -> Result<Response> {
    let file = file(sql, &settings(env), live)?;
    replies::download(&file, &format!("{}.sealed.json", live.opened().run()))
}

/// Publishes the run's file.
pub(crate) async fn publish(sql: &SqlStorage, env: &Env, live: &LiveRun) -> Result<Response> {
    let settings = settings(env);
    let (file, digest) = publishable(sql, &settings, live)?;
    let earlier: Option<PublishedFile> = json_table::get(sql, PUBLISHED_NAME)?;
    let published = PublishedFile::again(earlier.as_ref(), &digest)?;
    // The record of the publication is stored before the file, so that deleting the run also removes the file.
    json_table::put(sql, PUBLISHED_NAME, &published)?;
    let earlier = published.earlier();
    let publication = Publication::new(&digest, now_ms(), settings.publish_days);
    let events = live.log().jsons();
    let meta = ChainMeta::new(creator_key(sql)?, events.last().map(|json| &**json));
    let kept = async {
        // The journal may have grown since the previous publication, so this file may differ. Only the newest file is
        // kept.
        for other in earlier {
            chains::remove(env, &other).await?;
            forget_earlier(sql, &other)?;
        }
        chains::put(env, &digest, file, &meta, &publication).await
    };
    if let Err(error) = kept.await {
        worker::console_error!("a chain could not be published: {error}");
        let detail = "The chain could not be published; try again in a few seconds.";
        return Err(Problem::new(503, detail).after(5).into());
    }
    let response = replies::json(&publication)?.with_status(201);
    response.headers().set("location", publication.address())?;
    Ok(response)
}

/// Returns the digests of all published files of this object's run that may still exist.
pub(crate) fn published(sql: &SqlStorage) -> worker::Result<Vec<Sha256Digest>> {
    let published: Option<PublishedFile> = json_table::get(sql, PUBLISHED_NAME)?;
    Ok(published.map_or_else(Vec::new, |published| published.all()))
}

fn forget_earlier(sql: &SqlStorage, removed: &Sha256Digest) -> worker::Result<()> {
    match json_table::get::<PublishedFile>(sql, PUBLISHED_NAME)? {
        Some(published) => json_table::put(sql, PUBLISHED_NAME, &published.without(removed)),
        None => Ok(()),
    }
}

/// Returns the run's sealed file and its digest, if the run may be published.
fn publishable(
    sql: &SqlStorage,
    settings: &Settings,
    live: &LiveRun,
) -> Result<(String, Sha256Digest)> {
    let (events, is_ended) = (live.log().jsons(), live.log().is_ended());
    let last = events.last().map(|json| &**json);
    check_publishable(is_ended, last, settings.publish_days)?;
    let file = file(sql, settings, live)?;
    // A file that is too large to be sent back for a check would prove nothing. KV would accept files six times as
    // large as this limit.
    let digest = digest_within(&file, ReplayLimits::SERVER).map_err(|_| too_large())?;
    Ok((file, digest))
}

fn file(sql: &SqlStorage, settings: &Settings, live: &LiveRun) -> Result<String> {
    if !live.log().is_ended() {
        let detail = "The run still goes on; its sealed file is there after its last event.";
        return Err(Problem::new(409, detail).into());
    }
    let entries = journal_table::entries(sql)?;
    let file = seal(&entries, &live.log().jsons(), settings.seal_key.as_ref());
    Ok(file.map_err(|error| {
        worker::console_error!("a run could not be sealed: {error}");
        Problem::new(500, "The run could not be sealed.")
    })?)
}

fn too_large() -> Problem {
    let detail = "This run's file is larger than what a server executes again, so it is not published; \
                  save it, GET /runs/{run}/sealed, and send that: the program replay checks it.";
    Problem::new(409, detail)
}
