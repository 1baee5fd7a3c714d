//! The operator's stored workflows, in KV.

use serde_json::{Value, json};
use worker::{Env, Request, Response, Result};

use crate::session::{
    Problem, Settings, WORKFLOW_BODY_BYTES_MAX, WorkflowAccess, check_stored_workflow,
};

use super::incoming::bounded_body;
use super::{door, environment, replies};

/// What the keys of stored workflows begin with.
const PREFIX: &str = "workflow:";
/// The platform lists so many keys at once.
const LISTED_MAX: u64 = 1_000;

/// Their names, and the names of the servers that workflows may use.
pub(super) async fn list(request: &Request, env: &Env, settings: &Settings) -> Result<Response> {
    if !is_shown(request, settings)? {
        return replies::json(&json!({
            "workflows": [],
            "servers": [],
            "startedBy": settings.workflow_access.as_str(),
        }));
    }
    let kv = environment::documents(env)?;
    let listed = kv.list().prefix(PREFIX.to_owned()).limit(LISTED_MAX);
    let listed = listed.execute().await?;
    let workflows = listed.keys.iter().filter_map(|key| {
        let name = key.name.strip_prefix(PREFIX)?;
        let nodes = key.metadata.as_ref().and_then(|about| about.get("nodes"));
        Some(json!({"name": name, "nodes": nodes}))
    });
    let workflows: Vec<Value> = workflows.collect();
    let servers = settings
        .providers
        .iter()
        .flat_map(|providers| &providers.mcp_servers);
    let servers: Vec<Value> = servers.map(|server| json!({"name": server.name})).collect();
    replies::json(&json!({
        "workflows": workflows,
        "servers": servers,
        "startedBy": settings.workflow_access.as_str(),
    }))
}

/// The workflow of this name; none where there is none.
pub(super) async fn read(env: &Env, name: &str) -> Result<Option<Value>> {
    let kv = environment::documents(env)?;
    let text = kv.get(&format!("{PREFIX}{name}")).text().await?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// The workflow of this name as it was stored.
pub(super) async fn show(
    request: &Request,
    env: &Env,
    settings: &Settings,
    name: &str,
) -> Result<Response> {
    let workflow = if is_shown(request, settings)? {
        read(env, name).await?
    } else {
        None
    };
    match workflow {
        Some(workflow) => replies::json(&workflow),
        None => replies::problem(&no_such_workflow(name)),
    }
}

/// Stores a workflow under this name, in place of an earlier one: the operator alone.
pub(super) async fn store(
    request: &mut Request,
    env: &Env,
    settings: &Settings,
    name: &str,
) -> Result<Response> {
    if let Err(problem) = door::check_store(request, settings)? {
        return replies::problem(&problem);
    }
    let Some(body) = bounded_body(request, WORKFLOW_BODY_BYTES_MAX).await? else {
        let detail = format!("The workflow is over {WORKFLOW_BODY_BYTES_MAX} bytes.");
        return replies::problem(&Problem::new(413, detail));
    };
    let nodes = match check_stored_workflow(&body) {
        Ok(nodes) => nodes,
        Err(problem) => return replies::problem(&problem),
    };
    let text = String::from_utf8_lossy(&body).into_owned();
    let kv = environment::documents(env)?;
    let put = kv.put(&format!("{PREFIX}{name}"), text)?;
    put.metadata(json!({"nodes": nodes}))?.execute().await?;
    Ok(Response::empty()?.with_status(204))
}

/// Removes the workflow of this name: the operator alone.
pub(super) async fn remove(
    request: &Request,
    env: &Env,
    settings: &Settings,
    name: &str,
) -> Result<Response> {
    if let Err(problem) = door::check_store(request, settings)? {
        return replies::problem(&problem);
    }
    let kv = environment::documents(env)?;
    kv.delete(&format!("{PREFIX}{name}")).await?;
    Ok(Response::empty()?.with_status(204))
}

/// Whoever may not start any of them is told of none.
fn is_shown(request: &Request, settings: &Settings) -> Result<bool> {
    if settings.workflow_access != WorkflowAccess::Operator {
        return Ok(true);
    }
    Ok(door::check_operator(request, settings)? == Ok(true))
}

fn no_such_workflow(name: &str) -> Problem {
    let detail = format!("There is no stored workflow {name}; GET /workflows lists them.");
    Problem::new(404, detail)
}
