//! Takes the file that a page downloads after a click. The browser itself downloads nothing. A server's response is read while
//! it is paused. What a page has made, and what a link with `download` leads to, is read by the page's script.

use std::cell::Cell;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::page::{ActionFailure, Done, DownloadedFile, ElementTarget};
use futures::future::try_join;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::actions::{failed, script_failure};
use crate::connection::{CallError, Command, DevTools, Event};
use crate::driven_browser::DrivenBrowser;
use crate::gestures::{self, Gesture};
use crate::page_events::text;

/// The most bytes of a file. In base64 it is still within one message.
const FILE_BYTES_MAX: usize = 2_500_000;
/// The bytes that are read at once.
const PIECE_BYTES: usize = 256 * 1024;
/// The most characters of a file's name.
const NAME_CHARS_MAX: usize = 200;
const AGAIN_MS: u64 = 20;
/// How long the address from which a response came is waited for, in milliseconds.
const ADDRESS_SPACE_MS_MAX: u64 = 1_000;
/// The types that browsers show, beside `text/`, `image/`, `audio/` and `video/`.
const SHOWN: [&str; 5] = [
    "application/xhtml+xml",
    "application/xml",
    "application/json",
    "application/javascript",
    "multipart/x-mixed-replace",
];
const KEPT_TEXTS: [&str; 4] = ["text/csv", "text/calendar", "text/vcard", "text/x-vcard"];

/// What a page has begun to download.
#[derive(Debug, Clone, PartialEq)]
enum PendingDownload {
    /// A server's response that is paused.
    Response(PausedResponse),
    /// An address that the page's script reads.
    Address { url: String, name: String },
}

/// A server's response that is paused.
#[derive(Debug, Clone, PartialEq)]
struct PausedResponse {
    session: String,
    request: Value,
    /// The id under which the browser tells from where the response came.
    network: String,
    url: String,
    name: String,
    media_type: String,
}

/// The download that an action waits for.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    is_awaited: bool,
    /// Whether the click was sent that the download follows.
    is_clicked: bool,
    pending: Option<PendingDownload>,
    /// The requests that may lead to a download, by their ids.
    tracked: BTreeMap<String, TrackedRequest>,
}

/// A request that may lead to a download.
#[derive(Debug, Default)]
struct TrackedRequest {
    /// How often it was sent: once, and once for each redirect.
    times: usize,
    /// Whether each response came from a public address, as far as it is known.
    are_public: Vec<bool>,
}

/// What to do with a paused request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestDecision {
    /// Send it.
    Continue,
    /// Send it, and pause its response.
    InterceptResponse,
    /// Abort it.
    Abort,
}

impl Downloads {
    fn begin(&mut self) {
        *self = Self {
            is_awaited: true,
            ..Self::default()
        };
    }

    /// Ends the wait. Returns what the page has begun to download.
    fn end(&mut self) -> Option<PendingDownload> {
        std::mem::take(self).pending
    }

    /// Notes that the click is about to be sent. A download that began before it is not the one that is waited for.
    pub(crate) fn open(&mut self) {
        self.is_clicked = self.is_awaited;
    }

    fn is_open(&self) -> bool {
        self.is_clicked && self.pending.is_none()
    }

    /// Decides on a request of a page that the guard allows.
    pub(crate) fn decide_request(&mut self, params: &Value) -> RequestDecision {
        if !self.is_open() || text(params, "resourceType") != "Document" {
            return RequestDecision::Continue;
        }
        if let Some(id) = params.get("networkId").and_then(Value::as_str) {
            let tracked = self.tracked.entry(id.to_owned()).or_default();
            tracked.times = tracked.times.saturating_add(1);
            return RequestDecision::InterceptResponse;
        }
        // The request of a link with `download` has no such id, so that the browser would not tell from where its response
        // comes. It is aborted, and the page's script makes it instead.
        let url = params.pointer("/request/url").and_then(Value::as_str);
        let url = url.unwrap_or_default().to_owned();
        self.pending = Some(PendingDownload::Address {
            name: last_part(&url),
            url,
        });
        RequestDecision::Abort
    }

    /// Returns whether a paused response stays paused, since it is the file that is waited for.
    pub(crate) fn holds_response(&mut self, event: &Event) -> bool {
        let params = &event.params;
        let status = params.get("responseStatusCode").and_then(Value::as_u64);
        let headers = Headers(params.get("responseHeaders"));
        let media_type = plain_type(headers.get("content-type").unwrap_or_default());
        let disposition = headers.get("content-disposition").unwrap_or_default();
        let is_file = status.is_some_and(|status| (200..300).contains(&status))
            && (is_attachment(disposition) || !is_shown(&media_type));
        let (Some(session), true) = (&event.session, self.is_open() && is_file) else {
            return false;
        };
        let url = params.pointer("/request/url").and_then(Value::as_str);
        let url = url.unwrap_or_default().to_owned();
        self.pending = Some(PendingDownload::Response(PausedResponse {
            session: session.clone(),
            request: params.get("requestId").cloned().unwrap_or_default(),
            network: text(params, "networkId").to_owned(),
            name: name_in(disposition).unwrap_or_else(|| last_part(&url)),
            url,
            media_type,
        }));
        true
    }

    /// Notes that the browser would download something. Returns whether an action waits for it.
    pub(crate) fn note(&mut self, params: &Value) -> bool {
        let (url, suggested) = (text(params, "url"), text(params, "suggestedFilename"));
        let suggested = plain_name(suggested);
        if let Some(PendingDownload::Address { name, .. }) = &mut self.pending {
            if !suggested.is_empty() {
                *name = suggested;
            }
            return true;
        }
        let is_made = url.starts_with("blob:") || url.starts_with("data:");
        if self.is_open() && is_made {
            self.pending = Some(PendingDownload::Address {
                url: url.to_owned(),
                name: suggested,
            });
        }
        self.is_awaited && self.pending.is_some()
    }

    /// Returns whether all responses to a request came from public addresses; `None` if that is not known yet.
    fn is_public(&self, id: &str) -> Option<bool> {
        let tracked = self.tracked.get(id)?;
        if tracked.are_public.contains(&false) {
            return Some(false);
        }
        (tracked.are_public.len() >= tracked.times).then_some(true)
    }

    /// Notes from where a response came.
    pub(crate) fn note_address_space(&mut self, params: &Value) {
        if let Some(tracked) = self.tracked.get_mut(text(params, "requestId")) {
            let is_public = text(params, "resourceIPAddressSpace") == "Public";
            tracked.are_public.push(is_public);
        }
    }
}

/// Clicks an element, and takes the file that the page then downloads.
pub(crate) async fn download<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    if !browser.allows_downloads {
        return Err(failed(
            "the run does not allow downloads; nothing was clicked",
        ));
    }
    browser.events.borrow_mut().downloads.begin();
    let taken = click_and_take(browser, target, until_ms).await;
    let pending = browser.events.borrow_mut().downloads.end();
    if let (Err(_), Some(PendingDownload::Response(response))) = (&taken, pending) {
        give_up(browser, &response, until_ms).await;
    }
    let (done, file) = taken?;
    *browser.file.borrow_mut() = Some(file);
    Ok(done)
}

/// Clicks the element, and takes the file meanwhile: as long as a response is paused, the browser runs no script in its page,
/// not even the one that tells what came of the click.
async fn click_and_take<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    until_ms: u64,
) -> Result<(Done, DownloadedFile), ActionFailure> {
    // The time until which a download may begin, once the element was clicked.
    let begins_until_ms = Cell::new(until_ms);
    let clicking = async {
        let done = gestures::perform(browser, target, 0.5, Gesture::LEFT_CLICK, until_ms).await?;
        let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
        begins_until_ms.set(end_ms.min(until_ms));
        Ok(done)
    };
    let taking = async {
        let pending = loop {
            let pending = browser.events.borrow().downloads.pending.clone();
            if let Some(pending) = pending {
                break pending;
            }
            if browser.now_ms() >= begins_until_ms.get() {
                let ms = target.timeout_ms;
                let words =
                    format!("the element was clicked, and no download began within {ms} ms");
                return Err(failed(&words));
            }
            browser.connection.devtools().sleep(AGAIN_MS).await;
        };
        take(browser, pending, until_ms).await
    };
    try_join(clicking, taking).await
}

async fn take<D: DevTools>(
    browser: &DrivenBrowser<D>,
    pending: PendingDownload,
    until_ms: u64,
) -> Result<DownloadedFile, ActionFailure> {
    let response = match pending {
        PendingDownload::Response(response) => response,
        PendingDownload::Address { url, .. } => return read_address(browser, &url, until_ms).await,
    };
    let bytes = match check_address_space(browser, &response, until_ms).await {
        Ok(()) => read_response(browser, &response, until_ms).await,
        Err(failure) => Err(failure),
    };
    give_up(browser, &response, until_ms).await;
    Ok(DownloadedFile {
        name: response.name,
        media_type: response.media_type,
        bytes: bytes?,
    })
}

/// Ends the request whose response is paused, so that the browser downloads nothing itself.
async fn give_up<D: DevTools>(
    browser: &DrivenBrowser<D>,
    response: &PausedResponse,
    until_ms: u64,
) {
    let params = json!({"requestId": response.request, "errorReason": "Aborted"});
    let command = Command::to_page(&response.session, "Fetch.failRequest", params);
    // A failure means that the request has ended before.
    let _ = browser.connection.call(command, until_ms).await;
}

/// Waits until the browser has told from where a response came. Fails if that is a private address.
async fn check_address_space<D: DevTools>(
    browser: &DrivenBrowser<D>,
    response: &PausedResponse,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let Some(words) = browser.events.borrow().refusal_of_private(&response.url) else {
        return Ok(());
    };
    let end_ms = browser
        .now_ms()
        .saturating_add(ADDRESS_SPACE_MS_MAX)
        .min(until_ms);
    loop {
        let place = browser
            .events
            .borrow()
            .downloads
            .is_public(&response.network);
        match place {
            Some(true) => return Ok(()),
            Some(false) => return Err(ActionFailure::Refused(words)),
            None if browser.now_ms() >= end_ms => {
                return Err(failed(
                    "the browser does not tell from where the file comes",
                ));
            }
            None => browser.connection.devtools().sleep(AGAIN_MS).await,
        }
    }
}

/// Reads the body of a paused response.
async fn read_response<D: DevTools>(
    browser: &DrivenBrowser<D>,
    response: &PausedResponse,
    until_ms: u64,
) -> Result<Vec<u8>, ActionFailure> {
    let ask = async |method, params| {
        let command = Command::to_page(&response.session, method, params);
        let result = browser.connection.call(command, until_ms).await;
        result.map_err(|error| match error {
            CallError::Refused(_) => failed("the download was broken off"),
            error => ActionFailure::UnknownOutcome(error.into_words()),
        })
    };
    let stream = ask(
        "Fetch.takeResponseBodyAsStream",
        json!({"requestId": response.request}),
    )
    .await?;
    let handle = stream.get("stream").cloned().unwrap_or_default();
    let mut bytes = Vec::new();
    loop {
        let piece = ask("IO.read", json!({"handle": handle, "size": PIECE_BYTES})).await?;
        let data = text(&piece, "data");
        if piece.get("base64Encoded") == Some(&Value::Bool(true)) {
            let decoded = STANDARD.decode(data);
            bytes.extend(decoded.map_err(|_| failed("the download cannot be read"))?);
        } else {
            bytes.extend_from_slice(data.as_bytes());
        }
        if bytes.len() > FILE_BYTES_MAX {
            return Err(too_large());
        }
        if piece.get("eof") == Some(&Value::Bool(true)) {
            // A failure means that the page is gone, and the stream with it.
            let _ = ask("IO.close", json!({"handle": handle})).await;
            return Ok(bytes);
        }
    }
}

/// Lets the page's script read an address.
async fn read_address<D: DevTools>(
    browser: &DrivenBrowser<D>,
    url: &str,
    until_ms: u64,
) -> Result<DownloadedFile, ActionFailure> {
    // A response from a private address makes the guard leave the page.
    let left = browser.events.borrow().page.refused_pages.left();
    let left_ms = until_ms.saturating_sub(browser.now_ms());
    let wish = json!({"url": url, "most": FILE_BYTES_MAX, "ms": left_ms / 2});
    let read = browser.call_once("readFile", &wish, until_ms).await;
    let read = read.map_err(script_failure)?;
    match text(&read, "state") {
        "read" => {}
        "large" => return Err(too_large()),
        _ => {
            let words = text(&read, "words");
            return Err(failed(&format!("the file was not downloaded: {words}")));
        }
    }
    if browser.events.borrow().page.refused_pages.left() != left {
        let words = "the page was left, and the file is not kept";
        return Err(ActionFailure::Refused(words.to_owned()));
    }
    let bytes = STANDARD.decode(text(&read, "base64"));
    let known = match &browser.events.borrow().downloads.pending {
        Some(PendingDownload::Address { name, .. }) => name.clone(),
        _ => String::new(),
    };
    Ok(DownloadedFile {
        name: name_in(text(&read, "disposition")).unwrap_or(known),
        media_type: plain_type(text(&read, "type")),
        bytes: bytes.map_err(|_| failed("the download cannot be read"))?,
    })
}

fn too_large() -> ActionFailure {
    failed(&format!(
        "the file is larger than {FILE_BYTES_MAX} bytes; it is not kept"
    ))
}

/// The headers of a paused response: a list of `{"name", "value"}`.
struct Headers<'event>(Option<&'event Value>);

impl<'event> Headers<'event> {
    fn get(&self, name: &str) -> Option<&'event str> {
        let mut headers = self.0?.as_array()?.iter();
        let header = headers.find(|header| text(header, "name").eq_ignore_ascii_case(name))?;
        Some(text(header, "value"))
    }
}

/// Returns whether a `Content-Disposition` is that of a file to save.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc6266#section-4.2>
fn is_attachment(disposition: &str) -> bool {
    let kind = disposition.split(';').next().unwrap_or_default().trim();
    !kind.is_empty() && !kind.eq_ignore_ascii_case("inline") && !kind.contains('=')
}

/// Returns whether a browser shows what has this type. One without a type is looked into.
fn is_shown(media_type: &str) -> bool {
    let begins = ["text/", "image/", "audio/", "video/"];
    media_type.is_empty()
        || SHOWN.contains(&media_type)
        || media_type.ends_with("+xml")
        || media_type.ends_with("+json")
        || (begins.iter().any(|begin| media_type.starts_with(begin))
            && !KEPT_TEXTS.contains(&media_type))
}

/// Returns the name in a `Content-Disposition`, in either of its forms.
fn name_in(disposition: &str) -> Option<String> {
    let parameters = disposition.split(';').skip(1);
    let mut plain = None;
    for parameter in parameters {
        let Some((name, value)) = parameter.split_once('=') else {
            continue;
        };
        let value = value.trim().trim_matches('"');
        if name.trim().eq_ignore_ascii_case("filename*") {
            let coded = value.splitn(3, '\'').nth(2)?;
            let decoded = percent_decode_str(coded).decode_utf8().ok()?;
            return Some(plain_name(&decoded)).filter(|name| !name.is_empty());
        }
        if name.trim().eq_ignore_ascii_case("filename") {
            plain = Some(plain_name(value));
        }
    }
    plain.filter(|name| !name.is_empty())
}

/// Returns the last part of an address's path, with its percent codes decoded.
fn last_part(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let part = path.rsplit('/').next().unwrap_or_default();
    plain_name(&percent_decode_str(part).decode_utf8_lossy())
}

/// Returns a media type without its parameters, cut to the limit.
fn plain_type(media_type: &str) -> String {
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    let signs = media_type.chars().filter(char::is_ascii_graphic);
    signs
        .take(NAME_CHARS_MAX)
        .collect::<String>()
        .to_lowercase()
}

/// Returns a name without folders and control characters, cut to the limit.
fn plain_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.chars().filter(|sign| !sign.is_control());
    name.take(NAME_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_both_forms_and_have_no_folders() {
        for (disposition, name) in [
            ("attachment; filename=\"r 1.csv\"", Some("r 1.csv")),
            ("attachment; filename=r.csv", Some("r.csv")),
            (
                "attachment; filename=\"x\"; filename*=UTF-8''%C3%84rger.pdf",
                Some("Ärger.pdf"),
            ),
            ("attachment; filename=\"../../etc/passwd\"", Some("passwd")),
            ("attachment; filename=\"C:\\a.txt\"", Some("a.txt")),
            ("attachment", None),
            ("", None),
        ] {
            assert_eq!(name_in(disposition).as_deref(), name, "{disposition}");
        }
        assert_eq!(last_part("https://a.example/x/r%20e.csv?b=/c"), "r e.csv");
    }

    #[test]
    fn what_browsers_do_not_show_is_a_file() {
        for (media_type, disposition, is_file) in [
            ("text/html", "", false),
            ("text/html", "attachment", true),
            ("text/html", "inline; filename=\"a.html\"", false),
            ("text/csv", "", true),
            ("application/pdf", "", true),
            ("application/json", "", false),
            ("image/svg+xml", "", false),
            ("application/zip", "inline", true),
            ("", "", false),
        ] {
            let event = Event {
                method: "Fetch.requestPaused".to_owned(),
                session: Some("S".to_owned()),
                params: json!({
                    "requestId": "1", "networkId": "N", "resourceType": "Document", "responseStatusCode": 200,
                    "request": {"url": "https://a.example/f"},
                    "responseHeaders": [
                        {"name": "Content-Type", "value": media_type}, {"name": "content-disposition", "value": disposition},
                    ],
                }),
            };
            let mut downloads = Downloads::default();
            assert!(!downloads.holds_response(&event));
            downloads.begin();
            assert!(!downloads.holds_response(&event), "nothing was clicked");
            downloads.open();
            assert_eq!(
                downloads.holds_response(&event),
                is_file,
                "{media_type} {disposition}"
            );
            assert!(!downloads.holds_response(&event));
        }
    }

    #[test]
    fn a_link_with_download_is_read_by_the_script() {
        let mut downloads = Downloads::default();
        let request =
            json!({"resourceType": "Document", "request": {"url": "https://a.example/f.csv"}});
        assert_eq!(
            downloads.decide_request(&request),
            RequestDecision::Continue
        );
        downloads.begin();
        downloads.open();
        let navigation = json!({"resourceType": "Document", "networkId": "N", "request": {}});
        assert_eq!(
            downloads.decide_request(&navigation),
            RequestDecision::InterceptResponse
        );
        assert_eq!(
            downloads.decide_request(&json!({"resourceType": "Image"})),
            RequestDecision::Continue
        );
        assert_eq!(downloads.decide_request(&request), RequestDecision::Abort);
        assert!(
            downloads
                .note(&json!({"url": "https://a.example/f.csv", "suggestedFilename": "all.csv"}))
        );
        let pending = PendingDownload::Address {
            url: "https://a.example/f.csv".to_owned(),
            name: "all.csv".to_owned(),
        };
        assert_eq!(downloads.pending, Some(pending));
    }
}
