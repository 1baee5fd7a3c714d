//! Reads a run's record back from KV.

use serde_json::Value;
use worker::{Env, Result};

use crate::session::RunToken;
use crate::store::{Keys, record};

use super::KV_BINDING;

/// The record, or none where the run never was or has expired.
pub(super) async fn read(env: &Env, run: &RunToken) -> Result<Option<Value>> {
    let kv = env.kv(KV_BINDING)?;
    let keys = Keys::new(run.session(), run.run());
    // A run writes 40 documents at most: one page lists them all.
    let listed = kv.list().prefix(keys.prefix().to_owned()).execute().await?;
    let reads = listed.keys.into_iter().map(|key| {
        let kv = &kv;
        async move {
            let text = kv.get(&key.name).text().await.ok().flatten()?;
            Some((key.name, text))
        }
    });
    let documents: Vec<(String, String)> = futures::future::join_all(reads)
        .await
        .into_iter()
        .flatten()
        .collect();
    Ok(record(&run.to_string(), &keys, &documents))
}
