//! The script that looks at a page, in a world of its own: the page neither sees nor changes it.

/// The name of the script's world.
pub(super) const WORLD: &str = "visual-degrees";

/// A file of the script as the build writes it: without remarks and indentation, of which a browser has no use.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/script/", $name))
    };
}

/// The script. Its value is an object of functions, the same one for each document.
pub(super) const LIBRARY: &str = concat!(
    "(() => {\nif (Object.hasOwn(globalThis, 'visualDegrees')) return globalThis.visualDegrees;\n",
    file!("dom.js"),
    file!("signals.js"),
    file!("finding.js"),
    file!("elements.js"),
    file!("pointing.js"),
    file!("written.js"),
    file!("fields.js"),
    file!("choosing.js"),
    file!("typing.js"),
    file!("picture.js"),
    file!("look.js"),
    "})()"
);

/// The function that calls one of the script's functions, by its name, with one argument.
pub(super) const CALL: &str = "function(name, argument) { return this[name](argument); }";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_all_the_lines_of_its_files_but_remarks() {
        let files = [
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
        ];
        let whole = files.concat();
        let mut lines = LIBRARY.lines().skip(2);
        for line in whole.lines().map(str::trim) {
            if !line.is_empty() && !line.starts_with("//") {
                assert_eq!(lines.next(), Some(line));
            }
        }
        assert_eq!(lines.next(), Some("})()"));
        assert_eq!(lines.next(), None);
    }
}
