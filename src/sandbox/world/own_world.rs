//! The world that the project carries, so that everything runs offline from a fresh clone.

use super::definition::World;
use super::file::WorldError;

const OWN_WORLD: &str = include_str!("own_world.json");

/// The project's own world.
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
}
