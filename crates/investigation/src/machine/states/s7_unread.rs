//! The sentences about photos that could not be looked at.

use domain::{Name, Side};

use crate::machine::budget::Budget;
use crate::machine::facts::Facts;
use crate::machine::interface::Reason;
use crate::machine::telling::counted;

/// The most reasons that are told for photos that could not be fetched, and as many for those that
/// could not be read.
const REASONS_TOLD_MAX: usize = 2;
/// The share of photos that were not looked at from which an explanation tells of them: one in this
/// many.
const UNREAD_SHARE_MIN: u32 = 4;

/// Returns the reason as it is told. Where not one photo could be looked at, that is the reason,
/// whatever ran out meanwhile.
pub fn told_reason(reason: Reason, facts: &Facts, budget: &Budget) -> Reason {
    let is_unseeing = budget.photos_looked() == 0;
    let has_unread = budget.photos_unread() > 0;
    match reason {
        Reason::NoCandidates if is_unseeing && !facts.people().are_one() => {
            Reason::NoReadablePhotos
        }
        Reason::SearchBudget | Reason::RecognitionBudget if is_unseeing && has_unread => {
            Reason::NoReadablePhotos
        }
        _ => reason,
    }
}

/// Returns the typed people of whom no search has found any photo.
pub fn sides_without_photos(facts: &Facts) -> Vec<Side> {
    let mut sides = facts.unfound_sides();
    sides.retain(|side| facts.searches_naming(*side).unread() == 0);
    sides
}

/// Returns how many photos were found, how many could not be had or read, and why.
pub fn no_readable_photos(facts: &Facts, budget: &Budget) -> String {
    let names = |sides: &[Side], between: &str| {
        let names = sides.iter().map(|side| facts.people().typed_name(*side));
        let names: Vec<&str> = names.map(Name::as_str).collect();
        names.join(between)
    };
    let both = |between| names(&[Side::A, Side::B], between);
    let searches = size(facts.searches().all());
    let searches = counted(searches, "search", "searches");
    let found = facts.knowledge().photos_found();
    let of_nobody = sides_without_photos(facts);
    let (tried, unread) = (size(budget.photos_unread()), unread_photos(facts, budget));
    if facts.searches().all() == 0 {
        "No image search gave an answer that could be read; later it may.".to_owned()
    } else if found == 0 {
        let both = both(" and ");
        format!("{searches} found no photo at all. Check how {both} are spelt.")
    } else if !of_nobody.is_empty() {
        let other = match tried {
            0 => String::new(),
            _ => format!(" Of other photos, {unread}."),
        };
        let names = names(&of_nobody, " or of ");
        format!("No search found a photo of {names}. Check the spelling.{other}")
    } else if budget.photos_looked() > 0 {
        let names = names(&facts.unfound_sides(), " or ");
        format!("No photo that was found for {names} could be looked at. In all, {unread}.")
    } else {
        let photos = counted(found, "photo", "photos");
        let which = if found > tried { " that was tried" } else { "" };
        let both = both(" or ");
        format!(
            "{searches} found {photos}, and none{which} could be looked at: {unread}. That says \
             nothing about {both}."
        )
    }
}

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Returns a sentence that goes with other reasons, where many photos could not be looked at.
pub fn remark_on_unread(reason: Reason, budget: &Budget) -> String {
    let unread = budget.photos_unread();
    let tried = unread + budget.photos_looked();
    let is_told = !matches!(
        reason,
        Reason::HopLimit | Reason::NoReadablePhotos | Reason::Stopped
    );
    if !is_told || unread == 0 || unread * UNREAD_SHARE_MIN < tried {
        return String::new();
    }
    format!(" {unread} of {tried} photos could not be looked at.")
}

/// Returns how many photos failed and why, like `12 could not be fetched (its host answered HTTP
/// 403), 1 could not be read (it is empty)`.
fn unread_photos(facts: &Facts, budget: &Budget) -> String {
    let photos = budget.spent().photos;
    let reasons = facts.unread_photos();
    let kinds = [
        (photos.unfetchable, "fetched", reasons.unfetchable()),
        (photos.unreadable, "read", reasons.unreadable()),
    ];
    let kinds = kinds.into_iter().filter(|(count, ..)| *count > 0);
    let told = kinds.map(|(count, what, reasons)| {
        format!("{count} could not be {what} ({})", listed(&reasons))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Lists the reasons: one reason alone as it is; of several the most frequent ones, with how often
/// each is given.
fn listed(reasons: &[(&str, u32)]) -> String {
    if let [(why, _)] = reasons {
        return (*why).to_owned();
    }
    let told = reasons.iter().take(REASONS_TOLD_MAX);
    let told: Vec<String> = told.map(|(why, times)| format!("{times}: {why}")).collect();
    let more = reasons.len().saturating_sub(REASONS_TOLD_MAX);
    let more = if more > 0 { "; and others" } else { "" };
    format!("{}{more}", told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn the_most_frequent_reasons_are_told() {
        assert_eq!(listed(&[("it is empty", 3)]), "it is empty");
        assert_eq!(listed(&[("a", 3), ("b", 1)]), "3: a; 1: b");
        assert_eq!(
            listed(&[("a", 3), ("b", 2), ("c", 1)]),
            "3: a; 2: b; and others"
        );
    }
}
