//! Files as the web has them: dead, mislabelled, cut, slow, far too large.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONTENT_TYPE, LOCATION};

use super::ask::Ask;
use super::faults::kinds;
use super::images;
use super::options::Options;
use super::reply::{Body, Chunk, Ending, Reply};
use super::sandbox::Sandbox;
use crate::sandbox::hash::{below, hash};
use crate::sandbox::picture::draw_tiny;

kinds! {
    /// What is wrong with an image.
    pub enum Ugly {
        /// 404.
        NotFound = "not-found",
        /// 410.
        Gone = "gone-410",
        /// 403 for a foreign `Referer` or without a `User-Agent`; otherwise fine.
        Picky = "forbidden-hotlink",
        /// 403 for everybody.
        Forbidden = "forbidden",
        /// A WebP file under a name that ends in `.jpg`.
        Webp = "webp",
        /// A web page with status 200 and the type of an image.
        Html = "html",
        /// 6 MB, and no word about it.
        Oversize = "oversize",
        /// 6 MB, as the search said.
        OversizeDeclared = "oversize-declared",
        /// Half of a file, complete as far as HTTP can tell.
        Truncated = "truncated",
        /// It comes, but slowly.
        SlowDrip = "slow-drip",
        /// Two redirects, then the picture.
        Redirect = "redirect",
        /// More redirects than anybody follows.
        RedirectMaze = "redirect-maze",
        /// A redirect to a web page.
        RedirectHtml = "redirect-html",
        /// A link that is no address.
        RawLink = "raw-link",
        /// One pixel too small.
        Tiny = "tiny",
        /// Nothing, with status 200.
        Blank = "zero-bytes",
        /// An animation.
        Gif = "gif",
        /// An AVIF file under a name that ends in `.jpg`.
        Avif = "avif",
    }
}

/// What an oversize file weighs.
pub(super) const OVERSIZE_BYTES: usize = 6_000_000;
const DRIPS: usize = 64;
const DRIP_PAUSE_MS: u64 = 250;
const REDIRECTS: u64 = 2;
const MAZE: u64 = 25;
/// One pixel each: enough to be sniffed.
const WEBP: &str = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const AVIF: &str = "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=";

/// What is wrong with a photo's file, if anything: about one in twelve.
pub(super) fn ugliness(options: &Options, photo: usize) -> Option<Ugly> {
    if !options.ugly || below(hash(&["ugly".into(), photo.into()]), 12) != 0 {
        return None;
    }
    let kind = below(hash(&["how ugly".into(), photo.into()]), Ugly::ALL.len());
    Ugly::ALL.get(kind).map(|(_, ugly)| *ugly)
}

/// Whether even the thumbnail of an ugly photo is dead: for one in four.
pub(super) fn thumbnail_is_dead(options: &Options, photo: usize) -> bool {
    ugliness(options, photo).is_some() && below(hash(&["thumbnail".into(), photo.into()]), 4) == 0
}

/// A photo's file with that fault.
pub(super) fn reply(sandbox: &mut Sandbox, ask: &Ask, photo: usize, ugly: Ugly) -> Reply {
    let whole = |sandbox: &mut Sandbox| images::file(sandbox, photo);
    match ugly {
        Ugly::NotFound | Ugly::RawLink => Reply::html(404, "<h1>404 Not Found</h1>\n"),
        Ugly::Gone => Reply::html(410, "<h1>410 Gone</h1>\n"),
        Ugly::Forbidden => Reply::html(403, "<h1>403 Forbidden</h1>\n"),
        Ugly::Picky => {
            let named = ask
                .header("user-agent")
                .is_some_and(|agent| !agent.trim().is_empty());
            if named && ask.header("referer").is_none() {
                whole(sandbox)
            } else {
                Reply::html(403, "<h1>403 Forbidden</h1><p>error code: 1010</p>\n")
            }
        }
        Ugly::Webp => Reply::new(200, "image/jpeg", decoded(WEBP)),
        Ugly::Avif => Reply::new(200, "image/avif", decoded(AVIF)),
        Ugly::Gif => Reply::new(200, "image/gif", decoded(GIF)),
        Ugly::Html => Reply::html(
            200,
            "<!DOCTYPE html><title>Just a moment...</title><p>Checking your browser.\n",
        )
        .with(CONTENT_TYPE, "image/jpeg"),
        Ugly::Oversize => oversize(sandbox, photo, false),
        Ugly::OversizeDeclared => oversize(sandbox, photo, true),
        Ugly::Truncated => {
            let mut bytes = whole(sandbox).response.into_body().bytes();
            bytes.truncate(bytes.len() / 2);
            Reply::new(200, "image/jpeg", bytes)
        }
        Ugly::SlowDrip => whole(sandbox).dripping(DRIPS, DRIP_PAUSE_MS),
        Ugly::Redirect => hop(sandbox, ask, photo, REDIRECTS),
        Ugly::RedirectMaze => hop(sandbox, ask, photo, MAZE),
        Ugly::RedirectHtml => moved(&format!("{}/pages/{photo}", sandbox.options().origin)),
        Ugly::Tiny => match draw_tiny(sandbox.world(), photo, sandbox.options().rules) {
            Some(bytes) => Reply::new(200, "image/jpeg", bytes),
            None => whole(sandbox),
        },
        Ugly::Blank => Reply::new(200, "image/jpeg", Vec::new()),
    }
}

fn decoded(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap_or_default()
}

/// The real picture with megabytes of padding after its end, as some cameras leave them.
fn oversize(sandbox: &mut Sandbox, photo: usize, declared: bool) -> Reply {
    let mut bytes = images::file(sandbox, photo).response.into_body().bytes();
    bytes.resize(OVERSIZE_BYTES, 0);
    if declared {
        return Reply::new(200, "image/jpeg", bytes);
    }
    let chunks = bytes
        .chunks(256 * 1024)
        .map(|part| Chunk {
            pause_ms: 0,
            bytes: part.to_vec(),
        })
        .collect();
    Reply::without_length(
        200,
        "image/jpeg",
        Body::Pieces {
            chunks,
            ending: Ending::Complete,
        },
    )
}

fn moved(to: &str) -> Reply {
    Reply::html(302, "<h1>302 Found</h1>\n").with(LOCATION, to)
}

/// A step of a redirect chain; the first leads to an absolute address, the others to relative ones.
pub(super) fn hop(sandbox: &mut Sandbox, ask: &Ask, photo: usize, hops: u64) -> Reply {
    let number = |name: &str| {
        ask.parameter(name)
            .and_then(|digits| digits.parse::<u64>().ok())
    };
    let (hop, hops) = (number("hop").unwrap_or(0), number("of").unwrap_or(hops));
    if hop >= hops {
        return images::file(sandbox, photo);
    }
    let next = format!("{}?hop={}&of={hops}", ask.path, hop + 1);
    if hop == 0 {
        moved(&format!("{}{next}", sandbox.options().origin))
    } else {
        moved(&next)
    }
}
