//! Questions to models about the page, and what follows from their answers.

use domain::Failure;
use domain::chat::{ChatQuestion, ChatReply};

use crate::machine::drift::Fault;
use crate::machine::interface::{Action, AskedAbout, Decision, Looked, NoticeKind, WhyFailed};
use crate::machine::making::{
    ActionQuestion, Chosen, Goal, Making, PageDigest, PromptQuestion, Stage, TriggerQuestion,
};
use crate::machine::states::{Check, Prompt};

use super::{AutomatonRun, Phase};

/// The longest beginning of a model's answer that is told, in characters.
const SAYS_CHARS_MAX: usize = 300;

/// What an answer of a model chooses.
enum Choice {
    Prompt(Option<usize>),
    Triggers(Vec<Check>),
    Action(Chosen),
}

impl AutomatonRun {
    /// Returns whether a state can be made where the loop has ended so.
    pub(super) fn can_make(&self, why: &WhyFailed) -> bool {
        let is_missing = matches!(
            why,
            WhyFailed::NoStatesProvided | WhyFailed::NoStatesTimeout
        );
        is_missing && !self.terms.prompts.is_empty()
    }

    /// Begins to make a state for a page in which no state passes.
    pub(super) fn begin_composing(&mut self, why: WhyFailed) {
        if let Err(refusal) = self.budget.begin_making() {
            return self.refuse(refusal);
        }
        self.trace.tell(NoticeKind::Making { why });
        self.making = Some(Box::new(Making::begin(Goal::State, 0)));
        self.look_closely();
    }

    /// Looks at the page for a question to a model.
    pub(super) fn look_closely(&mut self) {
        let failed = self.making.as_ref().and_then(|making| match making.goal {
            Goal::Action { state, line, .. } => Some((state, Fault::Action { line })),
            Goal::State => None,
        });
        let action = Action::Look {
            queries: self.queries_for(failed.as_slice()),
            wants_elements: true,
            wants_picture: true,
        };
        self.begin(action, Phase::Composing);
    }

    /// Takes a look in that was made for a question.
    pub(super) fn compose(&mut self, looked: Looked) {
        let stage = self.making.as_ref().map(|making| making.stage);
        if stage == Some(Stage::Choosing) {
            let passed = self.passed(&looked);
            // The page has come on meanwhile.
            if !passed.states.is_empty() {
                self.making = None;
                return self.decide(&looked);
            }
        }
        self.tell_look(&looked, Vec::new(), Decision::Ask);
        let digest = PageDigest::of(&looked.view.signals);
        self.pages.note(digest.clone(), None);
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.view = looked.view;
        making.picture = looked.picture;
        match (stage, &making.goal) {
            (Some(Stage::Confirming), _) => self.confirm(&digest),
            (Some(Stage::Proving), _) => self.prove(&digest),
            (Some(Stage::Acting), Goal::Action { state, line, .. }) => {
                let failed = (*state, Fault::Action { line: *line });
                let view = making.view.clone();
                self.note_failure(&[failed], &view);
                self.ask();
            }
            _ => self.ask(),
        }
    }

    /// Asks a model the question of the stage.
    pub(super) fn ask(&mut self) {
        let Some((about, question)) = self.question() else {
            return self.give_up("there is nothing to ask");
        };
        let attempt = self.making.as_mut().map_or(1, |making| making.ask());
        self.trace.tell(NoticeKind::Asked { about, attempt });
        self.begin(Action::Ask(question), Phase::Asking);
    }

    fn question(&self) -> Option<(AskedAbout, ChatQuestion)> {
        let making = self.making.as_ref()?;
        let (picture, complaint) = (making.picture.as_ref(), making.complaint());
        Some(match making.stage {
            Stage::Choosing => {
                let history = self.history_names();
                let question = self.prompt_question(making, &history);
                (AskedAbout::Prompt, question.chat(picture, &complaint))
            }
            Stage::Identifying => {
                let question = making.triggers.as_ref()?;
                let prompt = self.prompt(making)?;
                (
                    AskedAbout::Triggers,
                    question.chat(prompt, picture, &complaint),
                )
            }
            _ => {
                let question = self.action_question(making)?;
                (AskedAbout::Action, question.chat(picture, &complaint))
            }
        })
    }

    fn prompt(&self, making: &Making) -> Option<&Prompt> {
        self.terms.prompts.get(making.prompt)
    }

    fn prompt_question<'run>(
        &'run self,
        making: &'run Making,
        history: &'run [String],
    ) -> PromptQuestion<'run> {
        PromptQuestion {
            prompts: &self.terms.prompts,
            history,
            view: &making.view,
        }
    }

    fn action_question<'run>(&'run self, making: &'run Making) -> Option<ActionQuestion<'run>> {
        Some(ActionQuestion {
            prompt: self.prompt(making)?,
            parameters: &self.terms.parameters,
            view: &making.view,
            done: &making.done,
            failed: match &making.goal {
                Goal::State => None,
                Goal::Action { failed, .. } => Some(failed),
            },
        })
    }

    /// Takes the answer of a model in.
    pub(super) fn take_reply(&mut self, result: Result<ChatReply, Failure>) {
        let reply = match result {
            Ok(reply) => reply,
            Err(failure) => {
                return self.give_up(&format!("no model answers: {}", failure.detail()));
            }
        };
        let Some((about, choice)) = self.read(&reply) else {
            return self.give_up("there is nothing to ask");
        };
        self.trace.tell(NoticeKind::Answered {
            about,
            says: reply.text.chars().take(SAYS_CHARS_MAX).collect(),
            model: reply.model.chars().take(SAYS_CHARS_MAX).collect(),
            refused: choice.as_ref().err().cloned(),
        });
        match choice {
            Err(why) => self.ask_again(&why),
            Ok(Choice::Prompt(None)) => self.give_up("none of the prompts fits the page"),
            Ok(Choice::Prompt(Some(prompt))) => self.identify(prompt),
            Ok(Choice::Triggers(checks)) => self.take_triggers(checks),
            Ok(Choice::Action(chosen)) => self.take_chosen(chosen),
        }
    }

    fn read(&self, reply: &ChatReply) -> Option<(AskedAbout, Result<Choice, String>)> {
        let making = self.making.as_ref()?;
        let about = match making.stage {
            Stage::Choosing => AskedAbout::Prompt,
            Stage::Identifying => AskedAbout::Triggers,
            _ => AskedAbout::Action,
        };
        if !reply.calls.is_empty() {
            let why = "The answer called a tool, and there is none.";
            return Some((about, Err(why.to_owned())));
        }
        let text = reply.text.as_str();
        let choice = match about {
            AskedAbout::Prompt => self
                .prompt_question(making, &[])
                .read(text)
                .map(Choice::Prompt),
            AskedAbout::Triggers => making.triggers.as_ref()?.read(text).map(Choice::Triggers),
            AskedAbout::Action => self.action_question(making)?.read(text).map(Choice::Action),
        };
        Some((about, choice))
    }

    /// Asks again with what was wrong, or gives up where a model was wrong often enough.
    pub(super) fn ask_again(&mut self, why: &str) {
        let Some(making) = self.making.as_mut() else {
            return;
        };
        match making.complain(why) {
            Ok(()) => self.ask(),
            Err(()) => self.give_up(&format!(
                "a model was asked often enough, and its last answer did not count: {why}"
            )),
        }
    }

    /// Asks for the triggers of the page in the state of a prompt.
    fn identify(&mut self, prompt: usize) {
        let name = self.terms.prompts.get(prompt).map(|prompt| &prompt.name);
        let mut states = self.automaton.states.iter();
        let old = states.position(|state| Some(&state.name) == name);
        let old = old.filter(|_| self.terms.regenerates);
        let own_name = old.and(name).map(String::as_str);
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.first = PageDigest::of(&making.view.signals);
        let others = self.pages.others(&making.first, own_name);
        let view = old.map(|_| making.view.clone());
        let triggers = TriggerQuestion::of(&making.view, others);
        self.trace.tell(NoticeKind::Offered {
            offers: triggers.lines(),
        });
        making.triggers = Some(triggers);
        making.prompt = prompt;
        making.old = old;
        making.go_to(Stage::Identifying);
        if let (Some(state), Some(view)) = (old, view) {
            self.note_unmet(state, &view);
        }
        self.ask();
    }

    fn take_triggers(&mut self, checks: Vec<Check>) {
        let Some(making) = self.making.as_mut() else {
            return;
        };
        making.checks = checks;
        if making.is_inserted {
            self.change_checks(0);
            return self.reload_or_keep();
        }
        if making.is_review {
            return self.end_review();
        }
        making.stage = Stage::Confirming;
        self.look_closely();
    }

    /// Ends the making: no state, or no action, could be made.
    pub(super) fn give_up(&mut self, why: &str) {
        let goal = self.making.as_ref().map(|making| making.goal.clone());
        if let Some(Goal::Action {
            state,
            line,
            failed,
        }) = goal
        {
            return self.fail_unmended(state, line, &failed, why);
        }
        let making = self.making.as_ref();
        let making = making.filter(|making| making.stage == Stage::Choosing);
        if let Some(view) = making.map(|making| making.view.clone()) {
            self.note_failure(&self.nearest_faults(&view), &view);
        }
        let message = format!("No state was made for the page: {why}.");
        self.fail(WhyFailed::Synthesis, message);
    }
}
