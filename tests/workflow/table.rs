//! A compact way to write workflows, run them with a table of answers, and print a transcript.

use std::collections::{BTreeMap, VecDeque};

use domain::chat::{ChatQuestion, ChatReply, Part, Turn};
use domain::{Failure, FailureKind};
use kernel::Millis;
use serde_json::{Value, json};
use workflow::machine::graph::Workflow;
use workflow::machine::validation::Finding;
use workflow::machine::{
    Action, Answer, Command, Dialect, Ending, Input, Limits, NoticeKind, Order, Outcome,
    ToolDescription, ToolFailure, ToolResult, WorkflowRun,
};

/// Returns the id of the node with this number.
pub fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// A node of this type with these parameters.
pub fn node(number: usize, name: &str, kind: &str, parameters: Value) -> Value {
    let mut node_type = parameters;
    node_type["type"] = json!(kind);
    json!({
        "id": id(number), "name": name, "node_type": node_type, "position": {"x": 0, "y": 0},
        "enabled": true, "timeout_ms": null, "settle_ms": null, "retries": 0,
        "trace_level": "Minimal", "expected_outcome": null, "checks": [],
    })
}

/// Returns a call of a tool without arguments.
pub fn tool(number: usize, name: &str) -> Value {
    node(
        number,
        name,
        "McpToolCall",
        json!({"tool_name": name, "arguments": {}}),
    )
}

pub fn edge(from: usize, to: usize, label: &str) -> Value {
    let output = match label.split_once(' ') {
        None if label.is_empty() => Value::Null,
        None => json!({"type": label}),
        Some((label, case)) => json!({"type": label, "name": case}),
    };
    json!({"from": id(from), "to": id(to), "output": output})
}

/// Returns `a == b` for a variable and a literal.
pub fn equals(variable: &str, value: Value) -> Value {
    let kind = match value {
        Value::Bool(_) => "Bool",
        Value::Number(_) => "Number",
        _ => "String",
    };
    json!({
        "left": {"type": "Variable", "name": variable},
        "operator": "Equals",
        "right": {"type": "Literal", "value": {"type": kind, "value": value}},
    })
}

pub fn workflow(nodes: &[Value], edges: &[Value]) -> Value {
    json!({"id": id(0), "name": "w", "nodes": nodes, "edges": edges})
}

/// Returns one node after the other.
pub fn chain(nodes: &[Value]) -> Value {
    let edges: Vec<_> = (1..nodes.len())
        .map(|from| edge(from, from + 1, ""))
        .collect();
    workflow(nodes, &edges)
}

/// Returns a result of these text blocks.
pub fn texts(texts: &[&str]) -> Result<ToolResult, ToolFailure> {
    use workflow::machine::Block;
    Ok(ToolResult {
        blocks: texts
            .iter()
            .map(|text| Block::Text((*text).to_owned()))
            .collect(),
        ..ToolResult::default()
    })
}

pub fn reply(text: &str) -> Result<ChatReply, Failure> {
    Ok(ChatReply {
        text: text.to_owned(),
        model: "m".to_owned(),
        ..ChatReply::default()
    })
}

/// Answers the commands of a run.
pub struct Table {
    pub order: Order,
    pub tools: BTreeMap<&'static str, VecDeque<Result<ToolResult, ToolFailure>>>,
    pub replies: VecDeque<Result<ChatReply, Failure>>,
    pub listed: Vec<&'static str>,
    /// A stop arrives during this command, from 1.
    pub stop_at: Option<u32>,
    /// The duration of each answer, in milliseconds.
    pub answer_ms: u64,
    /// The questions to models.
    pub asked: Vec<ChatQuestion>,
    /// Whether the transcript includes commands.
    pub tells_commands: bool,
}

impl Table {
    pub fn new(json: &Value) -> Self {
        Self {
            order: Order {
                workflow: Workflow::from_json(json).unwrap(),
                dialect: Dialect::Seed,
                servers: vec!["desk".to_owned()],
                limits: Limits::default(),
            },
            tools: BTreeMap::new(),
            replies: VecDeque::new(),
            listed: Vec::new(),
            stop_at: None,
            answer_ms: 1,
            asked: Vec::new(),
            tells_commands: false,
        }
    }

    /// Like [`Table::new`], in this dialect.
    pub fn of(dialect: Dialect, json: &Value) -> Self {
        let mut table = Self::new(json);
        table.order.dialect = dialect;
        table
    }

    /// Sets the answers of a tool in order; the last one repeats.
    #[must_use]
    pub fn answers(
        mut self,
        tool: &'static str,
        answers: impl IntoIterator<Item = Result<ToolResult, ToolFailure>>,
    ) -> Self {
        self.tools.insert(tool, answers.into_iter().collect());
        self
    }

    #[must_use]
    pub fn replies(
        mut self,
        replies: impl IntoIterator<Item = Result<ChatReply, Failure>>,
    ) -> Self {
        self.replies = replies.into_iter().collect();
        self
    }

    /// Returns why a new run is refused, if so.
    pub fn finding(self) -> Option<Finding> {
        match WorkflowRun::new(self.order) {
            Ok(run) => run.refused().cloned(),
            Err(finding) => Some(finding),
        }
    }

    /// Returns the whole run as lines.
    pub fn run(&mut self) -> Vec<String> {
        self.conduct().0
    }

    /// Returns the whole run as lines, and its machine.
    pub fn conduct(&mut self) -> (Vec<String>, WorkflowRun) {
        let mut run = WorkflowRun::new(self.order.clone()).unwrap();
        let (mut lines, mut now_ms) = (Vec::new(), 0);
        run.handle(Input::Start, Millis(now_ms));
        loop {
            while let Some(notice) = run.next_notice() {
                let name = notice.node.map(|(_, name)| name);
                lines.extend(line(name.as_deref(), &notice.kind));
            }
            let Some(command) = run.next_command() else {
                assert!(run.is_ended(), "{lines:#?}");
                return (lines, run);
            };
            if self.tells_commands {
                lines.push(wanted(&command.action));
            }
            if self.stop_at == Some(command.id.0) {
                run.handle(Input::Stop { lost: Vec::new() }, Millis(now_ms));
            }
            now_ms += self.answer_ms;
            let outcome = self.outcome(&command, &mut now_ms);
            run.handle(Input::Answer(answer(&command, outcome)), Millis(now_ms));
        }
    }

    pub fn outcome(&mut self, command: &Command, now_ms: &mut u64) -> Outcome {
        match &command.action {
            Action::CallTool(call) => {
                let answers = self.tools.get_mut(call.tool.as_str());
                let unknown = || Err(ToolFailure::Refused(format!("Unknown tool: {}", call.tool)));
                Outcome::Called(answers.map_or_else(unknown, |answers| {
                    if answers.len() > 1 {
                        answers.pop_front().unwrap()
                    } else {
                        answers[0].clone()
                    }
                }))
            }
            Action::ListTools { .. } => {
                let tools = self.listed.iter().map(|name| ToolDescription {
                    name: (*name).to_owned(),
                    description: String::new(),
                    schema: json!({"type": "object"}),
                });
                Outcome::Listed(Ok(tools.collect()))
            }
            Action::Chat(question) => {
                self.asked.push(question.clone());
                let nobody = || Err(Failure::new(FailureKind::Down, "nobody is there"));
                Outcome::Chatted(self.replies.pop_front().unwrap_or_else(nobody))
            }
            Action::Wait { ms } => {
                *now_ms += ms;
                Outcome::Waited
            }
            Action::Investigate(_) | Action::Automate(_) => panic!("no run is expected"),
        }
    }
}

pub fn answer(command: &Command, outcome: Outcome) -> Answer {
    Answer {
        command: command.id,
        attempts: 1,
        throttled: 0,
        nano_usd: 0,
        outcome,
        remarks: Vec::new(),
    }
}

/// Returns a command in one line; a question to a model has further lines for its system prompt and each turn.
fn wanted(action: &Action) -> String {
    match action {
        Action::CallTool(call) => {
            let arguments = call.arguments.as_ref().map(Value::to_string);
            format!("-> call {}{}", call.tool, arguments.unwrap_or_default())
        }
        Action::ListTools { .. } => "-> list the tools".to_owned(),
        Action::Wait { ms } => format!("-> wait {ms} ms"),
        Action::Investigate(call) => format!("-> find {} and {}", call.person_a, call.person_b),
        Action::Automate(call) => format!("-> automaton {}", call.request),
        Action::Chat(question) => {
            let tools: Vec<&str> = question.tools.iter().map(|tool| &*tool.name).collect();
            let mut lines = vec![
                format!("-> ask a model that may call [{}]", tools.join(", ")),
                format!("system: {:?}", question.system),
            ];
            lines.extend(question.turns.iter().map(said));
            lines.join("\n   ")
        }
    }
}

fn said(turn: &Turn) -> String {
    match turn {
        Turn::User(parts) => {
            let parts = parts.iter().map(|part| match part {
                Part::Text(text) => format!("{text:?}"),
                Part::Image(image) => format!("a picture, {}", image.mime_type),
            });
            format!("user: {}", parts.collect::<Vec<_>>().join("; "))
        }
        Turn::Model { text, calls } => {
            let calls = calls
                .iter()
                .map(|call| format!("; calls {}{}", call.tool, call.arguments));
            format!("model: {text:?}{}", calls.collect::<String>())
        }
        Turn::Tool { tool, text, .. } => format!("{tool}: {text:?}"),
    }
}

/// Returns a notice in one line; `None` for results and for completed nodes.
pub fn line(node: Option<&str>, kind: &NoticeKind) -> Option<String> {
    let said = match kind {
        NoticeKind::Started { .. } | NoticeKind::NodeCompleted | NoticeKind::ToolResult { .. } => {
            return None;
        }
        NoticeKind::Warning(says) => format!("warning: {says}"),
        NoticeKind::Visited { how, .. } => format!("{how:?}").to_lowercase(),
        NoticeKind::ToolCall {
            tool, arguments, ..
        } => {
            let arguments = arguments.as_ref().map(Value::to_string);
            format!("calls {tool}{}", arguments.unwrap_or_default())
        }
        NoticeKind::VariableSet { variable, value } => {
            return Some(format!("{variable} = {value}"));
        }
        NoticeKind::BranchEvaluated { output, .. } => format!("takes {output}"),
        NoticeKind::LoopIteration { iteration } => format!("iteration {iteration}"),
        NoticeKind::LoopExited {
            reason,
            iterations_completed,
        } => format!("left after {iterations_completed}: {}", reason.as_ref()),
        NoticeKind::Retry { attempt, error } => format!("retry {attempt}: {error}"),
        NoticeKind::NodeFailed { error } => format!("failed: {error}"),
        NoticeKind::CheckEvaluated(verdict) => {
            format!(
                "check {}: {} ({})",
                verdict.check,
                verdict.word.as_ref(),
                verdict.reasoning
            )
        }
        NoticeKind::Ended { ending, .. } => {
            return Some(match ending {
                Ending::Completed => "completed".to_owned(),
                Ending::Stopped => "stopped".to_owned(),
                Ending::Failed { why, message, .. } => format!("{}: {message}", why.as_ref()),
            });
        }
        other => format!("{other:?}"),
    };
    Some(match node {
        Some(node) => format!("{node}: {said}"),
        None => said,
    })
}
