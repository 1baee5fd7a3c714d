//! The refusals of what is not there: a run that is over is something else than one that never was,
//! and both are something else than an address that nothing ever has.

use engine::{Absence, Problem};

const SECONDS_PER_MINUTE: u64 = 60;

/// Returns the refusal 410 for a run that was here.
#[must_use]
pub fn run_is_over(time_to_live_s: u64) -> Problem {
    // The time that is told leaves out seconds, and the longest time of the run itself, for which
    // it is kept too.
    let kept = match time_to_live_s / SECONDS_PER_MINUTE {
        1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    };
    let detail = format!(
        "This run has expired or was deleted; runs are kept for {kept}. Start the pair anew."
    );
    Problem::absent(Absence::Expired, detail)
}

/// Returns the refusal 404 for a token that could be a run's and belongs to none.
#[must_use]
pub fn no_such_run() -> Problem {
    let detail = "There is no such run; check the link, or start one at / or with POST /runs.";
    Problem::absent(Absence::UnknownRun, detail)
}

/// Returns the refusal 404 for a digest that could be a published chain's and belongs to none.
#[must_use]
pub fn no_such_chain() -> Problem {
    let detail = "There is no such published chain, or its time is over; whoever has saved its file \
                  can still check it.";
    Problem::absent(Absence::UnknownChain, detail)
}

/// Returns the refusal 404 for an address where nothing is, and never will be.
#[must_use]
pub fn no_such_address() -> Problem {
    let detail = "There is no such address; GET /openapi.json lists them all.";
    Problem::absent(Absence::UnknownAddress, detail)
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
        // Clippy's `result_large_err` begins at this size.
        assert!(size_of::<Problem>() < 128);
    }
}
