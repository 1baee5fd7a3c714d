//! Tests that the benchmark is reproducible and its figures are plausible.

use std::process::{Command, Output};

use devtools::rehearsal::conduct_in_memory;
use domain::{Limits, Name, Plan, WordUse};
use investigation::machine::Request;
use sandbox::{Rules, SandboxOptions, World};
use serde_json::Value;

fn worlds(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_worlds"))
        .args(arguments.split_whitespace())
        .output()
        .expect("the benchmark runs")
}

/// Returns the JSON in the last line of the output. The engine's time is checked and removed, because it may vary.
fn figures(arguments: &str) -> Value {
    let output = worlds(&format!("{arguments} --json"));
    assert!(output.status.success(), "{arguments}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut figures: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let engine_ms = figures["engine_ms_mean"].take();
    assert!(engine_ms.as_f64().unwrap() > 0.0);
    figures
}

fn number(figures: &Value, name: &str) -> f64 {
    let number = figures[name].as_f64();
    number.unwrap_or_else(|| panic!("{name} of {figures}"))
}

#[test]
fn the_same_arguments_give_the_same_figures() {
    let arguments = "--pairs 40 --seed 3 --searches 8 --planner perfect --weak 0.1";
    assert_eq!(figures(arguments), figures(arguments));
    let other = "--pairs 40 --seed 4 --searches 8 --planner perfect --weak 0.1";
    assert_ne!(figures(arguments), figures(other));
}

#[test]
fn every_figure_is_there_and_plausible() {
    let figures = figures("--pairs 50 --searches 20 --photos 5 --miss 0.15 --min-photos 8");
    let says = |name: &str, expect: Value| assert_eq!(figures[name], expect, "{name}");
    says("world", "own".into());
    says("plan", "both-ends".into());
    says("planner", "none".into());
    says("pace", "quick".into());
    says("pairs", 50.into());
    says("seed", 1.into());
    says("searches", 20.into());
    says("photos", 5.into());
    says("miss", 0.15.into());
    says("min_photos", 8.into());
    says("false_edges", 0.into());
    says("planner_calls_mean", 0.0.into());
    assert!(number(&figures, "solved_percent") >= 95.0);
    assert_eq!(figures["solved"], figures["endings"]["final"]);
    assert!((2.0..=6.0).contains(&number(&figures, "hops_mean")));
    assert!(number(&figures, "hops_above_shortest_mean") >= 0.0);
    let searches = number(&figures, "searches_mean");
    let recognitions = number(&figures, "recognitions_mean");
    assert!(searches >= 1.0 && number(&figures, "searches_per_solved_mean") <= searches);
    assert!(recognitions <= 5.0 * searches);
    assert!(number(&figures, "recognitions_per_solved_mean") <= 100.0);
    let virtual_ms = number(&figures, "virtual_ms_mean");
    let critical_ms = number(&figures, "critical_path_ms_mean");
    let one_by_one_ms = number(&figures, "one_by_one_ms_mean");
    assert!(critical_ms <= virtual_ms && virtual_ms <= 1.2 * critical_ms);
    // At most five calls are in flight, and on average at least four.
    assert!((4.0..=5.0).contains(&(one_by_one_ms / virtual_ms)));
    let not_needed = number(&figures, "not_needed_mean");
    assert!(not_needed < 0.1 * (searches + recognitions), "{not_needed}");
}

#[test]
fn the_frugal_pace_makes_one_call_at_a_time_and_none_in_vain() {
    let figures = figures("--pairs 50 --pace frugal");
    let searches = number(&figures, "searches_mean");
    let recognitions = number(&figures, "recognitions_mean");
    let virtual_ms = number(&figures, "virtual_ms_mean");
    let expect_ms = 300.0 * searches + 900.0 * recognitions;
    assert!((virtual_ms - expect_ms).abs() <= 10.0, "{virtual_ms}");
    assert_eq!(figures["not_needed_mean"], 0.0);
}

#[test]
fn who_knows_the_way_finds_no_fewer_chains() {
    for searches in [6, 12] {
        let arguments = format!("--pairs 100 --searches {searches}");
        let none = figures(&arguments);
        let perfect = figures(&format!("{arguments} --planner perfect"));
        let [of_none, of_perfect] = [&none, &perfect].map(|one| number(one, "solved_percent"));
        assert!(
            of_perfect >= of_none - 3.0,
            "{of_perfect} % and {of_none} %"
        );
        assert!(number(&perfect, "planner_calls_mean") > 0.0);
        for one in [none, perfect] {
            assert_eq!(one["false_edges"], 0);
        }
    }
}

#[test]
fn one_sided_is_measured_too() {
    let figures = figures("--pairs 30 --plan one-sided --planner first");
    assert_eq!(figures["plan"], "one-sided");
    assert_eq!(figures["false_edges"], 0);
    assert!(number(&figures, "solved_percent") < 60.0);
}

#[test]
fn a_world_with_fewer_pairs_says_so_and_uses_them() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let path = format!("{folder}/four.json");
    let photos = r#"[["Ann","Bea"],["Ann","Bea"],["Bea","Cid"],["Bea","Cid"],["Cid","Dan"],
        ["Cid","Dan"],["Dan","Eve"],["Eva 1","Ann"],["Eva 1","Ann"]]"#;
    let people = r#"{"Eva 1":{"name":"Eva"},"Eva 2":{"name":"Eva"}}"#;
    let world =
        format!(r#"{{"name":"n","source":"s","license":"l","people":{people},"photos":{photos}}}"#);
    std::fs::write(&path, world).unwrap();
    let output = worlds(&format!("--world {path} --min-photos 2 --miss 0 --json"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("200 were wanted; this world has no more"),
        "{text}"
    );
    let figures: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // The pairs are Ann and Cid, Ann and Dan, Bea and Dan, because Eve is in one photo only and two people have the
    // name Eva.
    assert_eq!(
        (&figures["pairs"], &figures["solved"]),
        (&3.into(), &3.into())
    );
    assert_eq!(figures["world"], "four");
    assert_eq!(figures["hops_above_shortest_mean"], Value::from(0.0));
}

#[test]
fn a_world_without_a_pair_has_no_means() {
    let output = worlds("--min-photos 100000 --json");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let figures: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&figures["pairs"], &figures["hops_mean"]),
        (&0.into(), &Value::Null)
    );
}

#[test]
fn mistakes_get_one_sentence_and_exit_code_2() {
    let check = |arguments: &str, expect: &str| {
        let output = worlds(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(said.contains(expect), "{said}");
        assert!(output.stdout.is_empty());
    };
    check("--pairs many", "--pairs needs a number from 1 to 100000");
    check("--plan sideways", "--plan is both-ends or one-sided");
    check("--what", "--help lists all");
    check("--world no/such/file.json", "cannot read no/such/file.json");
    check("--world Cargo.toml", "the world file is not JSON");
}

#[test]
fn no_chain_leads_through_a_trap() {
    let figures = figures("--pairs 60 --traps 0.05");
    assert!(number(&figures, "vetoed_mean") > 0.0, "{figures}");
    assert!(number(&figures, "rejected_mean") > 0.0, "{figures}");
    for kind in ["collages", "generated", "twice"] {
        assert!(number(&figures, kind) > 0.0, "{kind} of {figures}");
        assert_eq!(figures[format!("{kind}_missed")], 0, "{kind} of {figures}");
    }
    assert_eq!(figures["wax_missed"], 0);
    assert_eq!(figures["false_edges"], 0);
    assert_eq!(figures["false_edges_of_traps"], 0);
    assert_eq!(figures["traps"], 0.05);
    let rejected = number(&figures, "honest_vetoed") / number(&figures, "honest");
    assert!(rejected <= 0.02, "{figures}");
    assert!(number(&figures, "solved_percent") >= 95.0, "{figures}");
}

/// Runs over the wire, with the bytes that the recogniser gets. All photos of this world are traps.
#[test]
fn a_drawn_trap_is_rejected_by_its_bytes_and_words() {
    let photos = r#"["Ann"],["Bob"],"#.repeat(12);
    let photos = photos.trim_end_matches(',');
    let file = format!(r#"{{"name":"Two","source":"none","license":"none","photos":[{photos}]}}"#);
    for plan in [Plan::BothEnds, Plan::OneSided] {
        let rules = Rules {
            miss: 0.0,
            traps: 1.0,
            ..Rules::default()
        };
        let options = SandboxOptions {
            rules,
            bad_images: false,
            ..SandboxOptions::default()
        };
        let request = Request {
            sources: Vec::new(),
            person_a: Name::parse("Ann").unwrap().into(),
            person_b: Name::parse("Bob").unwrap().into(),
            avoid: Vec::new(),
            limits: Limits {
                plan,
                words: WordUse::Doubts,
                ..Limits::default()
            },
        };
        let world = World::parse(&file).unwrap();
        let settings = [("PLANNER", "none")];
        let run = conduct_in_memory(world, options, &settings, &request, Vec::new()).unwrap();
        let events: Vec<Value> = (run.events.iter())
            .map(|event| serde_json::from_str(&event.json).unwrap())
            .collect();
        let last = events.last().unwrap();
        assert_eq!(last["type"], "no_path", "{last}");
        let spent = |what: &str| last["spent"]["photos"][what].as_u64().unwrap();
        let vetoed = usize::try_from(spent("vetoed")).unwrap();
        assert!(vetoed > 1 && spent("rejected") > 1, "{last}");
        assert!(events.iter().all(|event| event["type"] != "evidence"));
        let told = |event: &&Value| {
            let message = event["message"].as_str().unwrap_or_default();
            message.contains("Ann") && message.contains("looks put together")
        };
        assert!(events.iter().filter(told).count() >= vetoed);
        let kept = run
            .journal
            .iter()
            .filter(|entry| entry.contains(r#""veto":""#));
        assert_eq!(kept.count(), vetoed, "each veto is in the journal, once");
    }
}

#[test]
fn lookalikes_are_counted_and_are_no_failure_of_the_search() {
    let figures = figures("--pairs 60 --lookalikes 0.2");
    let mistaken = &figures["false_edges_of_lookalikes"];
    assert!(mistaken.as_u64().unwrap() > 0, "{figures}");
    assert_eq!(&figures["false_edges"], mistaken);
    assert_eq!(figures["vetoed_mean"], 0.0);
}

#[test]
fn help_names_every_argument() {
    let output = worlds("--help");
    assert!(output.status.success());
    let help = String::from_utf8(output.stdout).unwrap();
    for name in [
        "--world",
        "--all",
        "--pairs",
        "--seed",
        "--searches",
        "--photos",
        "--plan",
        "--planner",
        "--miss",
        "--weak",
        "--traps",
        "--lookalikes",
        "--pace",
        "--polish",
        "--min-photos",
        "--json",
    ] {
        assert!(help.contains(name), "{name}");
    }
}
