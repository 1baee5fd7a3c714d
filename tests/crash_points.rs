//! Crashes a run at its points, one after the other.

use std::cell::Cell;
use std::rc::Rc;

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, ProcessEnd, Simulation};

/// Conducts a run, and at every `step`th of its crash points passes to `crash` the run as its process would leave it,
/// with the point's number, counted from 1. Returns the number of points passed.
pub fn crash_at_every(
    step: usize,
    run: &Simulation,
    crash: impl Fn(usize, &Simulation) + 'static,
) -> usize {
    let points = Rc::new(Cell::new(0_usize));
    let passed = points.clone();
    let end = run.conduct_through_crash_points(move |left| {
        passed.set(passed.get() + 1);
        let number = passed.get();
        if number.is_multiple_of(step) {
            crash(number, &left);
        }
    });
    assert_eq!(end, Ok(ProcessEnd::Done));
    points.get() / step
}

/// Crashes a process in place at every fifth operation, with and without its effect, so that the isolate's state
/// survives. `run` makes the run with such a fault; `crash` gets it as the process has left it, with the operation's
/// number.
pub fn crash_in_place(
    operations: usize,
    run: impl Fn(InjectedFault) -> Simulation,
    crash: impl Fn(usize, &Simulation),
) {
    for number in (1..=operations).step_by(5) {
        for when in FaultTiming::ALL {
            let left = run(InjectedFault {
                at: None,
                number: u32::try_from(number).unwrap(),
                when,
                kind: FaultKind::Crash,
            });
            assert_eq!(left.run_process(), Ok(ProcessEnd::Died));
            crash(number, &left);
        }
    }
}
