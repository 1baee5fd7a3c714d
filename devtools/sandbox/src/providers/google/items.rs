//! The results of a search, one per photo.

use serde_json::{Value, json};

use crate::name_folding;

use super::super::context::ProviderContext;
use super::super::images::{caption, described, escaped};

/// Returns the result for a photo. An image search describes the photo's file, a web search its page.
pub(super) fn item(
    context: ProviderContext<'_>,
    query: &str,
    is_image_search: bool,
    photo: usize,
) -> Option<Value> {
    let origin = context.origin;
    let host = origin
        .split_once("://")
        .map_or(origin, |(_, host)| host)
        .to_owned();
    let title = caption(context, photo);
    let page = format!("{origin}/pages/{photo}");
    let mut item = json!({
        "kind": "customsearch#result", "title": title, "displayLink": host,
        "htmlTitle": bold(&title, query), "snippet": title, "htmlSnippet": bold(&title, query),
    });
    let members = item.as_object_mut()?;
    if !is_image_search {
        members.insert("link".to_owned(), page.clone().into());
        members.insert("formattedUrl".to_owned(), page.into());
        return Some(item);
    }
    let file = described(context, photo)?;
    members.insert("link".to_owned(), file.link.into());
    members.insert("mime".to_owned(), file.mime.into());
    if file.mime != "image/" {
        members.insert("fileFormat".to_owned(), file.mime.into());
    }
    let drawn = context.photo(photo)?;
    let image = json!({
        "contextLink": page, "height": file.height_px, "width": file.width_px,
        "byteSize": file.bytes.unwrap_or(drawn.file.len()),
        "thumbnailLink": format!("{origin}/thumbnails/{photo}.jpg"),
        "thumbnailHeight": drawn.thumbnail_height_px, "thumbnailWidth": drawn.thumbnail_width_px,
    });
    members.insert("image".to_owned(), image);
    Some(item)
}

/// Returns the title with the words of the query in bold, escaped for HTML.
fn bold(title: &str, query: &str) -> String {
    let wanted = name_folding::words(query);
    let words = title.split(' ').map(|word| {
        let safe = escaped(word);
        let hit = name_folding::words(word)
            .iter()
            .any(|folded| wanted.contains(folded));
        if hit { format!("<b>{safe}</b>") } else { safe }
    });
    words.collect::<Vec<_>>().join(" ")
}
