//! In what a new automaton differs from an old one.

use serde_json::{Value, json};

use crate::machine::states::{Automaton, Check, Line, State};

/// The most states that are shown whole; of the others only the number is told.
const STATES_MAX: usize = 100;

/// Returns in what a new automaton differs from an old one: `{added: [state], removed: [name], changed:
/// [{name, position, checks: {removed, added}, actions: {removed, added}}], left_out}`, where a position
/// is one in the new automaton, and states, checks and actions are as a file has them. States are the
/// same by their names; of several with one name, the first of the one is the first of the other.
#[must_use]
pub fn difference(old: &Automaton, new: &Automaton) -> Value {
    let (mut added, mut removed, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_taken = vec![false; old.states.len()];
    for (position, state) in new.states.iter().enumerate() {
        let mut places = old.states.iter().zip(&is_taken).enumerate();
        let place = places.position(|(_, (known, is_taken))| !is_taken && known.name == state.name);
        let found = place.and_then(|at| Some((old.states.get(at)?, is_taken.get_mut(at)?)));
        match found {
            None => added.push(state.to_json()),
            Some((known, is_taken)) => {
                *is_taken = true;
                changed.extend(change(known, state, position));
            }
        }
    }
    for (state, is_taken) in old.states.iter().zip(&is_taken) {
        if !is_taken {
            removed.push(Value::from(state.name.as_str()));
        }
    }
    let mut left_out = 0;
    for list in [&mut added, &mut removed, &mut changed] {
        left_out += list.len().saturating_sub(STATES_MAX);
        list.truncate(STATES_MAX);
    }
    json!({"added": added, "removed": removed, "changed": changed, "left_out": left_out})
}

fn change(old: &State, new: &State, position: usize) -> Option<Value> {
    // Both in one format: a state that was only written otherwise is the same.
    let checks = |state: &State| state.checks.iter().map(Check::to_json).collect();
    let lines = |state: &State| state.lines.iter().map(Line::to_json).collect();
    let (checks, has_other_checks) = lists(checks(old), checks(new));
    let (actions, has_other_actions) = lists(lines(old), lines(new));
    (has_other_checks || has_other_actions).then(|| {
        json!({
            "name": new.name,
            "position": position,
            "checks": checks,
            "actions": actions,
        })
    })
}

/// Returns what only the old list has, and what only the new one has, and whether there is anything.
fn lists(old: Vec<Value>, mut new: Vec<Value>) -> (Value, bool) {
    let mut removed = Vec::new();
    for part in old {
        match new.iter().position(|known| *known == part) {
            Some(at) => drop(new.remove(at)),
            None => removed.push(part),
        }
    }
    let is_any = !(removed.is_empty() && new.is_empty());
    (json!({"removed": removed, "added": new}), is_any)
}
