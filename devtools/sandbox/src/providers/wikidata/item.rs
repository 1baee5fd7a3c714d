//! The items: everybody in the world, and some books, paintings and streets named like people.

use crate::hash::{below, hash};
use crate::name_folding;
use crate::world::WorldPerson;

use super::super::context::ProviderContext;

/// The class of people, human (the value of P31).
const HUMAN: &str = "Q5";
/// The classes of things that are named like people, each with the word for it in a description.
const THINGS: [(&str, &str); 4] = [
    ("Q571", "book"),
    ("Q3305213", "painting"),
    ("Q79007", "street"),
    ("Q11446", "ship"),
];

/// An item: a person, or a thing that is named like one.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The number, such as `Q42`.
    pub id: String,
    pub label: String,
    /// The language of the label: `en`, or `mul` if all languages have the same label.
    pub label_language: &'static str,
    /// The description, which is sometimes missing.
    pub description: Option<String>,
    pub aliases: Vec<String>,
    /// The class of the item, the value of P31.
    pub class: &'static str,
    /// The number of photos of the person, by which searches rank items.
    pub photos: usize,
}

impl Item {
    /// Returns whether the item is a person.
    pub(super) fn is_human(&self) -> bool {
        self.class == HUMAN
    }
}

/// Returns all items of the world.
pub(super) fn all(context: ProviderContext<'_>) -> impl Iterator<Item = Item> + '_ {
    let people = context.world.people.iter().enumerate();
    people.flat_map(move |(number, person)| {
        let namesake = thing_named_like(context, number, person);
        [Some(human(context, number, person)), namesake]
            .into_iter()
            .flatten()
    })
}

/// Returns the item with this number, if it exists.
pub(super) fn find(context: ProviderContext<'_>, id: &str) -> Option<Item> {
    let world = context.world;
    if let Some(number) = world.numbered(id) {
        let person = world.people.get(number)?;
        return Some(human(context, number, person));
    }
    let number = id.strip_prefix("Q8")?.parse().ok()?;
    thing_named_like(context, number, world.people.get(number)?).filter(|item| item.id == id)
}

fn human(context: ProviderContext<'_>, number: usize, person: &WorldPerson) -> Item {
    let draw =
        |what: &str, count: usize| below(hash(&[what.into(), person.key.as_str().into()]), count);
    let photos = context.world.photos_of(number).len();
    let generic = || format!("figure of {}, seen in {photos} photos", context.world.name);
    let is_described = draw("undescribed", 6) > 0;
    let described = person.description.clone();
    Item {
        id: person.wikidata_number.clone(),
        label: person.name.clone(),
        label_language: if draw("in all languages", 12) == 0 {
            "mul"
        } else {
            "en"
        },
        description: described.or_else(|| is_described.then(generic)),
        aliases: person.aliases.clone(),
        class: HUMAN,
        photos,
    }
}

fn thing_named_like(
    context: ProviderContext<'_>,
    number: usize,
    person: &WorldPerson,
) -> Option<Item> {
    let draw =
        |what: &str, count: usize| below(hash(&[what.into(), person.key.as_str().into()]), count);
    let id = format!("Q8{number:06}");
    if draw("namesake thing", 8) > 0 || context.world.numbered(&id).is_some() {
        return None;
    }
    let (class, description) = THINGS.get(draw("kind of thing", THINGS.len()))?;
    Some(Item {
        id,
        label: person.name.clone(),
        label_language: "en",
        description: (draw("undescribed thing", 4) > 0).then(|| (*description).to_owned()),
        aliases: Vec::new(),
        class,
        photos: 0,
    })
}

impl Item {
    /// Returns the label and then the aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.label)
            .chain(&self.aliases)
            .map(String::as_str)
    }

    /// Returns a name that begins with this text. The label is preferred to the aliases.
    pub(super) fn name_beginning(&self, text: &str) -> Option<&str> {
        let wanted = name_folding::folded(text);
        self.names()
            .find(|name| name_folding::folded(name).starts_with(&wanted))
    }
}
