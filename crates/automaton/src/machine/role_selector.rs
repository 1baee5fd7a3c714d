//! The selectors of the kind `role`: a role and, if wanted, an accessible name, as in `button[name="Sign in"]`.

/// The most digits of a number that chooses among the elements that a step finds.
const DIGITS_MAX: usize = 6;

/// What a selector of the kind `role` says of its element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoleSelector<'text> {
    /// The role, in lower case.
    pub(crate) role: &'text str,
    /// The name, or a part of it, with its backslashes; `None` for any name.
    pub(crate) name: Option<&'text str>,
}

impl<'text> RoleSelector<'text> {
    /// Reads `role`, `role[name="..."]` or `role[name*="..."]`, with ` i` after the quotes to ignore case. Of a selector
    /// with several steps, the last one is read. Returns `None` if it is none of these. The page's script reads the same.
    pub(crate) fn read(selector: &'text str) -> Option<Self> {
        let mut steps = steps(selector);
        while steps.len() > 1 && steps.last().is_some_and(|step| is_number(step)) {
            steps.pop();
        }
        let step = steps.pop()?;
        let end = step.find(|letter: char| !letter.is_ascii_lowercase());
        let (role, rest) = step.split_at(end.unwrap_or(step.len()));
        if role.is_empty() {
            return None;
        }
        if rest.is_empty() {
            return Some(Self { role, name: None });
        }
        let rest = rest.strip_prefix("[name")?;
        let rest = rest.strip_prefix('*').unwrap_or(rest).strip_prefix("=\"")?;
        let (name, rest) = rest.split_at_checked(quoted_bytes(rest)?)?;
        let flag = rest.strip_prefix('"')?.strip_suffix(']')?;
        let is_right = flag.is_empty() || (flag.len() > 1 && flag.trim_start() == "i");
        is_right.then_some(Self {
            role,
            name: Some(name),
        })
    }
}

/// Splits a selector at each `>>` outside of quotes and brackets.
fn steps(selector: &str) -> Vec<&str> {
    let (mut steps, mut begin, mut depth) = (Vec::new(), 0_usize, 0_i32);
    let mut quote = None;
    let mut letters = selector.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(letter),
            '[' | '(' => depth = depth.saturating_add(1),
            ']' | ')' => depth = depth.saturating_sub(1),
            '>' if depth == 0 && letters.as_str().starts_with('>') => {
                letters.next();
                steps.extend(selector.get(begin..at).map(str::trim));
                begin = at.saturating_add(2);
            }
            _ => {}
        }
    }
    steps.extend(selector.get(begin..).map(str::trim));
    steps
}

fn is_number(step: &str) -> bool {
    let digits = step.strip_prefix("nth=").unwrap_or_default();
    (1..=DIGITS_MAX).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the length of the text before the quote that ends it; `None` if there is no such quote.
fn quoted_bytes(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        if !is_escaped && letter == '"' {
            return Some(at);
        }
        is_escaped = !is_escaped && letter == '\\';
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_and_names_are_read() {
        for (selector, role, name) in [
            ("button", "button", None),
            ("button[name=\"Sign in\"]", "button", Some("Sign in")),
            ("link[name*=\"More\" i]", "link", Some("More")),
            (
                "tab[name=\"a \\\"b\\\" >> c]\"]",
                "tab",
                Some("a \\\"b\\\" >> c]"),
            ),
            (
                "#a[x='5\" wide'] >> iframe >> button[name=\"Go\"]",
                "button",
                Some("Go"),
            ),
            ("button[name=\"Go\"] >> nth=2", "button", Some("Go")),
            ("row >>nth=1>> nth=0", "row", None),
        ] {
            let read = RoleSelector::read(selector);
            assert_eq!(read, Some(RoleSelector { role, name }), "{selector}");
        }
        for wrong in [
            "",
            "Button",
            "button[name=Go]",
            "button[name='Go']",
            "button[name=\"Go\"",
            "button[name=\"Go]",
            "button[name=\"Go\"]x",
            "button[name=\"Go\"i]",
            "button[name=\"Go\" i ]",
            "button[label=\"Go\"]",
            "button[name=\"Go\\\"]",
            "[role=button]",
            "button, a",
            "button >> nth=x",
            "my-app >>> button",
            "#it's >> button",
        ] {
            assert_eq!(RoleSelector::read(wrong), None, "{wrong}");
        }
    }
}
