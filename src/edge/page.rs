//! The page and its files, which are static. The head of the page says what a link leads to.

use worker::{Env, Headers, Request, Response, Result};

use crate::http::{PageWords, ResponseFormat, is_robot, with_head, with_start};

use super::environment;
use super::incoming::header;

/// The headers of the file that do not hold for the page with another head.
const OF_THE_FILE: [&str; 5] = [
    "cache-control",
    "content-encoding",
    "content-length",
    "etag",
    "last-modified",
];
/// The cache's rule for a run's page: its words change while the run goes on, and no shared cache
/// may keep them.
const CACHE_CONTROL: &str = "private, no-cache";

/// Returns the form of the answer about a run or a chain. Programs that show the preview of a link
/// read the page, unless they ask for something else.
pub(super) fn format_of_link(request: &Request) -> ResponseFormat {
    let format = ResponseFormat::of(header(request, "accept").as_deref());
    let shows_preview = || is_robot(header(request, "user-agent").as_deref());
    if format == ResponseFormat::Stream && shows_preview() {
        return ResponseFormat::Html;
    }
    format
}

/// Answers with a static file by its own name, or 404 where there is none.
pub(super) async fn file(request: &Request, env: &Env) -> Result<Response> {
    let assets = environment::static_files(env)?;
    assets.fetch(request.url()?.as_str(), None).await
}

/// Returns the static file of this path.
async fn file_at(request: &Request, env: &Env, path: &str) -> Result<Response> {
    let mut url = request.url()?;
    url.set_path(path);
    url.set_query(None);
    let assets = environment::static_files(env)?;
    assets.fetch(url.as_str(), None).await
}

/// Answers with the page of the atlas, which search engines may list where it `is_listed`. Whom it shows it says itself.
pub(super) async fn atlas(request: &Request, env: &Env, is_listed: bool) -> Result<Response> {
    let file = file_at(request, env, "/atlas").await?;
    if is_listed {
        return Ok(file);
    }
    let headers = headers_of(&file, &[])?;
    headers.set("x-robots-tag", "noindex")?;
    Ok(file.with_headers(headers))
}

/// Answers with the page, under whatever address it is asked for.
pub(super) async fn answer(request: &Request, env: &Env, status: u16) -> Result<Response> {
    let response = file_at(request, env, "/").await?;
    if status == 200 {
        Ok(response)
    } else {
        Ok(response.with_status(status))
    }
}

/// Answers with the page that has these words in its head.
pub(super) async fn with_words(
    request: &Request,
    env: &Env,
    words: &PageWords,
) -> Result<Response> {
    edited(request, env, |page, address| {
        with_head(page, words, &format!("{address}{}", words.query))
    })
    .await
}

/// Answers with the page of a question that is not asked yet, which asks it by itself where it
/// `starts`.
pub(super) async fn of_question(request: &Request, env: &Env, starts: bool) -> Result<Response> {
    let words = PageWords::of_question(request.url()?.query().unwrap_or_default());
    edited(request, env, |page, address| {
        let page = words.as_ref().map_or_else(
            || page.to_owned(),
            |words| with_head(page, words, &format!("{address}{}", words.query)),
        );
        if starts { with_start(&page) } else { page }
    })
    .await
}

/// Answers with the page as `edit` makes it of the file and of the page's own address, without its
/// query.
async fn edited(
    request: &Request,
    env: &Env,
    edit: impl FnOnce(&str, &str) -> String,
) -> Result<Response> {
    let mut file = answer(request, env, 200).await?;
    if file.status_code() != 200 {
        return Ok(file);
    }
    let url = request.url()?;
    let (origin, path) = (url.origin().ascii_serialization(), url.path());
    let headers = headers_of(&file, &OF_THE_FILE)?;
    headers.set("cache-control", CACHE_CONTROL)?;
    // A visitor who has the link may look, and a program may show a preview; a search for
    // somebody's name does not lead here.
    headers.set("x-robots-tag", "noindex")?;
    let page = edit(&file.text().await?, &format!("{origin}{path}"));
    Ok(Response::from_html(page)?.with_headers(headers))
}

/// Returns the headers of a file without these; those of an answer from elsewhere cannot be changed.
fn headers_of(file: &Response, left_out: &[&str]) -> Result<Headers> {
    let headers = Headers::new();
    for (name, value) in file.headers().entries() {
        if !left_out.contains(&name.to_ascii_lowercase().as_str()) {
            headers.append(&name, &value)?;
        }
    }
    Ok(headers)
}
