//! The calls of the tools that are of no engine, read from their arguments.

use serde_json::{Map, Value};

use crate::domain::{RunToken, Sha256Digest};
use crate::http::Problem;

use super::tools::{CHECK_CHAIN, GET_RUN, PATH_BETWEEN, SEEN_WITH, STOP_RUN, WHO_IS};

/// The longest time that a call may wait, in milliseconds.
const WAIT_MS_MAX: u64 = 600_000;
/// The argument that says how long a call waits.
const WAIT: &str = "waitMs";
const MISSING: &str = "is missing, or is no text";

/// A call of a tool that is of no engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// How a run is.
    Run(RunToken),
    /// The end of a run, by whoever has this secret.
    Stop(RunToken, Option<String>),
    /// Whether a published chain is what it claims.
    Chain(Sha256Digest),
    /// Whom a name may mean.
    Name(String),
    /// With whom somebody was seen, by their id or name.
    SeenWith(String),
    /// The shortest chain of what is known between two people, by their ids or names.
    PathBetween(String, String),
}

impl Asked {
    /// Reads a call. Returns `None` where the tool is none of these. `own_chains` is the beginning of the addresses of
    /// this server's published chains.
    #[must_use]
    pub fn read(
        tool: &str,
        arguments: &Map<String, Value>,
        own_chains: &str,
    ) -> Option<Result<Self, Problem>> {
        let known: &[&str] = match tool {
            GET_RUN => &["run"],
            STOP_RUN => &["run", "secret"],
            CHECK_CHAIN => &["chain"],
            WHO_IS => &["name"],
            SEEN_WITH => &["person"],
            PATH_BETWEEN => &["a", "b"],
            _ => return None,
        };
        Some(Self::of(tool, known, arguments, own_chains))
    }

    fn of(
        tool: &str,
        known: &[&str],
        arguments: &Map<String, Value>,
        own_chains: &str,
    ) -> Result<Self, Problem> {
        check_known(arguments, known)?;
        let [first, ..] = known else {
            return Err(Problem::new(404, "There is no such tool."));
        };
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let Some(value) = text(first) else {
            return Err(Problem::field(first, MISSING));
        };
        let value_of = |name: &str| text(name).map(str::to_owned);
        match tool {
            WHO_IS => return Ok(Self::Name(value.to_owned())),
            SEEN_WITH => return Ok(Self::SeenWith(value.to_owned())),
            PATH_BETWEEN => {
                let other = value_of("b").ok_or_else(|| Problem::field("b", MISSING))?;
                return Ok(Self::PathBetween(value.to_owned(), other));
            }
            _ => {}
        }
        if tool == CHECK_CHAIN {
            let digest = value.trim();
            let digest = digest.strip_prefix(own_chains).unwrap_or(digest);
            let what = "must be a digest of 64 hexadecimal digits, or the address of a chain of this server";
            let digest = Sha256Digest::parse(digest).ok_or_else(|| Problem::field(first, what))?;
            return Ok(Self::Chain(digest));
        }
        let run = RunToken::parse(value).map_err(|_| Problem::field(first, "is no run's token"))?;
        Ok(if tool == STOP_RUN {
            Self::Stop(run, value_of("secret"))
        } else {
            Self::Run(run)
        })
    }
}

/// Checks that a call has no arguments beside those of the tool's description.
pub fn check_described(arguments: &Map<String, Value>, described: &Value) -> Result<(), Problem> {
    let properties = described.pointer("/inputSchema/properties");
    let properties = properties.and_then(Value::as_object);
    let known: Vec<&str> = properties
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
        .collect();
    check_known(arguments, &known)
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

/// Takes how long a call waits at most, in milliseconds, out of its arguments.
pub fn take_wait_ms(arguments: &mut Map<String, Value>) -> Result<Option<u64>, Problem> {
    let wait = arguments.remove(WAIT).filter(|wait| !wait.is_null());
    let Some(wait) = wait else {
        return Ok(None);
    };
    let wait_ms = wait.as_u64().filter(|wait_ms| *wait_ms <= WAIT_MS_MAX);
    let what = format!("must be a whole number from 0 to {WAIT_MS_MAX}");
    let wait_ms = wait_ms.ok_or_else(|| Problem::field(WAIT, what))?;
    Ok(Some(wait_ms))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

    fn read(tool: &str, arguments: Value) -> Option<Result<Asked, Option<String>>> {
        let arguments = serde_json::from_value(arguments).unwrap();
        let asked = Asked::read(tool, &arguments, "https://d.example/chains/");
        asked.map(|asked| asked.map_err(|problem| problem.named_field().map(str::to_owned)))
    }

    #[test]
    fn each_tool_has_its_arguments() {
        let run = || RunToken::parse(RUN).unwrap();
        let digest = "ab".repeat(32);
        for (tool, arguments, asked) in [
            ("get_run", json!({"run": RUN}), Asked::Run(run())),
            ("stop_run", json!({"run": RUN}), Asked::Stop(run(), None)),
            (
                "stop_run",
                json!({"run": RUN, "secret": "s"}),
                Asked::Stop(run(), Some("s".into())),
            ),
            (
                "check_chain",
                json!({"chain": digest}),
                Asked::Chain(Sha256Digest::new([0xab; 32])),
            ),
            (
                "check_chain",
                json!({"chain": format!(" https://d.example/chains/{digest}")}),
                Asked::Chain(Sha256Digest::new([0xab; 32])),
            ),
            ("who_is", json!({"name": "Ann"}), Asked::Name("Ann".into())),
            (
                "seen_with",
                json!({"person": "Ann"}),
                Asked::SeenWith("Ann".into()),
            ),
            (
                "path_between",
                json!({"a": "Ann", "b": "c2"}),
                Asked::PathBetween("Ann".into(), "c2".into()),
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
            ("path_between", json!({"a": "Ann"}), "b"),
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
        let described = json!({"inputSchema": {"properties": {"user": {}, "waitMs": {}}}});
        let check = |arguments: Value| {
            let arguments = serde_json::from_value(arguments).unwrap();
            let checked = check_described(&arguments, &described);
            checked.map_err(|problem| problem.named_field().map(str::to_owned))
        };
        assert_eq!(check(json!({"user": "x"})), Ok(()));
        let wrong = check(json!({"user": "x", "options": {}}));
        assert_eq!(wrong, Err(Some("options".into())));
    }

    #[test]
    fn a_call_waits_for_ten_minutes_at_most() {
        let take = |wait: Value| {
            let mut arguments = serde_json::from_value(json!({"waitMs": wait})).unwrap();
            let taken = take_wait_ms(&mut arguments);
            assert!(arguments.is_empty());
            taken.map_err(|problem| problem.status())
        };
        assert_eq!(take(Value::Null), Ok(None));
        assert_eq!(take(json!(600_000)), Ok(Some(600_000)));
        for wrong in [json!(600_001), json!(-1), json!(1.5), json!("1")] {
            assert_eq!(take(wrong), Err(400));
        }
    }
}
