//! Responds with the hostile pages, and with what they load from their own origin.

use http::header::{CONTENT_DISPOSITION, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply};

use super::ground::Ground;
use super::kinds::{PAGES, kinds_of};
use super::page::{onward, page};

/// A delay, in milliseconds, that is longer than anybody waits for an answer.
const NEVER_MS: u64 = 600_000;
const DEPTH_MAX: u32 = 20;
const FILE_BYTES: usize = 4 * 1024;

/// A picture of one pixel, as GIF.
const PICTURE: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// The script of a service worker, which takes over the pages of its scope and forwards what it learns.
const WORKER: &str = "self.addEventListener('install', () => self.skipWaiting?.());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const page = '<title>Log in</title><form action=\"@FOREIGN@/service-worker-form\" method=\"post\"><input name=\"password\" type=\"password\"><button id=\"continue\">Continue</button></form>';
  event.respondWith(new Response(page, { headers: { 'content-type': 'text/html' } }));
});
const carry = (event) => fetch('@FOREIGN@/carried', { method: 'POST', mode: 'no-cors', body: event.data });
self.addEventListener('message', carry);
self.addEventListener('connect', (event) => { event.ports[0].onmessage = carry; });
";

/// The part of a hostile page that a request addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::site) struct HostilePart {
    number: usize,
    /// The path relative to that of the page; empty for the page itself.
    part: String,
}

impl HostilePart {
    /// Parses a path relative to that of the list, like `17` or `17/continue`. Returns `None` if there is no such page.
    pub(in crate::site) fn read(rest: &str) -> Option<Self> {
        let (number, part) = rest.split_once('/').unwrap_or((rest, ""));
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|number| *number < PAGES)?;
        is_number.then(|| Self {
            number,
            part: part.to_owned(),
        })
    }

    /// Returns whether this part is the address to which the target's form is sent.
    pub(in crate::site) fn is_target(&self) -> bool {
        self.part == "continue"
    }

    /// Returns the name of the page in the log.
    pub(in crate::site) fn name(&self) -> String {
        format!("hostile/{}", self.number)
    }

    /// Responds to a request that only reads.
    pub(in crate::site) fn shown(&self, request: &ParsedRequest) -> Reply {
        let ground = Ground::of(self.number, &request.host);
        let kinds = kinds_of(self.number).unwrap_or_default();
        match self.part.as_str() {
            "" => page(self.number, &kinds, &ground),
            "continue" => onward(&kinds, &ground),
            "done" => Reply::html(
                200,
                "<!DOCTYPE html>\n<title>Arrived</title><h1>You have arrived.</h1>\n",
            ),
            "frame" => frame(request, &ground),
            "file" => Reply::new(200, "application/octet-stream", vec![7; FILE_BYTES])
                .with(CONTENT_DISPOSITION, "attachment; filename=\"file.bin\""),
            "picture" => Reply::new(200, "image/gif", PICTURE.to_vec()),
            "never" => Reply::new(200, "text/css", Vec::new()).later(NEVER_MS),
            "authentication" => Reply::new(401, "text/plain", b"Who are you?\n".to_vec())
                .with(WWW_AUTHENTICATE, "Basic realm=\"Your account of the shop\""),
            "worker.js" => {
                let script = ground.filled(WORKER).into_bytes();
                Reply::new(200, "text/javascript", script)
                    .with_named("service-worker-allowed", "/site/hostile/")
            }
            _ => Reply::new(
                404,
                "text/plain",
                b"A hostile page has no such part.\n".to_vec(),
            ),
        }
    }

    /// Responds when the target's form is submitted.
    pub(in crate::site) fn continued(&self, request: &ParsedRequest) -> Reply {
        let ground = Ground::of(self.number, &request.host);
        onward(&kinds_of(self.number).unwrap_or_default(), &ground)
    }
}

/// Makes a frame with another frame in it, down to depth 0.
fn frame(request: &ParsedRequest, ground: &Ground) -> Reply {
    let depth = request
        .parameter("depth")
        .and_then(|depth| depth.parse().ok());
    let depth = depth.unwrap_or(0).min(DEPTH_MAX);
    let inner = match depth {
        0 => String::new(),
        depth => format!("<iframe src=\"@HERE@/frame?depth={}\"></iframe>", depth - 1),
    };
    let html = format!(
        "<!DOCTYPE html>\n<title>Frame</title><p>Frame {depth}</p><button id=\"continue\">Continue</button>{inner}\n"
    );
    Reply::html(200, &ground.filled(&html))
}

/// Returns the list of all pages as JSON: for each number, the names of the page's kinds.
pub(in crate::site) fn list() -> Value {
    let pages = (0..PAGES).filter_map(kinds_of);
    let names = pages.map(|kinds| kinds.iter().map(|kind| kind.name).collect::<Vec<_>>());
    json!({"pages": names.collect::<Vec<_>>()})
}
