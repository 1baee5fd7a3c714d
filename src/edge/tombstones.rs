//! That a run is over: known for a month after everything of it is gone, so that whoever opens its
//! link is told that, and not that there never was one. Kept is a digest of its token, and no word.

use worker::{Env, Result};

use crate::domain::RunToken;
use crate::store::over_key;

use super::environment;

const KEPT_S: u64 = 30 * 86_400;
/// All that is said of it.
const OVER: &str = "over";

/// Notes that a run is over. Where that fails it is told as unknown; it is gone all the same.
pub(super) async fn note(env: &Env, run: &str) {
    if let Err(error) = put(env, run).await {
        worker::console_warn!("that a run is over could not be noted: {error}");
    }
}

/// Whether that is noted. Where KV does not answer nobody knows, as of a run that never was.
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
