//! The failures of the recogniser by portraits. Each has a body of JSON with a code and words.

use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use serde_json::json;

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;

fault_kinds! {
    /// A fault that only the recogniser by portraits has.
    pub(crate) enum ReferencesFault {
        Unauthorized = "unauthorized-401",
        BadRequest = "bad-request-400",
        TooLarge = "too-large-413",
        UnreadablePhoto = "unreadable-photo-422",
        Busy = "busy-429",
        Unready = "unready-503",
        WikimediaDown = "wikimedia-down-503",
        Internal = "internal-500",
    }
}

pub(crate) fn reply(fault: ReferencesFault) -> Reply {
    match fault {
        ReferencesFault::Unauthorized => refusal(
            401,
            "unauthorized",
            "The header must be \"Authorization: Bearer \" and REFERENCES_TOKEN.",
        )
        .with(WWW_AUTHENTICATE, "Bearer"),
        ReferencesFault::BadRequest => refusal(400, "bad_request", "The body must be JSON."),
        ReferencesFault::TooLarge => {
            refusal(413, "too_large", "A photo has at most 5242880 bytes.")
        }
        ReferencesFault::UnreadablePhoto => refusal(
            422,
            "unreadable_photo",
            "The photo: Input buffer contains unsupported image format",
        ),
        ReferencesFault::Busy => {
            refusal(429, "busy", "Too much to do: 8 photos are waiting.").with(RETRY_AFTER, "2")
        }
        ReferencesFault::Unready => {
            refusal(503, "unready", "People are still being fetched.").with(RETRY_AFTER, "3")
        }
        ReferencesFault::WikimediaDown => refusal(
            503,
            "wikimedia_down",
            "Wikimedia cannot be asked: www.wikidata.org: status 429.",
        )
        .with(RETRY_AFTER, "30"),
        ReferencesFault::Internal => {
            refusal(500, "internal", "The recogniser failed; its log says why.")
        }
    }
}

pub(super) fn refusal(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(
        status,
        &json!({"error": {"code": code, "message": message}}),
    )
}
