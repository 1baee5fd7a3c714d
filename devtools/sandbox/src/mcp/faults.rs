//! The faults of calls of tools, as real servers and the machines in front of them have them.

use crate::providers::fault_kinds;

fault_kinds! {
    /// A fault of one call of a tool.
    pub(crate) enum McpFault {
        /// The session is gone, and the status is the one of the specification.
        SessionGone = "session-gone-404",
        /// The session is gone, and the reply has the words of an older server.
        SessionGoneOld = "session-gone-400",
        /// The session is gone, and the reply is words alone, no message of the protocol: version 1.16
        /// of the protocol's own Python server answers so after it was started anew.
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
        /// The tool is executed; its answer breaks off before it is whole.
        CutStream = "cut-stream",
        /// The tool is executed; the stream ends without its answer.
        EmptyStream = "empty-stream",
        /// The tool is executed, but the client is not told.
        Accepted = "accepted-202",
        /// The tool is executed, but the status says that the server failed.
        ServerError = "error-500",
        BadGateway = "bad-gateway-502",
        Html = "html-200",
        CutJson = "cut-json",
        /// The answer comes late, after messages about its progress.
        Slow = "slow-progress",
        /// The answer never comes.
        Never = "never",
        /// The answer comes after 80 seconds, and progress is told each second before it.
        Long = "long-progress",
        /// Progress is told each second for ten minutes, and no answer comes.
        Endless = "endless-progress",
        /// The answer has no text: its value is in `structuredContent` alone.
        StructuredAlone = "structured-alone",
        /// The answer has a further picture of 1.5 megabytes, another one at each call.
        LargePicture = "large-picture",
        /// The answer has a further picture of 6 megabytes.
        HugePicture = "huge-picture",
        /// The answer has a further picture whose data is not base64.
        BrokenPicture = "broken-picture",
        /// The server asks two hundred times whether the client is there, and then answers.
        ManyPings = "many-pings",
        /// The tool is executed, but 40 megabytes of comments come instead of its answer.
        Flood = "flood",
    }
}

impl McpFault {
    /// Returns whether the tool is executed in spite of the fault.
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
