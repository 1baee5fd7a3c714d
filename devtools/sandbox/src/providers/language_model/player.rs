//! Carries out the user's instructions, one tool call per turn. To find the next turn, it replays the conversation so
//! far.

use serde_json::{Value, json};

use super::conversation::{Conversation, Saying, ToolCall, Turn};
use super::fences::{fenced, unfenced};
use super::instructions::{Instruction, instructions};

/// How many times the screen is searched for a text to read. Once is not enough, because the text may appear late.
const READ_TRIES: usize = 3;
/// The first words of the answer of a tool that has failed.
const FAILED: &str = "The tool failed";

/// Returns the model's next turn.
pub(super) fn play(conversation: &Conversation) -> Saying {
    let told = conversation.turns.iter().enumerate().rev();
    let told = told.filter_map(|(at, turn)| match turn {
        Turn::User { text, .. } => Some((at, instructions(&unfenced(text)))),
        _ => None,
    });
    let mut told = told.filter(|(_, instructions)| !instructions.is_empty());
    let (at, instructions) = told.next().unwrap_or_default();
    let mut play = Play {
        tools: &conversation.tools,
        turns: conversation.turns.get(at..).unwrap_or_default().iter(),
        told: Vec::new(),
    };
    for instruction in &instructions {
        if let Err(saying) = play.act(instruction) {
            return saying;
        }
    }
    let summary = if play.told.is_empty() {
        "There was nothing to do.".to_owned()
    } else {
        play.told.join(" ")
    };
    end(true, &summary)
}

fn end(is_complete: bool, summary: &str) -> Saying {
    let words = if is_complete { "Done." } else { "I stop here." };
    let verdict = json!({"step_complete": is_complete, "summary": summary});
    Saying::Text(format!("{words} {summary}\n{verdict}"))
}

struct Play<'conversation> {
    tools: &'conversation [String],
    /// The turns of the conversation that are not replayed yet.
    turns: std::slice::Iter<'conversation, Turn>,
    told: Vec<String>,
}

impl Play<'_> {
    fn act(&mut self, instruction: &Instruction) -> Result<(), Saying> {
        match instruction {
            Instruction::Click(text) => {
                let said = self.click(text)?;
                self.told.push(said);
            }
            Instruction::Type(text, field) => {
                if let Some(field) = field {
                    self.click(field)?;
                }
                self.call("type_text", json!({"text": text}))?;
                self.told.push(format!("I typed \"{text}\"."));
            }
            Instruction::Press(key) => {
                self.call("press_key", json!({"key": key}))?;
                self.told.push(format!("I pressed \"{key}\"."));
            }
            Instruction::Read(text) => self.read(text)?,
            Instruction::Look => {
                self.call("take_screenshot", json!({"mode": "screen"}))?;
                self.told.push("I looked at the screen.".to_owned());
            }
        }
        Ok(())
    }

    fn click(&mut self, text: &str) -> Result<String, Saying> {
        let Some(found) = self.find(text)? else {
            return Err(end(false, &format!("I did not find \"{text}\".")));
        };
        let place = |axis: &str| found.get(axis).cloned().unwrap_or_default();
        self.call("click", json!({"x": place("x"), "y": place("y")}))?;
        Ok(format!("I clicked \"{text}\"."))
    }

    fn read(&mut self, text: &str) -> Result<(), Saying> {
        for _ in 0..READ_TRIES {
            if let Some(found) = self.find(text)? {
                let says = found.get("text").and_then(Value::as_str).unwrap_or(text);
                self.told.push(format!("I read \"{says}\"."));
                return Ok(());
            }
        }
        Err(end(false, &format!("I did not find \"{text}\".")))
    }

    /// Finds a text on the screen and returns the best match.
    fn find(&mut self, text: &str) -> Result<Option<Value>, Saying> {
        let answer = self.call("find_text", json!({"text": text}))?;
        // A second block may follow the list, so only the first value is parsed.
        let mut values = serde_json::Deserializer::from_str(&answer).into_iter::<Value>();
        let found = values.next().and_then(Result::ok);
        let found = found.as_ref().and_then(Value::as_array);
        Ok(found.and_then(|found| found.first()).cloned())
    }

    /// Returns the answer to a tool call. If the tool has not been called yet, the error is the call; if the tool is
    /// missing or its answer is of no use, the error is the model's last words.
    fn call(&mut self, tool: &str, arguments: Value) -> Result<String, Saying> {
        if !self.tools.iter().any(|known| known == tool) {
            return Err(end(false, &format!("I have no tool {tool}.")));
        }
        let answer = self.turns.find_map(|turn| match turn {
            Turn::Tool {
                tool,
                text,
                is_error,
            } => Some((tool, text, *is_error)),
            _ => None,
        });
        let Some((answered, text, is_error)) = answer else {
            let tool = tool.to_owned();
            return Err(Saying::Call(ToolCall { tool, arguments }));
        };
        if answered != tool {
            let says = format!("I wanted an answer of {tool} and got one of {answered}.");
            return Err(end(false, &says));
        }
        let says = fenced(text)
            .into_iter()
            .next()
            .unwrap_or_else(|| text.clone());
        if is_error || text.starts_with(FAILED) {
            return Err(end(false, &format!("The tool {tool} failed: {says}")));
        }
        Ok(says)
    }
}
