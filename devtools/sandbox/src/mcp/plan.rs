//! The settings in a server's address: its eras, and which of its calls fail.

use crate::providers::ParsedRequest;

use super::faults::McpFault;

/// The settings of a server for one request, from the request's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerPlan {
    pub(super) is_modern: bool,
    pub(super) is_legacy: bool,
    faults: Vec<(McpFault, u64)>,
}

impl ServerPlan {
    /// Parses `?eras=` and each `?fault=KIND@N`. The error is a sentence.
    pub(super) fn read(request: &ParsedRequest) -> Result<Self, String> {
        let (is_modern, is_legacy) = match request.parameter("eras") {
            None | Some("both") => (true, true),
            Some("modern") => (true, false),
            Some("legacy") => (false, true),
            Some(other) => {
                return Err(format!(
                    "There are no eras {other:?}: modern, legacy, both."
                ));
            }
        };
        let faults = request.parameters.iter();
        let faults = faults.filter(|(name, _)| name == "fault");
        let faults: Result<_, _> = faults.map(|(_, value)| fault(value)).collect();
        Ok(Self {
            is_modern,
            is_legacy,
            faults: faults?,
        })
    }

    /// Returns the fault for a call, counted from 1; `None` if it has none. The first fault in the address with this
    /// number applies.
    pub(super) fn fault_at(&self, call: u64) -> Option<McpFault> {
        let mut faults = self.faults.iter();
        faults.find(|(_, at)| *at == call).map(|(fault, _)| *fault)
    }
}

fn fault(value: &str) -> Result<(McpFault, u64), String> {
    let parts = value.split_once('@').and_then(|(kind, call)| {
        let call = call.parse().ok().filter(|call| *call > 0)?;
        Some((McpFault::named(kind)?, call))
    });
    parts.ok_or_else(|| {
        let kinds: Vec<_> = McpFault::ALL.iter().map(|(name, _)| *name).collect();
        let kinds = kinds.join(", ");
        format!("There is no fault {value:?}: say KIND@N, N from 1, with one of {kinds}.")
    })
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn plan(query: &str) -> Result<ServerPlan, String> {
        let request = Request::post(format!("/mcp/desk?{query}")).body(Vec::new());
        ServerPlan::read(&ParsedRequest::from(request.unwrap()))
    }

    #[test]
    fn eras_and_faults_are_read() {
        let both = plan("").unwrap();
        assert!(both.is_modern && both.is_legacy);
        let modern = plan("eras=modern&fault=never@2&fault=busy-429@3").unwrap();
        assert!(modern.is_modern && !modern.is_legacy);
        assert_eq!(modern.fault_at(1), None);
        assert_eq!(modern.fault_at(2), Some(McpFault::Never));
        assert_eq!(modern.fault_at(3), Some(McpFault::Busy));
        let legacy = plan("eras=legacy").unwrap();
        assert!(!legacy.is_modern && legacy.is_legacy);
    }

    #[test]
    fn a_mistake_is_told_with_what_there_is() {
        for query in [
            "fault=never",
            "fault=never@0",
            "fault=never@x",
            "fault=none@1",
        ] {
            assert!(plan(query).unwrap_err().contains("cut-stream"), "{query}");
        }
        assert!(plan("eras=stone").unwrap_err().contains("legacy"));
    }
}
