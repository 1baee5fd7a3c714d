//! S1: a photo of both at once.

use crate::domain::Side;

use super::machine::{Investigation, State};
use super::query;
use super::subject::Subject;

impl Investigation {
    /// Asks `{A} {B}`, and where that finds nothing the fallback template; then S2. A photo that
    /// shows both ends the survey on its own.
    //= spec S1
    pub(super) fn step_direct(&mut self, asked: u32) {
        let name_a = self.request.person_a.as_str();
        let name_b = self.request.person_b.as_str();
        let first = query::pair(name_a, name_b);
        let query = match asked {
            0 => {
                self.status("Searching for direct visual connections...");
                first
            }
            1 if self
                .knowledge
                .asked(&first)
                .is_some_and(|asked| asked.hits.is_empty()) =>
            {
                query::pair_together(name_a, name_b)
            }
            _ => {
                self.state = State::Discovery;
                self.status("Expanding search to find strong intermediates...");
                return;
            }
        };
        self.state = State::Direct { asked: asked + 1 };
        self.begin_survey(
            query,
            vec![Subject::Typed(Side::A), Subject::Typed(Side::B)],
        );
    }
}
