//! The rule of which pages may read an answer.

use settings::Settings;

use super::access::allows;

/// What a request asks for, by who may read the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// More than to read: a run's secret may be in the answer.
    More,
    /// What this server has.
    OfServer,
    /// What a run or a chain has, whose name nobody guesses, or what every server has.
    OfEverybody,
}

/// Returns the value of `Access-Control-Allow-Origin`, or `None` where this origin may not read the
/// answer. Every page may read the answer to a request that only reads: to follow a run needs no
/// permission, whatever the operator says of starting one. Any other answer is for the origins that
/// may start runs; and so is what this server has where this machine alone reaches it, since any page that is
/// open here could ask for it.
#[must_use]
pub fn allowed_reader(
    settings: &Settings,
    origin: Option<&str>,
    reading: Reading,
) -> Option<String> {
    let is_open = match reading {
        Reading::More => false,
        Reading::OfServer => !settings.own_names.is_loopback_only(),
        Reading::OfEverybody => true,
    };
    if is_open || settings.allowed_origins.iter().any(|o| o == "*") {
        return Some("*".to_owned());
    }
    origin
        .filter(|origin| allows(settings, origin))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::access::tests::settings;

    #[test]
    fn reading_is_every_pages_and_the_rest_is_of_origins_that_are_named() {
        let other = Some("https://x.example");
        let reader = |loopback: &str, allowed: &str, origin, reading| {
            let settings = settings(&[("ALLOWED_ORIGINS", allowed), ("LOOPBACK_ONLY", loopback)]);
            allowed_reader(&settings, origin, reading)
        };
        for allowed in ["", "https://a.example", "*"] {
            for origin in [None, other, Some("null")] {
                for (loopback, reading) in [
                    ("0", Reading::OfServer),
                    ("0", Reading::OfEverybody),
                    ("1", Reading::OfEverybody),
                ] {
                    let found = reader(loopback, allowed, origin, reading);
                    assert_eq!(found.as_deref(), Some("*"), "{allowed} {reading:?}");
                }
            }
        }
        let named = "https://a.example, https://b.example";
        for (loopback, reading) in [
            ("0", Reading::More),
            ("1", Reading::More),
            ("1", Reading::OfServer),
        ] {
            let reader = |allowed, origin| reader(loopback, allowed, origin, reading);
            assert_eq!(reader("", other), None, "{reading:?}");
            assert_eq!(reader("", Some("null")), None);
            assert_eq!(reader(named, other), None);
            assert_eq!(reader(named, None), None);
            let own = reader(named, Some("https://b.example"));
            assert_eq!(own.as_deref(), Some("https://b.example"));
            assert_eq!(reader("*", other).as_deref(), Some("*"));
        }
    }
}
