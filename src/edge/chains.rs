//! Published chains: sealed files in KV, each under its digest, for longer than their runs are kept.

use worker::{Env, Request, Response, Result};

use domain::Sha256Digest;
use engine::Problem;
use engine::assistant::{Answer, CallPlace};
use engine::store::{chain_key, chain_key_prefix};
use settings::Settings;

use crate::checked_chain::checked;
use crate::door::{CreatorsAction, Requester, check_creator};
use crate::http::{PageWords, ResponseFormat, no_such_chain};
use crate::publication::{ChainMeta, Publication};
use crate::sealed::{ReplayLimits, is_of_digest};

use super::{environment, page, replies};

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
) -> Result<()> {
    let kv = environment::documents(env)?;
    let put = kv.put(&chain_key(digest), file)?.metadata(meta)?;
    let put = put.expiration(publication.expires_s());
    Ok(put.execute().await?)
}

/// Removes a chain. That the chain is not there is no error.
pub(super) async fn remove(env: &Env, digest: &Sha256Digest) -> Result<()> {
    let kv = environment::documents(env)?;
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
) -> Result<()> {
    let kv = environment::documents(env)?;
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
    let format = page::format_of_link(request);
    let kv = environment::documents(env)?;
    let Ok(file) = kv.get(&chain_key(digest)).text().await else {
        let detail = "The chain can't be read at the moment; try again.";
        return replies::problem(&Problem::new(503, detail));
    };
    match (file, format) {
        (Some(file), ResponseFormat::Html) => {
            let words = if is_of_digest(&file, digest, ReplayLimits::SERVER) {
                PageWords::of_chain(&file)
            } else {
                PageWords::of_forged_chain()
            };
            page::with_words(request, env, &words).await
        }
        (None, ResponseFormat::Html) => page::answer(request, env, 404).await,
        (None, _) => replies::problem(&no_such_chain()),
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
) -> Result<std::result::Result<Answer, Problem>> {
    let kv = environment::documents(env)?;
    let file = kv.get(&chain_key(digest)).text().await?;
    let key = settings.seal_key.as_ref();
    Ok(match file {
        Some(file) => Ok(checked(&file, digest, key, place)),
        None => Err(no_such_chain()),
    })
}

/// Answers `DELETE /chains/{digest}`, for the creator of the run, also when the run is gone.
pub(super) async fn delete(
    env: &Env,
    digest: &Sha256Digest,
    requester: &Requester,
) -> Result<Response> {
    let kv = environment::documents(env)?;
    let kept = kv.get(&chain_key(digest));
    let (file, meta) = kept.text_with_metadata::<ChainMeta>().await?;
    if file.is_none() {
        return replies::problem(&no_such_chain());
    }
    let creator = meta.and_then(|meta| meta.creator);
    if let Err(problem) = check_creator(creator.as_ref(), requester, CreatorsAction::Unpublish) {
        return replies::problem(&problem);
    }
    remove(env, digest).await?;
    Ok(Response::empty()?.with_status(204))
}
