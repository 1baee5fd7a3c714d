//! A file in an answer: the members of `imageinfo` that the call requests.

use serde_json::{Map, Value, json};

use super::super::context::ProviderContext;
use super::file::{CommonsFile, STEPS_PX, address_name, file_name};
use super::metadata;

/// The properties that a call can request, according to the API's documentation.
pub(super) const PROPERTIES: [&str; 17] = [
    "timestamp",
    "user",
    "userid",
    "comment",
    "parsedcomment",
    "canonicaltitle",
    "url",
    "size",
    "dimensions",
    "sha1",
    "mime",
    "thumbmime",
    "mediatype",
    "metadata",
    "commonmetadata",
    "extmetadata",
    "bitdepth",
];

/// The properties requested for each file.
#[derive(Debug)]
pub(super) struct WantedInfo<'call> {
    pub properties: Vec<&'call str>,
    pub thumbnail_width_px: Option<u32>,
    pub metadata_filter: Vec<&'call str>,
    /// Whether thumbnails get a width that the file host refuses, as a fault requires.
    pub is_off_step: bool,
}

impl WantedInfo<'_> {
    fn wants(&self, property: &str) -> bool {
        self.properties.contains(&property)
    }
}

/// Returns the id of a photo's page. It comes from the photo's number, because an id from its rank would reveal the order
/// of the results.
pub(super) fn id_of(photo: usize) -> u64 {
    10_000_000 + 64 * photo as u64
}

/// Returns the page of a file; `index` is its rank, from 1.
pub(super) fn page(
    context: ProviderContext<'_>,
    photo: usize,
    index: usize,
    wanted: Option<&WantedInfo<'_>>,
) -> (u64, Value) {
    let id = id_of(photo);
    let title = format!("File:{}", file_name(context, photo));
    let mut page = json!({"pageid": id, "ns": 6, "title": title, "index": index});
    let info = wanted.and_then(|wanted| image_info(context, photo, wanted));
    if let (Some(info), Some(members)) = (info, page.as_object_mut()) {
        members.insert("imagerepository".to_owned(), "local".into());
        members.insert("imageinfo".to_owned(), json!([info]));
    }
    (id, page)
}

fn image_info(
    context: ProviderContext<'_>,
    photo: usize,
    wanted: &WantedInfo<'_>,
) -> Option<Value> {
    let file = CommonsFile::new(context, photo)?;
    let mut info = Map::new();
    let mut put = |name: &str, value: Value| info.insert(name.to_owned(), value);
    if wanted.wants("timestamp") {
        put("timestamp", json!("2026-03-01T12:00:00Z"));
    }
    if wanted.wants("user") {
        put("user", json!("SocietyPagesBot"));
    }
    if wanted.wants("size") || wanted.wants("dimensions") {
        put("size", json!(file.bytes));
        put("width", json!(file.width_px));
        put("height", json!(file.height_px));
    }
    if wanted.wants("url") {
        if let Some(width_px) = wanted.thumbnail_width_px {
            let (address, width_px) = thumbnail(context, &file, width_px, wanted.is_off_step);
            put("thumburl", json!(address));
            put("thumbwidth", json!(width_px));
            put("thumbheight", json!(file.height_at(width_px)));
        }
        let page = format!(
            "{}/commons/wiki/File:{}",
            context.origin,
            address_name(&file.name)
        );
        let id = id_of(photo);
        put(
            "url",
            json!(tagged(&file.address(context.origin), "original")),
        );
        put("descriptionurl", json!(page));
        put(
            "descriptionshorturl",
            json!(format!("{}/commons/w/index.php?curid={id}", context.origin)),
        );
    }
    if wanted.wants("mime") {
        put("mime", json!(context.format(photo).mime()));
    }
    if wanted.wants("mediatype") {
        put("mediatype", json!("BITMAP"));
    }
    if wanted.wants("extmetadata") {
        let metadata = metadata::extended(context, photo, &wanted.metadata_filter);
        put("extmetadata", metadata);
    }
    Some(Value::Object(info))
}

/// Returns the address of a thumbnail, and the width that the answer states. The address has the next supported width,
/// although the answer states the requested one. If the original is not wider than the next supported width, the
/// address is the original's, and the answer states at most the original's width.
fn thumbnail(
    context: ProviderContext<'_>,
    file: &CommonsFile,
    asked_px: u32,
    is_off_step: bool,
) -> (String, u32) {
    let step = STEPS_PX.into_iter().find(|step| *step >= asked_px);
    match step.or(STEPS_PX.last().copied()) {
        Some(step) if is_off_step => {
            let address = file.thumbnail_address(context.origin, step + 1);
            (tagged(&address, "thumbnail"), asked_px)
        }
        Some(step) if step < file.width_px => {
            let address = file.thumbnail_address(context.origin, step);
            (tagged(&address, "thumbnail"), asked_px)
        }
        _ => {
            let address = file.address(context.origin);
            (
                tagged(&address, "thumbnail_unscaled"),
                asked_px.min(file.width_px),
            )
        }
    }
}

/// Adds tracking parameters to an address.
fn tagged(address: &str, content: &str) -> String {
    format!(
        "{address}?utm_source=commons.wikimedia.org&utm_campaign=imageinfo&utm_content={content}"
    )
}
