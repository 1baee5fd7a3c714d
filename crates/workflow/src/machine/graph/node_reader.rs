//! Reads one node.

use serde_json::{Map, Value};

use super::child_words::{AUTOMATE_MEMBERS, AUTOMATE_NODE, AUTOMATE_NOUN, CHAIN_NODE};
use super::condition_reader::condition;
use super::members::{Members, Place, ReadError};
use super::node::{Check, CheckKind, Node, OnCheckFail, Position, TraceLevel};
use super::node_kind::{AiStep, Case, Click, FocusMethod, MouseButton, NodeKind, ScreenshotMode};

/// Reads the node at this position, from 0.
pub(super) fn node(json: &Value, at: usize) -> Result<Node, ReadError> {
    let members = Members::of(json, Place::Item("node", at))?;
    let name = members.text("name")?;
    let members = members.named(Place::Named("node", at, name));
    let position = members.object("position")?;
    let is_enabled = members.flag("enabled")?;
    Ok(Node {
        id: members.id("id")?,
        kind: kind(&members.object("node_type")?, is_enabled)?,
        position: Position {
            x: position.number("x")?,
            y: position.number("y")?,
        },
        name: name.to_owned(),
        is_enabled,
        timeout_ms: members.optional_ms("timeout_ms")?,
        settle_ms: members.optional_ms("settle_ms")?,
        retries: members.count("retries")?,
        trace_level: members.word(
            "trace_level",
            &[
                ("Off", TraceLevel::Off),
                ("Minimal", TraceLevel::Minimal),
                ("Full", TraceLevel::Full),
            ],
        )?,
        expected_outcome: members.optional_text("expected_outcome")?,
        checks: checks(&members)?,
        server: members.optional_text("server")?,
    })
}

fn checks(node: &Members<'_, '_>) -> Result<Vec<Check>, ReadError> {
    let checks = node.list("checks")?.iter().map(|json| {
        let check = Members::of(json, Place::Entry(node.place(), "a check", "checks"))?;
        Ok(Check {
            name: check.text("name")?.to_owned(),
            kind: check.word(
                "check_type",
                &[
                    ("TextPresent", CheckKind::TextPresent),
                    ("TextAbsent", CheckKind::TextAbsent),
                    ("TemplateFound", CheckKind::TemplateFound),
                    ("WindowTitleMatches", CheckKind::WindowTitleMatches),
                ],
            )?,
            parameters: check.any("params")?.clone(),
            on_fail: check.word(
                "on_fail",
                &[
                    ("FailNode", OnCheckFail::FailNode),
                    ("WarnOnly", OnCheckFail::WarnOnly),
                ],
            )?,
        })
    });
    checks.collect()
}

/// The reader of one type's parameters.
type Read = fn(&Members<'_, '_>) -> Result<NodeKind, ReadError>;

/// The readers of all types of nodes, by the types' names.
const TYPES: [(&str, Read); 18] = [
    ("AiStep", ai_step),
    ("TakeScreenshot", take_screenshot),
    ("FindText", find_text),
    ("FindImage", find_image),
    ("Click", click),
    ("TypeText", type_text),
    ("PressKey", press_key),
    ("Scroll", scroll),
    ("ListWindows", list_windows),
    ("FocusWindow", focus_window),
    ("McpToolCall", tool_call),
    ("AppDebugKitOp", debugging_operation),
    (CHAIN_NODE, find_chain),
    (AUTOMATE_NODE, automate),
    ("If", if_node),
    ("Switch", switch),
    ("Loop", loop_node),
    ("EndLoop", end_loop),
];

/// Reads a node's type and its parameters. A type that is not known does no harm where the node is passed
/// over.
fn kind(members: &Members<'_, '_>, is_enabled: bool) -> Result<NodeKind, ReadError> {
    let name = members.text("type")?;
    if !is_enabled && !TYPES.iter().any(|(known, _)| *known == name) {
        return Ok(NodeKind::Unknown);
    }
    members.word("type", &TYPES)?(members)
}

fn ai_step(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    // The step's own limit of time is read and ignored: the node's counts.
    members.optional_ms("timeout_ms")?;
    Ok(NodeKind::AiStep(AiStep {
        prompt: members.text("prompt")?.to_owned(),
        button_text: members.optional_text("button_text")?,
        template_image: members.optional_text("template_image")?,
        tool_calls_max: members.optional_count("max_tool_calls")?,
        allowed_tools: match members.optional("allowed_tools") {
            None => None,
            Some(_) => Some(members.texts("allowed_tools")?),
        },
    }))
}

fn take_screenshot(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::TakeScreenshot {
        mode: members.word(
            "mode",
            &[
                ("Screen", ScreenshotMode::Screen),
                ("Window", ScreenshotMode::Window),
                ("Region", ScreenshotMode::Region),
            ],
        )?,
        target: members.optional_text("target")?,
        include_ocr: members.flag("include_ocr")?,
    })
}

fn find_text(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    // These members are read and used by no tool.
    members.word("match_mode", &[("Contains", ()), ("Exact", ())])?;
    members.optional_text("scope")?;
    members.optional_text("select_result")?;
    Ok(NodeKind::FindText {
        search_text: members.text("search_text")?.to_owned(),
    })
}

fn find_image(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::FindImage {
        template_image: members.optional_text("template_image")?,
        threshold: members.number("threshold")?,
        max_results: members.count("max_results")?,
    })
}

fn click(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::Click(Click {
        target: members.optional_text("target")?,
        x: members.optional_number("x")?,
        y: members.optional_number("y")?,
        button: members.word(
            "button",
            &[
                ("Left", MouseButton::Left),
                ("Right", MouseButton::Right),
                ("Center", MouseButton::Center),
            ],
        )?,
        click_count: members.count("click_count")?,
    }))
}

fn type_text(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::TypeText {
        text: members.text("text")?.to_owned(),
    })
}

fn press_key(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::PressKey {
        key: members.text("key")?.to_owned(),
        modifiers: members.texts("modifiers")?,
    })
}

fn scroll(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::Scroll {
        delta_y: members.whole("delta_y")?,
        x: members.optional_number("x")?,
        y: members.optional_number("y")?,
    })
}

fn list_windows(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::ListWindows {
        app_name: members.optional_text("app_name")?,
    })
}

fn focus_window(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    // No tool is told of this member.
    members.flag("bring_to_front")?;
    Ok(NodeKind::FocusWindow {
        method: members.word(
            "method",
            &[
                ("WindowId", FocusMethod::WindowId),
                ("AppName", FocusMethod::AppName),
                ("Pid", FocusMethod::Pid),
            ],
        )?,
        value: members.optional_text("value")?,
    })
}

fn tool_call(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::McpToolCall {
        tool_name: members.text("tool_name")?.to_owned(),
        arguments: members.any("arguments")?.clone(),
    })
}

fn debugging_operation(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::AppDebugKitOp {
        operation_name: members.text("operation_name")?.to_owned(),
        parameters: members.any("parameters")?.clone(),
    })
}

fn find_chain(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::FindChain {
        person_a: members.text("a")?.to_owned(),
        person_b: members.text("b")?.to_owned(),
        options: members.optional("options").cloned().unwrap_or_default(),
    })
}

fn automate(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    if !matches!(
        members.any(AUTOMATE_NOUN)?,
        Value::String(_) | Value::Array(_) | Value::Object(_)
    ) {
        return Err(members.wrong(AUTOMATE_NOUN, "a list of states, or a stored one's name"));
    }
    let mut request = Map::new();
    for name in AUTOMATE_MEMBERS {
        if let Some(value) = members.optional(name) {
            request.insert(name.to_owned(), value.clone());
        }
    }
    Ok(NodeKind::Automate { request })
}

fn if_node(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::If {
        condition: condition(&members.object("condition")?)?,
    })
}

fn switch(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    let cases = members.list("cases")?.iter().map(|json| {
        let case = Members::of(json, Place::Entry(members.place(), "a case", "cases"))?;
        Ok(Case {
            name: case.text("name")?.to_owned(),
            condition: condition(&case.object("condition")?)?,
        })
    });
    Ok(NodeKind::Switch {
        cases: cases.collect::<Result<_, ReadError>>()?,
    })
}

fn loop_node(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::Loop {
        exit_condition: condition(&members.object("exit_condition")?)?,
        max_iterations: members.count("max_iterations")?,
    })
}

fn end_loop(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    Ok(NodeKind::EndLoop {
        loop_id: members.id("loop_id")?,
    })
}
