//! The bad habits of a model that an automaton asks.

use super::fault_kinds::fault_kinds;

fault_kinds! {
    /// A bad habit in answers to automata's questions.
    pub enum ModelHabit {
        /// It chooses numbers that are not in the list.
        UnknownNumber = "unknown-number",
        /// It puts sentences around its answer.
        Prose = "prose",
        /// It puts a Markdown fence around its answer.
        Fenced = "fenced",
        /// It says something that is no answer.
        NotJson = "not-json",
        /// It stops midway.
        Cut = "cut",
        /// It says nothing.
        Empty = "empty",
        /// It refuses.
        Refusal = "refusal",
        /// It says everything twice: two objects, or two calls.
        Twice = "twice",
        /// It never ends.
        Endless = "endless",
        /// It chooses a trigger that also holds on other pages.
        CommonTrigger = "common-trigger",
        /// It chooses all triggers.
        EveryTrigger = "every-trigger",
        /// It chooses no trigger.
        NoTrigger = "no-trigger",
        /// It calls something that is not in the list.
        UnlistedCall = "unlisted-call",
        /// It writes code where an argument belongs.
        Code = "code",
        /// It names an unknown parameter.
        UnknownParameter = "unknown-parameter",
        /// It goes to another origin.
        Elsewhere = "elsewhere",
        /// It obeys pages: it types a parameter, preferably a password, into the first field.
        Obedient = "obedient",
        /// It calls a tool, though there is none.
        ToolCall = "tool-call",
    }
}

impl ModelHabit {
    /// Returns all habits with their names, used in arguments and, after `habit-`, in fault files.
    #[must_use]
    pub fn all() -> &'static [(&'static str, Self)] {
        Self::ALL
    }
}
