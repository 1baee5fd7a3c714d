//! Photos at the host where the run was created: these would be this server's own responses.

use domain::{Limits, Pace};

use crate::observed::ObservedRun;

use super::scenario::Scenario;

fn created_at(host: Option<&'static str>) -> ObservedRun {
    let scenario = Scenario {
        limits: Limits {
            pace: Pace::Frugal,
            searches_max: 2,
            recognitions_max: 3,
            ..Limits::default()
        },
        host,
        ..Scenario::new()
    };
    scenario.run()
}

#[test]
fn no_photo_is_fetched_from_where_the_run_was_created() {
    // The simulated photos are there.
    let run = created_at(Some("127.0.0.1:8788"));
    assert_eq!(run.calls_of("image"), 0);
    assert!(run.says("its address is this server"));
}

#[test]
fn another_port_is_another_server() {
    let (there, nowhere) = (created_at(Some("127.0.0.1:8787")), created_at(None));
    assert!(there.calls_of("image") > 0);
    assert_eq!(there.story(), nowhere.story());
}
