//! Small pages on which automata once misbehaved or reported something wrong, in a real Chromium. Without one, the test
//! says so and passes.

use std::cell::RefCell;

use devtools::live_runs::{measure, parse_live};
use devtools::local_browsers::find_chromium;

#[test]
fn a_typed_secret_is_in_nothing_that_is_told_whatever_a_page_does_with_it() {
    check("--copies");
}

#[test]
fn each_page_comes_to_what_its_comment_says() {
    check("--pages");
}

/// Measures, and fails with the whole output if something is wrong.
#[track_caller]
fn check(argument: &str) {
    if find_chromium().is_none() {
        println!("No Chromium was found: this test did nothing. Set CHROMIUM to one.");
        return;
    }
    let task = parse_live([argument.to_owned()]).unwrap().unwrap();
    let lines = RefCell::new(Vec::new());
    let say = |line: &str| lines.borrow_mut().push(line.to_owned());
    let is_right = measure(&task, &say).unwrap();
    let lines = lines.borrow();
    let wrong = lines.iter().filter(|line| !line.ends_with("right"));
    let wrong: Vec<&str> = wrong.map(String::as_str).collect();
    assert!(is_right, "\n{}", wrong.join("\n"));
}
