//! Nodes: the members that all have, the types with their parameters, and the conditions of control nodes.

use serde_json::{Map, Value};
use strum::{AsRefStr, VariantArray};

use super::{AUTOMATE_NODE, CHAIN_NODE, NodeId};

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The node's id, to which edges refer.
    pub id: NodeId,
    /// The node's type and its parameters.
    pub kind: NodeKind,
    /// The node's position in the editor.
    pub position: Position,
    /// The node's name. In folded form it is the prefix of the node's variables.
    pub name: String,
    /// Whether the node is executed. A disabled node is skipped.
    pub is_enabled: bool,
    /// The time limit of an AI step, in milliseconds; `None` for no limit. It has no effect on other nodes.
    pub timeout_ms: Option<u64>,
    /// The wait after the node has succeeded, in milliseconds; `None` for no wait.
    pub settle_ms: Option<u64>,
    /// How often the node is tried again after a failure.
    pub retries: u32,
    /// How much of the node's execution the trace keeps.
    pub trace_level: TraceLevel,
    /// What should be visible after the node, in words. This adds a check; `None` adds none.
    pub expected_outcome: Option<String>,
    /// The checks by which the node is judged after the run.
    pub checks: Vec<Check>,
    /// The alias of the server that has the node's tools; `None` for the run's first server.
    pub server: Option<String>,
}

/// A position on the editor's canvas, in the canvas's own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The distance from the left, growing to the right.
    pub x: f64,
    /// The distance from the top, growing downwards.
    pub y: f64,
}

/// How much of a node's execution the trace keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLevel {
    /// Neither the node's events nor its artifacts.
    Off,
    /// The node's events and artifacts.
    Minimal,
    /// As much as `Minimal`.
    Full,
}

/// A check by which a node is judged after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The check's name, which the verdict repeats.
    pub name: String,
    /// What the check looks for.
    pub kind: CheckKind,
    /// The check's parameters, as the file has them.
    pub parameters: Value,
    /// What follows if the check does not hold.
    pub on_fail: OnCheckFail,
}

/// What a check looks for on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckKind {
    /// A text is visible.
    TextPresent,
    /// A text is not visible.
    TextAbsent,
    /// A picture is visible.
    TemplateFound,
    /// A window has this title.
    WindowTitleMatches,
}

/// What follows if a check does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCheckFail {
    /// The verdict is a failure, after which no further node is judged.
    FailNode,
    /// The verdict is only a warning.
    WarnOnly,
}

/// The type of a node, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// A language model calls tools until it is done.
    AiStep(AiStep),
    /// Calls `take_screenshot`.
    TakeScreenshot {
        /// The part of the screen to capture.
        mode: ScreenshotMode,
        /// The name of the app to capture, in the user's words; `None` for none.
        target: Option<String>,
        /// Whether the text in the picture is also recognised.
        include_ocr: bool,
    },
    /// Calls `find_text`.
    FindText {
        /// The text to find.
        search_text: String,
    },
    /// Calls `find_image`.
    FindImage {
        /// The picture to find, in base64; `None` if the file has none.
        template_image: Option<String>,
        /// The least similarity of a match, from 0 to 1.
        threshold: f64,
        /// The most matches to return.
        max_results: u32,
    },
    /// Calls `click`, at a position or a text.
    Click(Click),
    /// Calls `type_text`.
    TypeText {
        /// The text to type.
        text: String,
    },
    /// Calls `press_key`.
    PressKey {
        /// The name of the key, as the tool expects it.
        key: String,
        /// The names of the modifier keys to hold while the key is pressed.
        modifiers: Vec<String>,
    },
    /// Calls `scroll`.
    Scroll {
        /// The distance in the tool's units. A positive one scrolls down.
        delta_y: i32,
        /// The horizontal position of the mouse, in pixels from the left; `None` to send none.
        x: Option<f64>,
        /// The vertical position of the mouse, in pixels from the top; `None` to send none.
        y: Option<f64>,
    },
    /// Calls `list_windows`.
    ListWindows {
        /// The only app whose windows are listed; `None` for all windows.
        app_name: Option<String>,
    },
    /// Calls `focus_window`.
    FocusWindow {
        /// How to identify the window.
        method: FocusMethod,
        /// The window's id, its process id, or its app's name in the user's words, according to `method`; `None` if the
        /// file has none.
        value: Option<String>,
    },
    /// Calls the tool with the given name.
    McpToolCall {
        /// The name of the tool, which its server must have.
        tool_name: String,
        /// The tool's arguments, which are sent unchanged. Null is sent as an empty object.
        arguments: Value,
    },
    /// Calls the tool of the debugging kit with the given name.
    AppDebugKitOp {
        /// The name of the tool, which its server must have.
        operation_name: String,
        /// The tool's arguments, which are sent unchanged. With null, none are sent.
        parameters: Value,
    },
    /// Begins an investigation and waits for its end.
    FindChain {
        /// The person at the start of the chain.
        person_a: String,
        /// The person at the end of the chain.
        person_b: String,
        /// The options of the child run, as in `POST /runs`.
        options: Value,
    },
    /// Begins an automaton and waits for its end.
    Automate {
        /// The request for the child run, as in `POST /runs`.
        request: Map<String, Value>,
    },
    /// Continues on one of two ways, depending on a condition.
    If {
        /// The condition for the way `IfTrue`; otherwise `IfFalse` is taken.
        condition: Condition,
    },
    /// Continues on the way of the first case that matches.
    Switch {
        /// The cases, in the order in which they are evaluated.
        cases: Vec<Case>,
    },
    /// Repeats its body, at least once, until a condition holds.
    Loop {
        /// The condition that ends the loop. It is evaluated before each iteration except the first.
        exit_condition: Condition,
        /// The most iterations, after which the loop ends in any case.
        max_iterations: u32,
    },
    /// The end of a Loop's body, which leads back to the Loop.
    EndLoop {
        /// The Loop to which the node belongs.
        loop_id: NodeId,
    },
    /// A type that this program does not know. Such a node must be disabled.
    Unknown,
}

/// The parameters of an AI step.
#[derive(Debug, Clone, PartialEq)]
pub struct AiStep {
    /// The task for the model, in words.
    pub prompt: String,
    /// The text of a button that may help the model; `None` for none.
    pub button_text: Option<String>,
    /// A picture that may help the model, in base64; `None` for none.
    pub template_image: Option<String>,
    /// The most tool calls; `None` for 10.
    pub tool_calls_max: Option<u32>,
    /// The names of the tools that the model may call; `None` for all.
    pub allowed_tools: Option<Vec<String>>,
}

/// The parameters of a click.
#[derive(Debug, Clone, PartialEq)]
pub struct Click {
    /// The text to click, which is only used if `x` is `None`; `None` for no text.
    pub target: Option<String>,
    /// The horizontal position, in pixels from the left; `None` if the file has none.
    pub x: Option<f64>,
    /// The vertical position, in pixels from the top; `None` if the file has none.
    pub y: Option<f64>,
    /// The mouse button.
    pub button: MouseButton,
    /// The number of clicks; 2 is a double click.
    pub click_count: u32,
}

/// A case of a Switch, with its own output.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The name of the case, which is also the label of its edge.
    pub name: String,
    /// The condition under which the case is taken.
    pub condition: Condition,
}

/// The part of the screen that a screenshot captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenshotMode {
    /// The whole screen.
    Screen,
    /// One window.
    Window,
    /// One region of the screen.
    Region,
}

/// A mouse button, as the tool names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    /// The left button.
    Left,
    /// The right button.
    Right,
    /// The middle button.
    Center,
}

/// How to find the window to focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusMethod {
    /// By the window's id.
    WindowId,
    /// By the app's name, in the user's words.
    AppName,
    /// By the process id.
    Pid,
}

impl NodeKind {
    /// Returns the name of the type for users and traces.
    #[must_use]
    pub fn display_name(&self) -> &'static str {
        match self {
            Self::AiStep(_) => "AI Step",
            Self::TakeScreenshot { .. } => "Take Screenshot",
            Self::FindText { .. } => "Find Text",
            Self::FindImage { .. } => "Find Image",
            Self::Click(_) => "Click",
            Self::TypeText { .. } => "Type Text",
            Self::PressKey { .. } => "Press Key",
            Self::Scroll { .. } => "Scroll",
            Self::ListWindows { .. } => "List Windows",
            Self::FocusWindow { .. } => "Focus Window",
            Self::McpToolCall { .. } => "MCP Tool Call",
            Self::AppDebugKitOp { .. } => "AppDebugKit Op",
            Self::FindChain { .. } => CHAIN_NODE,
            Self::Automate { .. } => AUTOMATE_NODE,
            Self::If { .. } => "If",
            Self::Switch { .. } => "Switch",
            Self::Loop { .. } => "Loop",
            Self::EndLoop { .. } => "End Loop",
            Self::Unknown => "Unknown",
        }
    }

    /// Returns whether executing the node begins a child run.
    #[must_use]
    pub fn begins_run(&self) -> bool {
        matches!(self, Self::FindChain { .. } | Self::Automate { .. })
    }

    /// Returns whether executing the node sets variables from its value.
    #[must_use]
    pub fn sets_variables(&self) -> bool {
        !self.is_control() && *self != Self::Unknown
    }

    /// Returns whether the node is a control node, which only decides where to continue.
    #[must_use]
    pub fn is_control(&self) -> bool {
        matches!(
            self,
            Self::If { .. } | Self::Switch { .. } | Self::Loop { .. } | Self::EndLoop { .. }
        )
    }
}

/// The condition of an If, of a Switch's case, or of a Loop's exit.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The value on the left of the operator.
    pub left: ValueRef,
    /// How the two values are compared.
    pub operator: Operator,
    /// The value on the right of the operator; ignored by `IsEmpty` and `IsNotEmpty`.
    pub right: ValueRef,
}

/// A side of a condition: a variable or a literal.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueRef {
    /// The variable with this full name, like `find_text_1.found`.
    Variable(String),
    /// A literal string, float or boolean.
    Literal(Value),
}

/// How a condition compares two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr, VariantArray)]
pub enum Operator {
    /// The values are equal, after the conversions of [`crate::machine::values`].
    Equals,
    /// The values are not equal, after the same conversions.
    NotEquals,
    /// The left number is greater than the right one.
    GreaterThan,
    /// The left number is less than the right one.
    LessThan,
    /// The left number is greater than the right one, or equal to it.
    GreaterThanOrEqual,
    /// The left number is less than the right one, or equal to it.
    LessThanOrEqual,
    /// The text of the left value contains that of the right one.
    Contains,
    /// The text of the left value does not contain that of the right one.
    NotContains,
    /// The left value is missing, null or empty.
    IsEmpty,
    /// The left value is not empty.
    IsNotEmpty,
}
