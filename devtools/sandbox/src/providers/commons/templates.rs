//! The templates that a file's page uses: `prop=templates`.
//!
//! It follows mediawiki.org, `API:Templates` and `API:Continue`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::hash::{below, hash};
use crate::world::TrapKind;

use super::super::context::ProviderContext;
use super::super::mediawiki::ApiCall;
use super::super::reply::Reply;
use super::image_info::id_of;

/// The parameters of the module.
pub(super) const TEMPLATES: [&str; 5] = [
    "tlnamespace",
    "tllimit",
    "tlcontinue",
    "tltemplates",
    "tldir",
];
const NAMESPACE: u64 = 10;

/// The templates requested for the files of an answer.
#[derive(Debug)]
pub(super) struct WantedTemplates<'call> {
    /// The titles to list; all if there are none.
    titles: Vec<&'call str>,
    /// The most templates of one answer, for all files together.
    limit: usize,
    /// The page and the title at which an earlier answer ended.
    from: Option<(u64, &'call str)>,
    is_namespace_wanted: bool,
}

/// The templates in an answer, by the ids of their pages, and the value of `tlcontinue` if there are more.
pub(super) type ListedTemplates = (BTreeMap<u64, Vec<Value>>, Option<String>);

impl<'call> WantedTemplates<'call> {
    pub(super) fn new(call: &mut ApiCall<'call>) -> Result<Self, Box<Reply>> {
        call.choice("tldir", &["ascending"])?;
        let from = match call.text("tlcontinue") {
            None => None,
            Some(text) => Some(place_in(text).ok_or_else(|| {
                let info = "Invalid continue param. You should pass the original value returned by the previous query.";
                call.error("badcontinue", info)
            })?),
        };
        let namespaces = call.list("tlnamespace")?;
        Ok(Self {
            titles: call.list("tltemplates")?,
            limit: call.limit("templates", "tllimit", 10, 500)?,
            from,
            is_namespace_wanted: namespaces.is_empty() || namespaces.contains(&"10"),
        })
    }

    /// Returns the templates of these photos' pages. The limit counts those of all pages in the order of their ids.
    pub(super) fn of_photos(
        &self,
        context: ProviderContext<'_>,
        photos: &[usize],
    ) -> ListedTemplates {
        let mut photos = photos.to_vec();
        photos.sort_unstable();
        let mut listed: ListedTemplates = (BTreeMap::new(), None);
        let mut count = 0;
        for photo in photos {
            let id = id_of(photo);
            for title in used_by(context, photo).filter(|title| self.has(id, title)) {
                if count == self.limit {
                    listed.1 = Some(format!("{id}|{NAMESPACE}|{}", title.replace(' ', "_")));
                    return listed;
                }
                let template = json!({"ns": NAMESPACE, "title": format!("Template:{title}")});
                listed.0.entry(id).or_default().push(template);
                count += 1;
            }
        }
        listed
    }

    fn has(&self, id: u64, title: &str) -> bool {
        let is_asked_for = |asked: &&str| {
            let asked = asked.replace('_', " ");
            asked.strip_prefix("Template:") == Some(title)
        };
        self.is_namespace_wanted
            && (self.titles.is_empty() || self.titles.iter().any(is_asked_for))
            && self.from.is_none_or(|from| (id, title) >= from)
    }
}

/// Returns whether a file's page says that a machine made the picture. It says so of one generated picture in three; of
/// the others only the file does.
pub(super) fn is_generated(context: ProviderContext<'_>, photo: usize) -> bool {
    let is_told = below(hash(&["generated".into(), photo.into()]), 3) == 0;
    let trap = context.world.trap_in(photo, context.rules);
    is_told && trap.is_some_and(|trap| trap.kind == TrapKind::Generated)
}

/// Returns the templates of a photo's page in alphabetical order, without `Template:`.
fn used_by(context: ProviderContext<'_>, photo: usize) -> impl Iterator<Item = &'static str> {
    let generated = is_generated(context, photo);
    let titles = ["Information", "PD-algorithm", "Self"];
    titles
        .into_iter()
        .filter(move |title| *title != "PD-algorithm" || generated)
}

/// Parses a value of `tlcontinue`: `10000064|10|PD-algorithm`.
fn place_in(text: &str) -> Option<(u64, &str)> {
    let mut parts = text.splitn(3, '|');
    let id = parts.next()?.parse().ok()?;
    let namespace: u64 = parts.next()?.parse().ok()?;
    (namespace == NAMESPACE).then_some((id, parts.next()?))
}
