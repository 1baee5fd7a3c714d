//! The people that a file's page names: some in statements, others in categories.

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::images::{file_caption, named};
use super::super::mediawiki::PageText;
use super::file::file_name;
use super::file_pages::FilePage;

/// Returns the Wikidata numbers in a file's statements about whom it depicts (P180): about six in ten of the people in
/// the photo. If the world has bad files, one file in twenty-five also names a person drawn at random.
fn depicted(context: ProviderContext<'_>, photo: usize) -> Vec<&str> {
    let world = context.world;
    let draw = |what: &str, count: usize| below(hash(&[what.into(), photo.into()]), count);
    let stated = |person: &&usize| {
        let key = world.people.get(**person).map_or("", |person| &person.key);
        below(hash(&["depicts".into(), photo.into(), key.into()]), 10) < 6
    };
    let mut people: Vec<usize> = world
        .people_in(photo)
        .iter()
        .filter(stated)
        .copied()
        .collect();
    if context.bad_images && draw("wrong statement", 25) == 0 {
        people.push(draw("wrongly depicted", world.people.len()));
    }
    let number = |person: usize| Some(world.people.get(person)?.wikidata_number.as_str());
    people.into_iter().filter_map(number).collect()
}

/// Returns the categories of a file: the unique keys of about two in three of the people whom the page names, and the
/// categories that such files usually have.
pub(super) fn categories(context: ProviderContext<'_>, photo: usize) -> Vec<String> {
    let world = context.world;
    let people = world.people_in(photo);
    let is_named =
        |key: &&str| below(hash(&["category".into(), photo.into(), (*key).into()]), 3) < 2;
    let mut categories: Vec<String> = world
        .named_on_page(photo, context.captions)
        .into_iter()
        .filter_map(|person| Some(world.people.get(person)?.key.as_str()))
        .filter(is_named)
        .map(str::to_owned)
        .collect();
    let year = taken_in(photo);
    categories.push(match people.len() {
        0 => format!("Interiors photographed in {year}"),
        1 => format!("{year} portrait photographs"),
        _ => format!("Group photographs in {year}"),
    });
    categories.push("Files with no machine-readable source".to_owned());
    if let Some(words) = context.telling_words(photo)
        && is_told_by_category(photo)
    {
        categories.push(words.category.to_owned());
    }
    categories
}

/// Returns the description of a file: its title, or the words that tell of a trap and whom the page names.
pub(super) fn description(context: ProviderContext<'_>, photo: usize) -> String {
    let words = context.telling_words(photo);
    match words.filter(|_| !is_told_by_category(photo)) {
        Some(words) => format!("{} {}", words.description, named(context, photo)),
        None => file_caption(context, photo),
    }
}

/// Returns whether a category tells of a trap. Otherwise the description does.
fn is_told_by_category(photo: usize) -> bool {
    hash(&["told by category".into(), photo.into()]).is_multiple_of(2)
}

/// Returns the year in which the file's page claims that a photo was taken.
pub(super) fn taken_in(photo: usize) -> usize {
    1990 + below(hash(&["year".into(), photo.into()]), 36)
}

/// Returns a file's page in the form that a search needs.
pub(super) fn page(context: ProviderContext<'_>, photo: usize) -> FilePage {
    let depicted = depicted(context, photo).into_iter();
    FilePage {
        text: text(context, photo),
        depicted: depicted.map(str::to_owned).collect(),
        order: hash(&["commons".into(), photo.into()]),
    }
}

/// Returns all words of a file's page. The file name's extension is a separate word.
fn text(context: ProviderContext<'_>, photo: usize) -> PageText {
    let name = file_name(context, photo);
    let (title, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let description = description(context, photo);
    PageText::new(
        title,
        [description.as_str(), ending],
        &categories(context, photo),
    )
}
