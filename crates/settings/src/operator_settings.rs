//! Reads the operator's settings from variables and secrets. The error names the settings that are missing or
//! unreadable. A fault in a part that only some runs need prevents only those runs.

use std::collections::BTreeMap;

use domain::Secret;
use providers::wikidata::WikidataSettings;

use crate::access::{AtlasAccess, SharedAccess, ToolsAccess, TurnstileSettings};
use crate::limits::{Caps, KV_WRITES_DEFAULT, KV_WRITES_MAX, KV_WRITES_MIN, StartLimits};
use crate::own_host::OwnNames;
use crate::providers::{Providers, read_people, read_providers};
use crate::reader::{Bindings, SettingsReader};

/// The shortest time for which a run may be stored, in seconds. KV refuses shorter times.
const TIME_TO_LIVE_S_MIN: u64 = 60;
const TIME_TO_LIVE_S_MAX: u64 = 86_400;
/// The default time for which a run is stored, in seconds. The specification's range is 10 to 30 minutes.
const TIME_TO_LIVE_S_DEFAULT: u64 = 1_800;

/// The longest time for which a published chain is stored, in days; 0 disables publishing.
const PUBLISH_DAYS_MAX: u64 = 365;
const PUBLISH_DAYS_DEFAULT: u64 = 30;

/// The rule for who may start runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Everybody: `PUBLIC=1`.
    Public,
    /// Only callers with this token, which is the operator's.
    Token(Secret),
    /// Nobody, since neither `PUBLIC` nor `OPERATOR_TOKEN` is set.
    Closed,
}

impl Access {
    fn read(reader: &mut SettingsReader<impl Fn(&str) -> Option<String>>) -> Self {
        let is_public = reader.switch("PUBLIC", "must be 1 or 0");
        match reader.operator_token() {
            _ if is_public => Self::Public,
            Some(token) => Self::Token(token),
            None => Self::Closed,
        }
    }
}

/// All settings of the operator.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The providers, or a sentence for each missing or unreadable setting.
    pub providers: Result<Providers, Vec<String>>,
    /// The rule for who may start runs.
    pub access: Access,
    /// The operator's token, which may be set even if everybody may start runs.
    pub operator_token: Option<Secret>,
    /// Which runs callers other than the operator may start, for engines that restrict them. The keys are the names of
    /// the settings.
    shared_access: BTreeMap<&'static str, SharedAccess>,
    /// Whether everybody may replay sealed files, not only callers who may start runs.
    pub is_replay_open: bool,
    /// The callers who may call the MCP server.
    pub tools_access: ToolsAccess,
    /// The callers who may read the atlas.
    pub atlas: AtlasAccess,
    /// Whether the log contains names and tokens of runs.
    pub is_log_named: bool,
    /// The pages that may embed the page: the value of the directive `frame-ancestors`.
    pub frame_ancestors: String,
    /// The settings of the check for humans; `None` if there is no check.
    pub turnstile: Option<TurnstileSettings>,
    /// The source of suggestions for typed names; `None` if disabled.
    pub people: Option<WikidataSettings>,
    /// The largest budgets of the operator's runs.
    pub caps: Caps,
    /// The largest budgets of all other runs.
    pub stranger_caps: Caps,
    /// The limits of runs per day, at once and per minute.
    pub start_limits: StartLimits,
    /// The time for which a run is stored, in seconds.
    pub time_to_live_s: u64,
    /// The days for which a published chain is stored; 0 disables publishing.
    pub publish_days: u64,
    /// The most writes of one run to KV.
    pub kv_writes_max: u32,
    /// The hosts and names of this server, from which nothing is fetched.
    pub own_names: OwnNames,
    /// Whether a link starts its run as soon as it is opened, even from another page.
    pub starts_every_link: bool,
    /// The origins of pages on other servers that may start runs; `*` stands for any origin.
    pub allowed_origins: Vec<String>,
    /// The key that signs sealed files; `None` if they are not signed. A signature proves that this server made the
    /// file.
    pub seal_key: Option<Secret>,
    /// The pair of names that the page offers first.
    pub example: (String, String),
    /// The further pairs of names that the page offers.
    pub more_examples: Vec<(String, String)>,
}

impl Settings {
    /// Reads the settings through `lookup`, which returns the text of a variable or secret. `bindings` are the
    /// platform's services that are available, and `variables` the settings that engines declare.
    pub fn read(
        lookup: impl Fn(&str) -> Option<String>,
        bindings: Bindings,
        variables: &EngineVariables,
    ) -> Self {
        let mut reader = SettingsReader::new(lookup, bindings);
        let shared = variables
            .shared
            .iter()
            .map(|it| (it.name, SharedAccess::read(&mut reader, *it)));
        let shared_access = shared.collect();
        let kv_writes_max = reader.small(
            "KV_WRITES_PER_RUN_MAX",
            KV_WRITES_DEFAULT,
            KV_WRITES_MIN..=KV_WRITES_MAX,
        );
        let caps = reader.caps(kv_writes_max);
        let time_to_live_s = reader.number(
            "RUN_TTL_SECONDS",
            TIME_TO_LIVE_S_DEFAULT,
            TIME_TO_LIVE_S_MIN..=TIME_TO_LIVE_S_MAX,
        );
        let publish_days =
            reader.number("PUBLISH_DAYS", PUBLISH_DAYS_DEFAULT, 0..=PUBLISH_DAYS_MAX);
        let example = (
            reader.text_or("EXAMPLE_A", "Barack Obama"),
            reader.text_or("EXAMPLE_B", "Taylor Swift"),
        );
        let access = Access::read(&mut reader);
        let people = read_people(&mut reader);
        Self {
            stranger_caps: stranger_caps(&mut reader, &caps),
            start_limits: StartLimits::read(&mut reader, access == Access::Public),
            access,
            operator_token: reader.operator_token(),
            shared_access,
            is_replay_open: reader.is_replay_open(),
            tools_access: reader.tools_access(),
            atlas: AtlasAccess::read(&mut reader),
            is_log_named: reader.is_log_named(),
            starts_every_link: reader.starts_every_link(),
            frame_ancestors: reader.frame_ancestors(),
            turnstile: TurnstileSettings::read(&mut reader),
            people: people.clone(),
            caps: caps.clone(),
            time_to_live_s,
            publish_days,
            kv_writes_max,
            own_names: OwnNames::new(reader.is_loopback_only(), reader.own_hosts()),
            allowed_origins: comma_separated(&reader.text("ALLOWED_ORIGINS").unwrap_or_default()),
            example,
            more_examples: reader.examples(),
            seal_key: reader.seal_key(),
            // The providers are read last, since their error includes the faults of all other settings.
            providers: read_providers(reader, &caps, &variables.secrets, people),
        }
    }

    /// Returns which runs callers other than the operator may start, for the engine that has this setting.
    #[must_use]
    pub fn shared_access(&self, variable: &'static str) -> SharedAccess {
        let access = self.shared_access.get(&variable).copied();
        access.unwrap_or(SharedAccess::Operator)
    }

    /// Returns the caps of a caller. If only the token grants access, every caller has the token, and therefore the
    /// operator's caps.
    #[must_use]
    pub fn caps_of(&self, is_operator: bool) -> &Caps {
        if is_operator || self.access != Access::Public {
            &self.caps
        } else {
            &self.stranger_caps
        }
    }

    /// Returns the limits that apply when this caller starts a run.
    #[must_use]
    pub fn start_limits_of(&self, is_operator: bool) -> StartLimits {
        if is_operator {
            self.start_limits.of_operator()
        } else {
            self.start_limits
        }
    }

    /// Returns the faults of settings that only some runs need, in words.
    #[must_use]
    pub fn wrong_parts(&self) -> Vec<String> {
        let providers = self.providers.as_ref().ok();
        providers.map_or_else(Vec::new, |providers| providers.faults.all())
    }

    /// Returns a sentence for each setting whose absence or fault prevents all runs.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let mut missing = self.providers.as_ref().err().cloned().unwrap_or_default();
        let is_named = |wrong: &String| wrong.starts_with("OPERATOR_TOKEN");
        if self.access == Access::Closed && !missing.iter().any(is_named) {
            missing.push("OPERATOR_TOKEN (or PUBLIC=1, which lets everybody start runs)".into());
        }
        missing
    }
}

/// Returns the caps of callers other than the operator: the default budgets, unless the operator grants them the full
/// caps.
fn stranger_caps<F: Fn(&str) -> Option<String>>(
    reader: &mut SettingsReader<F>,
    caps: &Caps,
) -> Caps {
    let words = [("caps", true), ("default", false)];
    let what = "must be default or caps";
    if reader.choice("PUBLIC_BUDGETS", &words, [false, false], what) {
        return caps.clone();
    }
    caps.for_strangers()
}

fn comma_separated(origins: &str) -> Vec<String> {
    let origins = origins
        .split(',')
        .map(str::trim)
        .map(|origin| origin.trim_end_matches('/'))
        .filter(|origin| !origin.is_empty());
    origins.map(str::to_owned).collect()
}

/// A part of the settings that only some runs need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsPart {
    /// The MCP servers that workflows call.
    ToolServers,
    /// The vision model that workflows ask.
    VisionModel,
    /// The browsers that automata drive.
    Browsers,
    /// The secrets that the operator stores for runs.
    Secrets,
    /// What callers other than the operator may do with tools, workflows and automata. If the setting is invalid they
    /// may do nothing, but no run fails for it.
    Permissions,
}

/// The faults of settings that only some runs need, by part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartFaults(Vec<(SettingsPart, String)>);

impl PartFaults {
    pub(crate) fn new(faults: Vec<(SettingsPart, String)>) -> Self {
        Self(faults)
    }

    /// Returns the faults of these parts, each with the name of its setting.
    #[must_use]
    pub fn of(&self, parts: &[SettingsPart]) -> Vec<String> {
        let faults = self.0.iter().filter(|(part, _)| parts.contains(part));
        faults.map(|(_, what)| what.clone()).collect()
    }

    /// Returns all faults, each with the name of its setting.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        self.0.iter().map(|(_, what)| what.clone()).collect()
    }
}

/// A setting that states which runs of one engine callers other than the operator may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedVariable {
    /// The setting's name.
    pub name: &'static str,
    /// Whether the setting may allow all runs, and not only those of stored documents.
    pub may_be_any: bool,
}

/// The settings that engines declare, grouped by their form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineVariables {
    /// The settings that state which runs of an engine callers other than the operator may start.
    pub shared: Vec<SharedVariable>,
    /// The settings that contain the secrets stored by the operator for runs of an engine.
    pub secrets: Vec<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    mod settings {
        use super::*;
        use crate::reader::among;

        fn read(settings: &[(&str, &str)]) -> Settings {
            Settings::read(
                among(settings),
                Bindings::default(),
                &EngineVariables::default(),
            )
        }

        const KEYS: [(&str, &str); 5] = [
            ("GOOGLE_API_KEY", "g"),
            ("GOOGLE_CX", "cx"),
            ("AWS_ACCESS_KEY_ID", "id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("GEMINI_API_KEY", "k"),
        ];

        const TOKEN: &str = "a-token-of-some-length";

        #[test]
        fn each_missing_setting_is_named() {
            // Commons, which needs no key, is the default search.
            let names = ["CONTACT", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
            assert_eq!(read(&[]).providers.unwrap_err(), names);
            assert!(read(&KEYS).providers.is_ok());
            let without_planner = [&KEYS[..4], &[("PLANNER", "none")]].concat();
            let providers = read(&without_planner).providers.unwrap();
            assert!(providers.planners.is_empty());
        }

        #[test]
        fn unreadable_numbers_are_named_and_never_guessed() {
            let settings = [
                &KEYS[..],
                &[("CAP_SEARCHES", "many"), ("RUN_TTL_SECONDS", "59")],
            ]
            .concat();
            let wrong = read(&settings).providers.unwrap_err();
            assert_eq!(
                wrong,
                [
                    "CAP_SEARCHES (must be a whole number from 1 to 1000)",
                    "RUN_TTL_SECONDS (must be a whole number from 60 to 86400)"
                ]
            );
        }

        #[test]
        fn chains_are_published_for_a_month_unless_the_operator_says_otherwise() {
            assert_eq!(read(&KEYS).publish_days, 30);
            for (days, expected) in [("0", 0), ("1", 1), ("365", 365)] {
                let settings = read(&[&KEYS[..], &[("PUBLISH_DAYS", days)]].concat());
                assert_eq!(
                    (settings.publish_days, settings.providers.is_ok()),
                    (expected, true)
                );
            }
            for wrong in ["-1", "366", "none"] {
                let settings = read(&[&KEYS[..], &[("PUBLISH_DAYS", wrong)]].concat());
                assert_eq!(
                    settings.providers.unwrap_err(),
                    ["PUBLISH_DAYS (must be a whole number from 0 to 365)"]
                );
            }
        }

        #[test]
        fn a_short_seal_key_is_none() {
            let with = |key: &'static str| read(&[&KEYS[..], &[("SEAL_KEY", key)]].concat());
            assert_eq!(
                with("short").providers.unwrap_err(),
                ["SEAL_KEY (must have at least 32 characters; try: openssl rand -hex 32)"]
            );
            let key = "0123456789abcdef0123456789abcdef";
            assert_eq!(with(key).seal_key, Some(key.into()));
            assert_eq!(read(&KEYS).seal_key, None);
        }

        #[test]
        fn starting_is_closed_until_the_operator_opens_it() {
            assert_eq!(read(&KEYS).access, Access::Closed);
            assert_eq!(
                read(&[("OPERATOR_TOKEN", TOKEN)]).access,
                Access::Token(TOKEN.into())
            );
            assert_eq!(
                read(&[("PUBLIC", "1"), ("OPERATOR_TOKEN", TOKEN)]).access,
                Access::Public
            );
            // A short token is reported once and grants no access.
            let short = read(&[&KEYS[..], &[("OPERATOR_TOKEN", "short")]].concat());
            assert_eq!(short.access, Access::Closed);
            assert!(
                matches!(&short.missing()[..], [one] if one.contains("at least 16 characters"))
            );
            assert_eq!(read(&[("PUBLIC", "yes")]).access, Access::Closed);
        }

        #[test]
        fn prices_are_given_as_they_are_listed() {
            let listed = [
                &KEYS[..],
                &[
                    ("PRICE_SEARCH_USD_PER_1000", "2.5"),
                    ("PRICE_LLM_OUT_USD_PER_MILLION", "0.4"),
                ],
            ]
            .concat();
            let providers = read(&listed).providers.unwrap();
            assert_eq!(providers.searches[0].nano_usd, 2_500_000);
            assert_eq!(providers.planners[0].token_out_nano_usd, 400);
            assert_eq!(providers.recognisers[0].nano_usd, 1_000_000);
        }

        #[test]
        fn a_cap_below_the_dearest_call_is_named() {
            let with = |usd: &'static str| read(&[&KEYS[..], &[("CAP_USD", usd)]].concat());
            // This is the price of a plan by Gemini with 8,000 input and 2,048 output tokens.
            assert_eq!(
                with("0.007").providers.unwrap_err(),
                [
                    "CAP_USD (must be at least 0.00752, what one call may cost; raise it or leave it out)"
                ]
            );
            assert!(with("0.01").providers.is_ok());
        }

        #[test]
        fn strangers_may_ask_for_the_defaults_and_the_operator_for_the_caps() {
            let searches = |settings: &[(&str, &str)], is_operator| {
                let settings = read(settings);
                settings.caps_of(is_operator).searches_max
            };
            let public = [("PUBLIC", "1"), ("OPERATOR_TOKEN", "t")];
            assert_eq!(searches(&public, false), 20);
            assert_eq!(searches(&public, true), 50);
            assert_eq!(searches(&[("OPERATOR_TOKEN", "t")], false), 50);
            assert_eq!(
                searches(&[("PUBLIC", "1"), ("PUBLIC_BUDGETS", "caps")], false),
                50
            );
            assert_eq!(
                searches(&[("PUBLIC", "1"), ("CAP_SEARCHES", "8")], false),
                8
            );
            let wrong = [&KEYS[..], &[("PUBLIC_BUDGETS", "all")]].concat();
            assert_eq!(
                read(&wrong).providers.unwrap_err(),
                ["PUBLIC_BUDGETS (must be default or caps)"]
            );
        }

        #[test]
        fn low_caps_lower_the_defaults() {
            let caps = Caps {
                searches_max: 8,
                ..Caps::default()
            };
            assert_eq!(caps.default_limits().searches_max, 8);
            assert_eq!(caps.default_limits().recognitions_max, 100);
        }
    }

    mod parts {
        use super::*;
        use crate::reader::Bindings;
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
            let servers: Vec<_> = (0..21)
                .map(|n| format!("\"s{n}\":\"https://s{n}.example.org\""))
                .collect();
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
            // If a setting that every run needs is missing too, both are reported.
            let settings = Settings::read(
                among(&[("BROWSER_CDP", "file:///x")]),
                Bindings::default(),
                &variables,
            );
            let missing = settings.missing().join(", ");
            assert!(missing.contains("AWS_ACCESS_KEY_ID") && missing.contains("BROWSER_CDP"));
        }
    }
}
