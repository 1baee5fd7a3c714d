//! Reads a run's record back from KV, and removes it.

use serde_json::Value;
use worker::kv::KvStore;
use worker::{Env, Result};

use domain::RunToken;
use engine::store::{Keys, interrupted_meta, record};

use super::environment;

/// Reads the record. Returns `None` where KV has none of its documents. A store that fails is an
/// error, never a record with holes.
pub(super) async fn read(env: &Env, run: &RunToken) -> Result<Option<Value>> {
    let kv = environment::documents(env)?;
    let keys = Keys::new(run.session(), run.run());
    // Meta is written last: what it tells of the run's end holds for all that is read after it.
    let meta_key = keys.plain("meta");
    let Some(meta) = kv.get(&meta_key).text().await? else {
        return Ok(None);
    };
    // A run has 40 documents or hardly more: one page lists them all.
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
    // A document may have expired since the list was made.
    let mut documents: Vec<(String, String)> = read?.into_iter().flatten().collect();
    documents.push((meta_key, meta));
    Ok(record(&run.to_string(), &keys, &documents))
}

/// Removes every document of a run that KV lists now.
pub(super) async fn remove(env: &Env, run: &RunToken) -> Result<()> {
    let kv = environment::documents(env)?;
    let keys = Keys::new(run.session(), run.run());
    let listed = kv.list().prefix(keys.prefix().to_owned()).execute().await?;
    let removals = listed.keys.iter().map(|key| kv.delete(&key.name));
    for removed in futures::future::join_all(removals).await {
        removed?;
    }
    Ok(())
}

/// Notes in a run's meta document that it was interrupted.
pub(super) async fn note_interruption(
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
