//! The mouse: its buttons and its wheel.

/// The pixels that a page moves for one notch of the wheel.
pub const PIXELS_A_NOTCH: f64 = 100.0;

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseButton {
    /// The left button.
    Left,
    /// The middle button.
    Middle,
    /// The right button.
    Right,
}

impl MouseButton {
    /// Returns the button as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Middle => "middle",
            Self::Right => "right",
        }
    }
}

/// A direction in which a page is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the page's beginning.
    Up,
    /// Towards the page's end.
    Down,
}

impl Direction {
    /// Returns the direction as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}
