//! Seals an ended run: its object gives it as one file, which it may publish.

use worker::{Env, Response, Result, SqlStorage};

use domain::Sha256Digest;
use engine::Problem;
use settings::Settings;

use crate::publication::{ChainMeta, Publication, PublishedFile, check_publishable};
use crate::sealed::{ReplayLimits, digest_within, seal};

use super::clock::now_ms;
use super::environment::settings;
use super::live_run::LiveRun;
use super::run_beginning::creator_key;
use super::{chains, journal_table, json_table, replies};

/// The name under which is stored what was published of the run.
const PUBLISHED_NAME: &str = "published";

/// A value, or a refusal.
type Given<T> = std::result::Result<T, Problem>;

/// Answers with the run as one file, once it has ended.
pub(super) fn answer(sql: &SqlStorage, env: &Env, live: &LiveRun) -> Result<Response> {
    match file(sql, &settings(env), live)? {
        Ok(file) => replies::download(&file, &format!("{}.sealed.json", live.opened().run())),
        Err(problem) => replies::problem(&problem),
    }
}

/// Gives the run's file an address of its own.
pub(super) async fn publish(sql: &SqlStorage, env: &Env, live: &LiveRun) -> Result<Response> {
    let settings = settings(env);
    let (file, digest) = match publishable(sql, &settings, live)? {
        Ok(found) => found,
        Err(problem) => return replies::problem(&problem),
    };
    let earlier: Option<PublishedFile> = json_table::get(sql, PUBLISHED_NAME)?;
    let published = match PublishedFile::again(earlier.as_ref(), &digest) {
        Ok(published) => published,
        Err(problem) => return replies::problem(&problem),
    };
    // The note is stored before the file is there: what may be there is removed with its run.
    json_table::put(sql, PUBLISHED_NAME, &published)?;
    let earlier = published.earlier();
    let publication = Publication::new(&digest, now_ms(), settings.publish_days);
    let events = live.log().jsons();
    let meta = ChainMeta::new(creator_key(sql)?, events.last().map(|json| &**json));
    let kept = async {
        // The journal may have got its last entry since the file was published, and a run has one
        // address.
        for other in earlier {
            chains::remove(env, &other).await?;
            forget_earlier(sql, &other)?;
        }
        chains::put(env, &digest, file, &meta, &publication).await
    };
    if let Err(error) = kept.await {
        worker::console_error!("a chain could not be published: {error}");
        let detail = "The chain could not be published; try again in a few seconds.";
        return replies::problem(&Problem::new(503, detail).after(5));
    }
    let response = replies::json(&publication)?.with_status(201);
    response.headers().set("location", publication.address())?;
    Ok(response)
}

/// Returns the digests of all published files of this object's run that may be there.
pub(super) fn published(sql: &SqlStorage) -> Result<Vec<Sha256Digest>> {
    let published: Option<PublishedFile> = json_table::get(sql, PUBLISHED_NAME)?;
    Ok(published.map_or_else(Vec::new, |published| published.all()))
}

fn forget_earlier(sql: &SqlStorage, removed: &Sha256Digest) -> Result<()> {
    match json_table::get::<PublishedFile>(sql, PUBLISHED_NAME)? {
        Some(published) => json_table::put(sql, PUBLISHED_NAME, &published.without(removed)),
        None => Ok(()),
    }
}

/// Returns the file and its digest, where the run may be published.
fn publishable(
    sql: &SqlStorage,
    settings: &Settings,
    live: &LiveRun,
) -> Result<Given<(String, Sha256Digest)>> {
    let (events, is_ended) = (live.log().jsons(), live.log().is_ended());
    let last = events.last().map(|json| &**json);
    if let Err(problem) = check_publishable(is_ended, last, settings.publish_days) {
        return Ok(Err(problem));
    }
    let file = file(sql, settings, live)?;
    Ok(file.and_then(|file| {
        // A file that nobody could send back to be checked proves nothing. KV takes six times as
        // much.
        let digest = digest_within(&file, ReplayLimits::SERVER).map_err(|_| too_large())?;
        Ok((file, digest))
    }))
}

fn file(sql: &SqlStorage, settings: &Settings, live: &LiveRun) -> Result<Given<String>> {
    if !live.log().is_ended() {
        let detail = "The run still goes on; its sealed file is there after its last event.";
        return Ok(Err(Problem::new(409, detail)));
    }
    let entries = journal_table::entries(sql)?;
    let file = seal(&entries, &live.log().jsons(), settings.seal_key.as_ref());
    Ok(file.map_err(|error| {
        worker::console_error!("a run could not be sealed: {error}");
        Problem::new(500, "The run could not be sealed.")
    }))
}

fn too_large() -> Problem {
    let detail = "This run's file is larger than what a server executes again, so it is not published; \
                  save it, GET /runs/{run}/sealed, and send that: the program replay checks it.";
    Problem::new(409, detail)
}
