//! Files of cameras and of usual editors, in the same forms as those of generators. None of them is generated.

use super::builders::{
    ARTIST, CAPTURED, COMMENT, DESCRIPTION, MAKE, MODEL, SOFTWARE, TAKEN, action_store, exif,
    exif_jpeg, exif_segment, iptc_segment, jpeg, jumbf_jpeg, png, png_text, text, tiff, webp,
    xmp_jpeg, xmp_segment,
};
use super::{is_captured, says_nothing};

#[test]
fn a_camera_is_named_once() {
    for (make, model, name) in [
        ("Canon", "Canon EOS 5D", "Canon EOS 5D"),
        ("NIKON CORPORATION", "NIKON D700", "NIKON D700"),
        ("Apple", "iPhone 12", "Apple iPhone 12"),
    ] {
        is_captured(
            &exif_jpeg(&[(MAKE, make), (MODEL, model)]),
            Some(name),
            false,
        );
        let attributes = format!("tiff:Make='{make}' tiff:Model='{model}'");
        is_captured(&xmp_jpeg(&attributes, ""), Some(name), false);
    }
}

#[test]
fn exif_data_are_read_in_both_byte_orders_and_in_every_file() {
    for is_little in [true, false] {
        let tiff = tiff(
            is_little,
            &[
                (MAKE, 2, b"Leica\0".to_vec()),
                // At most four bytes stand in the entry itself.
                (MODEL, 2, b"M10\0".to_vec()),
            ],
        );
        for file in [
            jpeg(&[exif_segment(&tiff)]),
            png(&[(b"eXIf", tiff.clone())]),
            webp(&[(b"EXIF", tiff.clone())]),
        ] {
            is_captured(&file, Some("Leica M10"), false);
        }
    }
}

#[test]
fn what_editors_and_people_write_around_a_photo_is_not_generated() {
    let captions = [
        "Lucy Westenra, founder of OpenAI, and Jane Bennet of Stability AI at a Midjourney event",
        "Steps: the stairs of the manor. Seed: apples",
        "Natasha Rostova speaks about DALL-E and Stable Diffusion",
        "Signature: of the author, unknown",
        "Job ID: 4711",
    ];
    for caption in captions {
        let camera = [
            (MAKE, "Canon"),
            (MODEL, "Canon EOS 5D"),
            (DESCRIPTION, caption),
        ];
        is_captured(&exif_jpeg(&camera), Some("Canon EOS 5D"), false);
        let comment = [(MODEL, "Canon EOS 5D"), (COMMENT, caption)];
        is_captured(&exif_jpeg(&comment), Some("Canon EOS 5D"), false);
        says_nothing(&xmp_jpeg(
            "",
            &format!("<dc:description>{caption}</dc:description>"),
        ));
        says_nothing(&png_text("Description", caption));
        says_nothing(&jpeg(&[iptc_segment(&[(120, caption)])]));
    }
    for credit in [
        "OpenAI",
        "Jane Bennet for xAI",
        "Stability AI via Getty Images",
        "Leonardo",
    ] {
        says_nothing(&exif_jpeg(&[(ARTIST, credit)]));
        says_nothing(&jpeg(&[iptc_segment(&[(110, credit)])]));
        says_nothing(&xmp_jpeg(&format!("photoshop:Credit='{credit}'"), ""));
    }
}

#[test]
fn texts_of_other_programs_in_a_png_say_nothing() {
    for (keyword, words) in [
        ("Software", "Adobe ImageReady"),
        ("Software", "gnome-screenshot"),
        ("Comment", "Created with GIMP"),
        ("Author", "Lucy Westenra"),
        ("Title", "A ball"),
        ("Creation Time", "2009"),
        ("date:create", "2009-05-17T14:03:22+02:00"),
        ("Parameters", "none"),
        ("AIGC", "a word"),
    ] {
        says_nothing(&png_text(keyword, words));
    }
}

#[test]
fn a_photo_of_an_agency_is_captured() {
    let file = jpeg(&[
        exif_segment(&exif(&[
            (MAKE, "NIKON CORPORATION"),
            (MODEL, "NIKON D5"),
            (
                SOFTWARE,
                "Adobe Photoshop Lightroom Classic 12.0 (Macintosh)",
            ),
            (ARTIST, "Jane Bennet"),
            (TAKEN, "2017:05:22 21:08:13"),
        ])),
        iptc_segment(&[(55, "20170522"), (80, "Jane Bennet"), (110, "Getty Images")]),
        xmp_segment(&super::builders::xmp(
            &format!(
                "xmp:CreatorTool='Adobe Photoshop 25.0' photoshop:Credit='Getty Images' Iptc4xmpExt:DigitalSourceType='{CAPTURED}'"
            ),
            "<xmpMM:History><rdf:Seq><rdf:li stEvt:action='saved' stEvt:softwareAgent='Adobe Photoshop 25.0'/></rdf:Seq></xmpMM:History>",
        )),
    ]);
    is_captured(&file, Some("NIKON D5"), false);
}

#[test]
fn a_signed_capture_is_told_as_signed_under_the_cameras_name() {
    let boxes = action_store(&[
        ("action", text("c2pa.created")),
        ("digitalSourceType", text(CAPTURED)),
        ("softwareAgent", text("M11-P Firmware 2.0")),
    ]);
    is_captured(
        &jumbf_jpeg(&boxes, 60_000),
        Some("M11-P Firmware 2.0"),
        true,
    );
    let mut segments = vec![exif_segment(&exif(&[
        (MAKE, "Leica Camera AG"),
        (MODEL, "Leica M11-P"),
    ]))];
    segments.extend(super::builders::jumbf_segments(&boxes, 60_000));
    is_captured(&jpeg(&segments), Some("Leica M11-P"), true);
}

#[test]
fn edits_without_generation_and_screenshots_say_nothing() {
    for term in [
        "humanEdits",
        "minorHumanEdits",
        "algorithmicallyEnhanced",
        "screenCapture",
    ] {
        says_nothing(&xmp_jpeg(
            &format!("Iptc4xmpExt:DigitalSourceType='{term}'"),
            "",
        ));
        says_nothing(&jumbf_jpeg(
            &action_store(&[("digitalSourceType", text(term))]),
            60_000,
        ));
    }
}
