//! Replays sealed files of 0.3.0.

use visual_degrees::sealed::{Difference, Origin, ReplayLimits, Verdict, replay};

use crate::sealed::runs::key;

use super::stored::runs_of_0_3_0;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Each file, and its first differing event, if any.
const VERDICTS: [(&str, Option<usize>); 8] = [
    ("one-sided-final", None),
    ("one-sided-no_path-search_budget", None),
    ("one-sided-no_path-no_candidates", None),
    ("one-sided-no_path-unknown_person", None),
    ("both-ends-final", Some(17)),
    ("both-ends-no_path-search_budget", None),
    ("both-ends-no_path-no_candidates", Some(14)),
    ("both-ends-no_path-unknown_person", Some(15)),
];

fn says(different: Option<usize>) -> String {
    match different {
        None => {
            "Executed again without a provider call, this run tells the same, event by event; its \
                 digest fits. This server made the file."
                .to_owned()
        }
        Some(number) => format!(
            "Executed again, event {number} is told differently. This server made the file. It was made by \
             version 0.3.0, and executed by {VERSION}."
        ),
    }
}

#[test]
fn a_run_that_0_3_0_sealed_is_replayed_and_what_it_told_otherwise_is_said_in_plain_words() {
    let runs = runs_of_0_3_0();
    let names = runs.iter().map(|run| run.name.as_str());
    assert!(names.eq(VERDICTS.map(|(name, _)| name)));
    for (run, (name, different)) in runs.iter().zip(VERDICTS) {
        let report = replay(&run.sealed, Some(&key()), ReplayLimits::SERVER).unwrap();
        let what = format!("{name}: {}", report.says);
        assert_eq!(report.engine.sealed, "0.3.0", "{what}");
        assert_eq!(report.engine.replayed, VERSION, "{what}");
        assert!(report.digest.matches, "{what}");
        assert_eq!(report.origin, Origin::ThisServer, "{what}");
        let found = match &report.difference {
            None => None,
            Some(Difference::Event { number, .. }) => Some(*number),
            Some(other) => panic!("{name}: {other:?}"),
        };
        assert_eq!(found, different, "{what}");
        assert_eq!(report.says, says(different), "{name}");
        let verdict = if different.is_none() {
            Verdict::Identical
        } else {
            Verdict::Different
        };
        assert_eq!(report.result, verdict, "{what}");
    }
}
