//! Statements in order, with a database's answers.

use serde_json::{Value, json};
use visual_degrees::memory::{Parameter, Statement};

/// Changes and queries in order. Each statement's text is listed once.
#[derive(Default)]
pub struct Script {
    texts: Vec<String>,
    steps: Vec<Value>,
}

impl Script {
    /// Adds a change; consecutive statements with equal parameters are merged.
    pub fn change(&mut self, statements: &[Statement]) {
        for together in statements.chunk_by(|one, other| one.parameters == other.parameters) {
            let texts = together
                .iter()
                .map(|statement| self.text_of(&statement.sql));
            let texts: Vec<usize> = texts.collect();
            let Some(first) = together.first() else {
                continue;
            };
            self.steps
                .push(json!({"change": texts, "parameters": values(&first.parameters)}));
        }
    }

    /// Adds a query of this kind, with its result.
    pub fn ask(&mut self, kind: &str, statement: &Statement, found: impl Into<Value>) {
        let found = found.into();
        let text = self.text_of(&statement.sql);
        let parameters = values(&statement.parameters);
        self.steps
            .push(json!({"ask": kind, "text": text, "parameters": parameters, "found": found}));
    }

    fn text_of(&mut self, sql: &str) -> usize {
        let known = self.texts.iter().position(|text| text == sql);
        known.unwrap_or_else(|| {
            self.texts.push(sql.to_owned());
            self.texts.len() - 1
        })
    }

    /// Returns the script as JSON, one step per line.
    pub fn text(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(Value::to_string).collect();
        let texts = serde_json::to_string_pretty(&self.texts).unwrap();
        format!(
            "{{\"texts\": {texts}, \"steps\": [\n{}\n]}}\n",
            steps.join(",\n")
        )
    }
}

fn values(parameters: &[Parameter]) -> Vec<Value> {
    let values = parameters.iter().map(|one| match one {
        Parameter::Text(text) => json!(text),
        Parameter::Number(number) => json!(number),
    });
    values.collect()
}
