//! The script with which a case answers its workflow's calls.

use std::collections::BTreeMap;

use serde_json::Value;

use domain::Sha256Digest;
use domain::chat::ImageRef;
use mcp::{CallResult, Content, Media};
use workflow::machine::{Block, ToolFailure, ToolResult};

/// The script of a case: the answers of each tool, in order.
#[derive(Debug)]
pub(super) struct Script {
    tools: BTreeMap<String, Vec<Value>>,
    /// The number of the call at which the run is stopped, from 1; 0 stops it before the first node, `None` never.
    pub(super) stop_at_call: Option<u64>,
}

/// The tools that a script simulates, each with its remaining answers.
#[derive(Debug)]
pub(super) struct ScriptedTools<'case> {
    script: &'case Script,
    calls: BTreeMap<String, usize>,
}

/// An answer of a script, and the delay before it.
pub(super) struct ScriptedAnswer {
    pub(super) result: Result<ToolResult, ToolFailure>,
    pub(super) delay_ms: u64,
}

impl Script {
    /// Parses a script. A workflow without calls needs no script, so the script and its `tools` may be absent.
    pub(super) fn from_json(json: Option<&Value>) -> Result<Self, &'static str> {
        let mut tools = BTreeMap::new();
        let listed = json.and_then(|json| json.get("tools"));
        let listed = listed.map(|tools| tools.as_object());
        let listed = listed.map(|tools| tools.ok_or("`tools` of the script must be an object"));
        for (tool, results) in listed.transpose()?.into_iter().flatten() {
            let results = results.as_array().filter(|results| !results.is_empty());
            let results = results.ok_or("a tool of the script must have a list of results")?;
            tools.insert(tool.clone(), results.clone());
        }
        Ok(Self {
            tools,
            stop_at_call: json.and_then(|json| json.get("stop_at_call")?.as_u64()),
        })
    }

    pub(super) fn begin(&self) -> ScriptedTools<'_> {
        ScriptedTools {
            script: self,
            calls: BTreeMap::new(),
        }
    }
}

impl ScriptedTools<'_> {
    /// Returns the answer to the next call of this tool. After the last answer, it repeats that answer.
    pub(super) fn call(&mut self, tool: &str) -> ScriptedAnswer {
        let calls = self.calls.entry(tool.to_owned()).or_insert(0);
        let results = self.script.tools.get(tool).map(Vec::as_slice);
        let result = results.and_then(|results| results.get(*calls).or(results.last()));
        *calls += 1;
        match result {
            None => ScriptedAnswer {
                result: Err(ToolFailure::Refused(format!("Unknown tool: {tool}"))),
                delay_ms: 0,
            },
            Some(result) => ScriptedAnswer {
                result: answer(result),
                delay_ms: result.get("delay_ms").and_then(Value::as_u64).unwrap_or(0),
            },
        }
    }
}

fn answer(result: &Value) -> Result<ToolResult, ToolFailure> {
    if let Some(error) = result.get("error") {
        let message = error.get("message").and_then(Value::as_str);
        return Err(ToolFailure::Refused(message.unwrap_or_default().to_owned()));
    }
    let result = CallResult::read(result);
    Ok(ToolResult {
        blocks: result.content.into_iter().map(block).collect(),
        structured: result.structured,
        is_error: result.is_error,
    })
}

fn block(content: Content) -> Block {
    match content {
        Content::Text(text) => Block::Text(text),
        Content::Image(media) => Block::Image(kept(media)),
        Content::Audio(media) => Block::Audio(kept(media)),
        Content::Other(json) => Block::Other(json),
    }
}

fn kept(media: Media) -> ImageRef {
    ImageRef {
        digest: Sha256Digest::of(&media.bytes),
        mime_type: media.mime_type,
    }
}
