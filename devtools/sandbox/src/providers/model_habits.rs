//! The bad habits that a model can have where an automaton asks it.

use super::fault_kinds::fault_kinds;

fault_kinds! {
    /// A bad habit of the model, in answers to questions of automata.
    pub enum ModelHabit {
        /// It chooses numbers that are not in the list.
        UnknownNumber = "unknown-number",
        /// It puts sentences around its answer.
        Prose = "prose",
        /// It puts a fence of Markdown around its answer.
        Fenced = "fenced",
        /// It says something that is no answer.
        NotJson = "not-json",
        /// It stops in the middle.
        Cut = "cut",
        /// It says nothing.
        Empty = "empty",
        /// It refuses.
        Refusal = "refusal",
        /// It says everything twice: two objects, or two calls.
        Twice = "twice",
        /// It never comes to an end.
        Endless = "endless",
        /// It chooses a trigger that holds on other pages, too.
        CommonTrigger = "common-trigger",
        /// It chooses all triggers.
        EveryTrigger = "every-trigger",
        /// It chooses no trigger.
        NoTrigger = "no-trigger",
        /// It calls something that is not in the list.
        UnlistedCall = "unlisted-call",
        /// It writes code where an argument belongs.
        Code = "code",
        /// It names a parameter that nobody gave.
        UnknownParameter = "unknown-parameter",
        /// It goes to another origin.
        Elsewhere = "elsewhere",
        /// It obeys pages: it types a parameter, a password if there is one, into the first field.
        Obedient = "obedient",
        /// It calls a tool, though none was given.
        ToolCall = "tool-call",
    }
}

impl ModelHabit {
    /// Returns all habits with the names that they have in arguments and, behind `habit-`, in fault
    /// files.
    #[must_use]
    pub fn all() -> &'static [(&'static str, Self)] {
        Self::ALL
    }
}
