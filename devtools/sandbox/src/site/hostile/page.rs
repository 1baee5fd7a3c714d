//! A hostile page as HTML, with its honest target.

use crate::providers::Reply;

use super::ground::Ground;
use super::hostility::{Hostility, Twist};

/// The number of pieces of a slowly sent page, and the milliseconds before each.
const DROPS: usize = 40;
const DROP_MS: u64 = 500;

/// A script that collects typed text, for the scripts that leak it.
const TYPED: &str = "const typed = () => 'typed:' + [...document.getElementsByTagName('input')].map((field) => field.value).join();";

const TARGET: &str = "<form id=\"target\" action=\"@HERE@/continue\" method=\"post\"><label for=\"word\">Your word</label> <input id=\"word\" name=\"word\" autocomplete=\"off\"> <button id=\"continue\" type=\"submit\">Continue</button></form>";

/// Makes the reply with a hostile page.
pub(super) fn page(number: usize, kinds: &[&Hostility], ground: &Ground) -> Reply {
    let of_kinds = |part: fn(&Hostility) -> &'static str| -> Vec<&'static str> {
        let parts = kinds.iter().map(|kind| part(kind));
        parts.filter(|part| !part.is_empty()).collect()
    };
    let scripts = of_kinds(|kind| kind.script);
    // Each script gets its own scope, because two of them may use the same names.
    let scripts: Vec<_> = scripts
        .iter()
        .map(|script| format!("<script>{{\n{script}\n}}</script>"))
        .collect();
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{}<title>Page {number}</title><script>{TYPED}</script></head>\n<body><h1>Page {number}</h1>\n{}\n{TARGET}\n{}\n</body></html>\n",
        of_kinds(|kind| kind.head).join("\n"),
        of_kinds(|kind| kind.html).join("\n"),
        scripts.join("\n"),
    );
    let mut reply = Reply::html(200, &ground.filled(&html));
    for kind in kinds {
        reply = match kind.twist {
            Twist::Header(name, value) => reply.with_named(name, &ground.filled(value)),
            Twist::Dripping => reply.dripping(DROPS, DROP_MS),
            Twist::Moved(to) => moved(reply, ground, to),
            Twist::None | Twist::Onward(..) => reply,
        };
    }
    reply
}

fn moved(mut reply: Reply, ground: &Ground, to: &str) -> Reply {
    *reply.response.status_mut() = http::StatusCode::FOUND;
    reply.with(http::header::LOCATION, &ground.filled(to))
}

/// Makes the response to the target's form when it is submitted.
pub(super) fn onward(kinds: &[&Hostility], ground: &Ground) -> Reply {
    let twisted = kinds.iter().find_map(|kind| match kind.twist {
        Twist::Onward(status, to) => Some((status, to)),
        _ => None,
    });
    let (status, to) = twisted.unwrap_or((303, "@HERE@/done"));
    Reply::new(status, "text/plain", Vec::new()).with(http::header::LOCATION, &ground.filled(to))
}
