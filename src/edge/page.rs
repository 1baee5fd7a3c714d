//! The page and its files, which are static.

use worker::{Env, Request, Response, Result};

use super::environment;

/// A static file by its own name; 404 where there is none.
pub(super) async fn file(request: &Request, env: &Env) -> Result<Response> {
    let assets = environment::static_files(env)?;
    assets.fetch(request.url()?.as_str(), None).await
}

/// The page, under whatever address it is asked for.
pub(super) async fn answer(request: &Request, env: &Env, status: u16) -> Result<Response> {
    let mut url = request.url()?;
    url.set_path("/");
    url.set_query(None);
    let assets = environment::static_files(env)?;
    let response = assets.fetch(url.as_str(), None).await?;
    if status == 200 {
        Ok(response)
    } else {
        Ok(response.with_status(status))
    }
}
