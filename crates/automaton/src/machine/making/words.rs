//! Words for a model, each within its bound.

use serde_json::Value;

use domain::Sha256Digest;
use domain::chat::{ChatPurpose, ChatQuestion, ImageRef, Part, Turn, fenced};
use domain::page::PageView;

/// The longest address or title that a model is shown, in characters.
const HEAD_CHARS_MAX: usize = 300;
/// The most bytes of a list that a model is shown.
const LIST_BYTES_MAX: usize = 32_768;
/// The longest entry of a list, in characters.
pub(super) const ENTRY_CHARS_MAX: usize = 400;

/// Returns a question of one turn, with the picture of the page where there is one.
pub(super) fn question(
    purpose: ChatPurpose,
    system: &str,
    text: String,
    picture: Option<&Sha256Digest>,
) -> ChatQuestion {
    let picture = picture.map(|digest| {
        Part::Image(ImageRef {
            digest: digest.clone(),
            mime_type: "image/jpeg".to_owned(),
        })
    });
    let parts = std::iter::once(Part::Text(text)).chain(picture);
    ChatQuestion {
        purpose,
        system: system.to_owned(),
        turns: vec![Turn::User(parts.collect())],
        tools: Vec::new(),
    }
}

/// Returns what a page shows, as data: its address, its title, and a list.
pub(super) fn page(view: &PageView, list: &[String]) -> String {
    let url = view.signals.url.as_deref().unwrap_or_default();
    let head = format!(
        "address {}\ntitle {}\n",
        quoted(url, HEAD_CHARS_MAX),
        quoted(&view.title, HEAD_CHARS_MAX)
    );
    fenced(&(head + &bounded(list)))
}

/// Returns the entries of a list, one a line, as many as there is place for.
pub(super) fn bounded(list: &[String]) -> String {
    let mut text = String::new();
    for (at, entry) in list.iter().enumerate() {
        if text.len().saturating_add(entry.len()) > LIST_BYTES_MAX {
            let left = list.len().saturating_sub(at);
            text.push_str("(more are left out: ");
            text.push_str(&left.to_string());
            text.push_str(")\n");
            break;
        }
        text.push_str(entry);
        text.push('\n');
    }
    text.pop();
    text
}

/// Returns a text in quotes on one line, cut at a number of characters.
pub(super) fn quoted(text: &str, chars_max: usize) -> String {
    Value::from(cut(text, chars_max)).to_string()
}

/// Returns the beginning of a text.
pub(super) fn cut(text: &str, chars_max: usize) -> String {
    let mut letters = text.chars();
    let mut beginning: String = letters.by_ref().take(chars_max).collect();
    if letters.next().is_some() {
        beginning.push_str("...");
    }
    beginning
}

/// Returns the sentences of a list with their numbers, one a line.
pub(super) fn numbered(sentences: &[String]) -> String {
    let lines = sentences.iter().enumerate();
    let lines = lines.map(|(at, sentence)| {
        let number = at.saturating_add(1);
        format!(
            "{number}. {}",
            cut(sentence, ENTRY_CHARS_MAX).replace('\n', " ")
        )
    });
    bounded(&lines.collect::<Vec<_>>())
}
