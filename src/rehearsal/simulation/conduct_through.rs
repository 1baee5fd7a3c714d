//! A run that is conducted while each of its crash points is tried.

use super::in_memory_effects::InMemoryEffects;
use super::outcome::ProcessEnd;
use super::processes::Simulation;

impl Simulation {
    /// Conducts the run as [`conduct_to_end`](Self::conduct_to_end) does, and gives `visit` the run as a process that
    /// died would leave it: at the run's beginning, after each effect of an operation, and before each operation at
    /// which the time is another one. To conduct it to its end is what the next process would do.
    ///
    /// Fails where the run waits for something that never comes, and where it has begun other runs or opened pages,
    /// which are not copied.
    pub fn conduct_through_crash_points(
        &self,
        visit: impl Fn(Self) + 'static,
    ) -> Result<ProcessEnd, String> {
        let terms = self.with_outside(InMemoryEffects::beside(&self.effects), 0);
        let crash_points = &self.effects.crash_points;
        crash_points.show_to(move |left| {
            let left = terms.with_outside(left, 1);
            left.allow_children();
            visit(left);
        });
        let end = self.conduct_to_end();
        crash_points.stop();
        if self.children() + self.open_pages() > 0 {
            return Err("it has begun what is not copied".to_owned());
        }
        end
    }
}
