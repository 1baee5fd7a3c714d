//! The faults that only Commons has, and those of its file host.

use http::header::RETRY_AFTER;

use super::super::context::ProviderContext;
use super::super::fault_kinds::fault_kinds;
use super::super::mediawiki::{missing_agent, throttled};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::file_host::no_such_step;
use super::search::called;

fault_kinds! {
    /// A fault that only Commons has, not every MediaWiki.
    pub(crate) enum CommonsFault {
        /// A good answer, but its thumbnails have an unsupported width. Fetching one is refused with 400.
        ThumbnailStep = "thumb-step-400",
    }
}

fault_kinds! {
    /// A fault of Commons' file host, which can occur for any photo.
    pub(crate) enum FileHostFault {
        /// The refusal of a request whose `User-Agent` has no contact.
        MissingAgent = "missing-agent-403",
        /// The refusal of an unsupported width.
        ThumbnailStep = "thumb-step-400",
        /// A refusal for too many requests: 429, with a wait of five seconds.
        Throttled = "throttled-429",
    }
}

pub(crate) fn file_reply(fault: FileHostFault) -> Reply {
    match fault {
        FileHostFault::MissingAgent => missing_agent(),
        FileHostFault::ThumbnailStep => no_such_step(),
        FileHostFault::Throttled => throttled().with(RETRY_AFTER, "5"),
    }
}

pub(crate) fn reply(
    context: ProviderContext<'_>,
    fault: CommonsFault,
    request: &ParsedRequest,
) -> Reply {
    match fault {
        CommonsFault::ThumbnailStep => called(context, request, true),
    }
}
