//! The results of a search, one photo each.

use serde_json::{Value, json};

use crate::sandbox::hash::{below, hash};
use crate::sandbox::name_folding;
use crate::sandbox::picture::format_of;

use super::super::context::ProviderContext;
use super::super::images::{ImageFault, OVERSIZE_BYTES, caption, escaped, image_fault};

/// What a search says about a photo: of an image search the file, of any other its page.
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
        "byteSize": file.bytes,
        "thumbnailLink": format!("{origin}/thumbnails/{photo}.jpg"),
        "thumbnailHeight": drawn.thumbnail_height_px, "thumbnailWidth": drawn.thumbnail_width_px,
    });
    members.insert("image".to_owned(), image);
    Some(item)
}

/// What the search believes about a file: the truth, except where the file is bad.
struct Described {
    link: String,
    mime: &'static str,
    width_px: u16,
    height_px: u16,
    bytes: usize,
}

fn described(context: ProviderContext<'_>, photo: usize) -> Option<Described> {
    let drawn = context.photo(photo)?;
    let (origin, format) = (context.origin, format_of(photo));
    let mut file = Described {
        link: format!("{origin}/photos/{photo}.{}", format.extension()),
        mime: format.mime(),
        width_px: drawn.width_px,
        height_px: drawn.height_px,
        bytes: drawn.file.len(),
    };
    match image_fault(context.bad_images, photo) {
        Some(ImageFault::RawLink) => {
            file.link = format!("x-raw-image:///{:064x}", hash(&[photo.into()]));
        }
        Some(ImageFault::Gif) => {
            file.link = format!("{origin}/photos/{photo}.gif");
            file.mime = "image/gif";
        }
        Some(ImageFault::OversizeDeclared) => file.bytes = OVERSIZE_BYTES,
        Some(ImageFault::Tiny) => (file.width_px, file.height_px) = (79, 79),
        // An address without an ending tells the search nothing.
        None if context.bad_images && below(hash(&["bare".into(), photo.into()]), 20) == 0 => {
            file.link = format!("{origin}/photos/{photo}");
            file.mime = "image/";
        }
        _ => {}
    }
    Some(file)
}

/// The title with the words of the query emphasised, escaped for HTML.
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
