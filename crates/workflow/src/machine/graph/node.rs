//! Nodes: common members, types with their parameters, and the conditions of control nodes.

use serde_json::{Map, Value};
use strum::{AsRefStr, VariantArray};

use super::{AUTOMATE_NODE, CHAIN_NODE, NodeId};

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The node's id, used by edges.
    pub id: NodeId,
    /// The node's type and its parameters.
    pub kind: NodeKind,
    /// The node's position in the editor.
    pub position: Position,
    /// The node's name, whose folded form prefixes the node's variables.
    pub name: String,
    /// Whether the node is executed; a disabled one is skipped.
    pub is_enabled: bool,
    /// The time limit of the node, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The wait after the node has succeeded, in milliseconds.
    pub settle_ms: Option<u64>,
    /// The most retries after a failure.
    pub retries: u32,
    /// How much of the node's execution the trace keeps.
    pub trace_level: TraceLevel,
    /// What should be visible after the node: an additional check.
    pub expected_outcome: Option<String>,
    /// The checks made after the run.
    pub checks: Vec<Check>,
    /// The alias of the server for the node's tools; `None` for the run's first one.
    pub server: Option<String>,
}

/// A position on the editor's canvas, in its own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The distance to the right.
    pub x: f64,
    /// The distance down.
    pub y: f64,
}

/// How much of a node's execution is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLevel {
    /// Neither the node's events nor artifacts are kept.
    Off,
    /// Events and artifacts are kept.
    Minimal,
    /// Like `Minimal`.
    Full,
}

/// A check made after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The check's name, repeated in the verdict.
    pub name: String,
    /// What the check looks for.
    pub kind: CheckKind,
    /// The check's parameters, as in the file.
    pub parameters: Value,
    /// The effect of a negative verdict.
    pub on_fail: OnCheckFail,
}

/// What a check looks for.
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

/// The effect of a negative verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCheckFail {
    /// The check fails.
    FailNode,
    /// The check only warns.
    WarnOnly,
}

/// The type of a node, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// A language model calls tools until it is done.
    AiStep(AiStep),
    /// Calls `take_screenshot`.
    TakeScreenshot {
        /// The captured part of the screen.
        mode: ScreenshotMode,
        /// The app's name in the user's words.
        target: Option<String>,
        /// Whether the picture's text is recognised, too.
        include_ocr: bool,
    },
    /// Calls `find_text`.
    FindText {
        /// The text to find.
        search_text: String,
    },
    /// Calls `find_image`.
    FindImage {
        /// The picture to find, in base64.
        template_image: Option<String>,
        /// The least similarity, from 0 to 1.
        threshold: f64,
        /// The most matches.
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
        /// The key's name.
        key: String,
        /// The modifier keys to hold.
        modifiers: Vec<String>,
    },
    /// Calls `scroll`.
    Scroll {
        /// The distance in the tool's units; down is positive.
        delta_y: i32,
        /// The horizontal position, in pixels from the left.
        x: Option<f64>,
        /// The vertical position, in pixels from the top.
        y: Option<f64>,
    },
    /// Calls `list_windows`.
    ListWindows {
        /// The only app whose windows are listed, if given.
        app_name: Option<String>,
    },
    /// Calls `focus_window`.
    FocusWindow {
        /// How the window is identified.
        method: FocusMethod,
        /// The window's id, its process id, or its app's name in the user's words.
        value: Option<String>,
    },
    /// Calls any tool by name.
    McpToolCall {
        /// The tool's name.
        tool_name: String,
        /// The tool's arguments, sent unchanged; null becomes an empty object.
        arguments: Value,
    },
    /// Calls any tool of the debugging kit by name.
    AppDebugKitOp {
        /// The tool's name.
        operation_name: String,
        /// The tool's arguments, sent unchanged; null sends none.
        parameters: Value,
    },
    /// Begins an investigation and waits for its end.
    FindChain {
        /// The person at the start of the chain.
        person_a: String,
        /// The person at the end of the chain.
        person_b: String,
        /// The options of the run, as in `POST /runs`.
        options: Value,
    },
    /// Begins an automaton and waits for its end.
    Automate {
        /// The request for the run, as in `POST /runs`.
        request: Map<String, Value>,
    },
    /// Takes one of two ways.
    If {
        /// The condition under which `IfTrue` is taken.
        condition: Condition,
    },
    /// Takes one of many ways.
    Switch {
        /// The cases in the order of evaluation.
        cases: Vec<Case>,
    },
    /// Repeats its body, at least once, until a condition holds.
    Loop {
        /// The exit condition, evaluated before each iteration but the first.
        exit_condition: Condition,
        /// The most iterations.
        max_iterations: u32,
    },
    /// The end of a loop's body.
    EndLoop {
        /// The Loop to which the node belongs.
        loop_id: NodeId,
    },
    /// An unknown type. Such a node must be disabled.
    Unknown,
}

/// The parameters of an AI step.
#[derive(Debug, Clone, PartialEq)]
pub struct AiStep {
    /// The task in words.
    pub prompt: String,
    /// The text of a button that may help.
    pub button_text: Option<String>,
    /// A picture that may help, in base64.
    pub template_image: Option<String>,
    /// The most tool calls; 10 by default.
    pub tool_calls_max: Option<u32>,
    /// The allowed tools; all by default.
    pub allowed_tools: Option<Vec<String>>,
}

/// The parameters of a click.
#[derive(Debug, Clone, PartialEq)]
pub struct Click {
    /// The text to click, if `x` is not given.
    pub target: Option<String>,
    /// The horizontal position, in pixels from the left.
    pub x: Option<f64>,
    /// The vertical position, in pixels from the top.
    pub y: Option<f64>,
    /// The mouse button.
    pub button: MouseButton,
    /// The number of clicks; 2 is a double click.
    pub click_count: u32,
}

/// An output of a Switch.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The name of the case, also the label of its edge.
    pub name: String,
    /// The condition under which the case is taken.
    pub condition: Condition,
}

/// The part of the screen that a screenshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenshotMode {
    /// The whole screen.
    Screen,
    /// One window.
    Window,
    /// A part of the screen.
    Region,
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    /// The first button.
    Left,
    /// The second button.
    Right,
    /// The middle button.
    Center,
}

/// How a window is identified.
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
    /// Returns the type's name for users and traces.
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

    /// Returns whether the node begins a child run.
    #[must_use]
    pub fn begins_run(&self) -> bool {
        matches!(self, Self::FindChain { .. } | Self::Automate { .. })
    }

    /// Returns whether executing the node sets variables.
    #[must_use]
    pub fn sets_variables(&self) -> bool {
        !self.is_control() && *self != Self::Unknown
    }

    /// Returns whether the node only decides where to continue.
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
    /// The value to test.
    pub left: ValueRef,
    /// The comparison operator.
    pub operator: Operator,
    /// The value to compare with; ignored by `IsEmpty` and `IsNotEmpty`.
    pub right: ValueRef,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueRef {
    /// A variable by its full name, like `find_text_1.found`.
    Variable(String),
    /// A string, a float or a boolean.
    Literal(Value),
}

/// The ten comparison operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr, VariantArray)]
pub enum Operator {
    /// The values are equal, with the coercions of [`crate::machine::values`].
    Equals,
    /// The two values are not equal.
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
