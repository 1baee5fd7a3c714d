//! Tests of who is who among remembered photos.

use domain::{PersonToConnect, RecalledPerson};

use super::*;

/// A photo of this number with these people: id, name and Wikidata number.
fn photo(number: u8, people: &[(&str, &str, Option<&str>)]) -> RecalledPhoto {
    let people = people.iter().map(|(id, name, number)| RecalledPerson {
        id: (*id).to_owned(),
        name: (*name).to_owned(),
        number: number.map(str::to_owned),
        confidence: Confidence::clamped(95.0),
    });
    RecalledPhoto {
        digest: Sha256Digest::new([number; 32]),
        hit: Hit::default(),
        people: people.collect(),
    }
}

fn typed(name: &str, number: Option<&str>) -> PersonToConnect {
    PersonToConnect {
        person: PersonToRecall {
            id: None,
            name: name.to_owned(),
            wikidata: number.map(str::to_owned),
        },
        hops: 0,
    }
}

fn sides(one: PersonToConnect, other: PersonToConnect, avoid: &[&str]) -> SidesToConnect {
    SidesToConnect {
        sides: [vec![one], vec![other]],
        hops_max: 6,
        threshold_percent: 80,
        avoid: avoid.iter().flat_map(|name| spellings(name)).collect(),
        photos_max: 30,
        round: 0,
    }
}

/// West and Rocky, Rocky and Jay, in one photo each; a third joins West and Jay.
fn known() -> KnownPhotos {
    let west = ("w", "Kanye West", Some("Q15935"));
    let rocky = ("r", "A$AP Rocky", None);
    let jay = ("j", "JAY-Z", None);
    let mut known = KnownPhotos::default();
    known.take(vec![
        photo(1, &[west, rocky]),
        photo(2, &[rocky, jay]),
        photo(3, &[west, jay]),
    ]);
    known
}

#[track_caller]
fn check(known: &KnownPhotos, sides: &SidesToConnect, expect: &[u8]) {
    let chain = known.chain(sides);
    let mut digests: Vec<Sha256Digest> = chain.into_iter().map(|one| one.digest).collect();
    digests.sort();
    let expect: Vec<_> = expect
        .iter()
        .map(|one| Sha256Digest::new([*one; 32]))
        .collect();
    assert_eq!(digests, expect, "{sides:?}");
}

#[test]
fn somebody_is_known_by_the_number_whatever_the_name() {
    let known = known();
    let jay = || typed("JayZ", None);
    check(
        &known,
        &sides(typed("Ye", Some("Q15935")), jay(), &[]),
        &[3],
    );
    check(
        &known,
        &sides(typed("Kanye West", Some("Q1")), jay(), &[]),
        &[],
    );
    check(&known, &sides(typed("Kanye West", None), jay(), &[]), &[3]);
}

#[test]
fn a_chain_that_cannot_hold_gives_way_to_another() {
    let mut known = known();
    let both = |avoid: &[&str]| sides(typed("kanye west", None), typed("Jay Z", None), avoid);
    check(&known, &both(&[]), &[3]);
    known.note_gone(&Sha256Digest::new([3; 32]));
    check(&known, &both(&[]), &[1, 2]);
    check(&known, &both(&["ASAP Rocky"]), &[]);
}
