//! The keys that have names, by all of these: the tables, and how they are read.

/// A key that changes what others mean.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modifier {
    names: &'static [&'static str],
    pub(crate) key: &'static str,
    pub(crate) code: &'static str,
    pub(crate) number: u32,
    /// The bit by which the protocol names it.
    pub(crate) bit: u32,
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
/// The bit of the key that makes letters large.
pub(crate) const SHIFT: u32 = 8;

/// A key by its name: its names in lower case without `_` and `-`, its own name and code, its number, the text
/// that it types.
pub(crate) type NamedKey = (&'static [&'static str], &'static str, u32, &'static str);

/// The other keys that have names.
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

/// Returns the key of this name that changes what others mean.
pub(crate) fn modifier(name: &str) -> Option<&'static Modifier> {
    let name = plain(name);
    let is_named = |modifier: &&Modifier| modifier.names.contains(&name.as_str());
    MODIFIERS.iter().find(is_named)
}

/// Returns the other key that has this name, as [`plain`] gives it.
pub(crate) fn named(name: &str) -> Option<&'static NamedKey> {
    NAMED.iter().find(|(names, ..)| names.contains(&name))
}

/// Returns a name as the tables have it.
pub(crate) fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    name.replace(['_', '-'], "")
}
