//! The API's description of itself: `public/openapi.json`, an `OpenAPI` 3.1 document.

use worker::{Env, Error, Request, Response, Result};

use super::{environment, replies};

/// Answers with the description, which is a static file: the Worker does not carry it.
pub(super) async fn answer(request: &Request, env: &Env) -> Result<Response> {
    let mut url = request.url()?;
    url.set_path("/openapi.json");
    url.set_query(None);
    let mut file = environment::static_files(env)?
        .fetch(url.as_str(), None)
        .await?;
    match file.status_code() {
        200 => replies::json_text(&file.text().await?),
        status => Err(Error::RustError(format!("no description: {status}"))),
    }
}
