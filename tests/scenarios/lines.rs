//! A run's messages read like a story: short lines, none repeated in a row.

use domain::Plan;
use sandbox::{SandboxProvider, own_world};

use crate::observed::ObservedRun;

use super::scenario::Scenario;

/// The most characters of a line, without names, quoted requests and provider messages.
const LINE_CHARS_MAX: usize = 90;
const STORY: &str = "tests/scenarios/twenty_searches.txt";

fn lines(run: &ObservedRun) -> Vec<&str> {
    let events = run.events.iter();
    let status = events.filter(|event| event["type"] == "status");
    status
        .filter_map(|event| event["message"].as_str())
        .collect()
}

/// Returns a line without quotes, brackets and names.
fn own_words(line: &str, names: &[String]) -> String {
    let mut words = String::new();
    let mut depth = 0_u32;
    for c in line.chars() {
        match c {
            '“' | '(' => depth += 1,
            '”' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => words.push(c),
            _ => {}
        }
    }
    for name in names {
        words = words.replace(name.as_str(), "");
    }
    words
}

fn twenty_searches(plan: Plan) -> Scenario {
    let mut scenario = Scenario::new();
    scenario.names = Some(("Elizabeth Bennet", "Andrew Stuart"));
    scenario.limits.threshold_percent = 92;
    scenario.limits.plan = plan;
    // Each search finds more than twice as many photos as are examined.
    scenario.limits.recognitions_max = 200;
    scenario
}

fn scenarios() -> Vec<Scenario> {
    let mut all = vec![Scenario::new(), Scenario::new().with_planner()];
    for plan in Plan::ALL {
        let mut planned = Scenario::new().with_planner();
        planned.limits.plan = plan;
        all.extend([planned, twenty_searches(plan)]);
        for kind in ["forbidden", "avif"] {
            let mut failing = Scenario::new().fault(SandboxProvider::Image, kind);
            failing.limits.plan = plan;
            all.push(failing);
        }
    }
    let handed_over = Scenario::new().fault(SandboxProvider::Google, "garbage");
    all.push(handed_over.set("IMAGE_SEARCH", "google,brave"));
    all
}

#[test]
fn every_line_is_short_one_sentence_and_another_than_the_line_before() {
    let names: Vec<String> = own_world()
        .unwrap()
        .people
        .into_iter()
        .map(|one| one.name)
        .collect();
    let mut count = 0;
    for scenario in scenarios() {
        let run = scenario.run();
        let lines = lines(&run);
        for line in &lines {
            let words = own_words(line, &names);
            let length = words.chars().count();
            assert!(length <= LINE_CHARS_MAX, "{length} characters: {line}");
            assert!(
                !line.contains('\n') && !words.trim().contains(". "),
                "one sentence: {line}"
            );
            count += 1;
        }
        for pair in lines.windows(2) {
            assert_ne!(pair[0], pair[1], "twice in a row");
        }
    }
    assert!(count > 500, "{count} lines");
}

/// The stored story is for people to read. `UPDATE_TRANSCRIPTS=1` rewrites it.
#[test]
fn a_run_that_uses_up_its_twenty_searches_tells_this_story() {
    let run = twenty_searches(Plan::BothEnds).run();
    assert_eq!(run.ending(), "no_path search_budget");
    assert_eq!(run.last()["spent"]["searchCalls"], 20);
    let text = |event: &serde_json::Value, pointer: &str| {
        event.pointer(pointer).unwrap().as_str().unwrap().to_owned()
    };
    let lines = run.events.iter().map(|event| match &*text(event, "/type") {
        "status" => format!("{} {}\n", text(event, "/state"), text(event, "/message")),
        "evidence" => {
            let (one, other) = (text(event, "/edge/fromName"), text(event, "/edge/toName"));
            format!("   evidence: {one} with {other}\n")
        }
        "no_path" => format!("{}\n", text(event, "/explanation")),
        _ => String::new(),
    });
    let story: String = lines.collect();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(STORY);
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        std::fs::write(&path, &story).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (now, then)) in (1..).zip(story.lines().zip(expected.lines())) {
        assert_eq!(now, then, "{STORY}:{line}");
    }
    assert_eq!(story, expected, "{STORY}");
}
