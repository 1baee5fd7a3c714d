//! Turns the names of keys, such as `ctrl+a`, and typed characters into the protocol's key events.

use serde_json::{Value, json};

/// The bit of the shift key in the protocol's modifiers.
const SHIFT: u32 = 8;

/// A key that is pressed and released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    name: String,
    code: String,
    number: u32,
    /// The text that the key types if no modifier is held; `None` if it types none.
    text: Option<String>,
}

/// Keys that are pressed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    modifiers: Vec<&'static Modifier>,
    key: Option<Key>,
}

impl Key {
    /// Returns the key that types this character; `None` if no key of a plain keyboard does.
    #[must_use]
    pub fn typing(character: char) -> Option<Self> {
        if matches!(character, '\n' | '\r') {
            return Self::named("enter");
        }
        if character == ' ' {
            return Self::named("space");
        }
        if !character.is_ascii_graphic() {
            return None;
        }
        let upper = character.to_ascii_uppercase();
        let (code, number) = match upper {
            'A'..='Z' => (format!("Key{upper}"), u32::from(upper)),
            '0'..='9' => (format!("Digit{upper}"), u32::from(upper)),
            // Other characters are at different places on different keyboards, so they have no code.
            _ => (String::new(), 0),
        };
        Some(Self {
            name: character.to_string(),
            code,
            number,
            text: Some(character.to_string()),
        })
    }

    fn named(name: &str) -> Option<Self> {
        let (_, key, number, text) = named(name)?;
        Some(Self {
            name: if *key == "Space" { " " } else { key }.to_owned(),
            code: (*key).to_owned(),
            number: *number,
            text: (!text.is_empty()).then(|| (*text).to_owned()),
        })
    }

    fn function(name: &str) -> Option<Self> {
        let number: u32 = name.strip_prefix('f')?.parse().ok()?;
        (1..=12).contains(&number).then(|| Self {
            name: format!("F{number}"),
            code: format!("F{number}"),
            number: 111 + number,
            text: None,
        })
    }

    /// Returns the arguments of the events that press and release the key, with these modifiers held.
    fn events(&self, modifiers: u32) -> [Value; 2] {
        let text = self.text.as_deref().filter(|_| modifiers & !SHIFT == 0);
        let upper = || text.map(str::to_ascii_uppercase);
        let text = if modifiers & SHIFT == 0 {
            text.map(str::to_owned)
        } else {
            upper()
        };
        let event = |kind: &str| {
            json!({
                "type": kind, "modifiers": modifiers, "key": self.name, "code": self.code,
                "windowsVirtualKeyCode": self.number, "nativeVirtualKeyCode": self.number,
            })
        };
        let mut down = event(if text.is_some() {
            "keyDown"
        } else {
            "rawKeyDown"
        });
        if let (Some(text), Some(members)) = (text, down.as_object_mut()) {
            members.insert("text".to_owned(), text.as_str().into());
            members.insert("unmodifiedText".to_owned(), text.into());
        }
        [down, event("keyUp")]
    }

    /// Returns the arguments of the events that press and release the key, without modifiers.
    #[must_use]
    pub fn press(&self) -> [Value; 2] {
        self.events(0)
    }
}

impl Combination {
    /// Parses the name of a key, or the names of several keys joined by `+`; `None` if a name is unknown.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_owned();
        // A `+` at the end is the key with that character, as in `ctrl++` and `+`.
        let (before, last) = match text.strip_suffix('+') {
            Some(before) => (before.strip_suffix('+').unwrap_or(before), "+"),
            None => text.rsplit_once('+').unwrap_or(("", &text)),
        };
        let mut modifiers = Vec::new();
        for name in before.split('+').filter(|_| !before.is_empty()) {
            let modifier = modifier(name)?;
            if !modifiers.contains(&modifier) {
                modifiers.push(modifier);
            }
        }
        if let Some(modifier) = modifier(last) {
            if !modifiers.contains(&modifier) {
                modifiers.push(modifier);
            }
            return Some(Self {
                modifiers,
                key: None,
            });
        }
        let mut characters = last.chars();
        let key = if let (Some(character), None) = (characters.next(), characters.next()) {
            Key::typing(character)
        } else {
            let name = plain(last);
            Key::named(&name).or_else(|| Key::function(&name))
        };
        Some(Self {
            modifiers,
            key: Some(key?),
        })
    }

    /// Returns the arguments of the events in order: the modifiers go down, the key is pressed and released, the
    /// modifiers go up.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        let (mut events, up) = self.held_events();
        events.extend(up);
        events
    }

    /// Returns the arguments of the events that press the modifiers and the key, and of those that release them again.
    #[must_use]
    pub fn held_events(&self) -> (Vec<Value>, Vec<Value>) {
        let mut held = 0;
        let (mut down, mut up) = (Vec::new(), Vec::new());
        let event = |kind: &str, modifier: &Modifier, held: u32| {
            json!({
                "type": kind, "modifiers": held, "key": modifier.key, "code": modifier.code,
                "windowsVirtualKeyCode": modifier.number, "nativeVirtualKeyCode": modifier.number,
            })
        };
        for modifier in &self.modifiers {
            held |= modifier.bit;
            down.push(event("rawKeyDown", modifier, held));
        }
        if let Some(key) = &self.key {
            let [pressed, released] = key.events(held);
            down.push(pressed);
            up.push(released);
        }
        for modifier in self.modifiers.iter().rev() {
            held &= !modifier.bit;
            up.push(event("keyUp", modifier, held));
        }
        (down, up)
    }

    /// Returns the arguments of the events of a held key that repeats.
    #[must_use]
    pub fn repeat_events(&self) -> Vec<Value> {
        let held = self.modifiers.iter().fold(0, |held, one| held | one.bit);
        let mut repeated: Vec<Value> = self
            .key
            .iter()
            .map(|key| {
                let [pressed, _] = key.events(held);
                pressed
            })
            .collect();
        for event in repeated.iter_mut().filter_map(Value::as_object_mut) {
            event.insert("autoRepeat".to_owned(), true.into());
        }
        repeated
    }
}

/// Returns the events that select all of a field's content and delete it.
#[must_use]
pub fn clearing() -> Vec<Value> {
    let mut events = selecting();
    events.extend(Key::named("backspace").iter().flat_map(Key::press));
    events
}

/// Returns the events that select all of a field's content.
#[must_use]
pub fn selecting() -> Vec<Value> {
    let select = Combination::parse("ctrl+a").map(|keys| keys.events());
    let mut events = select.unwrap_or_default();
    for event in &mut events {
        let is_letter = event.get("code") == Some(&"KeyA".into());
        let is_down = event.get("type") == Some(&"rawKeyDown".into());
        if let (true, Some(members)) = (is_letter && is_down, event.as_object_mut()) {
            members.insert("commands".to_owned(), json!(["selectAll"]));
        }
    }
    events
}

/// A modifier key.
#[derive(Debug, PartialEq, Eq)]
struct Modifier {
    names: &'static [&'static str],
    key: &'static str,
    code: &'static str,
    number: u32,
    /// The key's bit in the protocol's modifiers.
    bit: u32,
}

static MODIFIERS: [Modifier; 4] = [
    Modifier {
        names: &["alt", "option"],
        key: "Alt",
        code: "AltLeft",
        number: 18,
        bit: 1,
    },
    Modifier {
        names: &["ctrl", "control"],
        key: "Control",
        code: "ControlLeft",
        number: 17,
        bit: 2,
    },
    Modifier {
        names: &["meta", "cmd", "command", "win", "super"],
        key: "Meta",
        code: "MetaLeft",
        number: 91,
        bit: 4,
    },
    Modifier {
        names: &["shift"],
        key: "Shift",
        code: "ShiftLeft",
        number: 16,
        bit: 8,
    },
];

/// A named key: its aliases in lower case without `_` and `-`, its name and code, its number, and the text that it
/// types.
type NamedKey = (&'static [&'static str], &'static str, u32, &'static str);

/// The named keys that are not modifiers.
static NAMED: [NamedKey; 16] = [
    (&["enter", "return"], "Enter", 13, "\r"),
    (&["tab"], "Tab", 9, ""),
    (&["escape", "esc"], "Escape", 27, ""),
    (&["backspace"], "Backspace", 8, ""),
    (&["delete", "del"], "Delete", 46, ""),
    (&["space", " "], "Space", 32, " "),
    (&["arrowup", "up"], "ArrowUp", 38, ""),
    (&["arrowdown", "down"], "ArrowDown", 40, ""),
    (&["arrowleft", "left"], "ArrowLeft", 37, ""),
    (&["arrowright", "right"], "ArrowRight", 39, ""),
    (&["home"], "Home", 36, ""),
    (&["end"], "End", 35, ""),
    (&["pageup", "pgup"], "PageUp", 33, ""),
    (&["pagedown", "pgdn", "pgdown"], "PageDown", 34, ""),
    (&["insert", "ins"], "Insert", 45, ""),
    (&["contextmenu", "menu"], "ContextMenu", 93, ""),
];

/// Returns the modifier that has this name; `None` if there is none.
fn modifier(name: &str) -> Option<&'static Modifier> {
    let name = plain(name);
    let is_named = |modifier: &&Modifier| modifier.names.contains(&name.as_str());
    MODIFIERS.iter().find(is_named)
}

/// Returns the key that has this name in the form of [`plain`] and is not a modifier.
fn named(name: &str) -> Option<&'static NamedKey> {
    NAMED.iter().find(|(names, ..)| names.contains(&name))
}

/// Returns a name in the form of the tables: in lower case, without `_` and `-`.
fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    name.replace(['_', '-'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<Vec<String>> {
        let events = Combination::parse(text)?.events();
        let word = |event: &Value, name: &str| match event.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => "-".to_owned(),
        };
        let line = |event: &Value| {
            let all = ["type", "key", "modifiers", "windowsVirtualKeyCode", "text"];
            let all: Vec<String> = all.iter().map(|name| word(event, name)).collect();
            all.join(" ")
        };
        Some(events.iter().map(line).collect())
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(told(text).unwrap(), expected, "{text}");
    }

    #[test]
    fn keys_are_pressed_and_let_go() {
        check("Enter", &["keyDown Enter 0 13 \r", "keyUp Enter 0 13 -"]);
        check("tab", &["rawKeyDown Tab 0 9 -", "keyUp Tab 0 9 -"]);
        check(
            "page_down",
            &["rawKeyDown PageDown 0 34 -", "keyUp PageDown 0 34 -"],
        );
        check(
            "ArrowLeft",
            &["rawKeyDown ArrowLeft 0 37 -", "keyUp ArrowLeft 0 37 -"],
        );
        check("f12", &["rawKeyDown F12 0 123 -", "keyUp F12 0 123 -"]);
        check("a", &["keyDown a 0 65 a", "keyUp a 0 65 -"]);
        check("space", &["keyDown   0 32  ", "keyUp   0 32 -"]);
        check("+", &["keyDown + 0 0 +", "keyUp + 0 0 -"]);
    }

    #[test]
    fn modifiers_are_held_around_the_key() {
        let ctrl_l = [
            "rawKeyDown Control 2 17 -",
            "rawKeyDown l 2 76 -",
            "keyUp l 2 76 -",
            "keyUp Control 0 17 -",
        ];
        check("ctrl+l", &ctrl_l);
        check("Control+l", &ctrl_l);
        check(
            "ctrl++",
            &[
                "rawKeyDown Control 2 17 -",
                "rawKeyDown + 2 0 -",
                "keyUp + 2 0 -",
                "keyUp Control 0 17 -",
            ],
        );
        check(
            "shift+a",
            &[
                "rawKeyDown Shift 8 16 -",
                "keyDown a 8 65 A",
                "keyUp a 8 65 -",
                "keyUp Shift 0 16 -",
            ],
        );
        check("shift", &["rawKeyDown Shift 8 16 -", "keyUp Shift 0 16 -"]);
    }

    #[test]
    fn an_unknown_key_is_none() {
        for text in [
            "",
            "hyper+x",
            "entr",
            "f13",
            "f0",
            "a+b",
            "ctrl+",
            "\u{e9}",
            "ctrl+entr",
        ] {
            let expected = (text == "ctrl+").then_some("ctrl and +");
            assert_eq!(told(text).map(|_| "ctrl and +"), expected, "{text}");
        }
    }

    #[test]
    fn a_field_is_cleared_by_selecting_all_and_deleting_it() {
        let events = clearing();
        let commands: Vec<_> = events
            .iter()
            .filter_map(|event| event.get("commands"))
            .collect();
        assert_eq!(commands, [&json!(["selectAll"])]);
        assert_eq!(events.last().unwrap().get("key"), Some(&"Backspace".into()));
        assert_eq!(events.len(), 6);
    }
}
