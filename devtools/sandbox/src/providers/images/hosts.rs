//! The responses of the image hosts. The photo's fault, if any, determines how a host behaves.

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::caption::{caption, escaped};
use super::faults::{self, ImageFault, image_fault, thumbnail_is_dead};
use super::files::{file, missing, open, photo_of, portrait, thumbnail};
use super::proxies;

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    if let Some(name) = request.path.strip_prefix("/portraits/") {
        return open(portrait(context, name.trim_end_matches(".jpg")));
    }
    let is_alive = |photo: &usize| !thumbnail_is_dead(context.bad_images, *photo);
    if let Some(photo) = proxies::photo_at(&request.path).filter(is_alive) {
        return open(file(context, photo));
    }
    let reply = match (
        photo_of(&request.path, "/photos/"),
        photo_of(&request.path, "/thumbnails/"),
    ) {
        (Some(photo), _) => photo_reply(context, request, photo),
        (None, Some(photo)) if !thumbnail_is_dead(context.bad_images, photo) => {
            thumbnail(context, photo)
        }
        _ => missing(),
    };
    open(reply)
}

/// Returns the number of the photo that an address denotes, whether the photo exists or not.
pub(crate) fn photo_asked_for(path: &str) -> Option<usize> {
    photo_of(path, "/photos/")
        .or_else(|| photo_of(path, "/thumbnails/"))
        .or_else(|| proxies::photo_at(path))
}

/// Returns the photo as if its file had this fault, whatever its own fault is.
pub(crate) fn faulty(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
    photo: Option<usize>,
    fault: ImageFault,
) -> Reply {
    open(
        match photo.filter(|photo| context.photo(*photo).is_some()) {
            Some(photo) => faults::reply(context, request, photo, fault),
            None => missing(),
        },
    )
}

fn photo_reply(context: ProviderContext<'_>, request: &ParsedRequest, photo: usize) -> Reply {
    if context.photo(photo).is_none() {
        return missing();
    }
    match image_fault(context.bad_images, photo) {
        Some(fault) => faults::reply(context, request, photo, fault),
        // The request follows a chain of redirects that an injected fault began.
        None if request.parameter("hop").is_some() => faults::hop(context, request, photo, 0),
        None => file(context, photo),
    }
}

/// Returns a page that shows a photo and names the people in it.
pub(crate) fn page(context: ProviderContext<'_>, photo: usize) -> Reply {
    let world = context.world;
    let shown = context
        .photo(photo)
        .and(world.photos.get(context.listed(photo).photo));
    let Some(shot) = shown else {
        return missing();
    };
    let title = escaped(&caption(context, photo));
    let names = shot
        .people
        .iter()
        .filter_map(|person| world.people.get(*person));
    let people: Vec<String> = names.map(|person| escaped(&person.name)).collect();
    let people = people.join("<li>");
    let (source, license) = (escaped(&world.source), escaped(&world.license));
    let ending = context.format(photo).extension();
    Reply::html(
        200,
        &format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#2b2430;background:#faf6ef}}img{{width:100%;border-radius:.5rem}}small{{color:#6b6270}}</style>\n<h1>{title}</h1>\n<img src=\"/photos/{photo}.{ending}\" alt=\"{title}\">\n<p>In this picture:</p>\n<ul><li>{people}</ul>\n<p><small>A drawn picture of the sandbox. World: {}; {source}; {license}.</small></p>\n</html>\n",
            escaped(&world.name),
        ),
    )
}
