//! The parts of the settings that only some runs need. What is wrong with them refuses those runs alone.

/// A part of the settings that only some runs need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsPart {
    /// The servers of tools.
    ToolServers,
    /// The model that looks at pictures.
    VisionModel,
    /// The browsers.
    Browsers,
    /// The secrets that the operator keeps for runs.
    Secrets,
    /// What others than the operator may do with tools, workflows and automata. Where it is wrong they may
    /// do nothing of it, and no run needs it.
    Permissions,
}

/// What is wrong with the parts of the settings that only some runs need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartFaults(Vec<(SettingsPart, String)>);

impl PartFaults {
    pub(crate) fn new(faults: Vec<(SettingsPart, String)>) -> Self {
        Self(faults)
    }

    /// Returns what is wrong with these parts, each fault with the name of its setting.
    #[must_use]
    pub fn of(&self, parts: &[SettingsPart]) -> Vec<String> {
        let faults = self.0.iter().filter(|(part, _)| parts.contains(part));
        faults.map(|(_, what)| what.clone()).collect()
    }

    /// Returns everything that is wrong, each fault with the name of its setting.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        self.0.iter().map(|(_, what)| what.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::engine_variables::{EngineVariables, SharedVariable};
    use crate::operator_settings::Settings;
    use crate::reader::among;

    const KEYS: [(&str, &str); 5] = [
        ("CONTACT", "a@example.org"),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("GEMINI_API_KEY", "k"),
        ("PUBLIC", "1"),
    ];

    #[test]
    fn what_only_some_runs_need_is_told_apart() {
        let servers = (0..21).map(|n| format!("\"s{n}\":\"https://s{n}.example.org\""));
        let servers: Vec<_> = servers.collect();
        let servers = format!("{{{}}}", servers.join(","));
        let variables = EngineVariables {
            shared: vec![SharedVariable {
                name: "PUBLIC_WORKFLOWS",
                may_be_any: true,
            }],
            secrets: vec!["AUTOMATON_SECRETS"],
        };
        for (name, value, part) in [
            ("MCP_SERVERS", &*servers, SettingsPart::ToolServers),
            ("MCP_SERVERS", "[]", SettingsPart::ToolServers),
            ("VISION_MODEL", "llava", SettingsPart::VisionModel),
            (
                "VISION_MODEL",
                "gemini/gemini-next",
                SettingsPart::VisionModel,
            ),
            ("BROWSER_CDP", "file:///x", SettingsPart::Browsers),
            ("AUTOMATON_SECRETS", "{}", SettingsPart::Secrets),
            ("PUBLIC_WORKFLOWS", "some", SettingsPart::Permissions),
            ("MCP", "yes", SettingsPart::Permissions),
        ] {
            let settings = [&KEYS[..], &[(name, value)]].concat();
            let settings = Settings::read(among(&settings), Bindings::default(), &variables);
            assert_eq!(settings.missing(), Vec::<String>::new(), "{name}");
            let faults = &settings.providers.as_ref().unwrap().faults;
            assert!(!faults.of(&[part]).is_empty(), "{name}: {faults:?}");
            assert_eq!(settings.wrong_parts(), faults.of(&[part]), "{name}");
        }
        // Where a setting is missing that every run needs, both are told.
        let settings = Settings::read(
            among(&[("BROWSER_CDP", "file:///x")]),
            Bindings::default(),
            &variables,
        );
        let missing = settings.missing().join(", ");
        assert!(missing.contains("AWS_ACCESS_KEY_ID") && missing.contains("BROWSER_CDP"));
    }
}
