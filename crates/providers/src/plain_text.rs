//! Normalises received texts for storage and display: plain, on one line, of bounded length.
//!
//! Pages show such a text as text, never as markup, so markup is removed here only for readability.

/// The elements whose content is invisible.
const UNSEEN: [&str; 3] = ["script", "style", "template"];
/// The elements at which a line breaks. The words before and after them must be separated.
const BREAKS: [&str; 18] = [
    "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "hr", "li", "ol", "p", "table", "td",
    "th", "tr", "ul",
];
/// The elements that have no content and therefore no end tag.
const VOID: [&str; 5] = ["br", "hr", "img", "input", "wbr"];
/// The longest character reference between `&` and `;`, in bytes: `&#1114111;`.
const REFERENCE_BYTES_MAX: usize = 8;

/// Returns a text of at most `chars_max` characters, with spaces collapsed and without control characters and direction
/// marks.
pub(crate) fn one_line(text: &str, chars_max: usize) -> String {
    let mut line = Line::new(chars_max);
    line.push_text(text);
    line.text
}

/// Returns the visible text of HTML, in the form of [`one_line`]. An unclosed tag or comment extends to the end of
/// `html`.
pub(crate) fn of_html(html: &str, chars_max: usize) -> String {
    let mut line = Line::new(chars_max);
    let mut rest = html;
    while let Some(place) = rest.find(['<', '&']).filter(|_| !line.is_full()) {
        let (text, from_mark) = rest.split_at(place);
        line.push_text(text);
        rest = match from_mark.strip_prefix('<') {
            Some(after) => after_markup(after, &mut line),
            None => after_reference(from_mark.get(1..).unwrap_or_default(), &mut line),
        };
    }
    line.push_text(rest);
    line.text
}

/// One line of text, which is built up to a limit of characters.
struct Line {
    text: String,
    chars_left: usize,
    is_space_due: bool,
}

impl Line {
    fn new(chars_max: usize) -> Self {
        Self {
            text: String::new(),
            chars_left: chars_max,
            is_space_due: false,
        }
    }

    fn is_full(&self) -> bool {
        self.chars_left == 0
    }

    fn push_text(&mut self, text: &str) {
        for character in text.chars() {
            if self.is_full() {
                return;
            }
            self.push(character);
        }
    }

    fn push(&mut self, character: char) {
        if character.is_whitespace() || character.is_control() {
            self.is_space_due = true;
        } else if !turns_direction(character) {
            if std::mem::take(&mut self.is_space_due) && !self.text.is_empty() {
                self.push_bounded(' ');
            }
            self.push_bounded(character);
        }
    }

    fn push_bounded(&mut self, character: char) {
        if let Some(left) = self.chars_left.checked_sub(1) {
            self.chars_left = left;
            self.text.push(character);
        }
    }
}

/// Returns whether a character is an invisible direction mark, which could make a text look like a different one.
fn turns_direction(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
    )
}

/// Returns the text after the markup that follows a `<`, or all of `after` if the `<` is a plain character.
fn after_markup<'html>(after: &'html str, line: &mut Line) -> &'html str {
    if let Some(comment) = after.strip_prefix("!--") {
        return comment.split_once("-->").map_or("", |(_, rest)| rest);
    }
    if !begins_tag(after) {
        line.push('<');
        return after;
    }
    let (tag, rest) = split_tag(after);
    let name = name_of(tag.strip_prefix('/').unwrap_or(tag));
    if BREAKS.contains(&name.as_str()) {
        line.is_space_due = true;
    }
    let is_opened = !tag.starts_with('/') && !tag.ends_with('/') && !VOID.contains(&name.as_str());
    if is_opened && (UNSEEN.contains(&name.as_str()) || is_hidden(tag)) {
        after_element(rest, &name)
    } else {
        rest
    }
}

/// Returns whether a `<` before this text begins a tag.
fn begins_tag(after: &str) -> bool {
    after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// Splits a text into the inside of a tag and what follows its `>`. A `>` in quotes does not end the tag.
fn split_tag(text: &str) -> (&str, &str) {
    let mut quote = None;
    for (place, character) in text.char_indices() {
        match (quote, character) {
            (None, '>') => {
                let (tag, rest) = text.split_at(place);
                return (tag, rest.get(1..).unwrap_or_default());
            }
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    (text, "")
}

fn name_of(tag: &str) -> String {
    let is_of_name = |c: &char| c.is_ascii_alphanumeric();
    let name = tag.chars().take_while(is_of_name);
    name.map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns whether an element is hidden by its style. In such elements, Wikimedia repeats names in a form for machines.
fn is_hidden(tag: &str) -> bool {
    let is_sign = |c: &char| !c.is_whitespace();
    let bare: String = tag.chars().filter(is_sign).collect();
    bare.to_ascii_lowercase().contains("display:none")
}

/// Returns the text after the end tag of an element whose start tag was read.
fn after_element<'html>(mut rest: &'html str, name: &str) -> &'html str {
    let mut depth = 1_usize;
    while let Some((_, after)) = rest.split_once('<') {
        if !begins_tag(after) {
            rest = after;
            continue;
        }
        let (tag, after_tag) = split_tag(after);
        if tag
            .strip_prefix('/')
            .is_some_and(|tag| name_of(tag) == name)
        {
            depth -= 1;
            if depth == 0 {
                return after_tag;
            }
        } else if name_of(tag) == name {
            depth += 1;
        }
        rest = after_tag;
    }
    ""
}

/// Returns the text after the character reference that follows an `&`, and adds the character it stands for to the
/// line. An `&` without a valid reference is added as it is.
fn after_reference<'html>(after: &'html str, line: &mut Line) -> &'html str {
    let mut first_bytes = after.bytes().take(REFERENCE_BYTES_MAX + 1);
    let named = first_bytes
        .position(|byte| byte == b';')
        .and_then(|place| after.split_at_checked(place));
    let referred = named.and_then(|(name, rest)| Some((referred(name)?, rest.get(1..)?)));
    if let Some((character, rest)) = referred {
        line.push(character);
        rest
    } else {
        line.push('&');
        after
    }
}

fn referred(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "copy" => '©',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(of_html(html, 80), expected, "{html}");
    }

    #[test]
    fn tags_go_and_their_text_stays() {
        check("Jane Eyre", "Jane Eyre");
        check(
            r#"<a href="//x.example/wiki/User:J" title="User:J">Jane <b>Eyre</b></a>, 2010"#,
            "Jane Eyre, 2010",
        );
        check("<div><p>one</p><p>two<br/>three</p></div>", "one two three");
        check("<ul><li>a</li><li>b</li></ul>", "a b");
        check("a<!-- <b>not</b> this -->b", "ab");
        check(r#"<i title="a > b">c</i>d"#, "cd");
    }

    #[test]
    fn what_nobody_sees_is_left_out() {
        check("<style>.a > b { c: d }</style>Eyre", "Eyre");
        check("a<script>1 < 2</script>b", "ab");
        check(
            r#"Unknown author<span style="display: none;">Unknown <span>author</span></span>."#,
            "Unknown author.",
        );
        check(r#"a<img style="display:none">b"#, "ab");
        check("a<span style='DISPLAY:NONE'>never closed", "a");
    }

    #[test]
    fn characters_by_name_are_themselves_once() {
        check("Smith &amp; Sons &#39;24 &#x2019;", "Smith & Sons '24 ’");
        check("&lt;b&gt;not markup&lt;/b&gt;", "<b>not markup</b>");
        check("&amp;lt;", "&lt;");
        check("a&nbsp;b", "a b");
        for odd in [
            "&",
            "&;",
            "&unknown;",
            "&#xZZ;",
            "&#1114112;",
            "AT&T",
            "a & b; c",
        ] {
            check(odd, odd);
        }
    }

    #[test]
    fn broken_markup_is_read_to_its_end() {
        check("1 < 2 and 3 <4", "1 < 2 and 3 <4");
        check("a <b", "a");
        check("a <a href=\"x", "a");
        check("a<!-- never closed", "a");
        check("</b></b>a", "a");
        check("", "");
        check("<", "<");
    }

    #[test]
    fn a_line_is_bounded_and_has_no_odd_spaces() {
        assert_eq!(one_line(" a\n\t b\u{0}c \u{202E}d ", 80), "a b c d");
        assert_eq!(one_line(&"é ".repeat(5_000), 5), "é é é");
        assert_eq!(of_html(&"<b>é</b>".repeat(5_000), 3), "ééé");
        assert_eq!(one_line("abc", 0), "");
    }

    #[test]
    fn endless_markup_takes_time_in_proportion() {
        let length = 200_000;
        for part in [
            "<",
            "<b",
            "&",
            "<!--",
            "<a href='",
            "<span style='display:none'>",
            "</",
        ] {
            let html = part.repeat(length / part.len());
            assert!(of_html(&html, length).len() <= length, "{part}");
        }
    }
}
