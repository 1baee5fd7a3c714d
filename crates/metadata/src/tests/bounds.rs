//! Files that are cut off, damaged, or made to cost much.

use domain::{Provenance, Statement};

use super::builders::{
    COMMENT, GENERATED, MAKE, MODEL, SOFTWARE, TAKEN, action_store, content_box, exif,
    exif_segment, iptc_segment, jpeg, jumbf_segments, list, map, png, superbox, text, webp, xmp,
    xmp_segment,
};
use super::{is_captured, is_generated, says_nothing};

/// Makes a file of each kind with every block that it may have.
fn full_files() -> [Vec<u8>; 3] {
    let tiff = exif(&[
        (MAKE, "Canon"),
        (MODEL, "Canon EOS 5D"),
        (TAKEN, "2009:05:17 14:03:22"),
        (COMMENT, "ASCII\0\0\0a ball"),
    ]);
    let packet = xmp(
        "photoshop:DateCreated='2009-05-17'",
        "<dc:description>x</dc:description>",
    );
    let boxes = action_store(&[("digitalSourceType", text(GENERATED))]);
    let mut segments = vec![
        exif_segment(&tiff),
        iptc_segment(&[(55, "20090517")]),
        xmp_segment(&packet),
    ];
    segments.extend(jumbf_segments(&boxes, 100));
    let international = ["XML:com.adobe.xmp\0\0\0\0\0", &packet].concat();
    let chunks: [(&[u8; 4], Vec<u8>); 4] = [
        (b"eXIf", tiff.clone()),
        (b"iTXt", international.into_bytes()),
        (b"tEXt", b"parameters\0x".to_vec()),
        (b"caBX", boxes.clone()),
    ];
    let riff: [(&[u8; 4], Vec<u8>); 3] = [
        (b"EXIF", tiff),
        (b"XMP ", packet.into_bytes()),
        (b"C2PA", boxes),
    ];
    [jpeg(&segments), png(&chunks), webp(&riff)]
}

#[test]
fn a_file_may_end_anywhere() {
    for file in full_files() {
        is_generated(&file, Statement::ContentCredentials, Some("A Program"));
        for length in 0..file.len() {
            let _ = crate::read(&file[..length]);
        }
    }
}

#[test]
fn every_byte_may_be_another_one() {
    for file in full_files() {
        for at in 0..file.len() {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                let _ = crate::read(&damaged);
            }
        }
    }
}

#[test]
fn other_files_say_nothing() {
    for file in [
        &b""[..],
        b"GIF89a",
        b"\xFF\xD8",
        b"RIFF\0\0\0\0WAVE",
        b"<svg/>",
        b"II*\0",
    ] {
        assert_eq!(crate::read(file), Provenance::default());
    }
}

#[test]
fn what_comes_before_the_damage_counts() {
    let broken = xmp(
        &format!("Iptc4xmpExt:DigitalSourceType='{GENERATED}'"),
        "<dc:a>",
    );
    is_generated(&jpeg(&[xmp_segment(&broken)]), Statement::Iptc, None);
    let mut bytes = xmp_segment(&xmp(
        &format!("Iptc4xmpExt:DigitalSourceType='{GENERATED}'"),
        "",
    ));
    bytes.1.push(0xFF);
    is_generated(&jpeg(&[bytes]), Statement::Iptc, None);
    let actions = [
        &b"\xB9\0\x02"[..],
        &text("actions"),
        &list(&[map(&[("digitalSourceType", text(GENERATED))])]),
        b"\xFF",
    ]
    .concat();
    let boxes = superbox(b"cbor", "c2pa.actions", &[content_box(b"cbor", &actions)]);
    is_generated(
        &png(&[(b"caBX", boxes)]),
        Statement::ContentCredentials,
        None,
    );
}

#[test]
fn segments_after_the_first_scan_are_not_read() {
    let mut file = jpeg(&[]);
    file.truncate(file.len() - 2);
    file.extend(&jpeg(&[exif_segment(&exif(&[(SOFTWARE, "Midjourney")]))])[2..]);
    says_nothing(&file);
}

#[test]
fn markers_without_a_length_and_fill_bytes_are_passed_over() {
    let mut file = b"\xFF\xD8\xFF\x01\xFF\xD0\xFF\xFF\xFF".to_vec();
    file.extend(&jpeg(&[exif_segment(&exif(&[(MODEL, "X1")]))])[3..]);
    is_captured(&file, Some("X1"), false);
}

#[test]
fn chunks_before_the_pixels_and_without_padding_are_read() {
    let text = b"\0\0\0\x17tEXtSoftware\0NovelAI Diffus\0\0\0\0";
    let mut file = b"\x89PNG\r\n\x1A\n".to_vec();
    file.extend(text);
    is_generated(&file, Statement::Software, Some("NovelAI"));
    let mut file = webp(&[(
        b"XMP ",
        xmp("xmp:CreatorTool='Midjourney'", " ").into_bytes(),
    )]);
    if file.ends_with(b"\0") {
        file.pop();
    }
    is_generated(&file, Statement::Software, Some("Midjourney"));
}

#[test]
fn directories_that_point_at_themselves_end() {
    let mut tiff = exif(&[(MODEL, "X1"), (TAKEN, "2009:05:17 14:03:22")]);
    // The pointer to the Exif directory points at the picture's.
    let at = tiff.windows(2).position(|tag| tag == [0x69, 0x87]).unwrap();
    tiff[at + 8..at + 12].copy_from_slice(&8_u32.to_le_bytes());
    is_captured(&jpeg(&[exif_segment(&tiff)]), Some("X1"), false);
}

#[test]
fn only_so_many_blocks_are_read() {
    let camera = (b"eXIf", exif(&[(MODEL, "X1")]));
    let generator = (b"eXIf", exif(&[(SOFTWARE, "Midjourney")]));
    let mut chunks: Vec<(&[u8; 4], Vec<u8>)> = vec![(camera.0, camera.1); crate::BLOCKS_MAX - 1];
    chunks.push((generator.0, generator.1));
    is_generated(&png(&chunks), Statement::Software, Some("Midjourney"));
    chunks.insert(0, chunks[0].clone());
    is_captured(&png(&chunks), Some("X1"), false);
}

#[test]
fn elements_may_not_be_nested_without_end() {
    let open = "<dc:a>".repeat(1_000);
    let credit = "<photoshop:Credit>Midjourney</photoshop:Credit>";
    let webp_of = |elements: &str| webp(&[(b"XMP ", xmp("", elements).into_bytes())]);
    is_generated(
        &webp_of(&format!("{credit}{open}")),
        Statement::Iptc,
        Some("Midjourney"),
    );
    says_nothing(&webp_of(&format!("{open}{credit}")));
}

#[test]
fn an_entity_is_never_expanded() {
    let bomb = format!(
        "<!DOCTYPE x [<!ENTITY a 'Midjourney'>]>{}",
        xmp("", "<photoshop:Credit>&a;</photoshop:Credit>").trim_start_matches(|c| c != '<')
    );
    says_nothing(&webp(&[(b"XMP ", bomb.into_bytes())]));
}

#[test]
fn boxes_with_a_wrong_length_end_the_reading() {
    let good = action_store(&[("digitalSourceType", text(GENERATED))]);
    for length in [2_u32, 7, u32::MAX] {
        let bad = [&length.to_be_bytes()[..], b"free"].concat();
        says_nothing(&png(&[(b"caBX", [bad, good.clone()].concat())]));
    }
    let long = [&b"\0\0\0\x01free"[..], &15_u64.to_be_bytes()].concat();
    says_nothing(&png(&[(b"caBX", [long, good].concat())]));
}

#[test]
fn a_list_that_claims_to_be_endless_ends_with_the_bytes() {
    for start in [
        &b"\x9B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"[..],
        b"\x9F",
        b"\x82\x9F",
    ] {
        let actions = [b"\xA1", &text("actions")[..], start, &[0xA0; 1_000]].concat();
        let boxes = superbox(b"cbor", "c2pa.actions", &[content_box(b"cbor", &actions)]);
        says_nothing(&png(&[(b"caBX", boxes)]));
        let nested = [b"\xA1", &text("x")[..], &start.repeat(5_000)].concat();
        let boxes = superbox(b"cbor", "c2pa.claim", &[content_box(b"cbor", &nested)]);
        says_nothing(&png(&[(b"caBX", boxes)]));
    }
}
