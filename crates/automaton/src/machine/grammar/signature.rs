//! The functions that an action may call, with their parameters.

/// A function that an action may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Opens an address.
    NavigateTo,
    /// Clicks an element.
    Click,
    /// Types a text into an element.
    Type,
    /// Turns the wheel over the page or an element.
    Scroll,
    /// Scrolls until an element is seen.
    ScrollTo,
    /// Presses a key.
    PressKey,
    /// Lets some time pass.
    Wait,
    /// Looks for a chain between two people.
    Investigate,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name.
    pub name: &'static str,
    /// Whether a call must give it.
    pub is_required: bool,
}

const fn required(name: &'static str) -> Parameter {
    Parameter {
        name,
        is_required: true,
    }
}

const fn optional(name: &'static str) -> Parameter {
    Parameter {
        name,
        is_required: false,
    }
}

const NAVIGATE_TO: &[Parameter] = &[required("url")];
const CLICK: &[Parameter] = &[
    required("by"),
    required("selector"),
    optional("button"),
    optional("timeout"),
    optional("percentage"),
    optional("scroll_to"),
    optional("fallback_x"),
    optional("fallback_y"),
    optional("fallback_width"),
    optional("fallback_height"),
    optional("fallback"),
];
const TYPE: &[Parameter] = &[
    required("by"),
    required("selector"),
    required("text"),
    optional("timeout"),
    optional("base_interval"),
    optional("scroll_to"),
    optional("fallback_x"),
    optional("fallback_y"),
    optional("fallback_width"),
    optional("fallback_height"),
    optional("fallback"),
];
const SCROLL: &[Parameter] = &[
    optional("by"),
    optional("selector"),
    optional("direction"),
    optional("scroll_amount"),
    optional("timeout"),
];
const SCROLL_TO: &[Parameter] = &[required("by"), required("selector"), optional("timeout")];
const PRESS_KEY: &[Parameter] = &[required("key")];
const WAIT: &[Parameter] = &[required("seconds")];
const INVESTIGATE: &[Parameter] = &[required("person_a"), required("person_b")];

impl Function {
    const ALL: [Self; 8] = [
        Self::NavigateTo,
        Self::Click,
        Self::Type,
        Self::Scroll,
        Self::ScrollTo,
        Self::PressKey,
        Self::Wait,
        Self::Investigate,
    ];

    /// Returns the function's name as it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NavigateTo => "navigate_to",
            Self::Click => "click",
            Self::Type => "type",
            Self::Scroll => "scroll",
            Self::ScrollTo => "scroll_to",
            Self::PressKey => "press_key",
            Self::Wait => "wait",
            Self::Investigate => "investigate",
        }
    }

    /// Returns the function of this name. Returns `None` where there is none: `save_html` writes a
    /// file and is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
    }

    /// Returns the parameters, in the order in which a call may give them without their names.
    #[must_use]
    pub fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::NavigateTo => NAVIGATE_TO,
            Self::Click => CLICK,
            Self::Type => TYPE,
            Self::Scroll => SCROLL,
            Self::ScrollTo => SCROLL_TO,
            Self::PressKey => PRESS_KEY,
            Self::Wait => WAIT,
            Self::Investigate => INVESTIGATE,
        }
    }
}
