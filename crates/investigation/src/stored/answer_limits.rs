//! The limits of how much a stored answer may hold: what the providers' readers let through, with
//! room to spare. A stored answer may come out of anybody's file.

/// The error of a stored form that this program did not write. It names the part that cannot be
/// read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableForm(pub(super) &'static str);

pub(super) const HITS_KEPT_MAX: usize = 256;
pub(super) const HINTS_MAX: usize = 32;
pub(super) const FACES_MAX: usize = 100;
pub(super) const URLS_MAX: usize = 16;
pub(super) const PLANNED_MAX: usize = 1_000;
pub(super) const TEXT_BYTES_MAX: usize = 8_192;

pub(super) fn at_most<T>(
    list: Vec<T>,
    count_max: usize,
    what: &'static str,
) -> Result<Vec<T>, UnreadableForm> {
    if list.len() > count_max {
        return Err(UnreadableForm(what));
    }
    Ok(list)
}

pub(super) fn all_short(
    texts: impl IntoIterator<Item = impl AsRef<str>>,
    what: &'static str,
) -> Result<(), UnreadableForm> {
    let mut texts = texts.into_iter();
    if texts.any(|text| text.as_ref().len() > TEXT_BYTES_MAX) {
        return Err(UnreadableForm(what));
    }
    Ok(())
}
