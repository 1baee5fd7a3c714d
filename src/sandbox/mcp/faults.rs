//! How calls of tools fail here, as real servers and what stands before them do.

use crate::providers::fault_kinds;

fault_kinds! {
    /// A fault of one call of a tool.
    pub(crate) enum McpFault {
        /// The session is gone, as the specification says it.
        SessionGone = "session-gone-404",
        /// The session is gone, in an older server's words.
        SessionGoneOld = "session-gone-400",
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
        /// The tool is executed; nobody is told.
        Accepted = "accepted-202",
        /// The tool is executed; what stands before the server says otherwise.
        ServerError = "error-500",
        BadGateway = "bad-gateway-502",
        Html = "html-200",
        CutJson = "cut-json",
        /// The answer comes late, behind progress.
        Slow = "slow-progress",
        /// The answer never comes.
        Never = "never",
        /// The server asks two hundred times whether the client is there, and answers then.
        ManyPings = "many-pings",
        /// The tool is executed; 40 megabytes that say nothing come in the place of its answer.
        Flood = "flood",
    }
}

impl McpFault {
    /// Whether the tool is executed all the same.
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
                | Self::ManyPings
                | Self::Flood
        )
    }
}
