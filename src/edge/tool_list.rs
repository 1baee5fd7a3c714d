//! The tools that a caller is told of.

use serde_json::Value;
use worker::{Env, Request, Result};

use mcp::CALLER_HEADER;
use settings::{AtlasAccess, Settings};

use crate::assistant::{CHECK_CHAIN, GET_RUN, PATH_BETWEEN, SEEN_WITH, STOP_RUN, WHO_IS};
use crate::engines::EngineName;

use super::incoming::header;
use super::{description, stored_documents};

/// Returns the JSON of the list of every tool that this caller may be told of.
pub(super) async fn all(
    request: &Request,
    env: &Env,
    settings: &Settings,
    is_operator: bool,
) -> Result<String> {
    let described = description::file(request, env, "/tools.json").await?;
    let described: Value = serde_json::from_str(&described)?;
    let names = EngineName::tools().chain([GET_RUN, STOP_RUN, CHECK_CHAIN]);
    let who_is = settings.people.is_some().then_some(WHO_IS);
    let has_atlas = match settings.atlas {
        AtlasAccess::Nobody => false,
        AtlasAccess::Operator => is_operator,
        AtlasAccess::Everybody { .. } => true,
    };
    let atlas = [SEEN_WITH, PATH_BETWEEN].into_iter().filter(|_| has_atlas);
    let mut tools = Vec::new();
    for name in names.chain(who_is).chain(atlas) {
        tools.extend(described.get(name).map(Value::to_string));
    }
    let mut taken: Vec<String> = Vec::new();
    for StoredTool { name, json, .. } in stored(request, env, settings, is_operator).await? {
        // The program's own tools come first, and of two engines' tools of one name the first.
        if described.get(&name).is_none() && !taken.contains(&name) {
            tools.push(json);
            taken.push(name);
        }
    }
    Ok(format!("[{}]", tools.join(",")))
}

/// A stored document that is a tool.
pub(super) struct StoredTool {
    pub(super) engine: EngineName,
    pub(super) name: String,
    /// The JSON of the tool's description.
    pub(super) json: String,
}

/// Returns the operator's stored documents that are tools of which this caller may be told. A caller that is a run
/// of this program itself is told of none, so that no run goes round.
pub(super) async fn stored(
    request: &Request,
    env: &Env,
    settings: &Settings,
    is_operator: bool,
) -> Result<Vec<StoredTool>> {
    let mut tools = Vec::new();
    if header(request, CALLER_HEADER).is_some() {
        return Ok(tools);
    }
    for (engine, documents) in EngineName::stored_documents() {
        if !stored_documents::is_shown_to(&documents, settings, is_operator) {
            continue;
        }
        for (name, about) in stored_documents::listed(env, &documents).await? {
            let about = about.unwrap_or_default();
            if let Some(json) = engine.stored_tool(&name, &about, settings) {
                tools.push(StoredTool { engine, name, json });
            }
        }
    }
    Ok(tools)
}
