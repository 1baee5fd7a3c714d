//! A small simulated site, models that answer according to the question, and runs that make states on it.

use automaton::machine::actions::BrowserAction;
use automaton::machine::grammar::Text;
use automaton::machine::states::{Automaton, Prompt};
use automaton::machine::{
    Action, AutomatonRun, Command, Ending, Input, Limits, Looked, Notice, OnUnknown, Order,
    Outcome, Parameters, Settings,
};
use domain::chat::{ChatQuestion, ChatReply, Part, Turn};
use domain::page::{
    ActionFailure, Area, By, Done, Fallback, PageElement, PageView, Query, Signals,
};
use domain::{Failure, FailureKind, Sha256Digest};
use kernel::{LostCall, Millis};
use serde_json::Value;

use super::scene::{answer, line, showing};

/// A page: its address and title, its elements as texts and selectors, and the targets of actions.
#[derive(Clone)]
pub struct Page {
    pub view: PageView,
    leads: Vec<(String, usize)>,
}

/// A page with visible elements that can be acted on.
pub fn page(url: &str, title: &str, elements: &[(&str, &str)]) -> Page {
    let element = |(at, (text, selector)): (usize, &(&str, &str))| PageElement {
        selector: (*selector).to_owned(),
        named: None,
        tag: if selector.starts_with("input") {
            "input".to_owned()
        } else {
            "a".to_owned()
        },
        role: String::new(),
        text: (*text).to_owned(),
        area: Area {
            x: 10.0,
            y: 20.0 * f64::from(u32::try_from(at).unwrap()),
            width: 80.0,
            height: 16.0,
        },
    };
    Page {
        view: PageView {
            signals: Signals {
                title: title.to_owned(),
                ..showing(url, elements)
            },
            elements: elements.iter().enumerate().map(element).collect(),
        },
        leads: Vec::new(),
    }
}

impl Page {
    /// Makes an action, written like [`deed`], lead to the page with this number.
    #[must_use]
    pub fn leads(mut self, deed: &str, to: usize) -> Self {
        self.leads.push((deed.to_owned(), to));
        self
    }
}

/// Returns an action in few words.
pub fn deed(action: &BrowserAction) -> String {
    match action {
        BrowserAction::Navigate { url } => format!("open {url}"),
        BrowserAction::Click { target, .. } => format!("click {}", plain(&target.locator.selector)),
        BrowserAction::Type { target, text, .. } => {
            format!("type {} {text}", plain(&target.locator.selector))
        }
        BrowserAction::Scroll { direction, .. } => format!("scroll {}", direction.as_str()),
        BrowserAction::ScrollTo { locator, .. } => format!("show {}", plain(&locator.selector)),
        BrowserAction::PressKey { key, .. } => format!("press {}", plain(key)),
        other => panic!("no test has {other:?}"),
    }
}

fn plain(text: &Text) -> &str {
    text.as_literal().unwrap_or("?")
}

/// A site, and the actions on it.
#[derive(Clone)]
pub struct Site {
    pub pages: Vec<Page>,
    pub at: usize,
    /// Every action sent, including failed ones.
    pub sent: Vec<String>,
    pub reloads: u32,
    /// Every page view.
    pub seen: Vec<PageView>,
}

impl Site {
    pub fn new(pages: Vec<Page>) -> Self {
        Self {
            pages,
            at: 0,
            sent: Vec::new(),
            reloads: 0,
            seen: Vec::new(),
        }
    }

    pub fn act(&mut self, action: &BrowserAction) -> Result<Done, ActionFailure> {
        if let BrowserAction::Navigate { url } = action
            && !self.is_own(plain(url))
        {
            return Err(ActionFailure::Refused("another origin".to_owned()));
        }
        let deed = deed(action);
        self.sent.push(deed.clone());
        let page = &self.pages[self.at];
        if let BrowserAction::Click { target, .. } | BrowserAction::Type { target, .. } = action {
            let selector = plain(&target.locator.selector);
            let elements = &page.view.elements;
            if !elements.iter().any(|known| known.selector == selector) {
                let why = match target.fallback {
                    Some(Fallback::Taken(_)) => {
                        self.sent.push("wrong".to_owned());
                        return Ok(Done {
                            point: None,
                            has_fallen_back: true,
                            ..Done::default()
                        });
                    }
                    Some(Fallback::Refused(why)) => why,
                    None => "it has no fallback",
                };
                return Err(ActionFailure::Failed(format!("no such element; {why}")));
            }
        }
        if let Some((_, to)) = page.leads.iter().find(|(known, _)| *known == deed) {
            self.at = *to;
        }
        Ok(Done::default())
    }

    /// Returns whether an address has the origin of one of the pages, like a browser would.
    fn is_own(&self, url: &str) -> bool {
        let mut pages = self.pages.iter();
        pages.any(|page| page.view.signals.url.as_deref().map(origin) == Some(origin(url)))
    }

    fn look(&mut self) -> Looked {
        let view = self.pages[self.at].view.clone();
        self.seen.push(view.clone());
        Looked {
            view,
            picture: Some(Sha256Digest::of(b"picture")),
        }
    }
}

/// Returns the scheme and the host of an address.
fn origin(url: &str) -> Vec<&str> {
    url.split('/').take(3).collect()
}

/// Returns the text of a question.
pub fn words(question: &ChatQuestion) -> &str {
    match question.turns.first() {
        Some(Turn::User(parts)) => match &parts[0] {
            Part::Text(text) => text,
            Part::Image(_) => panic!("a question begins with words"),
        },
        turn => panic!("{turn:?}"),
    }
}

/// A run on a site with a model, and everything it emitted and asked.
pub struct Making<'model> {
    pub order: Order,
    pub site: Site,
    pub model: Box<dyn FnMut(&str) -> String + 'model>,
    pub lines: Vec<String>,
    pub notices: Vec<Notice>,
    pub asked: Vec<ChatQuestion>,
    /// The number of the command after which the process is killed, and whether the command was executed.
    pub kill: Option<(u32, bool)>,
}

impl<'model> Making<'model> {
    pub fn new(
        states: &Value,
        prompts: &Value,
        pages: Vec<Page>,
        model: impl FnMut(&str) -> String + 'model,
    ) -> Self {
        Self {
            order: Order {
                automaton: Automaton::from_json(states).unwrap(),
                prompts: Prompt::read_all(prompts).unwrap(),
                settings: Settings {
                    no_states_timeout_ms: 0,
                    state_timeout_ms: 1_000,
                    ..Settings::with_prompts()
                },
                parameters: Parameters::default(),
                on_unknown: OnUnknown::End,
                regenerates: true,
                keeps_pictures: false,
                limits: Limits::default(),
            },
            site: Site::new(pages),
            model: Box::new(model),
            lines: Vec::new(),
            notices: Vec::new(),
            asked: Vec::new(),
            kill: None,
        }
    }

    fn outcome(&mut self, command: &Command) -> Outcome {
        match &command.action {
            Action::Look { queries, .. } => {
                let mut looked = self.site.look();
                let signals = &mut looked.view.signals;
                let items = signals.items.as_deref().unwrap_or_default();
                let is_there = |query: &Query| {
                    query.by == By::CssSelector
                        && items.iter().any(|item| item.selector == query.selector)
                };
                let found = queries.iter().enumerate();
                let found = found.filter(|(_, query)| is_there(query));
                signals.found = found.map(|(at, _)| at).collect();
                Outcome::Looked(Ok(looked))
            }
            Action::Act { action, .. } => Outcome::Acted(self.site.act(action)),
            Action::Wait { .. } => Outcome::Waited,
            Action::Reload => {
                self.site.reloads += 1;
                Outcome::Reloaded(Ok(()))
            }
            Action::Ask(question) => {
                self.asked.push(question.clone());
                let text = (self.model)(words(question));
                Outcome::Asked(match text.as_str() {
                    "down" => Err(Failure::new(FailureKind::Down, "no model is there")),
                    _ => Ok(ChatReply {
                        text,
                        calls: Vec::new(),
                        model: "oracle".to_owned(),
                    }),
                })
            }
            Action::Investigate(_) => panic!("no model begins an investigation"),
        }
    }

    /// Conducts the whole run, and returns the final machine.
    pub fn run(&mut self) -> (AutomatonRun, Ending) {
        let mut run = AutomatonRun::new(self.order.clone()).unwrap();
        let mut now = 0;
        run.handle(Input::Start, Millis(now));
        loop {
            while let Some(notice) = run.next_notice() {
                self.lines.push(line(&notice));
                self.notices.push(notice);
            }
            let Some(command) = run.next_command() else {
                let ending = run.ending().cloned();
                return (run, ending.unwrap_or_else(|| panic!("{:#?}", self.lines)));
            };
            if let Action::Wait { ms } = command.action {
                now += ms;
            }
            if self.kill.is_some_and(|(at, _)| at == command.id.0) {
                let (_, was_done) = self.kill.take().unwrap();
                if was_done {
                    let _ = self.outcome(&command);
                }
                let lost = LostCall {
                    attempts: 1,
                    ..LostCall::unsent(command.id)
                };
                run.handle(Input::Resumed { lost: vec![lost] }, Millis(now));
                continue;
            }
            let outcome = self.outcome(&command);
            run.handle(answer(&command, outcome), Millis(now));
        }
    }

    /// Conducts the whole run, and returns its final message.
    pub fn end(&mut self) -> String {
        match self.run().1 {
            Ending::Completed { message, .. } => format!("completed {message}"),
            Ending::Failed { why, message, .. } => format!("failed {}: {message}", why.as_ref()),
            Ending::Stopped => "stopped".to_owned(),
        }
    }

    /// Returns the failures and changes in the last notice.
    pub fn drift(&self) -> Value {
        use automaton::machine::NoticeKind;
        match &self.notices.last().unwrap().kind {
            NoticeKind::Ended { drift, .. } => drift.clone().unwrap_or_default(),
            other => panic!("{other:?}"),
        }
    }
}

/// A model that answers well: it chooses the prompt named like the page's title, the first text that is on no other
/// page, and each action sentence in turn: `click WORDS`, `type TEXT into WORDS`, or a call.
pub fn sage(question: &str) -> String {
    let numbered = |wanted: &dyn Fn(&str) -> bool| {
        let lines = question.lines();
        let found = lines.filter(|line| wanted(line)).find_map(|line| {
            let digits = line.split([' ', '.']).next()?;
            digits.parse::<u32>().ok()
        });
        found.unwrap_or(0)
    };
    let title = question
        .lines()
        .find_map(|line| line.strip_prefix("title "));
    let title = title.unwrap_or("\"\"").trim_matches('"');
    if question.starts_with("Which of these numbered prompts") {
        let number = numbered(&|line| line.contains(&format!(". {title}: ")));
        return format!("{{\"prompt\": {number}}}");
    }
    if question.starts_with("Which of these numbered triggers") {
        // A good model does not choose the name of the whole site.
        let is_own = |line: &str| !line.contains("also on") && !line.contains("Shop");
        let number = numbered(&|line| line.contains(" text ") && is_own(line));
        return format!("{{\"triggers\": [{number}]}}");
    }
    let sentences: Vec<&str> = question
        .lines()
        .skip_while(|line| *line != "Its actions, in order:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(". ").map(|(_, sentence)| sentence))
        .collect();
    let done = question
        .lines()
        .skip_while(|line| *line != "Done so far, in order:")
        .skip(2)
        .take_while(|line| !line.starts_with("~~~~"))
        .filter(|line| !line.is_empty() && !line.contains("it failed"))
        .count();
    let is_mending = question.starts_with("Which action on the page");
    let Some(sentence) = sentences.get(if is_mending {
        sentences.len() - 1
    } else {
        done
    }) else {
        return "terminate(\"all is done\")".to_owned();
    };
    let element = |words: &str| {
        let quoted = format!(" \"{words}\"");
        numbered(&|line| {
            line.ends_with(&quoted) && [" a ", " input "].iter().any(|tag| line.contains(tag))
        })
    };
    if let Some(words) = sentence.strip_prefix("click ") {
        return format!("click({})", element(words));
    }
    match sentence
        .strip_prefix("type ")
        .and_then(|rest| rest.split_once(" into "))
    {
        Some((text, words)) => format!("type({}, {text})", element(words)),
        None => (*sentence).to_owned(),
    }
}
