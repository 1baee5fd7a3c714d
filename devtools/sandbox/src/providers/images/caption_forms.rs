//! The forms of a photo's title. Only one title in two has the plain form.

use std::ops::Range;

use crate::hash::{below, hash};
use crate::world::{World, agency_title, event_of, names_in_a_row};

use super::spellings::{in_both_scripts, in_cyrillic, surname_first, with_initials};

/// The number of consecutive photos in a gallery.
const GALLERY_PHOTOS: usize = 3;
/// The longest title that is not plain, in bytes. With a number and an extension it fits into a wiki's file name, which
/// has at most 240 bytes.
const TITLE_BYTES_MAX: usize = 220;

/// A form of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CaptionForm {
    /// Names and an occasion.
    Plain,
    /// An agency's caption.
    Agency,
    /// The plain form in upper case.
    UpperCase,
    /// Names with initials: `E. Woodhouse`.
    Initials,
    /// Names with the surname first: `Woodhouse, Emma`.
    SurnameFirst,
    /// The plain form with an unnamed guest.
    Guest,
    /// Names in Cyrillic letters.
    Cyrillic,
    /// One title for all photos of a gallery, with everybody named for any of them.
    Gallery,
}

impl CaptionForm {
    /// Returns the form of a photo's title in a world with this many photos. All photos of a gallery have one form.
    fn of(photo: usize, photos: usize) -> Self {
        let gallery = gallery_around(photo, photos);
        let drawn = hash(&["gallery".into(), gallery.start.into()]);
        if gallery.len() > 1 && below(drawn, 12) == 0 {
            return Self::Gallery;
        }
        match below(hash(&["caption form".into(), photo.into()]), 13) {
            0 => Self::Agency,
            1 => Self::UpperCase,
            2 => Self::Initials,
            3 => Self::SurnameFirst,
            4 => Self::Guest,
            5 => Self::Cyrillic,
            _ => Self::Plain,
        }
    }
}

/// Returns the title of a photo in the form chosen for its page, or in the plain form if the chosen one does not fit
/// the photo. `names_of` returns the names on a photo's page.
pub(super) fn title<'world>(
    world: &World,
    photo: usize,
    names_of: impl Fn(usize) -> Vec<&'world str>,
) -> String {
    let form = CaptionForm::of(photo, world.photos.len());
    title_in(form, world, photo, &names_of)
        .filter(|title| title.len() <= TITLE_BYTES_MAX)
        .unwrap_or_else(|| plain_title(world, photo, &names_of(photo)))
}

/// Returns the title of a photo in the plain form, which has the names and the occasion.
pub(super) fn plain_title(world: &World, photo: usize, names: &[&str]) -> String {
    let who = names_in_a_row(names, "and").unwrap_or_else(|| {
        let is_empty = world.people_in(photo).is_empty();
        if is_empty { "An empty room" } else { "Guests" }.to_owned()
    });
    format!("{who} {}", world.occasion_of(photo))
}

/// Returns the title of a photo in a form, or `None` if the form does not fit.
fn title_in<'world>(
    form: CaptionForm,
    world: &World,
    photo: usize,
    names_of: &impl Fn(usize) -> Vec<&'world str>,
) -> Option<String> {
    let (names, occasion) = (names_of(photo), world.occasion_of(photo));
    let who = match form {
        CaptionForm::Plain => return Some(plain_title(world, photo, &names)),
        CaptionForm::UpperCase => return Some(plain_title(world, photo, &names).to_uppercase()),
        CaptionForm::Gallery => return gallery_title(world, photo, names_of),
        CaptionForm::Agency => {
            let who = names_in_a_row(&names, "and")?;
            return Some(agency_title(&who, event_of(occasion)));
        }
        CaptionForm::Initials => names_in_a_row(&rewritten(&names, with_initials), "and")?,
        CaptionForm::SurnameFirst => rewritten(&names, surname_first).join("; "),
        CaptionForm::Guest => with_guest(world, photo, &names)?,
        CaptionForm::Cyrillic => {
            let is_doubled = below(hash(&["Latin, too".into(), photo.into()]), 3) == 0;
            let written = if is_doubled {
                in_both_scripts
            } else {
                in_cyrillic
            };
            names_in_a_row(&rewritten(&names, written), "и")?
        }
    };
    (!who.is_empty()).then(|| format!("{who} {occasion}"))
}

fn rewritten(names: &[&str], name: impl Fn(&str) -> String) -> Vec<String> {
    names.iter().map(|one| name(one)).collect()
}

/// Returns the photos of the gallery to which this one belongs.
fn gallery_around(photo: usize, photos: usize) -> Range<usize> {
    let first = photo - photo % GALLERY_PHOTOS;
    first..photos.min(first.saturating_add(GALLERY_PHOTOS))
}

/// Returns the title of a gallery, which all its photos share.
fn gallery_title<'world>(
    world: &World,
    photo: usize,
    names_of: &impl Fn(usize) -> Vec<&'world str>,
) -> Option<String> {
    let gallery = gallery_around(photo, world.photos.len());
    let occasion = world.occasion_of(gallery.start);
    let mut names = Vec::new();
    for name in gallery.flat_map(names_of) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let who = names_in_a_row(&names, "and")?;
    Some(format!("Gallery: {who} {occasion}"))
}

/// Returns the names followed by a guest, or `None` if the names already include everybody in the photo.
fn with_guest(world: &World, photo: usize, names: &[&str]) -> Option<String> {
    let mut shown = world.people_in(photo).iter();
    let is_unnamed = |person: &usize| {
        let person = world.people.get(*person);
        person.is_some_and(|person| !names.contains(&person.name.as_str()))
    };
    let who = names_in_a_row(names, "and").filter(|_| shown.any(is_unnamed))?;
    match below(hash(&["guest".into(), photo.into()]), 2) {
        0 => Some(format!("{who} with guest")),
        _ => names_in_a_row(&[names, &["guest"]].concat(), "and"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn world(photos: &[&str]) -> World {
        let photos = photos.join(",");
        World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l","photos":[{photos}]}}"#
        ))
        .unwrap()
    }

    #[track_caller]
    fn check(form: CaptionForm, named: &[&'static str], expected: &str) {
        let both = r#"["Emma Woodhouse","Cosette"]"#;
        let world = world(&[both, r#"["Jane Fairfax","Cosette"]"#, "[]"]);
        let names_of = |photo| match photo {
            0 => named.to_vec(),
            1 => vec!["Jane Fairfax"],
            _ => Vec::new(),
        };
        let title = title_in(form, &world, 0, &names_of).unwrap_or_default();
        assert_eq!(title, expected, "{form:?}");
    }

    #[test]
    fn each_form_names_whom_the_page_names() {
        let both = ["Emma Woodhouse", "Cosette"];
        check(
            CaptionForm::Plain,
            &both,
            "Emma Woodhouse and Cosette at the opening night",
        );
        check(
            CaptionForm::Agency,
            &both,
            "Emma Woodhouse and Cosette attend the opening night, London - Globe Pictures",
        );
        check(
            CaptionForm::UpperCase,
            &both,
            "EMMA WOODHOUSE AND COSETTE AT THE OPENING NIGHT",
        );
        check(
            CaptionForm::Initials,
            &both,
            "E. Woodhouse and Cosette at the opening night",
        );
        check(
            CaptionForm::SurnameFirst,
            &both,
            "Woodhouse, Emma; Cosette at the opening night",
        );
        check(CaptionForm::Guest, &both, "");
        check(
            CaptionForm::Guest,
            &both[..1],
            "Emma Woodhouse with guest at the opening night",
        );
        check(
            CaptionForm::Cyrillic,
            &both,
            "Емма Воодхоусе (Emma Woodhouse) и Косетте (Cosette) at the opening night",
        );
        check(
            CaptionForm::Gallery,
            &both,
            "Gallery: Emma Woodhouse, Cosette and Jane Fairfax at the opening night",
        );
    }

    #[test]
    fn where_nobody_is_named_most_forms_do_not_fit() {
        check(CaptionForm::Plain, &[], "Guests at the opening night");
        check(CaptionForm::UpperCase, &[], "GUESTS AT THE OPENING NIGHT");
        check(CaptionForm::Agency, &[], "");
        check(CaptionForm::Initials, &[], "");
        check(CaptionForm::SurnameFirst, &[], "");
        check(CaptionForm::Guest, &[], "");
        check(CaptionForm::Cyrillic, &[], "");
    }

    #[test]
    fn every_form_occurs_and_the_plain_one_is_about_half() {
        let world = world(&[r#"["Emma Woodhouse","Cosette"]"#; 500]);
        let names_of = |_: usize| vec!["Emma Woodhouse"];
        let mut forms: BTreeMap<CaptionForm, usize> = BTreeMap::new();
        for photo in 0..500 {
            let form = CaptionForm::of(photo, 500);
            let title = title(&world, photo, names_of);
            assert_eq!(Some(title), title_in(form, &world, photo, &names_of));
            *forms.entry(form).or_default() += 1;
        }
        assert_eq!(forms.len(), 8, "{forms:?}");
        let plain = forms[&CaptionForm::Plain];
        assert!((220..280).contains(&plain), "{forms:?}");
        assert!(forms.values().all(|count| *count > 15), "{forms:?}");
    }

    #[test]
    fn some_titles_in_cyrillic_have_the_latin_name_and_some_guests_an_and() {
        let world = world(&[r#"["Emma","Cosette"]"#; 40]);
        let occurs = |form, beginning: &str| {
            let title = |photo| title_in(form, &world, photo, &|_| vec!["Emma"]).unwrap();
            let is_so = |photo: &usize| title(*photo).starts_with(beginning);
            (0..40).filter(is_so).count()
        };
        let doubled = occurs(CaptionForm::Cyrillic, "Емма (Emma) ");
        assert!((5..20).contains(&doubled), "{doubled}");
        let joined = occurs(CaptionForm::Guest, "Emma and guest ");
        assert!((10..30).contains(&joined), "{joined}");
    }

    #[test]
    fn the_photos_of_a_gallery_share_one_title_with_all_their_names() {
        let names = ["Ann Lee", "Tom Roe", "Eve Moe"];
        let world = world(&[r#"["Ann Lee"]"#, r#"["Tom Roe"]"#, r#"["Eve Moe"]"#].repeat(60));
        let titles: Vec<String> = (0..180)
            .map(|photo| title(&world, photo, |photo| vec![names[photo % 3]]))
            .collect();
        let galleries: Vec<&[String]> = titles
            .chunks(GALLERY_PHOTOS)
            .filter(|titles| titles.concat().contains("Gallery: "))
            .collect();
        assert!(galleries.len() > 2, "{titles:?}");
        for titles in galleries {
            let first = &titles[0];
            assert!(first.contains("Ann Lee, Tom Roe and Eve Moe"), "{first}");
            assert!(titles.iter().all(|title| title == first), "{titles:?}");
        }
    }

    #[test]
    fn a_title_that_is_too_long_for_a_file_is_plain() {
        let world = world(&[r#"["Emma Woodhouse"]"#; 60]);
        let names: Vec<String> = (10..30)
            .map(|number| format!("Member Numbered{number}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for photo in 0..60 {
            let plain = plain_title(&world, photo, &names);
            assert_eq!(title(&world, photo, |_| names.clone()), plain);
        }
    }
}
