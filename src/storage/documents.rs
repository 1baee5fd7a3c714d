//! The documents in KV. They belong to runs, or are stored by the operator for the engines.

use domain::RunToken;
use engine::StoredDocuments;
use engine::store::{Keys, interrupted_meta, over_key, record};
use serde_json::Value;
use worker::{Env, KvStore, Result};

use crate::transport::bindings;

/// The number of keys per page of a listing.
const LISTED_MAX: u64 = 1_000;

/// Reads the operator's stored document with this name, if it exists.
pub(crate) async fn read_body(
    env: &Env,
    documents: &StoredDocuments,
    name: &str,
) -> Result<Option<Value>> {
    let text = read_key(env, &documents.key(name)).await?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Returns the names of the stored documents of one kind, each with the result of its check.
pub(crate) async fn listed(
    env: &Env,
    documents: &StoredDocuments,
) -> Result<Vec<(String, Option<Value>)>> {
    let prefix = documents.key_prefix;
    let kv = bindings::kv_documents(env)?;
    let listed = kv.list().prefix(prefix.to_owned()).limit(LISTED_MAX);
    let listed = listed.execute().await?;
    let named = listed.keys.into_iter().filter_map(|key| {
        let name = key.name.strip_prefix(prefix)?.to_owned();
        Some((name, key.metadata))
    });
    Ok(named.collect())
}

/// Reads the document with this key as JSON, if it exists.
pub(crate) async fn read_key(env: &Env, key: &str) -> Result<Option<String>> {
    Ok(bindings::kv_documents(env)?.get(key).text().await?)
}

/// Reads the record of a run; `None` if KV has none of its documents. If the store fails, this is an error and not an
/// incomplete record.
pub(crate) async fn read(env: &Env, run: &RunToken) -> Result<Option<Value>> {
    let kv = bindings::kv_documents(env)?;
    let keys = Keys::new(run.session(), run.run());
    // The meta document is written last. So if it says that the run has ended, all documents that are read after it
    // are complete.
    let meta_key = keys.plain("meta");
    let Some(meta) = kv.get(&meta_key).text().await? else {
        return Ok(None);
    };
    // A run has about 40 documents, so one page lists them all.
    let listed = kv.list().prefix(keys.prefix().to_owned()).execute().await?;
    let others = listed.keys.into_iter().filter(|key| key.name != meta_key);
    let reads = others.map(|key| {
        let kv = &kv;
        async move {
            let text = kv.get(&key.name).text().await?;
            Ok(text.map(|text| (key.name, text)))
        }
    });
    let read: Result<Vec<Option<(String, String)>>> =
        futures::future::join_all(reads).await.into_iter().collect();
    // A document may have expired after it was listed, so it may be missing.
    let mut documents: Vec<(String, String)> = read?.into_iter().flatten().collect();
    documents.push((meta_key, meta));
    Ok(record(&run.to_string(), &keys, &documents))
}

/// Removes every document of a run that KV lists at the moment.
pub(crate) async fn remove(env: &Env, run: &RunToken) -> Result<()> {
    let kv = bindings::kv_documents(env)?;
    let keys = Keys::new(run.session(), run.run());
    let listed = kv.list().prefix(keys.prefix().to_owned()).execute().await?;
    let removals = listed.keys.iter().map(|key| kv.delete(&key.name));
    for removed in futures::future::join_all(removals).await {
        removed?;
    }
    Ok(())
}

/// Notes in a run's meta document that it was interrupted.
pub(crate) async fn note_interruption(
    kv: &KvStore,
    run: &RunToken,
    event: &str,
    time_to_live_s: u64,
) -> Result<()> {
    let key = Keys::new(run.session(), run.run()).plain("meta");
    let Some(meta) = kv.get(&key).text().await? else {
        return Ok(());
    };
    if let Some(meta) = interrupted_meta(&meta, event) {
        let put = kv.put(&key, meta)?;
        put.expiration_ttl(time_to_live_s).execute().await?;
    }
    Ok(())
}

const KEPT_S: u64 = 30 * 86_400;
/// The content of the document that notes that a run is over.
const OVER: &str = "over";

/// Notes that a run is over. If that fails, requests for the run get a 404 instead of a 410.
pub(crate) async fn note(env: &Env, run: &str) {
    if let Err(error) = put_note(env, run).await {
        worker::console_warn!("that a run is over could not be noted: {error}");
    }
}

/// Returns whether it was noted that a run is over; `false` if KV does not answer.
pub(crate) async fn is_noted(env: &Env, run: &RunToken) -> bool {
    let Ok(kv) = bindings::kv_documents(env) else {
        return false;
    };
    let noted = kv.get(&over_key(&run.to_string())).text().await;
    noted.is_ok_and(|noted| noted.is_some())
}

async fn put_note(env: &Env, run: &str) -> Result<()> {
    let kv = bindings::kv_documents(env)?;
    let put = kv.put(&over_key(run), OVER)?.expiration_ttl(KEPT_S);
    Ok(put.execute().await?)
}
