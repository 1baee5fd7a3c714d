//! The faults of tool calls that occur with real servers and with the proxies in front of them.

use crate::providers::fault_kinds;

fault_kinds! {
    /// A fault of one tool call.
    pub(crate) enum McpFault {
        /// The session has expired, and the reply has the status that the specification requires.
        SessionGone = "session-gone-404",
        /// The session has expired, and the reply has the status and the words of an older server.
        SessionGoneOld = "session-gone-400",
        /// The session has expired, and the reply is plain text instead of a protocol message, as in version 1.16 of
        /// the official Python SDK after a restart.
        SessionGoneText = "session-gone-text-400",
        Unauthorised = "unauthorised-401",
        WrongHost = "wrong-host-403",
        Busy = "busy-429",
        Redirect = "redirect-307",
        UnsupportedVersion = "unsupported-version-400",
        HeaderMismatch = "header-mismatch-400",
        InputRequired = "input-required",
        UnknownResult = "unknown-result-type",
        NoResultType = "no-result-type",
        RpcError = "rpc-error",
        OtherId = "other-id",
        /// The tool is executed; its answer is cut off.
        CutStream = "cut-stream",
        /// The tool is executed; the stream ends without its answer.
        EmptyStream = "empty-stream",
        /// The tool is executed, but the reply is an empty 202.
        Accepted = "accepted-202",
        /// The tool is executed, but the status reports a server error.
        ServerError = "error-500",
        BadGateway = "bad-gateway-502",
        Html = "html-200",
        CutJson = "cut-json",
        /// The answer comes late, after progress messages.
        Slow = "slow-progress",
        /// The answer never comes.
        Never = "never",
        /// The answer comes after 80 seconds, with progress every second.
        Long = "long-progress",
        /// Progress comes every second for ten minutes, but never an answer.
        Endless = "endless-progress",
        /// The answer has no text, only `structuredContent`.
        StructuredAlone = "structured-alone",
        /// The answer has an extra picture of 1.5 megabytes, different each time.
        LargePicture = "large-picture",
        /// The answer has an extra picture of 6 megabytes.
        HugePicture = "huge-picture",
        /// The answer has an extra picture whose data is not base64.
        BrokenPicture = "broken-picture",
        /// The server pings two hundred times before it answers.
        ManyPings = "many-pings",
        /// The tool is executed, but 40 megabytes of comments replace its answer.
        Flood = "flood",
    }
}

impl McpFault {
    /// Returns whether the tool is executed despite the fault.
    pub(super) fn executes(self) -> bool {
        matches!(
            self,
            Self::NoResultType
                | Self::OtherId
                | Self::CutStream
                | Self::EmptyStream
                | Self::Accepted
                | Self::ServerError
                | Self::BadGateway
                | Self::Html
                | Self::CutJson
                | Self::Slow
                | Self::Never
                | Self::Long
                | Self::Endless
                | Self::StructuredAlone
                | Self::LargePicture
                | Self::HugePicture
                | Self::BrokenPicture
                | Self::ManyPings
                | Self::Flood
        )
    }
}
