//! The results of a search, one per photo.

use serde_json::{Value, json};

use crate::hash::{below, hash};
use crate::name_folding;

use super::super::context::ProviderContext;
use super::super::images::{caption, openverse_copy, openverse_id};

/// The licenses: code, version, the words of an attribution, and the address.
const LICENSES: [(&str, &str, &str, &str); 6] = [
    (
        "by",
        "2.0",
        "is licensed under CC BY 2.0",
        "https://creativecommons.org/licenses/by/2.0/",
    ),
    (
        "by-sa",
        "4.0",
        "is licensed under CC BY-SA 4.0",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    (
        "by-nc-nd",
        "2.0",
        "is licensed under CC BY-NC-ND 2.0",
        "https://creativecommons.org/licenses/by-nc-nd/2.0/",
    ),
    (
        "by-nc",
        "2.0",
        "is licensed under CC BY-NC 2.0",
        "https://creativecommons.org/licenses/by-nc/2.0/",
    ),
    (
        "cc0",
        "1.0",
        "is marked with CC0 1.0",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
    (
        "pdm",
        "1.0",
        "is marked with Public Domain Mark 1.0",
        "https://creativecommons.org/publicdomain/mark/1.0/",
    ),
];
const SOURCES: [&str; 3] = ["flickr", "wikimedia", "stocksnap"];
const CREATORS: [&str; 3] = ["Society Pages", "Literary Archive", "Gallery of the Opera"];

/// Returns the code of a photo's license.
pub(super) fn license_of(photo: usize) -> &'static str {
    license(photo).0
}

fn license(photo: usize) -> (&'static str, &'static str, &'static str, &'static str) {
    let number = below(hash(&["open license".into(), photo.into()]), LICENSES.len());
    LICENSES
        .get(number)
        .copied()
        .unwrap_or(("cc0", "1.0", "", ""))
}

/// Returns the file type of a photo; `None` if the photo's source does not state it.
pub(super) fn file_type_of(context: ProviderContext<'_>, photo: usize) -> Option<&'static str> {
    is_measured(context, photo).then(|| context.format(photo).extension())
}

/// Returns whether the source of a photo states the photo's size.
fn is_measured(context: ProviderContext<'_>, photo: usize) -> bool {
    !context.bad_images || below(hash(&["no size".into(), photo.into()]), 10) > 0
}

/// Returns the tags of a photo. The uploader has tagged two in three of the people that the page names.
fn tags(context: ProviderContext<'_>, photo: usize) -> Vec<&str> {
    let world = context.world;
    let is_tagged = |person: &usize| {
        let key = world.people.get(*person).map_or("", |person| &person.key);
        below(hash(&["tag".into(), photo.into(), key.into()]), 3) < 2
    };
    let people = world.named_on_page(photo, context.captions);
    let people = people.into_iter().filter(is_tagged);
    let names = people.filter_map(|person| Some(world.people.get(person)?.name.as_str()));
    names.collect()
}

/// Returns the folded words in which a search looks: those of the title and of the tags. Empty words separate them, so
/// that no phrase spans two.
pub(super) fn words_of(context: ProviderContext<'_>, photo: usize) -> Vec<String> {
    let mut words = name_folding::words(&caption(context, photo));
    for tag in tags(context, photo) {
        words.push(String::new());
        words.extend(name_folding::words(tag));
    }
    words
}

pub(super) fn result(context: ProviderContext<'_>, photo: usize) -> Option<Value> {
    let (width_px, height_px) = context.size_px(photo)?;
    let draw = |what: &str, count: usize| below(hash(&[what.into(), photo.into()]), count);
    let (code, version, words, address) = license(photo);
    let (id, origin) = (openverse_id(photo), context.origin);
    let title = caption(context, photo);
    let creator = CREATORS.get(draw("creator", CREATORS.len())).copied();
    // If the world has bad files, some sources do not name the photographer.
    let creator = creator.filter(|_| !context.bad_images || draw("no creator", 8) > 0);
    let is_measured = is_measured(context, photo);
    let tags = tags(context, photo).into_iter();
    let tags: Vec<Value> = tags
        .map(|name| json!({"name": name, "accuracy": null}))
        .collect();
    let by = creator.map_or(String::new(), |creator| format!(" by {creator}"));
    let source = SOURCES.get(draw("source", SOURCES.len())).copied();
    let ending = context.format(photo).extension();
    let detail = format!("{origin}/openverse/v1/images/{id}/");
    Some(json!({
        "id": id, "title": title, "indexed_on": "2024-08-27T17:39:48Z",
        "foreign_landing_url": format!("{origin}/pages/{photo}"),
        "url": format!("{origin}/photos/{photo}.{ending}"),
        "creator": creator, "creator_url": null,
        "license": code, "license_version": version, "license_url": address,
        "provider": source, "source": source, "category": null,
        "filesize": null, "filetype": file_type_of(context, photo), "tags": tags,
        "attribution": format!("\"{title}\"{by} {words}. To view a copy of this license, visit {address}."),
        "fields_matched": ["title"], "mature": false,
        "height": is_measured.then_some(height_px),
        "width": is_measured.then_some(width_px),
        "thumbnail": openverse_copy(origin, photo),
        "detail_url": detail, "related_url": format!("{detail}related/"),
        "unstable__sensitivity": [],
    }))
}
