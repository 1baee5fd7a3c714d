//! Published chains, which are sealed files in KV under their digests. They are stored longer than their runs.

use domain::Sha256Digest;
use engine::store::{chain_key, chain_key_prefix};
use worker::{Env, Result};

use crate::publication::{ChainMeta, Publication};
use crate::transport::bindings;

/// The most pages of the list of chains that are read. Each page has a thousand keys.
const LISTS_MAX: usize = 10;

/// Stores a sealed file until its publication expires.
pub(crate) async fn put(
    env: &Env,
    digest: &Sha256Digest,
    file: String,
    meta: &ChainMeta,
    publication: &Publication,
) -> Result<()> {
    let kv = bindings::kv_documents(env)?;
    let put = kv.put(&chain_key(digest), file)?.metadata(meta)?;
    let put = put.expiration(publication.expires_s());
    Ok(put.execute().await?)
}

/// Removes a chain. It is not an error if the chain does not exist.
pub(crate) async fn remove(env: &Env, digest: &Sha256Digest) -> Result<()> {
    let kv = bindings::kv_documents(env)?;
    Ok(kv.delete(&chain_key(digest)).await?)
}

/// Returns the addresses of the chains that have one of these marks. Also returns for how many chains this is
/// unknown, because an earlier version published them, they have too many marks, or not all chains could be listed.
pub(crate) async fn showing(env: &Env, marks: &[String]) -> (Vec<String>, usize) {
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
    let kv = bindings::kv_documents(env)?;
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
