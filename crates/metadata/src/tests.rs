//! Files made by hand, and a few that other programs have made.

mod bounds;
mod builders;
mod captured;
mod content_credentials;
mod dates;
mod generated;
mod names;
mod orientation;
mod real_files;

use domain::{Making, Statement};

/// Checks that a file says that it was generated.
#[track_caller]
fn is_generated(file: &[u8], statement: Statement, by: Option<&str>) {
    let expected = Making::Generated {
        by: by.map(str::to_owned),
        statement,
    };
    assert_eq!(crate::read(file).making, Some(expected));
}

/// Checks that a file says that it was captured.
#[track_caller]
fn is_captured(file: &[u8], by: Option<&str>, is_signed: bool) {
    let expected = Making::Captured {
        by: by.map(str::to_owned),
        is_signed,
    };
    assert_eq!(crate::read(file).making, Some(expected));
}

/// Checks that a file does not say how it was made.
#[track_caller]
fn says_nothing(file: &[u8]) {
    assert_eq!(crate::read(file).making, None);
}
