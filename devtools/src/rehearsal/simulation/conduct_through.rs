//! Conducts a run while trying each of its crash points.

use super::in_memory_effects::InMemoryEffects;
use super::outcome::ProcessEnd;
use super::processes::Simulation;

impl Simulation {
    /// Conducts the run like [`conduct_to_end`](Self::conduct_to_end), and passes to `visit` the run as a dying process
    /// would leave it: at the start, after each effect of an operation, and before each operation at which the time has
    /// advanced. Conducting it to its end simulates the next process.
    ///
    /// The next process runs on another machine: it has its own rate limits and its own memory for photos. Fails if the
    /// run waits for something that never comes, or if it has begun other runs, opened pages or could call real MCP
    /// servers, which cannot be copied.
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
