//! The host of Commons' files, which checks the client and the width of thumbnails.

use super::super::context::ProviderContext;
use super::super::images;
use super::super::mediawiki::refuse_unidentified_but_browsers;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::file::{CommonsFile, Copy, STEPS_PX, asked_for};

/// Returns the photo at an address of an original or a thumbnail.
pub(crate) fn photo_asked_for(context: ProviderContext<'_>, path: &str) -> Option<usize> {
    Some(asked_for(context, path)?.0)
}

/// Responds with a file or a thumbnail. The width of a thumbnail is checked, but its bytes are always the drawing in
/// its own size.
pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    if let Err(refusal) = refuse_unidentified_but_browsers(request) {
        return *refusal;
    }
    let Some((photo, copy)) = asked_for(context, &request.path) else {
        return images::missing();
    };
    let Some(file) = CommonsFile::new(context, photo) else {
        return images::missing();
    };
    match copy {
        Copy::Original => images::padded(context, photo, file.bytes),
        Copy::Wide(width) if STEPS_PX.contains(&width) && width < file.width_px => {
            images::drawn(context, photo)
        }
        Copy::Wide(_) => no_such_step(),
    }
}

pub(super) fn no_such_step() -> Reply {
    let text = "Use thumbnail steps listed on https://w.wiki/GHai\n";
    Reply::new(400, "text/plain; charset=utf-8", text.as_bytes().to_vec())
}
