//! Pictures for testing the veto, and its results.

use domain::{CollageCheck, FaceBox, Veto};
use pixels::SmallPicture;
use sandbox::World;
use sandbox::picture::{
    CaptureSettings, Collage, Format, Prop, TestPicture, TestSubject, test_picture,
};

/// Like the sandbox's photos.
pub fn usual(seed: usize) -> CaptureSettings {
    CaptureSettings {
        seed,
        drawn_px: 480,
        published_px: 480,
        format: if seed.is_multiple_of(2) {
            Format::Jpeg
        } else {
            Format::Png
        },
        quality: 88,
        is_mirrored: false,
    }
}

/// Other variants: sizes, shrinking, lower quality, mirroring. The veto's weights were also fitted to such pictures,
/// with a lower weight than the usual ones; those had seeds 1000 to 1499.
pub fn held_out(seed: usize) -> CaptureSettings {
    let sizes = [(640, 640), (900, 400), (1_200, 1_200), (700, 240)];
    let (drawn_px, published_px) = sizes[seed % sizes.len()];
    CaptureSettings {
        seed: 1_000_000 + seed,
        drawn_px,
        published_px,
        quality: [60, 75, 92, 50, 85][seed % 5],
        is_mirrored: seed.is_multiple_of(2),
        ..usual(seed)
    }
}

/// The search engine's copies.
pub fn thumbnail(seed: usize) -> CaptureSettings {
    CaptureSettings {
        seed: 2_000_000 + seed,
        published_px: 150,
        format: Format::Jpeg,
        ..usual(seed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureKind {
    Ordinary,
    Honest(Prop),
    Collage(Collage),
}

impl PictureKind {
    pub fn all() -> Vec<Self> {
        let collages = Collage::ALL.into_iter().map(Self::Collage);
        let honest = Prop::ALL.into_iter().map(Self::Honest);
        collages.chain([Self::Ordinary]).chain(honest).collect()
    }
}

pub fn drawn(world: &World, kind: PictureKind, take: CaptureSettings) -> TestPicture {
    let person = |number: usize| (take.seed * 7 + number * 13) % world.people.len();
    let some = |count: usize| (0..count).map(person).collect::<Vec<_>>();
    let picture = match kind {
        PictureKind::Ordinary => {
            let people = some([2, 2, 3, 2, 4, 6, 3][take.seed % 7]);
            test_picture(world, 0, TestSubject::Ordinary(&people), take)
        }
        PictureKind::Honest(prop) => {
            let people = some([2, 2, 3, 2, 4][take.seed % 5]);
            test_picture(world, 0, TestSubject::Honest(prop, &people), take)
        }
        PictureKind::Collage(collage) => {
            let (one, two, both) = ([person(1)], [person(2)], [person(3), person(4)]);
            let is_pair = take.seed % 4 == 3 && collage != Collage::Inset;
            let groups: [&[usize]; 2] = if is_pair { [&both, &two] } else { [&one, &two] };
            test_picture(world, 0, TestSubject::Collage(collage, &groups), take)
        }
    };
    picture.unwrap()
}

pub fn veto(picture: &TestPicture) -> Option<Veto> {
    judged(picture).veto()
}

pub fn judged(picture: &TestPicture) -> CollageCheck {
    let boxes = picture.faces.iter().map(|face| FaceBox {
        left: face.left,
        top: face.top,
        width: face.width,
        height: face.height,
    });
    check_file(&picture.file, &boxes.collect::<Vec<_>>())
}

/// Checks a file with these faces.
pub fn check_file(file: &[u8], faces: &[FaceBox]) -> CollageCheck {
    SmallPicture::read(file).map_or_else(CollageCheck::NotJudged, |picture| picture.check(faces))
}

/// Returns how many of `count` pictures are vetoed.
pub fn vetoed(
    world: &World,
    kind: PictureKind,
    count: usize,
    take: fn(usize) -> CaptureSettings,
) -> usize {
    let pictures = (0..count).map(|seed| drawn(world, kind, take(seed)));
    pictures.filter(|picture| veto(picture).is_some()).count()
}
