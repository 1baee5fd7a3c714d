//! How models make a state. They are asked three kinds of questions about a page. Each has a closed list of answers,
//! and the parser accepts nothing else. The page's content is marked as data. An answer is a number from a list or one
//! call of the grammar, so no page can make a model request anything else.
//!
//! ```text
//! which prompt fits ──> which triggers identify it ──> (second look) ──> one action after the other ──> end
//! ```
//!
//! //= seed 001, Synthesis and Regeneration

mod agent;
mod judge;

use std::collections::{BTreeSet, VecDeque};

use domain::Sha256Digest;
use domain::chat::{ChatPurpose, ChatQuestion, ImageRef, Part, Turn, fenced};
use domain::page::{PageView, Signals};
use serde_json::Value;

use super::states::{Check, CheckKind, Line};
use super::walk::{compared_text, compared_url};

pub(super) use agent::{ActionQuestion, Chosen};
pub(super) use judge::{PromptQuestion, TriggerQuestion};

/// The most attempts of a question. Each further attempt says what was wrong with the last answer.
const ATTEMPTS_MAX: u32 = 3;
/// The most actions that are tried while a state is made.
const ROUNDS_MAX: u32 = 20;
/// The most pages of a run that are stored for comparison.
const PAGES_MAX: usize = 20;
/// The most variants that are stored of a page that changes by itself.
const FORMS_MAX: usize = 4;
/// The most elements that are stored of a page.
const ITEMS_MAX: usize = 4_000;
/// The longest address or title that a model is shown, in characters.
const HEAD_CHARS_MAX: usize = 300;
/// The most bytes of a list that a model is shown. Further entries are left out.
const LIST_BYTES_MAX: usize = 32_768;
/// The longest entry of a list that a model is shown, in characters.
const ENTRY_CHARS_MAX: usize = 400;

/// What models are making.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Goal {
    /// A state for a page that matches no state.
    State,
    /// An action to replace a failed one.
    Action {
        /// The position of the failed action's state.
        state: usize,
        /// The number of the failed action in its state, from 1.
        line: u32,
        /// A description of the failed action and its failure.
        failed: String,
    },
}

/// The stage of making a state, which determines the question or the check that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// A model chooses the prompt that fits the page.
    Choosing,
    /// A model chooses the triggers that identify the state.
    Identifying,
    /// A second look checks the chosen triggers.
    Confirming,
    /// A model chooses the next action.
    Acting,
    /// A look after a reload checks the chosen triggers.
    Proving,
}

/// A state, or an action, that models are making.
#[derive(Debug, Clone)]
pub(super) struct Making {
    pub goal: Goal,
    pub stage: Stage,
    /// The position of the chosen prompt.
    pub prompt: usize,
    /// The position of the existing state that is regenerated; `None` for a new state.
    pub old: Option<usize>,
    /// Whether the new state is already in the automaton, where it is the first.
    pub is_inserted: bool,
    /// Whether a complete state gets new triggers, because its own also hold on a page where they should not.
    pub is_review: bool,
    /// The triggers that the model chose last.
    pub checks: Vec<Check>,
    /// The question for triggers, about the page as it was at the first look.
    pub triggers: Option<TriggerQuestion>,
    /// The page on which the triggers were chosen.
    pub first: PageDigest,
    /// The view of the page at the last look, and its picture.
    pub view: PageView,
    pub picture: Option<Sha256Digest>,
    /// What was done in the state so far, one sentence for each action.
    pub done: Vec<String>,
    /// The number of attempts of the current question so far.
    attempts: u32,
    /// The number of actions that were tried so far.
    rounds: u32,
    /// What was wrong with the last answer, for the next attempt; empty if nothing.
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

    /// Moves to another stage, and resets the number of attempts and the complaint.
    pub fn go_to(&mut self, stage: Stage) {
        self.stage = stage;
        self.attempts = 0;
        self.complaint.clear();
    }

    /// Counts an attempt of the current question. Returns the number of attempts so far.
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

    /// Records what was wrong with an answer. Fails if the question has no attempts left.
    pub fn complain(&mut self, why: &str) -> Result<(), ()> {
        why.clone_into(&mut self.complaint);
        if self.attempts >= ATTEMPTS_MAX {
            Err(())
        } else {
            Ok(())
        }
    }

    /// Records the action that a model chose, in words. Fails if [`ROUNDS_MAX`] actions were already tried.
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

    /// Records that the last action failed, for the next question.
    pub fn fail_action(&mut self, message: &str) {
        if let Some(last) = self.done.last_mut() {
            last.push_str(" - it failed: ");
            last.push_str(&cut(message, 200).replace('\n', " "));
        }
    }
}

/// Returns whether an action is repeatable and does not leave its page. After only such actions, the page may be
/// reloaded.
pub(super) fn stays(line: &Line) -> bool {
    use super::actions::{BrowserAction, Step};
    match line {
        Line::Call {
            step: Ok(Step::Act(action)),
            ..
        } => action.is_repeatable() && !matches!(action, BrowserAction::Navigate { .. }),
        Line::Call { step: Ok(_), .. } | Line::PassedOver(_) | Line::Terminate { .. } => true,
        Line::Call { step: Err(_), .. } | Line::Unread(_) => false,
    }
}

/// A page as hashes of its address, texts and selectors. If two hashes collide, a trigger may seem to hold on a page on
/// which it does not. The trigger is then refused, which is harmless.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PageDigest {
    url: Option<u64>,
    texts: BTreeSet<u64>,
    selectors: BTreeSet<u64>,
}

impl PageDigest {
    pub fn of(signals: &Signals) -> Self {
        let mut this = Self {
            url: signals.url.as_deref().map(|url| hash(compared_url(url))),
            ..Self::default()
        };
        for item in signals.items.iter().flatten().take(ITEMS_MAX) {
            if !item.text.is_empty() {
                this.texts.insert(hash(&compared_text(&item.text)));
            }
            if !item.selector.is_empty() {
                this.selectors.insert(hash(&item.selector));
            }
        }
        this
    }

    /// Returns whether a check holds on the page. A check by a query to the browser counts as holding on every page, so
    /// it never distinguishes two pages.
    pub fn holds(&self, check: &Check) -> bool {
        match check {
            // What must not hold distinguishes no pages either: it holds on most.
            Check::Query(_) | Check::UrlPattern(_) | Check::Not(_) => true,
            Check::Signal { value: None, .. } => false,
            Check::Signal {
                kind,
                value: Some(value),
            } => match kind {
                CheckKind::Url => self.url == Some(hash(compared_url(value))),
                CheckKind::Text => self.texts.contains(&hash(&compared_text(value))),
                CheckKind::Element => self.selectors.contains(&hash(value)),
                CheckKind::Unknown => false,
            },
        }
    }

    /// Returns whether all checks hold on the page.
    pub fn holds_all(&self, checks: &[Check]) -> bool {
        checks.iter().all(|check| self.holds(check))
    }
}

/// Returns the 64-bit FNV-1a hash of a text.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// A page that the run has seen.
#[derive(Debug, Clone)]
struct Page {
    digest: PageDigest,
    /// The number of states that had been executed when the run saw the page.
    epoch: u32,
    /// The hash of the matching state's name; `None` if no state matched.
    owner: Option<u64>,
}

/// The last pages that a run has seen, as digests. A stored page counts as different from the current one if a state
/// was executed after the page was stored, or if a state matched the page.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages {
    pages: VecDeque<Page>,
    epoch: u32,
}

impl Pages {
    /// Stores a page, with the name of the state that matched it if any.
    pub fn note(&mut self, digest: PageDigest, owner: Option<&str>) {
        let (epoch, owner) = (self.epoch, owner.map(hash));
        let mut known = self.pages.iter_mut();
        let same = known.find(|page| page.epoch == epoch && page.digest == digest);
        if let Some(page) = same {
            page.owner = owner.or(page.owner);
            return;
        }
        let is_form = |page: &Page| page.epoch == epoch && page.owner == owner;
        let forms = self.pages.iter().filter(|page| is_form(page)).count();
        if forms >= FORMS_MAX
            && let Some(last) = self.pages.iter().rposition(is_form)
        {
            drop(self.pages.remove(last));
        }
        if self.pages.len() >= PAGES_MAX {
            drop(self.pages.pop_front());
        }
        self.pages.push_back(Page {
            digest,
            epoch,
            owner,
        });
    }

    /// Records that a state was executed. From then on, the pages stored before count as other pages.
    pub fn leave(&mut self) {
        self.epoch = self.epoch.saturating_add(1);
    }

    /// Returns the pages other than the current one. Those that matched the state with the name `own_name` are left
    /// out, since its checks should hold there.
    pub fn others(&self, now: &PageDigest, own_name: Option<&str>) -> Vec<PageDigest> {
        let own = own_name.map(hash);
        let others = self.pages.iter().filter(|page| {
            let is_own = page.owner.is_some() && page.owner == own;
            let is_other = page.epoch != self.epoch || page.owner.is_some();
            is_other && !is_own && page.digest != *now
        });
        others.map(|page| page.digest.clone()).collect()
    }
}

/// Returns a question with a single turn, which shows the picture of the page if there is one.
fn question(
    purpose: ChatPurpose,
    system: &str,
    text: String,
    picture: Option<&Sha256Digest>,
) -> ChatQuestion {
    let picture = picture.map(|digest| {
        Part::Image(ImageRef {
            digest: digest.clone(),
            mime_type: "image/jpeg".to_owned(),
        })
    });
    let parts = std::iter::once(Part::Text(text)).chain(picture);
    ChatQuestion {
        purpose,
        system: system.to_owned(),
        turns: vec![Turn::User(parts.collect())],
        tools: Vec::new(),
    }
}

/// Returns a page as text that is marked as data: its address, its title, and a list of its parts.
fn page(view: &PageView, list: &[String]) -> String {
    let url = view.signals.url.as_deref().unwrap_or_default();
    let head = format!(
        "address {}\ntitle {}\n",
        quoted(url, HEAD_CHARS_MAX),
        quoted(&view.signals.title, HEAD_CHARS_MAX)
    );
    fenced(&(head + &bounded(list)))
}

/// Returns the entries of a list, one per line, as many as fit into the limit.
fn bounded(list: &[String]) -> String {
    let mut text = String::new();
    for (at, entry) in list.iter().enumerate() {
        if text.len().saturating_add(entry.len()) > LIST_BYTES_MAX {
            let left = list.len().saturating_sub(at);
            text.push_str("(more are left out: ");
            text.push_str(&left.to_string());
            text.push_str(")\n");
            break;
        }
        text.push_str(entry);
        text.push('\n');
    }
    text.pop();
    text
}

/// Returns a text in quotes on one line, with at most `chars_max` characters.
fn quoted(text: &str, chars_max: usize) -> String {
    Value::from(cut(text, chars_max)).to_string()
}

/// Returns at most `chars_max` characters from the start of a text.
fn cut(text: &str, chars_max: usize) -> String {
    let mut letters = text.chars();
    let mut beginning: String = letters.by_ref().take(chars_max).collect();
    if letters.next().is_some() {
        beginning.push_str("...");
    }
    beginning
}

/// Returns sentences as a numbered list, one per line.
fn numbered(sentences: &[String]) -> String {
    let lines = sentences.iter().enumerate().map(|(at, sentence)| {
        let number = at.saturating_add(1);
        format!(
            "{number}. {}",
            cut(sentence, ENTRY_CHARS_MAX).replace('\n', " ")
        )
    });
    bounded(&lines.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::page::Item;

    fn page(url: &str, texts: &[&str]) -> PageDigest {
        let items = texts.iter().map(|text| Item {
            text: (*text).to_owned(),
            selector: format!("p.{text}"),
        });
        PageDigest::of(&Signals {
            url: Some(url.to_owned()),
            items: Some(items.collect()),
            ..Signals::default()
        })
    }

    #[test]
    fn a_digest_says_which_checks_hold() {
        let digest = page("about:blank", &[" Sign  in ", "x"]);
        for (kind, value, holds) in [
            (CheckKind::Url, "chrome://newtab/", true),
            (CheckKind::Url, "u", false),
            (CheckKind::Text, "Sign in", true),
            (CheckKind::Text, "Sign", false),
            (CheckKind::Element, "p.x", true),
            (CheckKind::Element, "p", false),
            (CheckKind::Unknown, "x", false),
        ] {
            let check = Check::Signal {
                kind,
                value: Some(value.to_owned()),
            };
            assert_eq!(digest.holds(&check), holds, "{value}");
        }
    }

    #[test]
    fn pages_are_others_once_a_state_ran_or_where_they_passed_one() {
        let mut pages = Pages::default();
        let now = page("b", &[]);
        pages.note(page("a", &[]), None);
        pages.note(page("c", &[]), Some("C"));
        pages.note(now.clone(), None);
        assert_eq!(pages.others(&now, None), [page("c", &[])]);
        assert_eq!(pages.others(&now, Some("C")), []);
        pages.leave();
        pages.note(now.clone(), None);
        let others = [page("a", &[]), page("c", &[])];
        assert_eq!(pages.others(&now, None), others);
    }

    #[test]
    fn a_page_that_changes_by_itself_drives_no_other_one_out() {
        let mut pages = Pages::default();
        pages.note(page("a", &[]), Some("A"));
        pages.leave();
        for at in 0..200 {
            pages.note(page("clock", &[&at.to_string()]), None);
        }
        assert_eq!(pages.pages.len(), 1 + FORMS_MAX);
        let now = page("clock", &["199"]);
        assert_eq!(pages.others(&now, None), [page("a", &[])]);
        for _ in 0..50 {
            pages.leave();
            pages.note(now.clone(), Some("B"));
        }
        assert_eq!(pages.pages.len(), PAGES_MAX);
    }
}
