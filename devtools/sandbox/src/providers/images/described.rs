//! How a web search describes a photo's file.

use super::super::context::ProviderContext;
use super::faults::{ImageFault, OVERSIZE_BYTES, image_fault};
use crate::hash::{below, hash};

/// The description of a file in search results. It is true unless the file is bad.
#[derive(Clone, Debug)]
pub(crate) struct DescribedFile {
    /// The address of the file; `x-raw-image:///...` if the picture is part of a document.
    pub link: String,
    /// The MIME type; only `image/` if the address has no extension.
    pub mime: &'static str,
    pub width_px: u16,
    pub height_px: u16,
    /// The size of the file that the search states, in bytes; `None` if it states the size of the drawn file.
    pub bytes: Option<usize>,
}

/// Returns the description of a photo's file, or `None` if there is no such photo.
pub(crate) fn described(context: ProviderContext<'_>, photo: usize) -> Option<DescribedFile> {
    let (width_px, height_px) = context.size_px(photo)?;
    let (origin, format) = (context.origin, context.format(photo));
    let mut file = DescribedFile {
        link: format!("{origin}/photos/{photo}.{}", format.extension()),
        mime: format.mime(),
        width_px,
        height_px,
        bytes: None,
    };
    match image_fault(context.bad_images, photo) {
        Some(ImageFault::RawLink) => {
            file.link = format!("x-raw-image:///{:064x}", hash(&[photo.into()]));
        }
        Some(ImageFault::Gif) => {
            file.link = format!("{origin}/photos/{photo}.gif");
            file.mime = "image/gif";
        }
        Some(ImageFault::OversizeDeclared) => file.bytes = Some(OVERSIZE_BYTES),
        Some(ImageFault::Tiny) => (file.width_px, file.height_px) = (79, 79),
        // An address without an extension does not reveal the type of the file to the search.
        None if context.bad_images && below(hash(&["bare".into(), photo.into()]), 20) == 0 => {
            file.link = format!("{origin}/photos/{photo}");
            file.mime = "image/";
        }
        _ => {}
    }
    Some(file)
}
