//! The results of a search, one per photo. Every text of a result may be missing.

use serde_json::{Map, Value, json};

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::images::{brave_copy, caption, described};

/// The width to which the proxy shrinks its copies, in pixels. Narrower pictures stay as they are.
const COPY_WIDTH_PX: usize = 500;

pub(super) fn result(context: ProviderContext<'_>, photo: usize) -> Option<Value> {
    let file = described(context, photo)?;
    let size_px = context.size_px(photo)?;
    let is = |what: &str, one_in: usize| {
        context.bad_images && below(hash(&[what.into(), photo.into()]), one_in) == 0
    };
    let or_null = |what: &str, text: String| {
        if is(what, 10) {
            Value::Null
        } else {
            text.into()
        }
    };
    // A title that tells of a trap is never missing, because nothing else does.
    let title = match context.telling_words(photo) {
        Some(_) => caption(context, photo).into(),
        None => or_null("brave title", caption(context, photo)),
    };
    let origin = context.origin;
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    let page = format!("{origin}/pages/{photo}");
    // A search engine with its own index does not know pictures inside documents, so the result has a file's address.
    let original = match file.link.strip_prefix("x-raw-image:") {
        Some(_) => format!("{origin}/photos/{photo}.jpg"),
        None => file.link.clone(),
    };
    let mut properties = Map::new();
    properties.insert("url".to_owned(), or_null("brave original", original));
    properties.insert(
        "placeholder".to_owned(),
        or_null("brave blur", brave_copy(origin, photo)),
    );
    if !is("brave size", 3) {
        properties.insert("width".to_owned(), file.width_px.into());
        properties.insert("height".to_owned(), file.height_px.into());
    }
    let (width_px, height_px) = (usize::from(size_px.0), usize::from(size_px.1));
    let copy_width_px = width_px.min(COPY_WIDTH_PX);
    let sure = below(hash(&["sure".into(), photo.into()]), 3);
    let confidence = ["low", "medium", "high"].get(sure).copied();
    Some(json!({
        "type": "image_result",
        "title": title,
        "url": or_null("brave page", page.clone()),
        "source": or_null("brave source", host.to_owned()),
        "page_fetched": or_null("brave date", "2026-10-30T08:15:00Z".to_owned()),
        "thumbnail": {
            "src": or_null("brave copy", brave_copy(origin, photo)),
            "width": copy_width_px, "height": height_px * copy_width_px / width_px.max(1),
        },
        "properties": properties,
        "meta_url": {"scheme": "http", "netloc": host, "hostname": host,
            "favicon": or_null("brave favicon", format!("{origin}/favicon.ico")),
            "path": format!("\u{203a} pages \u{203a} {photo}")},
        "confidence": confidence,
    }))
}
