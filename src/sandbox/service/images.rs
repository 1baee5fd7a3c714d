//! The image hosts: photos, thumbnails, and the pages that show them.

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};

use super::ask::Ask;
use super::google::{caption, escaped};
use super::reply::Reply;
use super::sandbox::Sandbox;
use super::ugly::{self, thumbnail_is_dead, ugliness};
use crate::sandbox::picture::format_of;

pub(super) fn answer(sandbox: &mut Sandbox, ask: &Ask) -> Reply {
    let reply = match (
        photo_of(&ask.path, "/photos/"),
        photo_of(&ask.path, "/thumbnails/"),
    ) {
        (Some(photo), _) => photo_reply(sandbox, ask, photo),
        (None, Some(photo)) if !thumbnail_is_dead(sandbox.options(), photo) => {
            thumbnail(sandbox, photo)
        }
        _ => missing(),
    };
    open(reply)
}

/// With this any page may show and read it.
pub(super) fn open(reply: Reply) -> Reply {
    reply.with(ACCESS_CONTROL_ALLOW_ORIGIN, "*")
}

/// The number in `/photos/12.jpg`, whatever its ending.
pub(super) fn photo_of(path: &str, folder: &str) -> Option<usize> {
    let name = path.strip_prefix(folder)?;
    let digits = name.split_once('.').map_or(name, |(digits, _)| digits);
    digits.parse().ok()
}

fn photo_reply(sandbox: &mut Sandbox, ask: &Ask, photo: usize) -> Reply {
    if sandbox.photo(photo).is_none() {
        return missing();
    }
    match ugliness(sandbox.options(), photo) {
        Some(kind) => ugly::reply(sandbox, ask, photo, kind),
        // The rest of a chain that a fault began.
        None if ask.parameter("hop").is_some() => ugly::hop(sandbox, ask, photo, 0),
        None => file(sandbox, photo),
    }
}

/// The photo as it is.
pub(super) fn file(sandbox: &mut Sandbox, photo: usize) -> Reply {
    match sandbox.photo(photo) {
        Some(drawn) => Reply::new(200, format_of(photo).mime(), drawn.file.clone())
            .with(CACHE_CONTROL, "public, max-age=3600"),
        None => missing(),
    }
}

fn thumbnail(sandbox: &mut Sandbox, photo: usize) -> Reply {
    match sandbox.photo(photo) {
        Some(drawn) => Reply::new(200, "image/jpeg", drawn.thumbnail.clone())
            .with(CACHE_CONTROL, "public, max-age=86400"),
        None => missing(),
    }
}

pub(super) fn missing() -> Reply {
    Reply::html(404, "<h1>404 Not Found</h1>\n")
}

/// A page that shows a photo and who is in it.
pub(super) fn page(sandbox: &Sandbox, photo: usize) -> Reply {
    let world = sandbox.world();
    let Some(shot) = world.photos.get(photo) else {
        return missing();
    };
    let title = escaped(&caption(sandbox, photo));
    let names = shot
        .people
        .iter()
        .filter_map(|person| world.people.get(*person));
    let people: Vec<String> = names.map(|person| escaped(&person.name)).collect();
    let people = people.join("<li>");
    let (source, license) = (escaped(&world.source), escaped(&world.license));
    let ending = format_of(photo).extension();
    Reply::html(
        200,
        &format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#2b2430;background:#faf6ef}}img{{width:100%;border-radius:.5rem}}small{{color:#6b6270}}</style>\n<h1>{title}</h1>\n<img src=\"/photos/{photo}.{ending}\" alt=\"{title}\">\n<p>In this picture:</p>\n<ul><li>{people}</ul>\n<p><small>A drawn picture of the sandbox. World: {}; {source}; {license}.</small></p>\n</html>\n",
            escaped(&world.name),
        ),
    )
}
