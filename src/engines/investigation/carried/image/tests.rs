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
    let check = |width, height, copy| readable(&png(width, height), copy);
    assert_eq!(check(300, 100, PhotoCopy::Thumbnail), Ok(None));
    assert_eq!(check(100, 300, PhotoCopy::Thumbnail), Ok(None));
    assert!(check(299, 299, PhotoCopy::Thumbnail).is_err());
    assert_eq!(check(299, 299, PhotoCopy::Image), Ok(None));
    assert_eq!(check(299, 299, PhotoCopy::Original), Ok(None));
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
