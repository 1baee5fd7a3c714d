//! Collages of every kind are rejected, genuine photos are not.

use domain::{CollageCheck, Confidence, Face, FaceBox, Veto};
use platform::collage_check;
use sandbox::own_world;
use sandbox::picture::{CaptureSettings, Collage, Prop};

use super::pictures::{PictureKind, drawn, judged, thumbnail, usual, veto, vetoed};

#[test]
fn seams_between_photos_are_found_whatever_the_border() {
    let world = own_world().unwrap();
    for collage in [Collage::Bordered, Collage::Stacked, Collage::Grid] {
        let found = vetoed(&world, PictureKind::Collage(collage), 16, usual);
        assert_eq!(found, 16, "{collage:?}");
    }
}

#[test]
fn seams_without_a_border_are_found_but_for_few() {
    let world = own_world().unwrap();
    for collage in [Collage::SideBySide, Collage::Soft] {
        // Two photos of the same stage have the same curtains, and no visible seam between them.
        let found = vetoed(&world, PictureKind::Collage(collage), 24, usual);
        assert!(found >= 23, "{collage:?}: {found} of 24");
    }
}

#[test]
fn photos_within_photos_are_found() {
    let world = own_world().unwrap();
    assert_eq!(
        vetoed(&world, PictureKind::Collage(Collage::Inset), 24, usual),
        24
    );
}

#[test]
fn photos_of_people_at_places_are_let_through() {
    let world = own_world().unwrap();
    let vetoed = vetoed(&world, PictureKind::Ordinary, 32, usual);
    assert!(vetoed <= 1, "{vetoed} of 32");
}

#[test]
fn rooms_with_straight_lines_are_let_through_but_for_few() {
    let world = own_world().unwrap();
    let counts = Prop::ALL.map(|prop| (prop, vetoed(&world, PictureKind::Honest(prop), 14, usual)));
    let sum: usize = counts.iter().map(|(_, count)| count).sum();
    assert!(sum <= 2, "of 98: {counts:?}");
    assert!(counts.iter().all(|(_, count)| *count <= 2), "{counts:?}");
}

#[test]
fn small_collages_that_are_let_through_are_often_doubtful_and_photos_of_people_hardly_ever() {
    let world = own_world().unwrap();
    let all = |kind, count, take: fn(usize) -> CaptureSettings| -> Vec<CollageCheck> {
        let pictures = (0..count).map(|seed| drawn(&world, kind, take(seed)));
        pictures.map(|picture| judged(&picture)).collect()
    };
    let doubtful = |all: &[CollageCheck]| {
        let doubtful = all.iter().filter(|one| **one == CollageCheck::Doubtful);
        doubtful.count()
    };
    let collages = all(PictureKind::Collage(Collage::Inset), 40, thumbnail);
    let missed = collages.iter().filter(|one| one.veto().is_none()).count();
    assert!(
        missed > 0 && 2 * doubtful(&collages) >= missed,
        "{collages:?}"
    );
    let ordinary = all(PictureKind::Ordinary, 32, usual);
    assert!(doubtful(&ordinary) <= 2, "{ordinary:?}");
}

#[test]
fn a_doubtful_picture_is_told_as_such_to_a_run() {
    let world = own_world().unwrap();
    let pictures = (0..40).map(|seed| {
        drawn(
            &world,
            PictureKind::Collage(Collage::Inset),
            thumbnail(seed),
        )
    });
    let picture = pictures
        .into_iter()
        .find(|picture| judged(picture) == CollageCheck::Doubtful)
        .unwrap();
    let faces = picture.faces.iter().map(|face| Face {
        id: String::new(),
        name: "A".to_owned(),
        confidence: Confidence::clamped(99.0),
        face_box: FaceBox {
            left: face.left,
            top: face.top,
            width: face.width,
            height: face.height,
        },
        urls: Vec::new(),
        portrait: None,
    });
    let faces: Vec<Face> = faces.collect();
    assert_eq!(
        collage_check(&picture.file, None, &faces),
        CollageCheck::Doubtful
    );
    assert_eq!(
        collage_check(&picture.file, None, &faces[..1]),
        CollageCheck::Passed
    );
}

#[test]
fn the_reason_says_what_was_seen() {
    let world = own_world().unwrap();
    let check = |collage, expect| {
        let picture = drawn(&world, PictureKind::Collage(collage), usual(4));
        assert_eq!(veto(&picture), Some(expect), "{collage:?}");
    };
    check(Collage::Bordered, Veto::Seam);
    check(Collage::Inset, Veto::Inset);
}

#[test]
fn a_single_face_needs_no_veto() {
    let world = own_world().unwrap();
    let mut picture = drawn(&world, PictureKind::Collage(Collage::Bordered), usual(4));
    assert!(veto(&picture).is_some());
    picture.faces.truncate(1);
    assert_eq!(veto(&picture), None);
}
