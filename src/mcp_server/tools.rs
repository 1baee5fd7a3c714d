//! The tools that belong to no engine. Their calls are parsed here.

use domain::{RunToken, Sha256Digest};
use engine::Problem;
use engine::assistant::STORED_TEXT_CHARS_MAX;
use engine::values::NumberForm;
use serde_json::{Map, Value};

use crate::problems::threshold_percent;

/// The tool that reports on a run and can wait for its end.
pub const GET_RUN: &str = "get_run";
/// The tool that stops a run.
pub const STOP_RUN: &str = "stop_run";
/// The tool that replays a published chain.
pub const CHECK_CHAIN: &str = "check_chain";
/// The tool that finds the people whom a name may mean.
pub const WHO_IS: &str = "who_is";
/// The tool that lists the people who were seen with somebody in earlier runs.
pub const SEEN_WITH: &str = "seen_with";
/// The tool that finds the shortest chain in the connections that earlier runs have proven.
pub const PATH_BETWEEN: &str = "path_between";

/// The longest time that a call may wait for a run, in milliseconds.
const WAIT_MS_MAX: u64 = 600_000;
/// The argument for how long the call waits at most, in milliseconds.
const WAIT: &str = "waitMs";
/// The argument for how many people of a list are skipped.
const OFFSET: &str = "offset";
/// The most people of a list that can be skipped.
const OFFSET_MAX: u64 = 5_000;
/// The longest id or name of a person, in characters.
const PERSON_CHARS_MAX: usize = 400;
/// The beginning of a published chain's path, as in the response to publishing it.
const CHAINS: &str = "/chains/";
/// The argument for the lowest confidence of a connection, in percent.
const THRESHOLD: &str = "threshold";

/// A call of a tool that belongs to no engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuiltInCall {
    /// Reports on this run.
    Run(RunToken),
    /// Stops this run. Contains the run's secret if the caller sent it.
    Stop(RunToken, Option<String>),
    /// Replays this published chain.
    Chain(Sha256Digest),
    /// Finds the people whom this name may mean.
    Name(String),
    /// Lists the people seen with somebody. Contains the person's id or name, an offset, and the lowest confidence in
    /// percent.
    SeenWith(String, u64, u32),
    /// Finds the shortest known chain. Contains the id or name of each end, and the lowest confidence in percent.
    PathBetween(String, String, u32),
}

impl BuiltInCall {
    /// Parses a call. Returns `None` for a tool that is not built in. `own_origin` is this server's origin.
    #[must_use]
    pub fn read(
        tool: &str,
        arguments: &Map<String, Value>,
        own_origin: &str,
    ) -> Option<Result<Self, Problem>> {
        let known: &[&str] = match tool {
            GET_RUN => &["run"],
            STOP_RUN => &["run", "secret"],
            CHECK_CHAIN => &["chain"],
            WHO_IS => &["name"],
            SEEN_WITH => &["person", OFFSET, THRESHOLD],
            PATH_BETWEEN => &["a", "b", THRESHOLD],
            _ => return None,
        };
        Some(Self::of(tool, known, arguments, own_origin))
    }

    fn of(
        tool: &str,
        known: &[&str],
        arguments: &Map<String, Value>,
        own_origin: &str,
    ) -> Result<Self, Problem> {
        check_known(arguments, known)?;
        let text = |name: &str| text_of(arguments, name);
        let threshold = || threshold_percent(arguments.get(THRESHOLD), NumberForm::Json);
        Ok(match tool {
            GET_RUN => Self::Run(run_of(arguments)?),
            STOP_RUN => {
                let is_given = arguments.contains_key("secret");
                let secret = is_given.then(|| text("secret")).transpose()?;
                Self::Stop(run_of(arguments)?, secret.map(str::to_owned))
            }
            CHECK_CHAIN => Self::Chain(chain_of(arguments, own_origin)?),
            WHO_IS => Self::Name(text("name")?.to_owned()),
            SEEN_WITH => {
                let offset = match arguments.get(OFFSET) {
                    None => 0,
                    Some(offset) => whole(OFFSET, offset, OFFSET_MAX)?,
                };
                Self::SeenWith(person_of(arguments, "person")?, offset, threshold()?)
            }
            PATH_BETWEEN => Self::PathBetween(
                person_of(arguments, "a")?,
                person_of(arguments, "b")?,
                threshold()?,
            ),
            _ => return Err(Problem::new(404, "There is no such tool.")),
        })
    }
}

fn text_of<'call>(arguments: &'call Map<String, Value>, name: &str) -> Result<&'call str, Problem> {
    match arguments.get(name) {
        None => Err(Problem::field(name, "is missing")),
        Some(value) => value
            .as_str()
            .ok_or_else(|| Problem::field(name, "must be a text")),
    }
}

fn run_of(arguments: &Map<String, Value>) -> Result<RunToken, Problem> {
    let run = text_of(arguments, "run")?;
    RunToken::parse(run).map_err(|_| {
        let what = "is no run's token; give the run as a tool's answer named it";
        Problem::field("run", what)
    })
}

fn person_of(arguments: &Map<String, Value>, name: &str) -> Result<String, Problem> {
    let person = text_of(arguments, name)?;
    if person.trim().is_empty() || person.chars().count() > PERSON_CHARS_MAX {
        let what = format!(
            "must be an id of an earlier answer or a full name, of 1 to {PERSON_CHARS_MAX} characters"
        );
        return Err(Problem::field(name, what));
    }
    Ok(person.to_owned())
}

/// Returns the digest of a published chain. The argument may be the digest, a path or a whole address.
fn chain_of(arguments: &Map<String, Value>, own_origin: &str) -> Result<Sha256Digest, Problem> {
    let given = text_of(arguments, "chain")?.trim();
    let path = given.strip_prefix(own_origin).unwrap_or(given);
    let digest = path.strip_prefix(CHAINS).unwrap_or(path);
    Sha256Digest::parse(digest).ok_or_else(|| {
        let what = "must be a digest of 64 hexadecimal digits, /chains/DIGEST, or the address of a chain of this server";
        Problem::field("chain", what)
    })
}

fn whole(name: &str, value: &Value, most: u64) -> Result<u64, Problem> {
    let number = NumberForm::Json
        .whole(value)
        .filter(|number| *number <= most);
    number.ok_or_else(|| Problem::field(name, format!("must be a whole number from 0 to {most}")))
}

/// Checks the arguments of a stored tool's call. The tool's description must name each of them, and none that the
/// description requires may be missing. Each must be a text within the length limit.
pub fn check_described(arguments: &Map<String, Value>, described: &Value) -> Result<(), Problem> {
    let properties = described.pointer("/inputSchema/properties");
    let known: Vec<&str> = properties
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    check_known(arguments, &known)?;
    let required = described.pointer("/inputSchema/required");
    let needed = required.and_then(Value::as_array).into_iter().flatten();
    for name in needed.filter_map(Value::as_str) {
        text_of(arguments, name)?;
    }
    for name in arguments.keys() {
        let text = text_of(arguments, name)?;
        if !(1..=STORED_TEXT_CHARS_MAX).contains(&text.chars().count()) {
            let what = format!("must be a text of 1 to {STORED_TEXT_CHARS_MAX} characters");
            return Err(Problem::field(name, what));
        }
    }
    Ok(())
}

fn check_known(arguments: &Map<String, Value>, known: &[&str]) -> Result<(), Problem> {
    let unknown = arguments
        .keys()
        .find(|name| !known.contains(&name.as_str()));
    match unknown {
        None => Ok(()),
        Some(unknown) => {
            let what = format!("is not a known argument; known are {}", known.join(", "));
            Err(Problem::field(unknown, what))
        }
    }
}

/// Removes the longest waiting time from a call's arguments and returns it, in milliseconds. Tools that do not wait
/// for a run have no such argument.
pub fn take_wait_ms(
    tool: &str,
    arguments: &mut Map<String, Value>,
) -> Result<Option<u64>, Problem> {
    if matches!(
        tool,
        STOP_RUN | CHECK_CHAIN | WHO_IS | SEEN_WITH | PATH_BETWEEN
    ) {
        return Ok(None);
    }
    let wait = arguments.remove(WAIT);
    wait.map(|wait| whole(WAIT, &wait, WAIT_MS_MAX)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

    fn read(tool: &str, arguments: Value) -> Option<Result<BuiltInCall, Option<String>>> {
        let arguments = serde_json::from_value(arguments).unwrap();
        let asked = BuiltInCall::read(tool, &arguments, "https://d.example");
        asked.map(|asked| asked.map_err(|problem| problem.named_field().map(str::to_owned)))
    }

    #[test]
    fn each_tool_has_its_arguments() {
        let run = || RunToken::parse(RUN).unwrap();
        let digest = "ab".repeat(32);
        for (tool, arguments, asked) in [
            ("get_run", json!({"run": RUN}), BuiltInCall::Run(run())),
            (
                "stop_run",
                json!({"run": RUN}),
                BuiltInCall::Stop(run(), None),
            ),
            (
                "stop_run",
                json!({"run": RUN, "secret": "s"}),
                BuiltInCall::Stop(run(), Some("s".into())),
            ),
            (
                "check_chain",
                json!({"chain": digest}),
                BuiltInCall::Chain(Sha256Digest::new([0xab; 32])),
            ),
            (
                "check_chain",
                json!({"chain": format!(" https://d.example/chains/{digest}")}),
                BuiltInCall::Chain(Sha256Digest::new([0xab; 32])),
            ),
            (
                "check_chain",
                json!({"chain": format!("/chains/{digest}")}),
                BuiltInCall::Chain(Sha256Digest::new([0xab; 32])),
            ),
            (
                "who_is",
                json!({"name": "Ann"}),
                BuiltInCall::Name("Ann".into()),
            ),
            (
                "seen_with",
                json!({"person": "Ann"}),
                BuiltInCall::SeenWith("Ann".into(), 0, 80),
            ),
            (
                "seen_with",
                json!({"person": "Ann", "offset": 24.0, "threshold": 62}),
                BuiltInCall::SeenWith("Ann".into(), 24, 62),
            ),
            (
                "path_between",
                json!({"a": "Ann", "b": "c2"}),
                BuiltInCall::PathBetween("Ann".into(), "c2".into(), 80),
            ),
            (
                "path_between",
                json!({"a": "Ann", "b": "c2", "threshold": 100}),
                BuiltInCall::PathBetween("Ann".into(), "c2".into(), 100),
            ),
        ] {
            assert_eq!(read(tool, arguments), Some(Ok(asked)), "{tool}");
        }
        assert_eq!(read("find_chain", json!({})), None);
    }

    #[test]
    fn a_wrong_argument_is_named() {
        let other = format!("https://other.example/chains/{}", "ab".repeat(32));
        for (tool, arguments, field) in [
            ("get_run", json!({}), "run"),
            ("get_run", json!({"run": 7}), "run"),
            ("get_run", json!({"run": "x"}), "run"),
            ("get_run", json!({"run": RUN, "secret": "s"}), "secret"),
            ("check_chain", json!({"chain": other}), "chain"),
            ("who_is", json!({"name": "Ann", "q": 1}), "q"),
            ("seen_with", json!({}), "person"),
            ("who_is", json!({"name": "Ann", "waitMs": 0}), "waitMs"),
            ("seen_with", json!({"person": " "}), "person"),
            (
                "seen_with",
                json!({"person": "Ann", "offset": 5_001}),
                "offset",
            ),
            ("path_between", json!({"a": "Ann"}), "b"),
            ("path_between", json!({"a": "", "b": "Bob"}), "a"),
            (
                "path_between",
                json!({"a": "Ann", "b": "x".repeat(401)}),
                "b",
            ),
            ("stop_run", json!({"run": RUN, "secret": 7}), "secret"),
            (
                "seen_with",
                json!({"person": "Ann", "threshold": 49}),
                "threshold",
            ),
            (
                "seen_with",
                json!({"person": "Ann", "threshold": "80"}),
                "threshold",
            ),
            (
                "path_between",
                json!({"a": "A", "b": "B", "threshold": 101}),
                "threshold",
            ),
        ] {
            assert_eq!(
                read(tool, arguments),
                Some(Err(Some(field.into()))),
                "{tool}"
            );
        }
    }

    #[test]
    fn a_stored_tool_takes_what_it_describes() {
        let described = json!({"inputSchema": {"properties": {"user": {}, "tint": {}, "waitMs": {}},
            "required": ["user"]}});
        let check = |arguments: Value| {
            let arguments = serde_json::from_value(arguments).unwrap();
            let checked = check_described(&arguments, &described);
            checked.map_err(|problem| problem.named_field().map(str::to_owned))
        };
        assert_eq!(check(json!({"user": "x"})), Ok(()));
        for (wrong, field) in [
            (json!({"user": "x", "options": {}}), "options"),
            (json!({"tint": "x"}), "user"),
            (json!({"user": 7}), "user"),
            (json!({"user": "x", "tint": ""}), "tint"),
            (json!({"user": "x".repeat(4_097)}), "user"),
        ] {
            assert_eq!(check(wrong), Err(Some(field.into())));
        }
    }

    #[test]
    fn a_call_waits_for_ten_minutes_at_most() {
        let take = |wait: Value| {
            let mut arguments = serde_json::from_value(json!({"waitMs": wait})).unwrap();
            let taken = take_wait_ms(GET_RUN, &mut arguments);
            assert!(arguments.is_empty());
            taken.map_err(|problem| problem.status())
        };
        assert_eq!(take_wait_ms(GET_RUN, &mut Map::new()), Ok(None));
        assert_eq!(take(json!(600_000)), Ok(Some(600_000)));
        assert_eq!(take(json!(5.0)), Ok(Some(5)));
        for wrong in [
            Value::Null,
            json!(600_001),
            json!(-1),
            json!(1.5),
            json!("1"),
        ] {
            assert_eq!(take(wrong), Err(400));
        }
    }
}
