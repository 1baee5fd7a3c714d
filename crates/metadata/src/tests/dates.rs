//! When a photo was taken, and where that comes from.

use domain::DateSource;

use super::builders::{
    MODEL, TAKEN, exif, exif_jpeg, exif_segment, iptc_segment, jpeg, xmp_jpeg, xmp_segment,
};

#[track_caller]
fn is_taken(file: &[u8], expected: Option<(&str, DateSource)>) {
    let taken = crate::read(file).taken;
    let taken = taken.map(|taken| (taken.date.to_string(), taken.source));
    let taken = taken
        .as_ref()
        .map(|(date, source)| (date.as_str(), *source));
    assert_eq!(taken, expected);
}

#[test]
fn every_block_has_its_date() {
    let day = "2009-05-17";
    is_taken(
        &exif_jpeg(&[(TAKEN, "2009:05:17 14:03:22")]),
        Some((day, DateSource::Camera)),
    );
    is_taken(
        &xmp_jpeg("exif:DateTimeOriginal='2009-05-17T14:03:22+02:00'", ""),
        Some((day, DateSource::Camera)),
    );
    is_taken(
        &xmp_jpeg("", "<photoshop:DateCreated>2009-05</photoshop:DateCreated>"),
        Some(("2009-05", DateSource::Caption)),
    );
    is_taken(
        &jpeg(&[iptc_segment(&[(55, "20090517"), (60, "140322+0200")])]),
        Some((day, DateSource::Caption)),
    );
    is_taken(
        &jpeg(&[iptc_segment(&[(60, "140322"), (55, "19550000")])]),
        Some(("1955", DateSource::Caption)),
    );
}

#[test]
fn the_time_of_a_change_or_of_a_scan_is_no_date() {
    is_taken(
        &exif_jpeg(&[
            (0x0132, "2009:05:17 14:03:22"),
            (0x9004, "2009:05:17 14:03:22"),
        ]),
        None,
    );
    is_taken(
        &xmp_jpeg(
            "xmp:CreateDate='2009-05-17' xmp:ModifyDate='2009-05-17'",
            "",
        ),
        None,
    );
}

#[test]
fn a_clock_that_was_never_set_leaves_the_caption_to_say_it() {
    let unset = exif(&[(MODEL, "X"), (TAKEN, "2000:01:01 00:00:05")]);
    is_taken(&jpeg(&[exif_segment(&unset)]), None);
    let file = jpeg(&[
        exif_segment(&unset),
        xmp_segment(&super::builders::xmp("photoshop:DateCreated='2004-07'", "")),
    ]);
    is_taken(&file, Some(("2004-07", DateSource::Caption)));
    is_taken(
        &jpeg(&[iptc_segment(&[(55, "20000101"), (60, "000000")])]),
        None,
    );
}

#[test]
fn the_camera_comes_before_the_caption() {
    let file = jpeg(&[
        iptc_segment(&[(55, "20170523")]),
        exif_segment(&exif(&[(TAKEN, "2017:05:22 21:08:13")])),
    ]);
    is_taken(&file, Some(("2017-05-22", DateSource::Camera)));
}
