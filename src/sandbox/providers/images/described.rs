//! What a web search believes about a photo's file.

use crate::hash::{below, hash};
use crate::picture::format_of;

use super::super::context::ProviderContext;
use super::faults::{ImageFault, OVERSIZE_BYTES, image_fault};

/// The truth, except where the file is bad.
#[derive(Clone, Debug)]
pub(crate) struct DescribedFile {
    /// `x-raw-image:///...` where the picture is part of a document.
    pub link: String,
    /// `image/` where the address has no ending.
    pub mime: &'static str,
    pub width_px: u16,
    pub height_px: u16,
    /// Where they are not those of the drawn file.
    pub bytes: Option<usize>,
}

/// The description of a photo's file; none where there is no such photo.
pub(crate) fn described(context: ProviderContext<'_>, photo: usize) -> Option<DescribedFile> {
    let (width_px, height_px) = context.size_px(photo)?;
    let (origin, format) = (context.origin, format_of(photo));
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
        // An address without an ending tells the search nothing.
        None if context.bad_images && below(hash(&["bare".into(), photo.into()]), 20) == 0 => {
            file.link = format!("{origin}/photos/{photo}");
            file.mime = "image/";
        }
        _ => {}
    }
    Some(file)
}
