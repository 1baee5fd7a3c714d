//! A state in the making: how far it is, and how often a model may still be wrong.

use domain::Sha256Digest;
use domain::page::PageView;

use crate::machine::states::{Check, Line};

use super::judge::TriggerQuestion;
use super::pages::PageDigest;

/// The most times that one question is asked: bad answers are told, and asked for again.
const ATTEMPTS_MAX: u32 = 3;
/// The most actions that are tried while one state is made.
const ROUNDS_MAX: u32 = 20;

/// The thing that is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// A state for a page in which no state passes.
    State,
    /// An action that takes the place of one that failed.
    Action {
        /// The position of the state.
        state: usize,
        /// The number of the action in its state, from 1.
        line: u32,
        /// The words about the action and its failure.
        failed: String,
    },
}

/// The stage of the making.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A prompt is chosen.
    Choosing,
    /// The triggers are chosen.
    Identifying,
    /// The triggers must hold at a second look.
    Confirming,
    /// An action is chosen.
    Acting,
    /// The triggers must hold after the page is loaded anew.
    Proving,
}

/// A state in the making.
#[derive(Debug, Clone)]
pub struct Making {
    pub goal: Goal,
    pub stage: Stage,
    /// The position of the prompt that was chosen.
    pub prompt: usize,
    /// The position of the state that is made anew, where it is an old one.
    pub old: Option<usize>,
    /// Whether the new state stands in the automaton, before all others.
    pub is_inserted: bool,
    /// Whether the state is whole, and its triggers are chosen again since they hold where they should not.
    pub is_review: bool,
    /// The triggers that were chosen last.
    pub checks: Vec<Check>,
    /// The question for triggers, about the page as it was first seen.
    pub triggers: Option<TriggerQuestion>,
    /// The page for which the triggers were chosen.
    pub first: PageDigest,
    /// The page as it was seen last, and its picture.
    pub view: PageView,
    pub picture: Option<Sha256Digest>,
    /// What was done so far, in words.
    pub done: Vec<String>,
    /// The number of times that the question of now was asked.
    attempts: u32,
    /// The number of actions that were tried.
    rounds: u32,
    /// What was wrong with the last answer, for the next question.
    complaint: String,
}

impl Making {
    pub fn begin(goal: Goal, prompt: usize) -> Self {
        let stage = match goal {
            Goal::State => Stage::Choosing,
            Goal::Action { .. } => Stage::Acting,
        };
        Self {
            goal,
            stage,
            prompt,
            old: None,
            is_inserted: false,
            is_review: false,
            checks: Vec::new(),
            triggers: None,
            first: PageDigest::default(),
            view: PageView::default(),
            picture: None,
            done: Vec::new(),
            attempts: 0,
            rounds: 0,
            complaint: String::new(),
        }
    }

    /// Goes on to another stage, whose question is asked for the first time.
    pub fn go_to(&mut self, stage: Stage) {
        self.stage = stage;
        self.attempts = 0;
        self.complaint.clear();
    }

    /// Notes that a question is asked, and returns how often it was.
    pub fn ask(&mut self) -> u32 {
        self.attempts = self.attempts.saturating_add(1);
        self.attempts
    }

    /// Returns what was wrong with the last answer, as the end of the next question.
    pub fn complaint(&self) -> String {
        if self.complaint.is_empty() {
            return String::new();
        }
        format!("\n\nThe last answer did not count: {}", self.complaint)
    }

    /// Notes what was wrong with an answer. Fails where the question was asked often enough.
    pub fn complain(&mut self, why: &str) -> Result<(), ()> {
        why.clone_into(&mut self.complaint);
        if self.attempts >= ATTEMPTS_MAX {
            Err(())
        } else {
            Ok(())
        }
    }

    /// Notes an action that was chosen. Fails where there were enough of them.
    pub fn begin_action(&mut self, words: String) -> Result<(), String> {
        if self.rounds >= ROUNDS_MAX {
            let message = format!("the state has not come to an end in {ROUNDS_MAX} actions");
            return Err(message);
        }
        self.rounds = self.rounds.saturating_add(1);
        self.done.push(words);
        self.go_to(Stage::Acting);
        Ok(())
    }

    /// Notes that the last action failed.
    pub fn fail_action(&mut self, message: &str) {
        if let Some(last) = self.done.last_mut() {
            last.push_str(" - it failed: ");
            last.push_str(&super::words::cut(message, 200).replace('\n', " "));
        }
    }
}

/// Returns whether an action may be carried out again, and leaves the page where it is: after such
/// actions alone a page may be loaded anew.
pub fn stays(line: &Line) -> bool {
    use crate::machine::actions::{BrowserAction, Step};
    match line {
        Line::Call {
            step: Ok(Step::Act(action)),
            ..
        } => action.is_repeatable() && !matches!(action, BrowserAction::Navigate { .. }),
        Line::Call { step: Ok(_), .. } | Line::PassedOver(_) | Line::Terminate { .. } => true,
        Line::Call { step: Err(_), .. } | Line::Unread(_) => false,
    }
}
