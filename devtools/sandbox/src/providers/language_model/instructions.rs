//! The user's instructions to the model: quoted words after a verb.

/// Something that the user tells the model to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    Click(String),
    /// Types a text. If the user names a field, the second string is the field's label.
    Type(String, Option<String>),
    Press(String),
    Read(String),
    Look,
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Quoted(String),
    /// A comma.
    Pause,
    /// The end of a sentence.
    End,
}

/// Returns the instructions in a text, in order. In a sentence, everything after a negation is skipped.
pub(super) fn instructions(text: &str) -> Vec<Instruction> {
    let tokens = tokens(text);
    let sentences = tokens.split(|token| *token == Token::End);
    sentences.flat_map(of_sentence).collect()
}

fn of_sentence(sentence: &[Token]) -> Vec<Instruction> {
    let mut found = Vec::new();
    let (mut verb, mut is_first, mut goes_into) = ("", true, false);
    for token in sentence {
        match token {
            Token::Word(word) => match word.as_str() {
                "not" | "never" | "don't" | "without" => return found,
                "then" | "and" => is_first = true,
                "please" | "now" | "first" => {}
                "look" if is_first => {
                    found.push(Instruction::Look);
                    is_first = false;
                }
                "into" => goes_into = true,
                word => {
                    is_first = false;
                    let verbs = ["click", "type", "press", "read"];
                    if let Some(known) = verbs.into_iter().find(|verb| *verb == word) {
                        (verb, goes_into) = (known, false);
                    }
                }
            },
            Token::Quoted(quoted) => {
                is_first = false;
                match (verb, found.last_mut()) {
                    (_, Some(Instruction::Type(_, field @ None))) if goes_into => {
                        *field = Some(quoted.clone());
                    }
                    ("click", _) => found.push(Instruction::Click(quoted.clone())),
                    ("type", _) => found.push(Instruction::Type(quoted.clone(), None)),
                    ("press", _) => found.push(Instruction::Press(quoted.clone())),
                    ("read", _) => found.push(Instruction::Read(quoted.clone())),
                    _ => {}
                }
                goes_into = false;
            }
            Token::Pause => is_first = true,
            Token::End => {}
        }
    }
    found
}

/// Returns the quoted words of a text, in order.
pub(super) fn quoted(text: &str) -> Vec<String> {
    let tokens = tokens(text).into_iter();
    let quoted = tokens.filter_map(|token| match token {
        Token::Quoted(quoted) => Some(quoted),
        _ => None,
    });
    quoted.collect()
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let is_part = letter.is_alphanumeric() || matches!(letter, '\'' | '_' | '-');
        if is_part {
            word.extend(letter.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            tokens.push(Token::Word(std::mem::take(&mut word)));
        }
        match letter {
            '"' | '\u{201c}' => {
                let end = if letter == '"' { '"' } else { '\u{201d}' };
                let quoted: String = letters
                    .by_ref()
                    .take_while(|letter| *letter != end)
                    .collect();
                tokens.push(Token::Quoted(quoted));
            }
            '.' | ';' | '!' | '?' | ':' | '\n' => tokens.push(Token::End),
            ',' => tokens.push(Token::Pause),
            _ => {}
        }
    }
    if !word.is_empty() {
        tokens.push(Token::Word(word));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[Instruction]) {
        assert_eq!(instructions(text), expect, "{text}");
    }

    #[test]
    fn verbs_act_on_words_in_quotes() {
        let click = |text: &str| Instruction::Click(text.into());
        let typed = |text: &str, field: &str| Instruction::Type(text.into(), Some(field.into()));
        let press = |key: &str| Instruction::Press(key.into());
        check("Click \"Save\".", &[click("Save")]);
        check(
            "Please click the button “Save. Now!”",
            &[click("Save. Now!")],
        );
        check(
            "Fill in the form: type \"Ann\" into \"Name\", then press \"Tab\"; type \"3\". Look",
            &[
                typed("Ann", "Name"),
                press("Tab"),
                Instruction::Type("3".into(), None),
                Instruction::Look,
            ],
        );
        check("click \"A\" and \"B\"", &[click("A"), click("B")]);
        check("Click \"A\" and look", &[click("A"), Instruction::Look]);
        check("Read \"Saved\"!", &[Instruction::Read("Saved".into())]);
    }

    #[test]
    fn everything_else_is_passed_over() {
        check("The form says \"Save\". It may look odd.", &[]);
        check(
            "Do not click \"Delete\". Click \"Save\"",
            &[Instruction::Click("Save".into())],
        );
        check("", &[]);
        check(
            "The tool find_image may look for the picture that the workflow holds.",
            &[],
        );
        assert_eq!(quoted("the \"a b\" and “c”"), ["a b", "c"]);
    }
}
