//! Searches for one chain, one call at a time, with providers that never fail.

use domain::{Limits, Name};
use investigation::machine::{Input, Investigation, NoticeKind, Reason, Request, Spent};
use kernel::Millis;
use sandbox::{Rules, World};

use super::world_providers::WorldProviders;

/// The result of a search for a chain, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainResult {
    /// The number of hops of the chain, or why there is none.
    pub hops: Result<usize, Reason>,
    /// The costs in the run's last event.
    pub spent: Spent,
}

/// Searches for a chain between two people with these names until the run ends. Returns `None` if a name is invalid. It
/// also returns `None` if a provider fails, but these providers never do.
#[must_use]
pub fn find_chain(
    world: &World,
    rules: Rules,
    a: &str,
    b: &str,
    limits: &Limits,
) -> Option<ChainResult> {
    let request = Request {
        sources: Vec::new(),
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
                NoticeKind::Status(_)
                | NoticeKind::Evidence(_)
                | NoticeKind::PathUpdate(_)
                | NoticeKind::PageCapture(_) => {}
            }
        }
        input = match machine.next_command() {
            Some(command) => Input::Answer(providers.answer(&command)),
            // The machine issues one command at a time, so nothing else is in flight.
            None if machine.is_withdrawing() => Input::Withdrawn { lost: Vec::new() },
            None => return None,
        };
    }
}
