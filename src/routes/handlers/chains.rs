//! The addresses of published chains.

use domain::Sha256Digest;
use engine::Problem;
use engine::assistant::{Answer, CallPlace};
use engine::store::chain_key;
use settings::Settings;
use worker::{Env, Request, Response};

use crate::auth::{CreatorsAction, Requester, check_creator};
use crate::mcp_server::checked;
use crate::problems::no_such_chain;
use crate::publication::ChainMeta;
use crate::routes::{PageWords, ResponseFormat};
use crate::sealed::{ReplayLimits, is_of_digest};
use crate::storage::chains;
use crate::transport::bindings;
use crate::transport::failure::Result;
use crate::transport::replies;

use super::pages;

/// The cache lifetime of a chain. It is only a minute, because the chain may be deleted.
const CACHE_CONTROL: &str = "public, max-age=60";

/// Handles `GET /chains/{digest}`: the sealed file or, for a browser, the page that shows it.
pub(crate) async fn answer(
    request: &Request,
    env: &Env,
    digest: &Sha256Digest,
) -> Result<Response> {
    let format = pages::format_of_link(request);
    let kv = bindings::kv_documents(env)?;
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
            pages::with_words(request, env, &words).await
        }
        (None, ResponseFormat::Html) => pages::answer(request, env, 404).await,
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

/// Replays the chain of this digest, and returns the answer.
pub(crate) async fn check(
    env: &Env,
    settings: &Settings,
    digest: &Sha256Digest,
    place: &CallPlace,
) -> Result<Answer> {
    let kv = bindings::kv_documents(env)?;
    let file = kv.get(&chain_key(digest)).text().await?;
    let file = file.ok_or_else(no_such_chain)?;
    Ok(checked(&file, digest, settings.seal_key.as_ref(), place))
}

/// Handles `DELETE /chains/{digest}` for the run's creator, even after the run has expired.
pub(crate) async fn delete(
    env: &Env,
    digest: &Sha256Digest,
    requester: &Requester,
) -> Result<Response> {
    let kv = bindings::kv_documents(env)?;
    let kept = kv.get(&chain_key(digest));
    let (file, meta) = kept.text_with_metadata::<ChainMeta>().await?;
    if file.is_none() {
        return Err(no_such_chain().into());
    }
    let creator = meta.and_then(|meta| meta.creator);
    check_creator(creator.as_ref(), requester, CreatorsAction::Unpublish)?;
    chains::remove(env, digest).await?;
    Ok(Response::empty()?.with_status(204))
}
