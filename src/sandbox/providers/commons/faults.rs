//! How Commons alone fails.

use super::super::context::ProviderContext;
use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::search::called;

fault_kinds! {
    /// A fault of Commons beside those of any MediaWiki.
    pub(in crate::sandbox) enum CommonsFault {
        /// A good answer whose thumbnails have a width that is no step: fetching one gets a 400.
        ThumbnailStep = "thumb-step-400",
    }
}

pub(in crate::sandbox) fn reply(
    context: ProviderContext<'_>,
    fault: CommonsFault,
    request: &ParsedRequest,
) -> Reply {
    match fault {
        CommonsFault::ThumbnailStep => called(context, request, true),
    }
}
