//! The faults of files on the web: dead, mislabelled, truncated, slow, too large.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CONTENT_TYPE, LOCATION};

use crate::hash::{below, hash};
use crate::picture::{Format, marked_photo, tiny_photo};

use super::super::context::ProviderContext;
use super::super::fault_kinds::fault_kinds;
use super::super::reply::{BodyEnding, Chunk, Reply, ReplyBody};
use super::super::request::ParsedRequest;
use super::files;

fault_kinds! {
    /// A fault of a photo's file or of its host.
    pub(crate) enum ImageFault {
        /// The host answers 404.
        NotFound = "not-found",
        /// The host answers 410.
        Gone = "gone-410",
        /// The host answers 403 if the `Referer` is foreign or the `User-Agent` is missing, and otherwise sends the
        /// picture.
        Picky = "forbidden-hotlink",
        /// The host answers 403 to everybody.
        Forbidden = "forbidden",
        /// A WebP file under a name that ends in `.jpg`.
        Webp = "webp",
        /// A web page with status 200 and the type of an image.
        Html = "html",
        /// A file of 6 MB whose size is in neither the search result nor the response's header.
        Oversize = "oversize",
        /// A file of 6 MB, whose size the search result states.
        OversizeDeclared = "oversize-declared",
        /// The first half of a file, which is a complete response on the level of HTTP.
        Truncated = "truncated",
        /// A file in 64 pieces with a pause before each.
        SlowDrip = "slow-drip",
        /// Two redirects, then the picture.
        Redirect = "redirect",
        /// More redirects than any client follows.
        RedirectMaze = "redirect-maze",
        /// A redirect to a web page.
        RedirectHtml = "redirect-html",
        /// The search result has no web address for the file, and the host answers 404.
        RawLink = "raw-link",
        /// A picture of 79 by 79 pixels, where the recogniser requires 80.
        Tiny = "tiny",
        /// An empty body with status 200.
        Blank = "zero-bytes",
        /// A GIF, named as one.
        Gif = "gif",
        /// An AVIF file under a name that ends in `.jpg`.
        Avif = "avif",
    }
}

/// The size of an oversize file, in bytes.
pub(crate) const OVERSIZE_BYTES: usize = 6_000_000;
const DRIPS: usize = 64;
const DRIP_PAUSE_MS: u64 = 250;
const REDIRECTS: u64 = 2;
const MAZE: u64 = 25;
/// Files of one pixel, from which a client can guess the format.
const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const AVIF: &str = "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=";

/// Returns the fault of a photo's file, if any. About one file in twelve has one if the world has bad files.
pub(crate) fn image_fault(bad_images: bool, photo: usize) -> Option<ImageFault> {
    if !bad_images || below(hash(&["ugly".into(), photo.into()]), 12) != 0 {
        return None;
    }
    let kind = below(
        hash(&["how ugly".into(), photo.into()]),
        ImageFault::ALL.len(),
    );
    ImageFault::ALL.get(kind).map(|(_, fault)| *fault)
}

/// Returns whether the thumbnail of a bad photo is missing as well, as one in four is.
pub(super) fn thumbnail_is_dead(bad_images: bool, photo: usize) -> bool {
    image_fault(bad_images, photo).is_some()
        && below(hash(&["thumbnail".into(), photo.into()]), 4) == 0
}

/// Returns the host's response for a photo whose file has this fault.
pub(super) fn reply(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
    photo: usize,
    fault: ImageFault,
) -> Reply {
    let whole = || files::file(context, photo);
    let drawn_or_whole = |drawn: Option<Arc<Vec<u8>>>| match drawn {
        Some(bytes) => Reply::new(200, "image/jpeg", bytes.to_vec()),
        None => whole(),
    };
    match fault {
        ImageFault::NotFound | ImageFault::RawLink => Reply::html(404, "<h1>404 Not Found</h1>\n"),
        ImageFault::Gone => Reply::html(410, "<h1>410 Gone</h1>\n"),
        ImageFault::Forbidden => Reply::html(403, "<h1>403 Forbidden</h1>\n"),
        ImageFault::Picky => {
            let named = request
                .header("user-agent")
                .is_some_and(|agent| !agent.trim().is_empty());
            if named && request.header("referer").is_none() {
                whole()
            } else {
                Reply::html(403, "<h1>403 Forbidden</h1><p>error code: 1010</p>\n")
            }
        }
        ImageFault::Webp => drawn_or_whole(marked_photo(
            context.world,
            photo,
            context.rules,
            Format::Webp,
        )),
        ImageFault::Avif => Reply::new(200, "image/avif", decoded(AVIF)),
        ImageFault::Gif => Reply::new(200, "image/gif", decoded(GIF)),
        ImageFault::Html => Reply::html(
            200,
            "<!DOCTYPE html><title>Just a moment...</title><p>Checking your browser.\n",
        )
        .with(CONTENT_TYPE, "image/jpeg"),
        ImageFault::Oversize => oversize(context, photo, false),
        ImageFault::OversizeDeclared => oversize(context, photo, true),
        ImageFault::Truncated => {
            let mut bytes = whole().response.into_body().bytes();
            bytes.truncate(bytes.len() / 2);
            Reply::new(200, "image/jpeg", bytes)
        }
        ImageFault::SlowDrip => whole().dripping(DRIPS, DRIP_PAUSE_MS),
        ImageFault::Redirect => hop(context, request, photo, REDIRECTS),
        ImageFault::RedirectMaze => hop(context, request, photo, MAZE),
        ImageFault::RedirectHtml => moved(&format!("{}/pages/{photo}", context.origin)),
        ImageFault::Tiny => drawn_or_whole(tiny_photo(context.world, photo, context.rules)),
        ImageFault::Blank => Reply::new(200, "image/jpeg", Vec::new()),
    }
}

fn decoded(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap_or_default()
}

/// Returns the real picture with megabytes of padding after its end, as the files of some cameras have.
fn oversize(context: ProviderContext<'_>, photo: usize, declared: bool) -> Reply {
    // The picture is marked, because a service that shrinks the file re-encodes it, which removes the label.
    let marked = marked_photo(context.world, photo, context.rules, Format::Jpeg);
    let mut bytes = marked.map_or_else(Vec::new, |file| file.to_vec());
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
        ReplyBody::Pieces {
            chunks,
            ending: BodyEnding::Complete,
        },
    )
}

fn moved(to: &str) -> Reply {
    Reply::html(302, "<h1>302 Found</h1>\n").with(LOCATION, to)
}

/// Returns one step of a redirect chain. The first has an absolute address, the following ones have relative addresses.
pub(super) fn hop(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
    photo: usize,
    hops: u64,
) -> Reply {
    let number = |name: &str| {
        request
            .parameter(name)
            .and_then(|digits| digits.parse::<u64>().ok())
    };
    let (hop, hops) = (number("hop").unwrap_or(0), number("of").unwrap_or(hops));
    if hop >= hops {
        return files::file(context, photo);
    }
    let next = format!("{}?hop={}&of={hops}", request.path, hop + 1);
    if hop == 0 {
        moved(&format!("{}{next}", context.origin))
    } else {
        moved(&next)
    }
}
