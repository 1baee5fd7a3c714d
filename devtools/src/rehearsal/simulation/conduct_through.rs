//! A run that is conducted while each of its crash points is tried.

use super::in_memory_effects::InMemoryEffects;
use super::outcome::ProcessEnd;
use super::processes::Simulation;

impl Simulation {
    /// Conducts the run as [`conduct_to_end`](Self::conduct_to_end) does, and gives `visit` the run as a process that
    /// died would leave it: at the run's beginning, after each effect of an operation, and before each operation at
    /// which the time is another one. To conduct it to its end is what the next process would do.
    ///
    /// The next process is one of another machine: it has a pace and a memory for photos of its own. Fails where the
    /// run waits for something that never comes, and where it has begun other runs, opened pages or could call real
    /// MCP servers, none of which are copied.
    pub fn conduct_through_crash_points(
        &self,
        visit: impl Fn(Self) + 'static,
    ) -> Result<ProcessEnd, String> {
        let terms = self.with_outside(InMemoryEffects::beside(&self.effects), 0);
        let crash_points = &self.effects.crash_points;
        crash_points.show_to(move |left| visit(terms.with_outside(left, 1)));
        let end = self.conduct_to_end();
        crash_points.stop();
        let end = end?;
        let is_copied = self.children() == 0
            && self.effects.pages().is_unused()
            && self.effects.shared.tool_servers.is_none();
        if is_copied {
            Ok(end)
        } else {
            Err("the run has what is not copied".to_owned())
        }
    }
}
