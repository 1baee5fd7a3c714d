//! Texts that may refer to parameters.

use std::fmt::{self, Write as _};

/// A text of literal parts and of references to parameters.
///
/// The values of parameters are not known here: whoever carries an action out fills them in. So nothing
/// that shows a text can show a secret.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    parts: Vec<TextPart>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPart {
    /// The part as it is.
    Literal(String),
    /// The value of the parameter with this name.
    Parameter(String),
}

impl Text {
    /// Makes a text without references.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        let mut this = Self::default();
        this.add(TextPart::Literal(text.into()));
        this
    }

    /// Makes a text that is the value of a parameter.
    #[must_use]
    pub fn parameter(name: impl Into<String>) -> Self {
        Self {
            parts: vec![TextPart::Parameter(name.into())],
        }
    }

    /// Adds a part behind the others.
    pub fn add(&mut self, part: TextPart) {
        match (self.parts.last_mut(), part) {
            (_, TextPart::Literal(text)) if text.is_empty() => {}
            (Some(TextPart::Literal(last)), TextPart::Literal(text)) => last.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    /// Adds the parts of another text behind the others.
    pub fn append(&mut self, other: Self) {
        for part in other.parts {
            self.add(part);
        }
    }

    /// Returns the parts, in order. An empty text has none.
    #[must_use]
    pub fn parts(&self) -> &[TextPart] {
        &self.parts
    }

    /// Returns the text, where it refers to no parameter.
    #[must_use]
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TextPart::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the names of the parameters that the text refers to, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TextPart::Parameter(name) => Some(name.as_str()),
            TextPart::Literal(_) => None,
        })
    }
}

impl fmt::Display for Text {
    /// Writes the text as an action's string has it: `'Dear ' + parameters['NAME']`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return formatter.write_str("''");
        }
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0 {
                formatter.write_str(" + ")?;
            }
            match part {
                TextPart::Literal(text) => write_quoted(text, formatter)?,
                TextPart::Parameter(name) => {
                    formatter.write_str("parameters[")?;
                    write_quoted(name, formatter)?;
                    formatter.write_char(']')?;
                }
            }
        }
        Ok(())
    }
}

/// Writes a string in single quotes, with the escapes that the grammar reads.
fn write_quoted(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_char('\'')?;
    for character in text.chars() {
        match character {
            '\'' => formatter.write_str("\\'")?,
            '\\' => formatter.write_str("\\\\")?,
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            control if control < ' ' || control == '\u{7f}' => {
                write!(formatter, "\\x{:02x}", u32::from(control))?;
            }
            character => formatter.write_char(character)?,
        }
    }
    formatter.write_char('\'')
}
