//! The virtual time of calls. Several calls are in flight at once. The duration of a call depends on its kind. Calls
//! are answered in the order of their requests.

use std::collections::{BTreeSet, VecDeque};

use investigation::machine::{Action, Command};
use kernel::CommandId;

/// The most calls in flight.
const UNDER_WAY_MAX: usize = 5;

/// Returns the duration of a call in milliseconds, similar to the real providers'.
pub(super) fn duration_ms(action: &Action) -> u64 {
    match action {
        Action::Search { .. } => 300,
        Action::Fetch { .. } | Action::FetchKnown { .. } => 400,
        Action::Recognise { .. } => 500,
        Action::Plan(_) => 900,
        Action::Capture { .. } => 2_000,
        Action::Lives(_) => 80,
        Action::Recall(_) => 20,
        // Finding a chain in the memory takes several requests.
        Action::Connect(_) => 100,
    }
}

/// The calls of one run. Up to five are in flight, and they start in the order of the requests. A call that ends before
/// an older one must wait for it, because the machine gets answers in the order of its commands.
#[derive(Debug, Default)]
pub(super) struct CallSchedule {
    now_ms: u64,
    /// The calls that are not answered yet, in the order of the requests.
    asked: VecDeque<Command>,
    /// The number of calls at the front of `asked` that have started.
    begun: usize,
    /// The end times of the calls in flight.
    ends: BTreeSet<(u64, CommandId)>,
}

impl CallSchedule {
    /// Returns the virtual time since the run's start, in milliseconds.
    pub(super) fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Adds a command, which is requested at the current time.
    pub(super) fn ask(&mut self, command: Command) {
        self.asked.push_back(command);
        self.begin();
    }

    /// Advances the time to the end of the oldest call, and removes the call. Returns `None` if no call is left.
    pub(super) fn next(&mut self) -> Option<Command> {
        let oldest = self.asked.front()?.id;
        loop {
            self.begin();
            if !self.ends.iter().any(|(_, id)| *id == oldest) {
                self.begun = self.begun.saturating_sub(1);
                return self.asked.pop_front();
            }
            let (end_ms, _) = self.ends.pop_first()?;
            self.now_ms = self.now_ms.max(end_ms);
        }
    }

    /// Removes the oldest of the calls that have ended, even if calls before it are still in flight.
    pub(super) fn next_ended(&mut self) -> Option<Command> {
        let is_under_way = |command: &Command| {
            let mut ends = self.ends.iter();
            ends.any(|(end_ms, id)| *id == command.id && *end_ms > self.now_ms)
        };
        let mut begun = self.asked.iter().take(self.begun);
        let position = begun.position(|command| !is_under_way(command))?;
        let command = self.asked.remove(position)?;
        self.begun = self.begun.saturating_sub(1);
        self.ends.retain(|(_, id)| *id != command.id);
        Some(command)
    }

    /// Removes all calls, and returns those that had started.
    pub(super) fn withdraw(&mut self) -> Vec<Command> {
        let asked = std::mem::take(&mut self.asked).into_iter();
        let begun = asked.take(std::mem::take(&mut self.begun)).collect();
        self.ends.clear();
        begun
    }

    /// Starts calls in order while fewer than the limit are in flight.
    fn begin(&mut self) {
        let free = UNDER_WAY_MAX.saturating_sub(self.ends.len());
        for command in self.asked.iter().skip(self.begun).take(free) {
            let end_ms = self.now_ms + duration_ms(&command.action);
            self.ends.insert((end_ms, command.id));
            self.begun += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{ListPage, PlanQuestion, SearchQuestion, Wording};

    fn search(id: u32) -> Command {
        let question = SearchQuestion {
            people: Vec::new(),
            wording: Wording::Names,
        };
        let action = Action::Search {
            question,
            count: 5,
            part: ListPage::default(),
            asked_before: Vec::new(),
        };
        command(id, action)
    }

    fn plan(id: u32) -> Command {
        let question = PlanQuestion {
            person_a: "A".into(),
            person_b: "B".into(),
            frontier: "A".into(),
            candidates: Vec::new(),
            allowed_queries: Vec::new(),
            hops_left: 1,
            searches_left: 1,
            recognitions_left: 1,
            may_guess: false,
        };
        command(id, Action::Plan(question))
    }

    fn command(id: u32, action: Action) -> Command {
        Command {
            id: CommandId(id),
            attempts_max: 1,
            throttled_max: 0,
            time_left_ms: 1,
            silence_ms_max: 1,
            action,
        }
    }

    /// Returns the next answers as pairs of the call's number and the time.
    fn answers(schedule: &mut CallSchedule, count: usize) -> Vec<(u32, u64)> {
        (0..count)
            .map(|_| {
                let command = schedule.next().unwrap();
                (command.id.0, schedule.now_ms())
            })
            .collect()
    }

    #[test]
    fn one_after_the_other_takes_the_sum() {
        let mut schedule = CallSchedule::default();
        schedule.ask(search(1));
        assert_eq!(answers(&mut schedule, 1), [(1, 300)]);
        schedule.ask(plan(2));
        assert_eq!(answers(&mut schedule, 1), [(2, 1_200)]);
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn at_most_five_are_under_way() {
        let mut schedule = CallSchedule::default();
        (1..=7).for_each(|id| schedule.ask(search(id)));
        let all = answers(&mut schedule, 7);
        let times: Vec<u64> = all.iter().map(|(_, at_ms)| *at_ms).collect();
        assert_eq!(times, [300, 300, 300, 300, 300, 600, 600]);
    }

    #[test]
    fn answers_come_in_the_order_of_the_commands() {
        let mut schedule = CallSchedule::default();
        schedule.ask(plan(1));
        schedule.ask(search(2));
        assert_eq!(answers(&mut schedule, 2), [(1, 900), (2, 900)]);
    }

    #[test]
    fn what_has_ended_behind_others_can_be_had_and_the_rest_is_withdrawn() {
        let mut schedule = CallSchedule::default();
        for command in [search(1), plan(2), search(3), search(4)] {
            schedule.ask(command);
        }
        assert_eq!(answers(&mut schedule, 1), [(1, 300)]);
        let ended = std::iter::from_fn(|| schedule.next_ended());
        assert_eq!(ended.map(|one| one.id.0).collect::<Vec<_>>(), [3, 4]);
        let withdrawn = schedule.withdraw();
        assert_eq!(
            withdrawn.iter().map(|one| one.id.0).collect::<Vec<_>>(),
            [2]
        );
    }

    #[test]
    fn what_is_asked_for_meanwhile_begins_at_once() {
        let mut schedule = CallSchedule::default();
        schedule.ask(search(1));
        schedule.ask(plan(2));
        assert_eq!(answers(&mut schedule, 1), [(1, 300)]);
        schedule.ask(search(3));
        assert_eq!(answers(&mut schedule, 2), [(2, 900), (3, 900)]);
    }
}
