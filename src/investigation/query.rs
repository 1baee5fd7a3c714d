//! The closed set of query templates.

/// What a frontier's surroundings are asked with, in order.
//= spec S2 "discovery queries"
pub(super) const DISCOVERY: [&str; 3] = ["with celebrities", "event", "awards"];

/// `{F} with celebrities`, `{F} event`, `{F} awards`.
pub(super) fn discovery(name: &str, template: usize) -> Option<String> {
    DISCOVERY
        .get(template)
        .map(|words| format!("{name} {words}"))
}

/// `{F} {X}`.
//= spec S1 "q1"
pub(super) fn pair(one: &str, other: &str) -> String {
    format!("{one} {other}")
}

/// `{A} {B} together`, where `{A} {B}` finds nothing.
//= spec S1 "fallback query templates"
pub(super) fn pair_together(one: &str, other: &str) -> String {
    format!("{one} {other} together")
}

/// `{F} {X} event`.
//= spec S4 "verification queries"
pub(super) fn pair_event(one: &str, other: &str) -> String {
    format!("{one} {other} event")
}

/// All templates that name two people, either first.
pub(super) fn naming_both(one: &str, other: &str) -> [String; 6] {
    [
        pair(one, other),
        pair(other, one),
        pair_together(one, other),
        pair_together(other, one),
        pair_event(one, other),
        pair_event(other, one),
    ]
}
