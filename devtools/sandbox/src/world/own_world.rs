//! The built-in world, so that everything runs offline from a fresh clone.

use super::definition::World;
use super::world_error::WorldError;

const OWN_WORLD: &str = include_str!("own_world.json");

/// Parses the built-in world.
pub fn own_world() -> Result<World, WorldError> {
    World::parse(OWN_WORLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_parses_and_has_an_example() {
        let world = own_world().unwrap();
        assert!(!world.people.is_empty());
        assert!(world.example_pair().is_some_and(|pair| pair.hops == 3));
    }

    #[test]
    fn an_alias_finds_whom_it_names_and_nobody_else() {
        let world = own_world().unwrap();
        let name = |alias: &str| match world.people_named(alias).as_slice() {
            [person] => world.people[*person].name.clone(),
            others => panic!("{alias}: {others:?}"),
        };
        assert_eq!(name("The Count of Monte Cristo"), "Edmond Dantès");
        for person in &world.people {
            for alias in &person.aliases {
                assert_eq!(name(alias), person.name);
            }
        }
        let both = "Edmond Dantès The Count of Monte Cristo";
        assert_eq!(world.people_named(both).len(), 1);
        assert_eq!(
            world.search_all("Count of Monte Cristo").len(),
            world.search_all("Edmond Dantès").len()
        );
    }
}
