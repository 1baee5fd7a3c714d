//! The functions that the model may call.

use serde_json::Value;

use super::super::reply::Reply;
use super::members::{check_members, invalid, member};
use super::schema::unknown_openapi_keyword;

const NAME_CHARS_MAX: usize = 64;
const DECLARATION: [&str; 6] = [
    "name",
    "description",
    "parameters",
    "parametersJsonSchema",
    "response",
    "responseJsonSchema",
];
const TOOLS: [&str; 4] = [
    "functionDeclarations",
    "googleSearch",
    "codeExecution",
    "urlContext",
];
const BAD_NAME: &str = "[Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.]";

/// Returns the names of the functions in a request.
pub(super) fn tools(body: &Value) -> Result<Vec<String>, Box<Reply>> {
    let tools = member(body, "tools").filter(|tools| !tools.is_null());
    let tools = match tools.map(Value::as_array) {
        None => &[][..],
        Some(Some(tools)) => tools,
        Some(None) => return Err(invalid("Invalid value at 'tools'.")),
    };
    let mut names = Vec::new();
    for (number, tool) in tools.iter().enumerate() {
        let place = format!("tools[{number}]");
        check_members(tool, &place, &TOOLS)?;
        let declared = member(tool, "functionDeclarations").and_then(Value::as_array);
        for (number, declared) in declared.into_iter().flatten().enumerate() {
            let name = name(
                declared,
                &format!("{place}.function_declarations[{number}]"),
            )?;
            if names.contains(&name) {
                return Err(invalid(&format!(
                    "Duplicate function declaration found: {name}"
                )));
            }
            names.push(name);
        }
    }
    allowed(body, names)
}

fn name(declared: &Value, place: &str) -> Result<String, Box<Reply>> {
    check_members(declared, place, &DECLARATION)?;
    let name = declared
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
    if !name.starts_with(begins) || !name.chars().all(goes_on) || name.len() > NAME_CHARS_MAX {
        return Err(invalid(&format!(
            "* GenerateContentRequest.{place}.name: {BAD_NAME}\n"
        )));
    }
    let [openapi, json] = ["parameters", "parametersJsonSchema"].map(|name| member(declared, name));
    match (openapi, json) {
        (Some(_), Some(_)) => Err(invalid(&format!(
            "Only one of parameters and parameters_json_schema may be set at '{place}'."
        ))),
        (Some(schema), None) => match unknown_openapi_keyword(schema) {
            Some(keyword) => Err(invalid(&format!(
                "Invalid JSON payload received. Unknown name \"{keyword}\" at '{place}.parameters': Cannot find field."
            ))),
            None => Ok(name.to_owned()),
        },
        (None, Some(schema)) if schema.get("type").and_then(Value::as_str) != Some("object") => {
            Err(invalid(&format!(
                "* GenerateContentRequest.{place}.parameters_json_schema: must describe an object\n"
            )))
        }
        _ => Ok(name.to_owned()),
    }
}

/// Returns the functions that the request's `toolConfig` allows.
fn allowed(body: &Value, names: Vec<String>) -> Result<Vec<String>, Box<Reply>> {
    let Some(config) = member(body, "toolConfig") else {
        return Ok(names);
    };
    check_members(
        config,
        "tool_config",
        &["functionCallingConfig", "retrievalConfig"],
    )?;
    let Some(config) = member(config, "functionCallingConfig") else {
        return Ok(names);
    };
    let place = "tool_config.function_calling_config";
    check_members(config, place, &["mode", "allowedFunctionNames"])?;
    let listed = member(config, "allowedFunctionNames").and_then(Value::as_array);
    match config.get("mode").and_then(Value::as_str).unwrap_or("AUTO") {
        "NONE" => Ok(Vec::new()),
        "AUTO" if listed.is_some() => Err(invalid(
            "Allowed function names should be set only when function calling mode is ANY or VALIDATED.",
        )),
        "AUTO" | "VALIDATED" | "ANY" => Ok(match listed {
            None => names,
            Some(listed) => names
                .into_iter()
                .filter(|name| listed.iter().any(|one| one == name.as_str()))
                .collect(),
        }),
        mode => Err(invalid(&format!(
            "Invalid value at '{place}.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), \"{mode}\""
        ))),
    }
}
