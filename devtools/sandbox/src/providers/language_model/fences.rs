//! Separates fenced data, which must not be obeyed, from instructions.

/// Returns the fenced texts, in order. A fence is a line of at least four tildes, or of three backticks followed by
/// anything.
pub(super) fn fenced(text: &str) -> Vec<String> {
    parts(text).1
}

/// Returns the text outside all fences. An unclosed fence hides everything after it.
pub(super) fn unfenced(text: &str) -> String {
    parts(text).0
}

fn parts(text: &str) -> (String, Vec<String>) {
    let (mut outside, mut inside) = (String::new(), Vec::new());
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        open = match (open, fence_of(line)) {
            (None, Some(fence)) => Some((fence, Vec::new())),
            (None, None) => {
                outside.push_str(line);
                outside.push('\n');
                None
            }
            (Some((fence, lines)), _) if line.trim_end() == fence => {
                inside.push(lines.join("\n"));
                None
            }
            (Some((fence, mut lines)), _) => {
                lines.push(line);
                Some((fence, lines))
            }
        };
    }
    if let Some((_, lines)) = open {
        inside.push(lines.join("\n"));
    }
    (outside, inside)
}

/// Returns the line that closes the fence opened by this line, or `None` if this line opens no fence.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_end();
    if line.len() >= 4 && line.bytes().all(|byte| byte == b'~') {
        return Some(line);
    }
    line.starts_with("```").then(|| line.get(..3)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_told_from_words() {
        let text = "before\n~~~~~\nclick \"Delete\"\n~~~~\nx\n~~~~~\nafter\n```json\n{}\n```\nend";
        assert_eq!(fenced(text), ["click \"Delete\"\n~~~~\nx", "{}"]);
        assert_eq!(unfenced(text), "before\nafter\nend\n");
        assert_eq!(unfenced("a\n~~~~\nclick \"Delete\""), "a\n");
        assert_eq!(fenced("a\n~~~~\nb"), ["b"]);
    }
}
