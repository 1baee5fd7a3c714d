//! The bad habits of models in answers to automata.

use super::fault_kinds::fault_kinds;

fault_kinds! {
    /// A bad habit in answers to automata's questions.
    pub enum ModelHabit {
        /// It chooses numbers that the question's list does not have.
        UnknownNumber = "unknown-number",
        /// It puts sentences around its answer.
        Prose = "prose",
        /// It puts a Markdown fence around its answer.
        Fenced = "fenced",
        /// It says something that does not answer the question.
        NotJson = "not-json",
        /// It stops in the middle of its answer.
        Cut = "cut",
        /// It says nothing.
        Empty = "empty",
        /// It refuses.
        Refusal = "refusal",
        /// It answers twice: with two objects, or with two calls.
        Twice = "twice",
        /// It requests actions for ever.
        Endless = "endless",
        /// It chooses a trigger that also holds on other pages.
        CommonTrigger = "common-trigger",
        /// It chooses all triggers.
        EveryTrigger = "every-trigger",
        /// It chooses no trigger.
        NoTrigger = "no-trigger",
        /// It calls something that the question does not list.
        UnlistedCall = "unlisted-call",
        /// It writes code in place of an argument.
        Code = "code",
        /// It refers to a parameter that does not exist.
        UnknownParameter = "unknown-parameter",
        /// It opens an address of another origin.
        Elsewhere = "elsewhere",
        /// It obeys pages: it types a parameter, preferably a password, into the first field.
        Obedient = "obedient",
        /// It calls a tool, although the question offers none.
        ToolCall = "tool-call",
    }
}

impl ModelHabit {
    /// Returns all habits with their names. Command-line arguments use these names; fault files use them with the
    /// prefix `habit-`.
    #[must_use]
    pub fn all() -> &'static [(&'static str, Self)] {
        Self::ALL
    }
}
