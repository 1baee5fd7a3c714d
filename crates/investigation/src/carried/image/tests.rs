use super::*;

pub(super) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn a_small_copy_has_300_pixels_on_its_longer_side() {
    let check = |width, height, copy| form_of(&png(width, height), copy, false);
    assert_eq!(
        check(300, 100, PhotoCopy::Thumbnail),
        Ok(PhotoForm::AsItCame)
    );
    assert_eq!(
        check(100, 300, PhotoCopy::Thumbnail),
        Ok(PhotoForm::AsItCame)
    );
    assert!(check(299, 299, PhotoCopy::Thumbnail).is_err());
    assert_eq!(check(299, 299, PhotoCopy::Image), Ok(PhotoForm::AsItCame));
    assert_eq!(
        check(299, 299, PhotoCopy::Original),
        Ok(PhotoForm::AsItCame)
    );
}

#[test]
fn what_the_recogniser_does_not_take_is_converted_where_that_is_allowed() {
    let mut large = png(4_000, 3_000);
    large.resize(IMAGE_BYTES_MAX + 1, 0);
    let mut tiny = png(79, 79);
    tiny.resize(IMAGE_BYTES_MAX + 1, 0);
    let avif = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miafMA1B";
    let form = |photo: &[u8], may_convert| form_of(photo, PhotoCopy::Image, may_convert);
    assert_eq!(form(&large, true), Ok(PhotoForm::ToConvert));
    assert_eq!(form(avif, true), Ok(PhotoForm::ToConvert));
    assert!(form(&tiny, true).is_err(), "refused before it is converted");
    assert!(form(avif, false).is_err());
    assert_eq!(form(&png(640, 480), true), Ok(PhotoForm::AsItCame));
}

#[test]
fn what_was_converted_is_no_more_believed_than_what_came() {
    assert_eq!(check_converted(&png(640, 480)), Ok(()));
    let mut large = png(4_000, 3_000);
    large.resize(IMAGE_BYTES_MAX + 1, 0);
    assert!(check_converted(&large).is_err());
    assert!(check_converted(b"\0\0\0\x1cftypavif\0\0\0\0avif").is_err());
    assert!(check_converted(b"RIFF\0\0\0\0WEBPVP8 ").is_err());
    assert!(check_converted(&png(79, 640)).is_err());
}

#[test]
fn each_address_is_tried_once() {
    let order = |original, thumbnail| {
        let addresses = PhotoAddresses {
            image: "a",
            original,
            thumbnail,
        };
        let order = addresses.in_order();
        order
            .map(|(url, copy)| format!("{url} {copy:?}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(order(None, None), ["a Image"]);
    let all = ["a Image", "b Original", "c Thumbnail"];
    assert_eq!(order(Some("b"), Some("c")), all);
    assert_eq!(order(None, Some("a")), ["a Thumbnail"]);
}

#[test]
fn photos_are_known_by_their_first_bytes() {
    assert_eq!(check_photo(&png(80, 80)), Ok(()));
    assert_eq!(check_photo(&png(640, 480)), Ok(()));
    for unreadable in [
        &png(79, 640)[..],
        &png(640, 79),
        b"",
        b"<html>",
        b"GIF89a",
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"\0\0\0 ftypavif",
        b"\xFF\xD8\xFF",
        b"\x89PNG\r\n\x1A\n",
    ] {
        assert!(matches!(
            check_photo(unreadable),
            Err(PhotoFailure::Unreadable(_))
        ));
    }
}
