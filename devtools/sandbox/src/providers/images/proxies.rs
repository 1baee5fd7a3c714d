//! The copies of photos that search engines offer at their own addresses.

use crate::hash::hash;

const BRAVE: &str = "/brave/imgs/rs:fit:500:0:1:0/g:ce/";
const OPENVERSE: &str = "/openverse/v1/images/";

/// Returns the address of a photo at Brave's proxy, about 500 pixels wide.
pub(crate) fn brave_copy(origin: &str, photo: usize) -> String {
    let seal = hash(&["brave".into(), photo.into()]);
    format!("{origin}{BRAVE}{photo}.{seal:016x}")
}

/// Returns the UUID by which Openverse identifies a photo.
pub(crate) fn openverse_id(photo: usize) -> String {
    let seal = hash(&["openverse".into(), photo.into()]);
    let (first, second, third) = (seal >> 32, (seal >> 16) & 0xffff, seal & 0xfff);
    format!("{first:08x}-{second:04x}-4{third:03x}-8000-{photo:012x}")
}

/// Returns the address of a photo at Openverse's proxy.
pub(crate) fn openverse_copy(origin: &str, photo: usize) -> String {
    let id = openverse_id(photo);
    format!("{origin}{OPENVERSE}{id}/thumb/")
}

/// Returns whether an address has the form of a proxy's address.
pub(crate) fn is_proxied(path: &str) -> bool {
    path.starts_with(BRAVE) || (path.starts_with(OPENVERSE) && path.ends_with("/thumb/"))
}

/// Returns the photo at a proxy's address; `None` if the address is not a proxy's.
pub(super) fn photo_at(path: &str) -> Option<usize> {
    if let Some(name) = path.strip_prefix(BRAVE) {
        let photo = name.split_once('.')?.0.parse().ok()?;
        return (brave_copy("", photo) == path).then_some(photo);
    }
    let id = path.strip_prefix(OPENVERSE)?.strip_suffix("/thumb/")?;
    let photo = usize::from_str_radix(id.rsplit_once('-')?.1, 16).ok()?;
    (openverse_id(photo) == id).then_some(photo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_found_at_its_address_alone() {
        for photo in [0, 7, 70_000] {
            assert_eq!(photo_at(&brave_copy("", photo)), Some(photo));
            assert_eq!(photo_at(&openverse_copy("", photo)), Some(photo));
            assert!(is_proxied(&openverse_copy("", photo)));
        }
        assert_eq!(photo_at("/brave/imgs/rs:fit:500:0:1:0/g:ce/7.0"), None);
        assert_eq!(photo_at("/openverse/v1/images/7/thumb/"), None);
        assert!(!is_proxied("/openverse/v1/images/"));
    }
}
