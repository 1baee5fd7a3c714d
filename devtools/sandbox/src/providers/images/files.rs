//! The image hosts' files, as drawn.

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use crate::picture;

const JPEG_END: [u8; 2] = [0xff, 0xd9];

/// Returns the reply with a header that allows any page to read it.
pub(super) fn open(reply: Reply) -> Reply {
    reply.with(ACCESS_CONTROL_ALLOW_ORIGIN, "*")
}

/// Returns the number in a path like `/photos/12.jpg`, whatever its extension is.
pub(super) fn photo_of(path: &str, folder: &str) -> Option<usize> {
    let name = path.strip_prefix(folder)?;
    let digits = name.split_once('.').map_or(name, |(digits, _)| digits);
    digits.parse().ok()
}

/// Returns the file of a photo without a fault, or 404 if the photo does not exist.
pub(super) fn file(context: ProviderContext<'_>, photo: usize) -> Reply {
    match context.photo(photo) {
        Some(drawn) => Reply::new(200, context.format(photo).mime(), drawn.file.clone())
            .with(CACHE_CONTROL, "public, max-age=3600"),
        None => missing(),
    }
}

pub(super) fn thumbnail(context: ProviderContext<'_>, photo: usize) -> Reply {
    match context.photo(photo) {
        Some(drawn) => Reply::new(200, "image/jpeg", drawn.thumbnail.clone())
            .with(CACHE_CONTROL, "public, max-age=86400"),
        None => missing(),
    }
}

/// Returns the portrait of the person with this Wikidata number.
pub(super) fn portrait(context: ProviderContext<'_>, number: &str) -> Reply {
    let mut people = context.world.people.iter();
    let person = people.position(|person| person.wikidata_number == number);
    match person.and_then(|person| picture::portrait(context.world, person)) {
        Some(portrait) => Reply::new(200, "image/jpeg", portrait.file.clone())
            .with(CACHE_CONTROL, "public, max-age=86400"),
        None => missing(),
    }
}

pub(crate) fn missing() -> Reply {
    Reply::html(404, "<h1>404 Not Found</h1>\n")
}

/// Returns the file of a photo as drawn, ignoring its fault, or 404 if the photo does not exist.
pub(crate) fn drawn(context: ProviderContext<'_>, photo: usize) -> Reply {
    open(file(context, photo))
}

/// Returns the file of a photo padded to this many bytes, as large uploads are. Zeros and a final JPEG end marker are
/// added, so that every reader considers it complete.
pub(crate) fn padded(context: ProviderContext<'_>, photo: usize, bytes: usize) -> Reply {
    match context.photo(photo) {
        Some(drawn) => {
            let mut file = drawn.file.clone();
            if bytes > file.len() {
                file.resize(bytes.saturating_sub(JPEG_END.len()), 0);
                file.extend(JPEG_END);
            }
            open(Reply::new(200, context.format(photo).mime(), file))
        }
        None => missing(),
    }
}
