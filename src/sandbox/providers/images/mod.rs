//! The image hosts: photos, thumbnails, and the pages that show them.

mod caption;
mod described;
mod faults;
mod files;
mod hosts;
mod proxies;

pub(in crate::sandbox) use caption::{caption, escaped};
pub(in crate::sandbox) use described::described;
#[cfg(test)]
pub(in crate::sandbox) use faults::image_fault;
pub(in crate::sandbox) use faults::{ImageFault, OVERSIZE_BYTES};
pub(in crate::sandbox) use files::{drawn, missing, padded};
pub(in crate::sandbox) use hosts::{answer, faulty, page, photo_asked_for};
pub(in crate::sandbox) use proxies::{brave_copy, is_proxied, openverse_copy, openverse_id};
