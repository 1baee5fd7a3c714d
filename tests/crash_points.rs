//! A crash at the points of a run, one after the other.

use std::cell::Cell;
use std::rc::Rc;

use visual_degrees::rehearsal::{ProcessEnd, Simulation};

/// Conducts a run, and at every so many of its crash points gives `crash` the run as its process would leave it, with
/// the point's number, counted from 0. Returns the number of points that were given.
pub fn crash_at_every(
    step: usize,
    run: &Simulation,
    crash: impl Fn(usize, &Simulation) + 'static,
) -> usize {
    let points = Rc::new(Cell::new(0_usize));
    let passed = points.clone();
    let end = run.conduct_through_crash_points(move |left| {
        let number = passed.replace(passed.get() + 1);
        if number.is_multiple_of(step) {
            crash(number, &left);
        }
    });
    assert_eq!(end, Ok(ProcessEnd::Done));
    points.get().div_ceil(step)
}
