//! Nodes: what all of them have, the types and their parameters, and the conditions of control nodes.

use serde_json::{Map, Value};
use strum::{AsRefStr, VariantArray};

use super::{AUTOMATE_NODE, CHAIN_NODE, NodeId};

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The node's id, by which edges name it.
    pub id: NodeId,
    /// The node's type and its parameters.
    pub kind: NodeKind,
    /// The place where the editor draws the node.
    pub position: Position,
    /// The node's name. Its folded form is the prefix of the node's variables.
    pub name: String,
    /// Whether the node is executed; a disabled one is passed over.
    pub is_enabled: bool,
    /// The time that the node may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The wait after the node has succeeded, in milliseconds.
    pub settle_ms: Option<u64>,
    /// The number of times that the node is tried again after it has failed.
    pub retries: u32,
    /// The part of the node's execution that is kept in the trace.
    pub trace_level: TraceLevel,
    /// The words that say what should be seen after the node: one more check.
    pub expected_outcome: Option<String>,
    /// The checks after the run.
    pub checks: Vec<Check>,
    /// The alias of the server whose tools the node calls; `None` for the run's first one.
    pub server: Option<String>,
}

/// A place on the editor's canvas, in its own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The distance to the right.
    pub x: f64,
    /// The distance down.
    pub y: f64,
}

/// The part of a node's execution that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLevel {
    /// Neither events of the node's own nor artifacts are kept.
    Off,
    /// Events and artifacts are kept.
    Minimal,
    /// Events and artifacts are kept, as with `Minimal`.
    Full,
}

/// A check that is evaluated after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The check's name, which the verdict carries.
    pub name: String,
    /// The kind of thing that the check looks for.
    pub kind: CheckKind,
    /// The check's parameters, as they are written.
    pub parameters: Value,
    /// The meaning of a negative verdict.
    pub on_fail: OnCheckFail,
}

/// The kind of thing that a check looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckKind {
    /// A text is to be seen.
    TextPresent,
    /// A text is not to be seen.
    TextAbsent,
    /// A picture is to be seen.
    TemplateFound,
    /// A window has this title.
    WindowTitleMatches,
}

/// The meaning of a negative verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCheckFail {
    /// The check has failed.
    FailNode,
    /// The negative verdict is only a warning.
    WarnOnly,
}

/// The type of a node, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// A language model calls tools until it is done.
    AiStep(AiStep),
    /// The node calls `take_screenshot`.
    TakeScreenshot {
        /// The part of the screen that is taken.
        mode: ScreenshotMode,
        /// The app's name, as the user says it.
        target: Option<String>,
        /// Whether the text of the picture is read, too.
        include_ocr: bool,
    },
    /// The node calls `find_text`.
    FindText {
        /// The text to find.
        search_text: String,
    },
    /// The node calls `find_image`.
    FindImage {
        /// The picture to find, as base64.
        template_image: Option<String>,
        /// The likeness that the picture must have, from 0 to 1.
        threshold: f64,
        /// The most places that are found.
        max_results: u32,
    },
    /// The node calls `click`, at a place or at a text.
    Click(Click),
    /// The node calls `type_text`.
    TypeText {
        /// The text that is typed.
        text: String,
    },
    /// The node calls `press_key`.
    PressKey {
        /// The key's name.
        key: String,
        /// The keys that are held meanwhile.
        modifiers: Vec<String>,
    },
    /// The node calls `scroll`.
    Scroll {
        /// The distance to scroll, in the tool's units; down is positive.
        delta_y: i32,
        /// The place to scroll at from the left, in pixels.
        x: Option<f64>,
        /// The place to scroll at from the top, in pixels.
        y: Option<f64>,
    },
    /// The node calls `list_windows`.
    ListWindows {
        /// The app whose windows alone are listed.
        app_name: Option<String>,
    },
    /// The node calls `focus_window`.
    FocusWindow {
        /// The way in which the window is named.
        method: FocusMethod,
        /// The window's id, its process or its app's name, as the user says it.
        value: Option<String>,
    },
    /// The node calls any tool, by its name.
    McpToolCall {
        /// The tool's name.
        tool_name: String,
        /// The tool's arguments, sent as they are; null is an empty object.
        arguments: Value,
    },
    /// The node calls any tool of the debugging kit, by its name.
    AppDebugKitOp {
        /// The tool's name.
        operation_name: String,
        /// The tool's arguments, sent as they are; with null none are sent.
        parameters: Value,
    },
    /// The node looks for a chain between two people, by a run of another engine.
    FindChain {
        /// The person with whom the chain starts.
        person_a: String,
        /// The person with whom the chain ends.
        person_b: String,
        /// The options of that run, as `POST /runs` takes them.
        options: Value,
    },
    /// The node begins an automaton and waits for its end.
    Automate {
        /// The request for the run, as `POST /runs` takes it.
        request: Map<String, Value>,
    },
    /// The node goes one of two ways.
    If {
        /// The condition under which `IfTrue` is taken.
        condition: Condition,
    },
    /// The node goes one of many ways.
    Switch {
        /// The cases, in the order in which they are asked.
        cases: Vec<Case>,
    },
    /// The node repeats its body, at least once, until a condition holds.
    Loop {
        /// The condition under which the loop is left, asked before each iteration but the first.
        exit_condition: Condition,
        /// The most iterations.
        max_iterations: u32,
    },
    /// The node is the end of a loop's body.
    EndLoop {
        /// The Loop that the node belongs to.
        loop_id: NodeId,
    },
    /// The type is not known. Such a node is disabled.
    Unknown,
}

/// The parameters of an AI step.
#[derive(Debug, Clone, PartialEq)]
pub struct AiStep {
    /// The task of the step, in words.
    pub prompt: String,
    /// The text of a button that may help.
    pub button_text: Option<String>,
    /// A picture that may help, as base64.
    pub template_image: Option<String>,
    /// The most tool calls; 10 where nothing is said.
    pub tool_calls_max: Option<u32>,
    /// The tools that may be called; all where nothing is said.
    pub allowed_tools: Option<Vec<String>>,
}

/// The parameters of a click.
#[derive(Debug, Clone, PartialEq)]
pub struct Click {
    /// The text to click at, where no `x` is given.
    pub target: Option<String>,
    /// The place to click at from the left, in pixels.
    pub x: Option<f64>,
    /// The place to click at from the top, in pixels.
    pub y: Option<f64>,
    /// The button that is clicked.
    pub button: MouseButton,
    /// The number of clicks; 2 is a double click.
    pub click_count: u32,
}

/// A way out of a Switch.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The name of the case, which its edge carries.
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
    /// The wheel.
    Center,
}

/// The way in which a window is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusMethod {
    /// The window is named by its number.
    WindowId,
    /// The window is named by its app's name, as the user says it.
    AppName,
    /// The window is named by its process's number.
    Pid,
}

impl NodeKind {
    /// Returns the type as users see it, and as a trace names it.
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

    /// Returns whether the node begins a run.
    #[must_use]
    pub fn begins_run(&self) -> bool {
        matches!(self, Self::FindChain { .. } | Self::Automate { .. })
    }

    /// Returns whether the node sets variables where it is executed.
    #[must_use]
    pub fn sets_variables(&self) -> bool {
        !self.is_control() && *self != Self::Unknown
    }

    /// Returns whether the node only decides where to go on.
    #[must_use]
    pub fn is_control(&self) -> bool {
        matches!(
            self,
            Self::If { .. } | Self::Switch { .. } | Self::Loop { .. } | Self::EndLoop { .. }
        )
    }
}

/// The question of an If, of a case of a Switch, or of the exit of a Loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The value that is looked at.
    pub left: ValueRef,
    /// The operator by which the two values are compared.
    pub operator: Operator,
    /// The value that it is compared with. `IsEmpty` and `IsNotEmpty` do not look at it.
    pub right: ValueRef,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueRef {
    /// A variable by its whole name, like `find_text_1.found`.
    Variable(String),
    /// A string, a float or a boolean.
    Literal(Value),
}

/// The ten comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr, VariantArray)]
pub enum Operator {
    /// The two values are equal, with the coercions of
    /// [`crate::machine::values`].
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
    /// The text of the left value holds the text of the right one.
    Contains,
    /// The text of the left value does not hold the text of the right one.
    NotContains,
    /// The left value is missing, null, or without content.
    IsEmpty,
    /// The left value is not empty.
    IsNotEmpty,
}
