//! The machine asked for one chain, one call at a time, by providers that never fail.

use crate::domain::{Limits, Name};
use crate::engines::investigation::machine::{
    Input, Investigation, NoticeKind, Reason, Request, Spent,
};
use crate::kernel::Millis;
use crate::sandbox::{Rules, World};

use super::world_providers::WorldProviders;

/// Whether there was a chain, and what the search for it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainResult {
    /// Hops of the chain, or why there is none.
    pub hops: Result<usize, Reason>,
    /// As the run's last event says.
    pub spent: Spent,
}

/// Searches for a chain between two names, to the run's end. None where a name is no name or a
/// provider seemed to fail.
#[must_use]
pub fn find_chain(
    world: &World,
    rules: Rules,
    a: &str,
    b: &str,
    limits: &Limits,
) -> Option<ChainResult> {
    let request = Request {
        person_a: Name::parse(a).ok()?.into(),
        person_b: Name::parse(b).ok()?.into(),
        avoid: Vec::new(),
        limits: limits.clone(),
    };
    let mut machine = Investigation::new(request);
    let mut providers = WorldProviders::new(world, rules);
    let mut input = Input::Start;
    loop {
        machine.handle(input, Millis::default());
        while let Some(notice) = machine.next_notice() {
            match notice.kind {
                NoticeKind::Final(report) => {
                    return Some(ChainResult {
                        hops: Ok(report.edges.len()),
                        spent: report.spent,
                    });
                }
                NoticeKind::NoPath(report) => {
                    return Some(ChainResult {
                        hops: Err(report.reason),
                        spent: report.spent,
                    });
                }
                NoticeKind::Error(_) => return None,
                NoticeKind::Status(_) | NoticeKind::Evidence(_) | NoticeKind::PathUpdate(_) => {}
            }
        }
        input = match machine.next_command() {
            Some(command) => Input::Answer(providers.answer(&command)),
            // One command is taken at a time: nothing else has begun.
            None if machine.is_withdrawing() => Input::Withdrawn { lost: Vec::new() },
            None => return None,
        };
    }
}
