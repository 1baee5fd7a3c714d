//! Tests of the program's arguments.

use super::*;
use crate::Rules;

fn read_line(line: &str) -> Result<SandboxTask, String> {
    parse(line.split_whitespace().map(str::to_owned))
}

fn served(line: &str) -> ServeSettings {
    match read_line(line) {
        Ok(SandboxTask::Serve(settings)) => *settings,
        other => panic!("{line}: {other:?}"),
    }
}

fn check_error(line: &str, expect: &str) {
    assert_eq!(read_line(line).unwrap_err(), expect, "{line}");
}

#[test]
fn nothing_given_means_the_defaults() {
    let settings = served("");
    assert_eq!((settings.port, settings.world), (8788, None));
    assert_eq!(settings.options, SandboxOptions::default());
}

#[test]
fn every_argument_is_read() {
    let settings = served(
        "--port 0 --host-origin http://box:1/ --world w --fault f --tps 5 --magnify 10 --ugly off --engine literal --captions 0.6 --lies 0.1 --copies 0.3 --noise 0.2 --webp 0.15 --injected 0.25 \
         --model-habit endless --region eu-west-1 --session-token=abc= --miss=0.2 --weak 0.03 --traps 0.05 --lookalikes=0.01 --latency google=300,image=400,rekognition=500,gemini=900,serpapi=70,wikidata=80",
    );
    assert_eq!(settings.origin.as_deref(), Some("http://box:1"));
    assert_eq!(
        settings.options.rules,
        Rules {
            miss: 0.2,
            weak: 0.03,
            traps: 0.05,
            lookalikes: 0.01,
        }
    );
    assert_eq!(
        settings.options.latency.of(SandboxProvider::Rekognition),
        500
    );
    assert_eq!(settings.options.latency.of(SandboxProvider::SerpApi), 70);
    assert_eq!(settings.options.latency.of(SandboxProvider::Wikidata), 80);
    assert_eq!(settings.options.recognitions_per_second_max, Some(5));
    assert_eq!(settings.options.model_habit, Some(ModelHabit::Endless));
    assert_eq!(settings.options.engine, SearchEngine::Literal);
    assert!((settings.options.captions - 0.6).abs() < 1e-9);
    assert!((settings.options.lies - 0.1).abs() < 1e-9);
    assert!((settings.options.lists.copies - 0.3).abs() < 1e-9);
    assert!((settings.options.lists.noise - 0.2).abs() < 1e-9);
    assert!((settings.options.webp - 0.15).abs() < 1e-9);
    assert!((settings.options.injected - 0.25).abs() < 1e-9);
    assert!(!settings.options.bad_images);
    assert_eq!(settings.options.magnification, 10);
    let keys = &settings.options.credentials;
    assert_eq!(keys.aws_region, "eu-west-1");
    assert_eq!(keys.aws_session_token.as_deref(), Some("abc="));
    assert_eq!(read_line("--check w"), Ok(SandboxTask::Check("w".into())));
    assert_eq!(read_line("--port 1 --help"), Ok(SandboxTask::Help));
}

#[test]
fn mistakes_get_a_sentence() {
    check_error(
        "--prot 1",
        "there is no argument \"--prot\"; --help lists all",
    );
    check_error("--port", "--port needs a value; --help shows which");
    check_error(
        "--port x",
        "--port needs a number from 0 to 65535, not \"x\"",
    );
    check_error("--miss 2", "--miss needs a share from 0 to 1, not \"2\"");
    check_error(
        "--engine fuzzy",
        "--engine is kind or literal, not \"fuzzy\"",
    );
    check_error(
        "--captions most",
        "--captions needs a share from 0 to 1, not \"most\"",
    );
    check_error("--ugly maybe", "--ugly is on or off, not \"maybe\"");
    check_error(
        "--latency bing=3",
        "--latency knows google, image, rekognition, gemini, workers-ai, openai, commons, brave, openverse, serpapi, serper, wikidata, references, not \"bing\"",
    );
    check_error(
        "--latency google",
        "--latency needs entries like google=300, not \"google\"",
    );
    let habit = read_line("--model-habit lazy").unwrap_err();
    assert!(habit.starts_with("--model-habit is one of unknown-number, prose, "));
    assert!(habit.ends_with("tool-call, not \"lazy\""));
    check_error("--tps 0", "--tps needs a number from 1, not \"0\"");
    check_error("--magnify 11", "--magnify needs 1 to 10, not \"11\"");
    check_error(
        "--region Ireland",
        "--region needs one like eu-west-1, not \"Ireland\"",
    );
    check_error(
        "--session-token=",
        "--session-token needs a token, not nothing",
    );
}
