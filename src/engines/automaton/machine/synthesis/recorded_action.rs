//! An action that was recorded while a state was made.

use serde_json::Value;

/// An action that was recorded while a state was made.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAction {
    /// The function's name.
    pub name: String,
    /// The arguments beside the element, in order.
    pub arguments: Vec<(String, Value)>,
    /// The element that the action is about.
    pub element: Option<Element>,
}

/// An element that an action was recorded on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Element {
    /// The element's selector.
    pub selector: Option<String>,
    /// The distance of the element's box from the left of the document, in pixels.
    pub x: Option<f64>,
    /// The distance of the element's box from the top of the document, in pixels.
    pub y: Option<f64>,
    /// The width of the element's box.
    pub width: Option<f64>,
    /// The height of the element's box.
    pub height: Option<f64>,
}

impl RecordedAction {
    /// Returns the action's string as the original writes it, or `None` where it breaks: a click or a
    /// text without an element.
    ///
    /// The original escapes nothing, so that a text with an apostrophe, and a reference to a parameter,
    /// become strings that nobody can read. They are kept as they are, and refused at their turn.
    #[must_use]
    pub fn source(&self) -> Option<String> {
        let argument = |name: &str| {
            let mut arguments = self.arguments.iter();
            arguments
                .find(|(known, _)| known == name)
                .map(|(_, value)| shown(value))
        };
        Some(match self.name.as_str() {
            "type" => format!(
                "type({}, text='{}', {})",
                self.found_by()?,
                argument("text").unwrap_or_default(),
                self.fallback()?
            ),
            "click" => format!(
                "click({}, button='{}', percentage={}, {})",
                self.found_by()?,
                argument("button").unwrap_or_else(|| "left".to_owned()),
                argument("percentage").unwrap_or_else(|| "0.5".to_owned()),
                self.fallback()?
            ),
            name => {
                let arguments = self.arguments.iter().map(|(name, value)| match value {
                    Value::String(text) => format!("{name}='{text}'"),
                    value => format!("{name}={}", shown(value)),
                });
                format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
            }
        })
    }

    fn found_by(&self) -> Option<String> {
        let selector = self.element.as_ref()?.selector.as_deref();
        let selector = selector.unwrap_or("None");
        Some(format!("by='css selector', selector='{selector}'"))
    }

    fn fallback(&self) -> Option<String> {
        let element = self.element.as_ref()?;
        let number =
            |number: Option<f64>| number.map_or("None".to_owned(), |float| format!("{float:?}"));
        Some(format!(
            "scroll_to=True, fallback_x={}, fallback_y={}, fallback_width={}, fallback_height={}",
            number(element.x),
            number(element.y),
            number(element.width),
            number(element.height)
        ))
    }
}

/// Returns a value as Python prints it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
