//! The closed set of query templates.

/// What a frontier's surroundings are asked with, in order.
//= spec S2 "discovery queries"
pub const DISCOVERY: [&str; 3] = [IN_COMPANY, "event", "awards"];

/// What a search engine prefers photos of several people for.
const IN_COMPANY: &str = "with celebrities";

/// `{F} with celebrities`, `{F} event`, `{F} awards`.
pub fn discovery(name: &str, template: usize) -> Option<String> {
    DISCOVERY
        .get(template)
        .map(|words| format!("{name} {words}"))
}

/// `{F} {X}`.
//= spec S1 "q1"
pub fn pair(one: &str, other: &str) -> String {
    format!("{one} {other}")
}

/// `{A} {B} together`, where `{A} {B}` finds nothing.
//= spec S1 "fallback query templates"
pub fn pair_together(one: &str, other: &str) -> String {
    format!("{one} {other} together")
}

/// `{F} {X} event`.
//= spec S4 "verification queries"
pub fn pair_event(one: &str, other: &str) -> String {
    format!("{one} {other} event")
}

/// `{F} {X} with celebrities`: beside photos of both it finds photos of either in company, and a
/// photo of one person alone leads nowhere.
pub fn pair_in_company(one: &str, other: &str) -> String {
    format!("{one} {other} {IN_COMPANY}")
}

/// All templates that name two people, either first.
pub fn naming_both(one: &str, other: &str) -> [String; 8] {
    [
        pair(one, other),
        pair(other, one),
        pair_in_company(one, other),
        pair_in_company(other, one),
        pair_together(one, other),
        pair_together(other, one),
        pair_event(one, other),
        pair_event(other, one),
    ]
}
