//! The stored form of an investigation's choices.

use serde_json::{Value, json};

use crate::machine::Decision;

/// Returns every choice with its table and reason, as documents and sealed files show them.
#[must_use]
pub fn decisions_json(decisions: &[Decision]) -> Vec<Value> {
    decisions
        .iter()
        .map(|decision| {
            let table: Vec<Value> = decision
                .table
                .iter()
                .map(|row| {
                    json!({
                        "number": row.number,
                        "name": row.name,
                        "count": row.count,
                        "bestConfidence": row.best_confidence,
                        "side": row.side.as_str(),
                    })
                })
                .collect();
            json!({
                "state": decision.state.as_str(),
                "frontier": decision.frontier,
                "table": table,
                "chosen": decision.chosen,
                "reason": decision.reason,
            })
        })
        .collect()
}
