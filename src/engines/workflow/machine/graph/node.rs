//! Nodes, and the parameters of each of their types.

use serde_json::Value;

use super::condition::Condition;
use super::node_id::NodeId;

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its id; edges name it.
    pub id: NodeId,
    /// What it does.
    pub kind: NodeKind,
    /// Where the editor draws it.
    pub position: Position,
    /// Its name; folded, it is the prefix of its variables.
    pub name: String,
    /// Whether it is executed; a disabled one is passed over.
    pub is_enabled: bool,
    /// How long it may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// How long to wait after it has succeeded, in milliseconds.
    pub settle_ms: Option<u64>,
    /// How often it is tried again after it has failed.
    pub retries: u32,
    /// How much of it is kept in the trace.
    pub trace_level: TraceLevel,
    /// What should be seen after it, in words: one more check.
    pub expected_outcome: Option<String>,
    /// What is checked after the run.
    pub checks: Vec<Check>,
    /// The alias of the server whose tools it calls; none for the run's first one.
    pub server: Option<String>,
}

/// A place on the editor's canvas, in its own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// How much of a node's execution is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLevel {
    /// No events of its own, no artifacts.
    Off,
    /// Events and artifacts.
    Minimal,
    /// The same.
    Full,
}

/// Something that is evaluated after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Its name; the verdict carries it.
    pub name: String,
    /// What it looks for.
    pub kind: CheckKind,
    /// Its parameters, as they are written.
    pub parameters: Value,
    /// What a negative verdict means.
    pub on_fail: OnCheckFail,
}

/// What a check looks for.
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

/// What a negative verdict means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCheckFail {
    /// The check has failed.
    FailNode,
    /// It is a warning.
    WarnOnly,
}

/// What a node does, with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// A language model that calls tools until it is done.
    AiStep(AiStep),
    /// `take_screenshot`.
    TakeScreenshot {
        /// What is taken.
        mode: ScreenshotMode,
        /// The app's name, as the user says it.
        target: Option<String>,
        /// Whether its text is read, too.
        include_ocr: bool,
    },
    /// `find_text`.
    FindText {
        /// The text to find.
        search_text: String,
    },
    /// `find_image`.
    FindImage {
        /// The picture to find, as base64.
        template_image: Option<String>,
        /// How alike it must be, from 0 to 1.
        threshold: f64,
        /// So many places at most.
        max_results: u32,
    },
    /// `click`, at a place or at a text.
    Click(Click),
    /// `type_text`.
    TypeText {
        /// What is typed.
        text: String,
    },
    /// `press_key`.
    PressKey {
        /// The key's name.
        key: String,
        /// Keys that are held meanwhile.
        modifiers: Vec<String>,
    },
    /// `scroll`.
    Scroll {
        /// How far, in the tool's units; down is positive.
        delta_y: i32,
        /// Where, in pixels.
        x: Option<f64>,
        /// Where, in pixels.
        y: Option<f64>,
    },
    /// `list_windows`.
    ListWindows {
        /// Of this app alone.
        app_name: Option<String>,
    },
    /// `focus_window`.
    FocusWindow {
        /// How the window is named.
        method: FocusMethod,
        /// Its id, its process or its app's name, as the user says it.
        value: Option<String>,
    },
    /// Any tool, by its name.
    McpToolCall {
        /// The tool.
        tool_name: String,
        /// Its arguments, sent as they are; null is an empty object.
        arguments: Value,
    },
    /// Any tool of the debugging kit, by its name.
    AppDebugKitOp {
        /// The tool.
        operation_name: String,
        /// Its arguments, sent as they are; with null none are sent.
        parameters: Value,
    },
    /// A chain between two people: a run of the other engine.
    Investigation {
        /// Where the chain starts.
        person_a: String,
        /// Where it ends.
        person_b: String,
        /// The options of that run, as `POST /runs` takes them.
        options: Value,
    },
    /// One of two ways.
    If {
        /// Whether `IfTrue` is taken.
        condition: Condition,
    },
    /// One of many ways.
    Switch {
        /// In the order in which they are asked.
        cases: Vec<Case>,
    },
    /// Its body, at least once, until a condition holds.
    Loop {
        /// Whether it is left, asked before each iteration but the first.
        exit_condition: Condition,
        /// So many iterations at most.
        max_iterations: u32,
    },
    /// The end of a loop's body.
    EndLoop {
        /// The Loop that it belongs to.
        loop_id: NodeId,
    },
}

/// The parameters of an AI step.
#[derive(Debug, Clone, PartialEq)]
pub struct AiStep {
    /// What is to be done.
    pub prompt: String,
    /// The text of a button that may help.
    pub button_text: Option<String>,
    /// A picture that may help, as base64.
    pub template_image: Option<String>,
    /// So many tool calls at most; 10 where nothing is said.
    pub tool_calls_max: Option<u32>,
    /// The tools that may be called; all where nothing is said.
    pub allowed_tools: Option<Vec<String>>,
}

/// The parameters of a click.
#[derive(Debug, Clone, PartialEq)]
pub struct Click {
    /// The text to click at, where no `x` is given.
    pub target: Option<String>,
    /// Where, in pixels.
    pub x: Option<f64>,
    /// Where, in pixels.
    pub y: Option<f64>,
    /// Which button.
    pub button: MouseButton,
    /// 2 is a double click.
    pub click_count: u32,
}

/// A way out of a Switch.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its edge carries it.
    pub name: String,
    /// Whether it is taken.
    pub condition: Condition,
}

/// What a screenshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenshotMode {
    /// Everything.
    Screen,
    /// One window.
    Window,
    /// A part of the screen.
    Region,
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    /// The first one.
    Left,
    /// The second one.
    Right,
    /// The wheel.
    Center,
}

/// How a window is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusMethod {
    /// By its number.
    WindowId,
    /// By its app's name, as the user says it.
    AppName,
    /// By its process's number.
    Pid,
}

impl NodeKind {
    /// Its type as users see it, and as a trace names it.
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
            Self::Investigation { .. } => "Investigation",
            Self::If { .. } => "If",
            Self::Switch { .. } => "Switch",
            Self::Loop { .. } => "Loop",
            Self::EndLoop { .. } => "End Loop",
        }
    }

    /// Whether it only decides where to go on.
    #[must_use]
    pub fn is_control(&self) -> bool {
        matches!(
            self,
            Self::If { .. } | Self::Switch { .. } | Self::Loop { .. } | Self::EndLoop { .. }
        )
    }
}
