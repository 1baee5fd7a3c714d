use super::*;

pub(super) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
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
