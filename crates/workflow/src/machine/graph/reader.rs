//! Reads nodes and conditions from JSON. An error names the member that is wrong.

use std::fmt;

use serde_json::{Map, Value};
use strum::VariantArray as _;

use super::node::{
    AiStep, Case, Check, CheckKind, Click, Condition, FocusMethod, MouseButton, Node, NodeKind,
    OnCheckFail, Operator, Position, ScreenshotMode, TraceLevel, ValueRef,
};
use super::{AUTOMATE_MEMBERS, AUTOMATE_NODE, AUTOMATE_NOUN, CHAIN_NODE, NodeId};

/// The most characters that an error shows of a name.
const SHOWN_CHARS_MAX: usize = 60;
/// The limit up to which a float represents every integer exactly.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// Why a JSON value is not a workflow, in words: the place, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(pub(super) String);

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A JSON object that is read member by member, and its place in the workflow, which errors name.
pub(super) struct Members<'json, 'parent> {
    members: &'json Map<String, Value>,
    place: Place<'parent>,
}

/// The place of an object in a workflow. It is put into words only if there is an error.
#[derive(Clone, Copy)]
pub(super) enum Place<'parent> {
    /// The workflow itself.
    Workflow,
    /// An element of one of the workflow's lists: its noun, and its position from 0.
    Item(&'static str, usize),
    /// An element of one of the workflow's lists: its noun, its position from 0, and its name.
    Named(&'static str, usize, &'parent str),
    /// A member of another object: the object's place, and the member's name.
    Member(&'parent Place<'parent>, &'parent str),
    /// An element of a list in another object: the object's place, the element's noun, and the list's name.
    Entry(&'parent Place<'parent>, &'static str, &'static str),
}

/// Returns a name in the truncated form that errors show.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS_MAX).collect()
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workflow => formatter.write_str("the workflow"),
            Self::Item(what, at) => write!(formatter, "{what} {}", at + 1),
            Self::Named(what, at, name) => {
                write!(formatter, "{what} {} \"{}\"", at + 1, shown(name))
            }
            Self::Member(parent, name) => write!(formatter, "`{name}` of {parent}"),
            Self::Entry(parent, what, list) => write!(formatter, "{what} in `{list}` of {parent}"),
        }
    }
}

impl<'json, 'parent> Members<'json, 'parent> {
    /// Returns the members of a value at this place. Fails if the value is not an object.
    pub(super) fn of(json: &'json Value, place: Place<'parent>) -> Result<Self, ReadError> {
        match json {
            Value::Object(members) => Ok(Self { members, place }),
            _ => Err(ReadError(format!("{place} must be an object"))),
        }
    }

    /// Returns the members with another, more precise place for errors to name.
    pub(super) fn named(self, place: Place<'parent>) -> Self {
        Self { place, ..self }
    }

    /// Returns the place of the object.
    pub(super) fn place(&self) -> &Place<'parent> {
        &self.place
    }

    /// Returns the error for a wrong member `name`. `expected` says what the member must be.
    pub(super) fn wrong(&self, name: &str, expected: &str) -> ReadError {
        let place = Place::Member(&self.place, name);
        ReadError(format!("{place} must be {expected}"))
    }

    /// Returns a required member.
    pub(super) fn any(&self, name: &str) -> Result<&'json Value, ReadError> {
        self.members
            .get(name)
            .ok_or_else(|| ReadError(format!("{} is missing", Place::Member(&self.place, name))))
    }

    /// Returns a member, or `None` if it is absent or null.
    pub(super) fn optional(&self, name: &str) -> Option<&'json Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Returns a required object.
    pub(super) fn object<'this>(
        &'this self,
        name: &'this str,
    ) -> Result<Members<'json, 'this>, ReadError> {
        Members::of(self.any(name)?, Place::Member(&self.place, name))
    }

    /// Returns a required list.
    pub(super) fn list(&self, name: &str) -> Result<&'json [Value], ReadError> {
        match self.any(name)? {
            Value::Array(list) => Ok(list),
            _ => Err(self.wrong(name, "a list")),
        }
    }

    /// Returns a required text.
    pub(super) fn text(&self, name: &str) -> Result<&'json str, ReadError> {
        let text = self.any(name)?.as_str();
        text.ok_or_else(|| self.wrong(name, "a text"))
    }

    /// Returns a text, or `None` if it is absent or null.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, ReadError> {
        let text = self.optional(name).map(|value| {
            let text = value.as_str().map(str::to_owned);
            text.ok_or_else(|| self.wrong(name, "a text or null"))
        });
        text.transpose()
    }

    /// Returns a required list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let texts = self.list(name)?.iter().map(|text| {
            let text = text.as_str().map(str::to_owned);
            text.ok_or_else(|| self.wrong(name, "a list of texts"))
        });
        texts.collect()
    }

    /// Returns a required boolean.
    pub(super) fn flag(&self, name: &str) -> Result<bool, ReadError> {
        let flag = self.any(name)?.as_bool();
        flag.ok_or_else(|| self.wrong(name, "true or false"))
    }

    /// Returns a required number.
    pub(super) fn number(&self, name: &str) -> Result<f64, ReadError> {
        let number = self.any(name)?.as_f64();
        number.ok_or_else(|| self.wrong(name, "a number"))
    }

    /// Returns a number, or `None` if it is absent or null.
    pub(super) fn optional_number(&self, name: &str) -> Result<Option<f64>, ReadError> {
        match self.optional(name) {
            None => Ok(None),
            Some(_) => self.number(name).map(Some),
        }
    }

    /// Returns a required `u32`, which may be written as `5.0`.
    pub(super) fn count(&self, name: &str) -> Result<u32, ReadError> {
        let number = whole_number(self.any(name)?);
        let count = number.and_then(|number| u32::try_from(number).ok());
        count.ok_or_else(|| self.wrong(name, "a whole number from 0 to 4294967295"))
    }

    /// Returns a `u32`, or `None` if it is absent or null.
    pub(super) fn optional_count(&self, name: &str) -> Result<Option<u32>, ReadError> {
        match self.optional(name) {
            None => Ok(None),
            Some(_) => self.count(name).map(Some),
        }
    }

    /// Returns a required `i32`, which may be written as `5.0`.
    pub(super) fn whole(&self, name: &str) -> Result<i32, ReadError> {
        let number = whole_number(self.any(name)?);
        let whole = number.and_then(|number| i32::try_from(number).ok());
        whole.ok_or_else(|| self.wrong(name, "a whole number of 32 bits"))
    }

    /// Returns a number of milliseconds, or `None` if it is absent or null.
    pub(super) fn optional_ms(&self, name: &str) -> Result<Option<u64>, ReadError> {
        let ms = self.optional(name).map(|value| {
            let ms = whole_number(value).and_then(|ms| u64::try_from(ms).ok());
            ms.ok_or_else(|| self.wrong(name, "whole milliseconds or null"))
        });
        ms.transpose()
    }

    /// Returns the value that stands for a required word. The word must be one of `words`.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, ReadError> {
        let word = self.text(name)?;
        let known = words.iter().find(|(known, _)| *known == word);
        known.map(|(_, meant)| *meant).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
            let (known, shown) = (known.join(", "), shown(word));
            self.wrong(name, &format!("one of {known}, not \"{shown}\""))
        })
    }

    /// Returns a required node id.
    pub(super) fn id(&self, name: &str) -> Result<NodeId, ReadError> {
        let id = NodeId::parse(self.text(name)?);
        id.ok_or_else(|| self.wrong(name, "a UUID"))
    }
}

/// Returns an integer, which may be written as `5.0`, as in JSON Schema; `None` for any other value.
fn whole_number(value: &Value) -> Option<i64> {
    let number = value.as_f64()?;
    let is_whole = number.fract() == 0.0 && number.abs() <= EXACT_MAX;
    // The number is at most 2^53 in magnitude, so the conversion loses nothing.
    #[allow(clippy::cast_possible_truncation)]
    let whole = number as i64;
    // As an `f64`, an integer just above the limit is rounded down to the limit, so the exact integer is checked.
    is_whole
        .then_some(value.as_i64().unwrap_or(whole))
        .filter(|whole| whole.unsigned_abs() <= 1 << 53)
}

/// Reads the node at position `at`, from 0, in the workflow's list.
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

/// A function that reads the parameters of one node type.
type Read = fn(&Members<'_, '_>) -> Result<NodeKind, ReadError>;

/// The functions that read the node types, by the type's name.
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

/// Reads the type and the parameters of a node. A type that is unknown is accepted if the node is disabled.
fn kind(members: &Members<'_, '_>, is_enabled: bool) -> Result<NodeKind, ReadError> {
    let name = members.text("type")?;
    if !is_enabled && !TYPES.iter().any(|(known, _)| *known == name) {
        return Ok(NodeKind::Unknown);
    }
    members.word("type", &TYPES)?(members)
}

fn ai_step(members: &Members<'_, '_>) -> Result<NodeKind, ReadError> {
    // The step has a time limit of its own, which is read but ignored: the node's limit counts.
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
    // These members are validated, but no tool has an argument for them.
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
    // This member is validated, but no tool has an argument for it.
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

/// Reads a condition from the members of a JSON object.
pub(super) fn condition(members: &Members<'_, '_>) -> Result<Condition, ReadError> {
    Ok(Condition {
        left: value_ref(&members.object("left")?)?,
        operator: members.word(
            "operator",
            &Operator::VARIANTS
                .iter()
                .map(|known| (known.as_ref(), *known))
                .collect::<Vec<_>>(),
        )?,
        right: value_ref(&members.object("right")?)?,
    })
}

#[derive(Clone, Copy)]
enum Source {
    Variable,
    Literal,
}

fn value_ref(members: &Members<'_, '_>) -> Result<ValueRef, ReadError> {
    let sources = [("Variable", Source::Variable), ("Literal", Source::Literal)];
    Ok(match members.word("type", &sources)? {
        Source::Variable => ValueRef::Variable(members.text("name")?.to_owned()),
        Source::Literal => ValueRef::Literal(literal(&members.object("value")?)?),
    })
}

#[derive(Clone, Copy)]
enum LiteralType {
    String,
    Number,
    Bool,
}

fn literal(members: &Members<'_, '_>) -> Result<Value, ReadError> {
    let types = [
        ("String", LiteralType::String),
        ("Number", LiteralType::Number),
        ("Bool", LiteralType::Bool),
    ];
    Ok(match members.word("type", &types)? {
        LiteralType::String => Value::from(members.text("value")?),
        // A number is always read as a float, so that its text is `3.0` rather than `3`.
        LiteralType::Number => Value::from(members.number("value")?),
        LiteralType::Bool => Value::from(members.flag("value")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for (text, expected) in [
            ("0", Some(0)),
            ("5", Some(5)),
            ("5.0", Some(5)),
            ("-3e2", Some(-300)),
            ("9007199254740992", Some(1 << 53)),
            ("-9007199254740992.0", Some(-(1 << 53))),
            ("9007199254740993", None),
            ("18446744073709551615", None),
            ("1e300", None),
            ("5.5", None),
            ("null", None),
            ("\"5\"", None),
        ] {
            let value = serde_json::from_str(text).unwrap();
            assert_eq!(whole_number(&value), expected, "{text}");
        }
    }
}
