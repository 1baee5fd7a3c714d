//! The properties of a run's queries to the photo memory.

use domain::{
    CONNECTED_PEOPLE_MAX, Limits, MemoryUse, PeopleToRecall, RECALL_PEOPLE_MAX, RECALL_TOWARD_MAX,
    RECALLED_FETCHES_MAX, SidesToConnect,
};
use investigation::machine::Action;

use super::violation::{Violation, require};

/// Checks that a query to the memory is allowed and bounded.
pub(super) fn memory_question(action: &Action, limits: &Limits) -> Result<(), Violation> {
    match action {
        Action::Recall(PeopleToRecall { people, toward }) => {
            let is_wanted = limits.memory == MemoryUse::On;
            require(is_wanted, "a memory that nobody wanted")?;
            let is_bounded = (1..=RECALL_PEOPLE_MAX).contains(&people.len())
                && toward.len() <= RECALL_TOWARD_MAX;
            require(is_bounded, "nobody or too many to recall")
        }
        Action::Connect(asked) => {
            let is_wanted = limits.memory == MemoryUse::Shown;
            require(is_wanted, "a chain that nobody wanted")?;
            let SidesToConnect {
                sides, photos_max, ..
            } = asked.as_ref();
            let mut people = sides.iter().map(Vec::len);
            let is_bounded = people.all(|people| (1..=CONNECTED_PEOPLE_MAX).contains(&people))
                && *photos_max <= RECALLED_FETCHES_MAX;
            require(is_bounded, "nobody or too many to connect")
        }
        _ => Ok(()),
    }
}
