//! Notes that a run is over. The note stays for a month after everything of the run is gone, so
//! that a visitor who opens its link is told that the run is over, and not that there never was
//! one. A note holds a digest of the run's token and no word of the run.

use worker::{Env, Result};

use domain::RunToken;
use engine::store::over_key;

use super::environment;

const KEPT_S: u64 = 30 * 86_400;
/// The whole text of a note.
const OVER: &str = "over";

/// Notes that a run is over. Where that fails, the run is told as unknown; it is gone all the same.
pub(super) async fn note(env: &Env, run: &str) {
    if let Err(error) = put(env, run).await {
        worker::console_warn!("that a run is over could not be noted: {error}");
    }
}

/// Returns whether it is noted that a run is over. Where KV does not answer, the run is told as
/// unknown.
pub(super) async fn is_noted(env: &Env, run: &RunToken) -> bool {
    let Ok(kv) = environment::documents(env) else {
        return false;
    };
    let noted = kv.get(&over_key(&run.to_string())).text().await;
    noted.is_ok_and(|noted| noted.is_some())
}

async fn put(env: &Env, run: &str) -> Result<()> {
    let kv = environment::documents(env)?;
    let put = kv.put(&over_key(run), OVER)?.expiration_ttl(KEPT_S);
    Ok(put.execute().await?)
}
