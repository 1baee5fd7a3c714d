//! The descriptions of the API and of the tools, which are static files: the Worker does not carry them.

use worker::{Env, Error, Request, Response, Result};

use super::{environment, replies};

/// Answers with the API's description of itself: `public/openapi.json`, an `OpenAPI` 3.1 document.
pub(super) async fn answer(request: &Request, env: &Env) -> Result<Response> {
    replies::json_text(&file(request, env, "/openapi.json").await?)
}

/// Returns the static file of this path.
pub(super) async fn file(request: &Request, env: &Env, path: &str) -> Result<String> {
    let mut url = request.url()?;
    url.set_path(path);
    url.set_query(None);
    let files = environment::static_files(env)?;
    let mut file = files.fetch(url.as_str(), None).await?;
    match file.status_code() {
        200 => file.text().await,
        status => Err(Error::RustError(format!("no {path}: {status}"))),
    }
}
