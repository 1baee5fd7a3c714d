//! Distinguishes the creator of a run from other callers. Creating a run returns a secret, whose holder may stop,
//! fork, publish and delete the run. Somebody who only has the run's token, for example from a shared link, may only
//! watch.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{Secret, Sha256Digest};
use engine::Problem;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

/// The word for the operator in calls to a run's object.
const OPERATOR: &str = "operator";
/// The word for a caller without a secret or the operator's token in calls to a run's object.
const NOBODY: &str = "nobody";

/// Makes a run's secret from 256 random bits.
#[must_use]
pub fn run_secret(random: [u8; 32]) -> Secret {
    URL_SAFE_NO_PAD.encode(random).into()
}

/// The sender of a request to do something that only a run's creator may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requester {
    /// A caller with the operator's token.
    Operator,
    /// A caller who has sent the secret with this digest.
    Holder(Sha256Digest),
    /// A caller who only knows the run's token.
    Watcher,
}

/// An action on a run that only its creator or the operator may request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreatorsAction {
    /// Ends the run.
    Stop,
    /// Begins another run that reuses this run's answers.
    Fork,
    /// Removes everything about the run.
    Delete,
    /// Publishes the run's chain at an address of its own.
    Publish,
    /// Removes the published chain of the run.
    Unpublish,
}

/// The digest of a run's secret. It is stored instead of the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatorKey {
    digest: String,
}

impl Requester {
    /// Returns the requester who has sent this secret; a watcher if none was sent.
    #[must_use]
    pub fn with(secret: Option<&str>) -> Self {
        match secret.map(str::trim) {
            None | Some("") => Self::Watcher,
            Some(secret) => Self::Holder(Sha256Digest::of(secret.as_bytes())),
        }
    }

    /// Parses the form that [`fmt::Display`] writes; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            OPERATOR => Some(Self::Operator),
            NOBODY => Some(Self::Watcher),
            digest => Sha256Digest::parse(digest).map(Self::Holder),
        }
    }
}

impl fmt::Display for Requester {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Operator => OPERATOR,
            Self::Holder(digest) => digest.as_str(),
            Self::Watcher => NOBODY,
        })
    }
}

impl Serialize for Requester {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Requester {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("no requester"))
    }
}

impl CreatorsAction {
    /// Returns the words for the action, which follow “may” in refusals.
    fn words(self) -> &'static str {
        match self {
            Self::Stop => "stop it",
            Self::Fork => "fork it",
            Self::Delete => "delete it",
            Self::Publish => "publish its chain",
            Self::Unpublish => "delete its published chain",
        }
    }

    /// Returns whether anyone with the run's token may request this action for a run without a secret.
    fn is_open_without_secrets(self) -> bool {
        matches!(self, Self::Stop | Self::Fork)
    }
}

impl CreatorKey {
    /// Returns the key of a run that was created with this secret.
    #[must_use]
    pub fn of(secret: &Secret) -> Self {
        let digest = Sha256Digest::of(secret.reveal().as_bytes());
        Self {
            digest: digest.to_string(),
        }
    }
}

/// Checks whether the requester may perform this action on the run with this key. The refusal is a 403. A run from an
/// earlier version has no key, so everyone with its token may stop and fork it, as that version promised.
pub fn check_creator(
    key: Option<&CreatorKey>,
    requester: &Requester,
    action: CreatorsAction,
) -> Result<(), Problem> {
    let is_allowed = match (key, requester) {
        (_, Requester::Operator) => true,
        (Some(key), Requester::Holder(digest)) => key.digest == digest.as_str(),
        (Some(_), Requester::Watcher) => false,
        (None, _) => action.is_open_without_secrets(),
    };
    if is_allowed {
        return Ok(());
    }
    if key.is_none() {
        let detail = "This run was started before runs had secrets: that needs the operator's token. \
                      It goes by itself when its time is over.";
        return Err(Problem::new(403, detail));
    }
    Err(creators_only(action))
}

/// Makes the 403 refusal for an action on somebody else's run.
#[must_use]
pub fn creators_only(action: CreatorsAction) -> Problem {
    let words = action.words();
    Problem::new(
        403,
        format!(
            "Only whoever started this run may {words}: send the secret that its creation gave, as \
             “Run-Secret: SECRET”. Everybody else may watch, or start a new run for the pair."
        ),
    )
}

/// The length of the periods in which a call's runs are numbered, in milliseconds.
const PERIOD_MS: u64 = 3_600_000;
/// How far into a period a call may still find a run of the previous period, in milliseconds. No run takes longer than
/// this.
const OVERLAP_MS: u64 = 20 * 60_000;
/// The most runs of one call in one period that get keys of their own.
pub const CALL_RUNS_MAX: u32 = 8;

/// Returns the name of a call. Calls of the same tool with equal arguments have the same name.
#[must_use]
pub fn call_name(tool: &str, arguments: &Map<String, Value>) -> Sha256Digest {
    // `Map` keeps its members sorted by name.
    let arguments = Value::Object(arguments.clone()).to_string();
    Sha256Digest::of(format!("{tool}\n{arguments}").as_bytes())
}

/// Returns the periods in which to look for the run of a call sent now. A new run belongs to the last of these periods.
#[must_use]
pub fn call_periods(now_ms: u64) -> std::ops::RangeInclusive<u64> {
    let period = now_ms / PERIOD_MS;
    let is_early = now_ms % PERIOD_MS < OVERLAP_MS;
    period.saturating_sub(u64::from(is_early))..=period
}

/// Returns the key of a call for a period in which this many runs of that call are already over.
#[must_use]
pub fn call_key(name: &Sha256Digest, period: u64, runs: u32) -> String {
    format!("call-{name}-{period}-{runs}")
}

#[cfg(test)]
mod tests {
    use super::*;
    mod creator {
        use super::*;

        const ACTIONS: [CreatorsAction; 5] = [
            CreatorsAction::Stop,
            CreatorsAction::Fork,
            CreatorsAction::Delete,
            CreatorsAction::Publish,
            CreatorsAction::Unpublish,
        ];

        #[track_caller]
        fn check(key: Option<&CreatorKey>, requester: &Requester, allowed: [bool; 5]) {
            for (action, allowed) in ACTIONS.into_iter().zip(allowed) {
                let result = check_creator(key, requester, action);
                assert_eq!(result.is_ok(), allowed, "{requester:?} {action:?}");
                if let Err(problem) = result {
                    assert_eq!(problem.status(), 403);
                }
            }
        }

        #[test]
        fn the_secret_opens_its_run_and_no_other() {
            let secret = run_secret([7; 32]);
            assert_eq!(secret.reveal().len(), 43);
            let key = CreatorKey::of(&secret);
            check(
                Some(&key),
                &Requester::with(Some(secret.reveal())),
                [true; 5],
            );
            check(Some(&key), &Requester::Operator, [true; 5]);
            let other = run_secret([8; 32]);
            for wrong in [None, Some(""), Some("x"), Some(other.reveal())] {
                check(Some(&key), &Requester::with(wrong), [false; 5]);
            }
            // The stored key must not reveal the secret. Otherwise whoever reads the key could act as the creator.
            let kept = serde_json::to_string(&key).unwrap();
            assert!(!kept.contains(secret.reveal()), "{kept}");
            check(Some(&key), &Requester::with(Some(&key.digest)), [false; 5]);
        }

        #[test]
        fn a_run_of_before_is_open_as_it_was() {
            let open = [true, true, false, false, false];
            check(None, &Requester::Watcher, open);
            check(None, &Requester::with(Some("x")), open);
            check(None, &Requester::Operator, [true; 5]);
        }

        #[test]
        fn who_asks_is_read_back() {
            for requester in [
                Requester::Operator,
                Requester::Watcher,
                Requester::with(Some("a secret")),
            ] {
                assert_eq!(Requester::parse(&requester.to_string()), Some(requester));
            }
            assert_eq!(Requester::parse("a secret"), None);
            assert_eq!(Requester::with(Some(" ")), Requester::Watcher);
        }
    }

    mod call_keys {
        use super::*;
        use serde_json::json;

        fn arguments(json: Value) -> Map<String, Value> {
            serde_json::from_value(json).unwrap()
        }

        #[test]
        fn a_call_is_its_tool_and_its_arguments_in_any_order() {
            let name = |tool, json| call_name(tool, &arguments(json));
            let one = name("find_chain", json!({"a": "x", "b": "y"}));
            assert_eq!(one, name("find_chain", json!({"b": "y", "a": "x"})));
            assert_ne!(one, name("find_chain", json!({"a": "y", "b": "x"})));
            assert_ne!(one, name("other", json!({"a": "x", "b": "y"})));
        }

        #[test]
        fn a_run_of_the_hour_before_is_found_and_none_is_begun_there() {
            assert_eq!(call_periods(5 * PERIOD_MS + 1_000), 4..=5);
            assert_eq!(call_periods(5 * PERIOD_MS + OVERLAP_MS), 5..=5);
            assert_eq!(call_periods(0), 0..=0);
            let name = Sha256Digest::new([1; 32]);
            assert_ne!(call_key(&name, 5, 0), call_key(&name, 4, 0));
            assert_ne!(call_key(&name, 5, 0), call_key(&name, 5, 1));
        }
    }
}
