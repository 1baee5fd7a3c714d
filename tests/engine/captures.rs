//! Pictures of the pages with a chain's photos: taken after the chain is found, without affecting it.

use domain::{CallPrices, FailureKind, Plan};
use investigation::machine::{Action, Input, Investigation, NoticeKind};
use kernel::{LostCall, Millis};

use super::scene::{Scene, ScriptedFailure, check};

const FIRST: &str = "https://photos.example/first";
const OTHER: &str = "HTTP://other.example/page?of=photos";

/// Ann > Xia > Yan > Bob, with photos on two pages.
fn chain(plan: Plan) -> Scene {
    Scene::new(plan)
        .limit(|limits| limits.captures_pages = true)
        .finds("Ann with celebrities", "p1")
        .shows("p1", "Ann:95 Xia:91")
        .finds("Bob with celebrities", "p2 p3")
        .shows("p2", "Bob:95 Yan:90")
        .shows("p3", "Xia:89 Yan:93")
        .at_page("p1", FIRST)
        .at_page("p2", OTHER)
        .at_page("p3", FIRST)
}

#[test]
fn each_page_of_the_chain_is_opened_once_before_the_last_event() {
    let scene = chain(Plan::BothEnds);
    check(&scene, "captures/each_page_of_the_chain_is_opened_once");
}

#[test]
fn the_plan_that_keeps_to_the_specification_opens_pages_too() {
    let scene = Scene::new(Plan::OneSided)
        .limit(|limits| limits.captures_pages = true)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99 Bob:90")
        .at_page("p1", FIRST);
    check(&scene, "captures/one_sided");
}

#[test]
fn a_page_that_cannot_be_opened_costs_nothing_but_its_line() {
    let closed = chain(Plan::BothEnds).fails_at(FIRST, ScriptedFailure::Unopenable);
    check(&closed, "captures/a_page_that_cannot_be_opened");
    let without = chain(Plan::BothEnds)
        .at_page("p1", "ftp://photos.example/1")
        .at_page("p3", "/pages/3");
    check(&without, "captures/a_photo_without_a_page_of_the_web");
}

#[test]
fn without_a_chain_no_page_is_opened() {
    let scene = Scene::new(Plan::BothEnds)
        .limit(|limits| {
            limits.captures_pages = true;
            limits.searches_max = 1;
        })
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99")
        .at_page("p1", FIRST);
    check(&scene, "captures/without_a_chain");
}

#[test]
fn whatever_ends_a_run_while_pages_are_opened_the_chain_is_told() {
    let commands = commands_before(&chain(Plan::BothEnds));
    let mut stopped = chain(Plan::BothEnds);
    stopped.stop_at = Some(commands + 1);
    check(&stopped, "captures/the_users_stop_leaves_pages_out");
    let mut polishing = chain(Plan::BothEnds).limit(|limits| limits.polish_searches_max = 4);
    polishing.stop_at = Some(11);
    check(&polishing, "captures/a_stop_while_polishing_opens_no_page");
    let failed = chain(Plan::BothEnds)
        .limit(|limits| limits.polish_searches_max = 4)
        .fails_at("Ann Yan", ScriptedFailure::Search(FailureKind::Quota));
    check(&failed, "captures/a_providers_failure_while_polishing");
}

#[test]
fn pages_stay_within_the_runs_time_and_dollars() {
    let mut late = chain(Plan::BothEnds);
    late.pause_ms = 1_000;
    late.request.limits.runtime_ms_max = u64::from(commands_before(&late)) * 1_000 - 1_500;
    check(&late, "captures/the_runs_time_leaves_pages_out");
    let mut short = chain(Plan::BothEnds);
    short.request.limits.runtime_ms_max = 5_000;
    check(&short, "captures/a_page_has_no_more_time_than_the_run");
    let dear = chain(Plan::BothEnds).limit(|limits| {
        limits.nano_usd_max = Some(100);
        limits.prices = CallPrices {
            page_nano_usd_max: 90,
            ..CallPrices::default()
        };
    });
    check(&dear, "captures/one_page_can_be_paid");
    let dearer = chain(Plan::BothEnds).limit(|limits| {
        limits.nano_usd_max = Some(100);
        limits.prices = CallPrices {
            page_nano_usd_max: 101,
            ..CallPrices::default()
        };
    });
    check(&dearer, "captures/no_page_can_be_paid");
}

/// Returns the number of commands before the first page is opened.
fn commands_before(scene: &Scene) -> u32 {
    let lines = scene.transcript();
    let before = lines.split("-> capture").next().unwrap_or_default();
    let commands = before.lines().filter(|line| line.starts_with("-> "));
    let commands = commands.filter(|line| !line.starts_with("-> withdraw"));
    u32::try_from(commands.count()).unwrap()
}

#[test]
fn a_page_that_was_lost_is_opened_again_as_often_as_a_run_may() {
    let scene = Scene::new(Plan::OneSided)
        .limit(|limits| limits.captures_pages = true)
        .finds("Ann Bob", "p1")
        .shows("p1", "Ann:99 Bob:90")
        .at_page("p1", FIRST);
    let mut machine = Investigation::new(scene.request.clone());
    let mut input = Input::Start;
    let mut told = Vec::new();
    let mut openings = 0;
    while !machine.is_ended() {
        machine.handle(input, Millis(1_000));
        told.extend(std::iter::from_fn(|| machine.next_notice()));
        let Some(command) = machine.next_command() else {
            input = Input::Withdrawn { lost: Vec::new() };
            continue;
        };
        input = if let Action::Capture { .. } = command.action {
            openings += 1;
            assert!(!machine.is_withdrawing());
            Input::Resumed {
                lost: vec![LostCall {
                    attempts: 1,
                    ..LostCall::unsent(command.id)
                }],
            }
        } else {
            Input::Answer(scene.answer_alone(&command))
        };
    }
    assert_eq!(openings, 12);
    let why = told.iter().find_map(|notice| match &notice.kind {
        NoticeKind::PageCapture(report) => report.result.as_ref().err().cloned(),
        _ => None,
    });
    assert_eq!(why.unwrap(), "Pages were opened as often as a run may.");
    let last = told.last().map(|notice| &notice.kind);
    assert!(matches!(last, Some(NoticeKind::Final(_))), "{last:?}");
}
