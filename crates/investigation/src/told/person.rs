//! The JSON of people.

use serde::Serialize;

use crate::machine::PersonRef;

/// The JSON of a person: `{"id","name"}`.
#[derive(Debug, Clone, Serialize)]
pub struct PersonJson<'a> {
    id: &'a str,
    name: &'a str,
}

impl<'a> PersonJson<'a> {
    /// Makes the JSON of a reference.
    #[must_use]
    pub fn new(person: &'a PersonRef) -> Self {
        Self {
            id: &person.id,
            name: &person.name,
        }
    }
}

/// Makes the JSON of the people of a path, in its order.
pub(super) fn people(path: &[PersonRef]) -> Vec<PersonJson<'_>> {
    path.iter().map(PersonJson::new).collect()
}
