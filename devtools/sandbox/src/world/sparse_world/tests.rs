use crate::hash::hash;

use super::*;
use crate::{ConnectedPair, Rules, WorldPerson};

/// Returns the percentage of elements for which `is_so` holds.
fn percent<T>(of: &[T], is_so: impl Fn(&T) -> bool) -> f64 {
    100.0 * of.iter().filter(|one| is_so(one)).count() as f64 / of.len() as f64
}

fn near(value: f64, expect: f64, by: f64, what: &str) {
    println!("{what}: {value:.2} (meant: {expect})");
    assert!((value - expect).abs() <= by, "{what}: {value}");
}

/// Returns the number of photos that each pair shares, for all pairs that share any.
fn times_together(world: &World) -> Vec<usize> {
    let mut times: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for photo in &world.photos {
        for one in &photo.people {
            let others = photo.people.iter().filter(|other| *other > one);
            others.for_each(|other| *times.entry((*one, *other)).or_insert(0) += 1);
        }
    }
    times.into_values().collect()
}

fn check(world: &World) {
    let sizes: Vec<usize> = world.photos.iter().map(|shot| shot.people.len()).collect();
    let of_size = [31.0, 40.0, 17.0, 7.0, 2.0, 1.0];
    for (size, expect) in (1..).zip(of_size) {
        let what = format!("% of photos with {size}");
        near(percent(&sizes, |one| *one == size), expect, 1.0, &what);
    }
    let times: Vec<usize> = (0..world.people.len())
        .map(|person| world.photos_of(person).len())
        .collect();
    let bands = [
        (1, 1, 71.0, 1.0),
        (2, 2, 14.0, 1.0),
        (3, 5, 10.0, 1.0),
        (6, 10, 3.0, 0.5),
        (11, 30, 1.8, 0.3),
        (31, 230, 0.35, 0.1),
    ];
    for (from, to, expect, by) in bands {
        let what = format!("% of people in {from} to {to} photos");
        near(
            percent(&times, |one| (from..=to).contains(one)),
            expect,
            by,
            &what,
        );
    }
    let together = times_together(world);
    let once = percent(&together, |one| *one == 1);
    near(once, 92.0, 0.5, "% of pairs together once");
}

fn often_seen(world: &World, photos_min: usize) -> Vec<usize> {
    (0..world.people.len())
        .filter(|person| world.photos_of(*person).len() >= photos_min)
        .collect()
}

#[test]
fn its_statistics_are_those_of_strangers_parties() {
    let world = World::sparse_of(1, 14_400, 13_800);
    assert_eq!((world.people.len(), world.photos.len()), (14_400, 13_800));
    check(&world);
}

#[test]
#[ignore = "the whole world takes seconds"]
fn the_whole_world_has_them_too() {
    let world = World::sparse(1);
    assert_eq!((world.people.len(), world.photos.len()), (72_000, 69_000));
    check(&world);
    let most = (0..72_000).map(|person| world.photos_of(person).len());
    near(most.max().unwrap() as f64, 230.0, 5.0, "photos of the most");
    let people = often_seen(&world, 10);
    let pairs = world.connected_pairs_among(&people, 1, 1_000, |_, _| true);
    let of_hops = |hops: usize| percent(&pairs, |pair| pair.hops == hops);
    for (hops, expect) in [(2, 9.0), (3, 43.0), (4, 39.0), (5, 7.5)] {
        near(of_hops(hops), expect, 3.0, &format!("% {hops} hops apart"));
    }
    let seen = |pair: &ConnectedPair| {
        let hops = world.shortest_seen(pair.from, pair.to, Rules::default());
        hops.is_some_and(|hops| hops <= 6)
    };
    let some = pairs.get(..200).unwrap();
    println!("% connected for the recogniser: {}", percent(some, seen));
}

#[test]
fn a_seed_gives_one_world_for_ever() {
    let world = World::sparse_of(1, 600, 575);
    assert_eq!(World::sparse_of(1, 600, 575).photos, world.photos);
    assert_ne!(World::sparse_of(2, 600, 575).photos, world.photos);
    let known = |person: &WorldPerson| format!("{} {}", person.key, person.name);
    let people: Vec<String> = world.people.iter().map(known).collect();
    let whole = format!("{people:?} {:?}", world.photos);
    assert_eq!(
        hash(&[whole.as_str().into()]),
        6_298_528_588_085_762_095,
        "also on other targets"
    );
}

#[test]
fn no_two_bear_one_name() {
    let world = World::sparse_of(1, 14_400, 13_800);
    for person in &world.people {
        assert_eq!(world.bearers(&person.name).len(), 1, "{}", person.name);
    }
}

#[test]
fn small_worlds_are_worlds_too() {
    for (people, photos) in [(0, 0), (0, 3), (3, 0), (1, 1), (30, 28)] {
        let world = World::sparse_of(5, people, photos);
        assert_eq!((world.people.len(), world.photos.len()), (people, photos));
    }
}
