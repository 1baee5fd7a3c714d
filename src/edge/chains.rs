//! Published chains: sealed files in KV, each under its digest, for longer than their runs are kept.

use domain::Sha256Digest;
use engine::Problem;
use engine::assistant::{Answer, CallPlace};
use engine::store::{chain_key, chain_key_prefix};
use settings::Settings;
use worker::{Env, Request, Response, SqlStorage};

use crate::auth::{CreatorsAction, Requester, check_creator};
use crate::publication::{ChainMeta, Publication, PublishedFile, check_publishable};
use crate::routes::{PageWords, ResponseFormat, no_such_chain};
use crate::sealed::{ReplayLimits, digest_within, is_of_digest, seal};
use crate::tools::answers::checked;

use super::environment::{self, now_ms, settings};
use super::failure::Result;
use super::object::LiveRun;
use super::run_creation::creator_key;
use super::{journal_table, json_table, replies};

/// The cache's rule for a chain: since it may be deleted, a cache asks again after a minute.
const CACHE_CONTROL: &str = "public, max-age=60";
/// The most lists of chains that are read, of a thousand each.
const LISTS_MAX: usize = 10;

/// Keeps a sealed file for as long as its publication says.
pub(super) async fn put(
    env: &Env,
    digest: &Sha256Digest,
    file: String,
    meta: &ChainMeta,
    publication: &Publication,
) -> worker::Result<()> {
    let kv = environment::kv_documents(env)?;
    let put = kv.put(&chain_key(digest), file)?.metadata(meta)?;
    let put = put.expiration(publication.expires_s());
    Ok(put.execute().await?)
}

/// Removes a chain. That the chain is not there is no error.
pub(super) async fn remove(env: &Env, digest: &Sha256Digest) -> worker::Result<()> {
    let kv = environment::kv_documents(env)?;
    Ok(kv.delete(&chain_key(digest)).await?)
}

/// Returns the addresses of the chains that show one of those with these marks, and how many more there are of which
/// that is not known: an earlier version published them, they show too many, or not all chains could be listed.
pub(super) async fn showing(env: &Env, marks: &[String]) -> (Vec<String>, usize) {
    let (mut found, mut unknown) = (Vec::new(), 0);
    if let Err(error) = look_through(env, marks, &mut found, &mut unknown).await {
        worker::console_error!("published chains could not be listed: {error}");
        unknown += 1;
    }
    (found, unknown)
}

async fn look_through(
    env: &Env,
    marks: &[String],
    found: &mut Vec<String>,
    unknown: &mut usize,
) -> worker::Result<()> {
    let kv = environment::kv_documents(env)?;
    let prefix = chain_key_prefix();
    let mut cursor = None;
    for _ in 0..LISTS_MAX {
        let mut list = kv.list().prefix(prefix.to_owned());
        if let Some(cursor) = cursor.take() {
            list = list.cursor(cursor);
        }
        let listed = list.execute().await?;
        for key in listed.keys {
            let shows = (key.metadata).and_then(|note| ChainMeta::shows(&note, marks));
            match shows {
                Some(true) => found.extend(
                    key.name
                        .strip_prefix(prefix)
                        .map(|digest| format!("/chains/{digest}")),
                ),
                Some(false) => {}
                None => *unknown += 1,
            }
        }
        cursor = listed.cursor.filter(|_| !listed.list_complete);
        if cursor.is_none() {
            return Ok(());
        }
    }
    *unknown += 1;
    Ok(())
}

/// Answers `GET /chains/{digest}`: the sealed file, or to a browser the page that shows it.
pub(super) async fn answer(
    request: &Request,
    env: &Env,
    digest: &Sha256Digest,
) -> Result<Response> {
    let format = replies::format_of_link(request);
    let kv = environment::kv_documents(env)?;
    let Ok(file) = kv.get(&chain_key(digest)).text().await else {
        let detail = "The chain can't be read at the moment; try again.";
        return Err(Problem::new(503, detail).into());
    };
    match (file, format) {
        (Some(file), ResponseFormat::Html) => {
            let words = if is_of_digest(&file, digest, ReplayLimits::SERVER) {
                PageWords::of_chain(&file)
            } else {
                PageWords::of_forged_chain()
            };
            replies::with_words(request, env, &words).await
        }
        (None, ResponseFormat::Html) => replies::answer(request, env, 404).await,
        (None, _) => Err(no_such_chain().into()),
        (Some(file), _) => {
            let response = replies::json_text(&file)?;
            let headers = response.headers();
            headers.set("cache-control", CACHE_CONTROL)?;
            let disposition = format!("inline; filename=\"{digest}.sealed.json\"");
            headers.set("content-disposition", &disposition)?;
            Ok(response)
        }
    }
}

/// Returns what the chain of this digest is, executed again.
pub(super) async fn check(
    env: &Env,
    settings: &Settings,
    digest: &Sha256Digest,
    place: &CallPlace,
) -> Result<Answer> {
    let kv = environment::kv_documents(env)?;
    let file = kv.get(&chain_key(digest)).text().await?;
    let file = file.ok_or_else(no_such_chain)?;
    Ok(checked(&file, digest, settings.seal_key.as_ref(), place))
}

/// Answers `DELETE /chains/{digest}`, for the creator of the run, also when the run is gone.
pub(super) async fn delete(
    env: &Env,
    digest: &Sha256Digest,
    requester: &Requester,
) -> Result<Response> {
    let kv = environment::kv_documents(env)?;
    let kept = kv.get(&chain_key(digest));
    let (file, meta) = kept.text_with_metadata::<ChainMeta>().await?;
    if file.is_none() {
        return Err(no_such_chain().into());
    }
    let creator = meta.and_then(|meta| meta.creator);
    check_creator(creator.as_ref(), requester, CreatorsAction::Unpublish)?;
    remove(env, digest).await?;
    Ok(Response::empty()?.with_status(204))
}

/// The name under which is stored what was published of the run.
const PUBLISHED_NAME: &str = "published";

/// Answers with the run as one file, once it has ended.
pub(super) fn sealed_file(sql: &SqlStorage, env: &Env, live: &LiveRun) -> Result<Response> {
    let file = file(sql, &settings(env), live)?;
    replies::download(&file, &format!("{}.sealed.json", live.opened().run()))
}

/// Gives the run's file an address of its own.
pub(super) async fn publish(sql: &SqlStorage, env: &Env, live: &LiveRun) -> Result<Response> {
    let settings = settings(env);
    let (file, digest) = publishable(sql, &settings, live)?;
    let earlier: Option<PublishedFile> = json_table::get(sql, PUBLISHED_NAME)?;
    let published = PublishedFile::again(earlier.as_ref(), &digest)?;
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
            remove(env, &other).await?;
            forget_earlier(sql, &other)?;
        }
        put(env, &digest, file, &meta, &publication).await
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

/// Returns the digests of all published files of this object's run that may be there.
pub(super) fn published(sql: &SqlStorage) -> worker::Result<Vec<Sha256Digest>> {
    let published: Option<PublishedFile> = json_table::get(sql, PUBLISHED_NAME)?;
    Ok(published.map_or_else(Vec::new, |published| published.all()))
}

fn forget_earlier(sql: &SqlStorage, removed: &Sha256Digest) -> worker::Result<()> {
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
) -> Result<(String, Sha256Digest)> {
    let (events, is_ended) = (live.log().jsons(), live.log().is_ended());
    let last = events.last().map(|json| &**json);
    check_publishable(is_ended, last, settings.publish_days)?;
    let file = file(sql, settings, live)?;
    // A file that nobody could send back to be checked proves nothing. KV takes six times as much.
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
