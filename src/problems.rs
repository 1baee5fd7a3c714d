//! Refusals that several modules use.

use domain::{THRESHOLD_PERCENT, THRESHOLD_PERCENT_MIN};
use engine::values::NumberForm;
use engine::{Absence, Problem};
use serde_json::Value;

const SECONDS_PER_MINUTE: u64 = 60;

/// Makes the 410 refusal for a run that has expired or was deleted.
#[must_use]
pub fn run_is_over(time_to_live_s: u64) -> Problem {
    // The number of minutes is rounded down. A run is kept longer than its time to live, by the longest time that it
    // may take.
    let kept = match time_to_live_s / SECONDS_PER_MINUTE {
        1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    };
    let detail = format!(
        "This run has expired or was deleted; runs are kept for {kept}. Start a new run for the pair."
    );
    Problem::absent(Absence::Expired, detail)
}

/// Makes the 404 refusal for a well-formed token to which no run belongs.
#[must_use]
pub fn no_such_run() -> Problem {
    let detail = "There is no such run; check the link, or start one at / or with POST /runs.";
    Problem::absent(Absence::UnknownRun, detail)
}

/// Makes the 404 refusal for a well-formed digest to which no published chain belongs.
#[must_use]
pub fn no_such_chain() -> Problem {
    let detail = "There is no such published chain, or its time is over; whoever has saved its file \
                  can still check it.";
    Problem::absent(Absence::UnknownChain, detail)
}

/// Makes the 404 refusal for an unknown address.
#[must_use]
pub fn no_such_address() -> Problem {
    let detail = "There is no such address; GET /openapi.json lists them all.";
    Problem::absent(Absence::UnknownAddress, detail)
}

/// Returns the given lowest confidence of a connection, in percent, or the default of runs if none is given.
pub fn threshold_percent(given: Option<&Value>, form: NumberForm) -> Result<u32, Problem> {
    let Some(given) = given else {
        return Ok(THRESHOLD_PERCENT);
    };
    let number = form
        .whole(given)
        .and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| (THRESHOLD_PERCENT_MIN..=100).contains(number));
    let what = format!("must be a whole number from {THRESHOLD_PERCENT_MIN} to 100");
    number.ok_or_else(|| Problem::field("threshold", what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(problem: &Problem, status: u16, reason: &str, words: &str) {
        assert_eq!(problem.status(), status);
        let told = serde_json::to_value(problem).unwrap();
        assert_eq!(told["reason"], reason);
        assert!(problem.detail().contains(words), "{}", problem.detail());
    }

    #[test]
    fn what_is_over_never_was_and_cannot_be_are_told_apart() {
        check(&run_is_over(1_800), 410, "expired", "kept for 30 minutes.");
        check(&run_is_over(119), 410, "expired", "kept for a minute.");
        check(
            &no_such_run(),
            404,
            "unknown_run",
            "no such run; check the link",
        );
        check(&no_such_chain(), 404, "unknown_chain", "its time is over");
        check(
            &no_such_address(),
            404,
            "unknown_address",
            "no such address",
        );
        let other = serde_json::to_value(Problem::new(404, "x")).unwrap();
        assert_eq!(other.get("reason"), None);
    }

    #[test]
    fn a_refusal_is_small_enough_to_be_handed_on() {
        // The threshold of Clippy's `result_large_err`.
        assert!(size_of::<Problem>() < 128);
    }

    #[test]
    fn a_link_is_as_sure_as_a_run_wants_it_unless_asked_otherwise() {
        let text = |text: &str| {
            let found = threshold_percent(Some(&text.into()), NumberForm::Text);
            found.map_err(|problem| problem.status())
        };
        assert_eq!(threshold_percent(None, NumberForm::Text).ok(), Some(80));
        for (given, expected) in [("50", Ok(50)), ("62", Ok(62)), ("100", Ok(100))] {
            assert_eq!(text(given), expected);
        }
        for wrong in ["49", "101", "-1", "62.5", "x", "80 %", "99999999999"] {
            assert_eq!(text(wrong), Err(400), "{wrong}");
        }
        let number = |number: Value| threshold_percent(Some(&number), NumberForm::Json).ok();
        assert_eq!(number(62.into()), Some(62));
        assert_eq!([number("62".into()), number(Value::Null)], [None, None]);
    }
}
