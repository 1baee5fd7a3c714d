//! The image hosts: photos, thumbnails, and the pages that show them.

mod caption;
mod faults;
mod files;
mod hosts;

pub(in crate::sandbox) use caption::{caption, escaped};
pub(in crate::sandbox) use faults::{ImageFault, OVERSIZE_BYTES, image_fault};
pub(in crate::sandbox) use files::missing;
pub(in crate::sandbox) use hosts::{answer, faulty, page};
