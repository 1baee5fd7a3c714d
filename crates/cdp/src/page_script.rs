//! The script that looks at a page, in a world of its own: the page neither sees nor changes it.

/// The name of the script's world.
pub(crate) const WORLD: &str = "visual-degrees";

/// The script. Its value is an object of functions, the same one for each document.
pub(crate) const LIBRARY: &str = concat!(
    "(() => {\nif (Object.hasOwn(globalThis, 'visualDegrees')) return globalThis.visualDegrees;\n",
    include_str!("script/dom.js"),
    include_str!("script/signals.js"),
    include_str!("script/finding.js"),
    include_str!("script/elements.js"),
    include_str!("script/pointing.js"),
    include_str!("script/written.js"),
    include_str!("script/fields.js"),
    include_str!("script/choosing.js"),
    include_str!("script/typing.js"),
    include_str!("script/picture.js"),
    include_str!("script/look.js"),
    "})()"
);

/// The function that calls one of the script's functions, by its name, with one argument.
pub(crate) const CALL: &str = "function(name, argument) { return this[name](argument); }";
