//! What an engine wants done and told, in order.

use std::collections::VecDeque;

/// Commands to carry out and notices to tell. "Mutate once, drain, mutate."
#[derive(Debug, Clone)]
pub struct Outbox<Command, Notice> {
    commands: VecDeque<Command>,
    notices: VecDeque<Notice>,
}

impl<Command, Notice> Outbox<Command, Notice> {
    /// Nothing to do, nothing to tell.
    #[must_use]
    pub fn new() -> Self {
        Self {
            commands: VecDeque::new(),
            notices: VecDeque::new(),
        }
    }

    /// Wants something done.
    pub fn command(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// Tells something.
    pub fn notice(&mut self, notice: Notice) {
        self.notices.push_back(notice);
    }

    /// The oldest command not yet taken.
    pub fn next_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    /// The oldest notice not yet taken.
    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.pop_front()
    }

    /// Commands that nobody has taken yet are no longer wanted.
    pub fn withdraw_commands(&mut self) -> impl Iterator<Item = Command> + use<Command, Notice> {
        std::mem::take(&mut self.commands).into_iter()
    }
}

impl<Command, Notice> Default for Outbox<Command, Notice> {
    fn default() -> Self {
        Self::new()
    }
}
