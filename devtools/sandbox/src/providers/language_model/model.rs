//! The model that plans investigations. It knows the world fairly well, and sometimes chooses badly.

use serde_json::{Value, json};

use crate::hash::{below, hash};
use crate::world::World;

/// The percentage of requests for which the model ignores how far the candidates are from the other end.
const CARELESS_PERCENT: usize = 25;

/// A row of the prompt's table.
struct Choice {
    name: String,
    /// The number of hops to the person at the other end of the chain; `usize::MAX` if nobody with this name is
    /// connected with that person.
    hops: usize,
    count: u64,
    order: u64,
}

/// Returns the answer to a prompt: `{"nextCandidates","searchQueries","narration","hypotheses"}`. It only depends on
/// the data block in the prompt.
pub(in crate::providers) fn plan(world: &World, prompt: &str) -> Value {
    let prompt = data_in(prompt);
    let Some(table) = table_in(prompt) else {
        return json!({"nextCandidates": [], "searchQueries": [],
            "narration": "There is no table of candidates here, so I choose nobody."});
    };
    let text = |member: &str| {
        table
            .get(member)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let frontier = text("frontier");
    let careless = below(hash(&["careless".into(), prompt.into()]), 100) < CARELESS_PERCENT;
    let mut choices = choices(world, &table, prompt);
    if careless {
        choices.sort_by_key(|choice| choice.order);
    } else {
        choices.sort_by_key(|choice| (choice.hops, std::cmp::Reverse(choice.count), choice.order));
    }
    choices.truncate(1 + below(hash(&["how many".into(), prompt.into()]), 2));
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    let queries: Vec<String> = names
        .iter()
        .map(|name| format!("{frontier} {name}").trim().to_owned())
        .collect();
    let narration = match names.first() {
        None => format!("Nobody beside {frontier} leads any further."),
        Some(name) if careless => format!("{name} is seen everywhere, so let me try {name} next."),
        Some(name) => {
            format!(
                "{name} moves in circles close to {}, so {name} comes next.",
                text("personB")
            )
        }
    };
    json!({"nextCandidates": names, "searchQueries": queries, "narration": narration,
        "hypotheses": hypotheses(world, &table, prompt)})
}

/// Returns a guess for one request in three. Half of the guesses name somebody who really connects `personA` with
/// `personB` and is not in the table; the others name anybody.
fn hypotheses(world: &World, table: &Value, prompt: &str) -> Vec<String> {
    let draw = |what: &str, count: usize| below(hash(&[what.into(), prompt.into()]), count);
    if draw("guess", 3) > 0 {
        return Vec::new();
    }
    if draw("wild guess", 2) > 0 {
        let anybody = world.people.get(draw("anybody", world.people.len().max(1)));
        return anybody
            .map(|person| person.name.clone())
            .into_iter()
            .collect();
    }
    let hops = ["personA", "personB"].map(|member| {
        let name = table.get(member).and_then(Value::as_str);
        let person = world.bearers(name.unwrap_or_default()).first();
        person.map_or_else(Vec::new, |person| world.hops_from(*person, None))
    });
    let [to_a, to_b] = &hops;
    let rows = table.get("candidates").and_then(Value::as_array);
    let known: Vec<&str> = rows
        .into_iter()
        .flatten()
        .filter_map(|row| row.get("name")?.as_str())
        .collect();
    let between = world
        .people
        .iter()
        .enumerate()
        .filter_map(|(number, person)| {
            let hops = [to_a, to_b].map(|hops| hops.get(number).copied().flatten());
            let [Some(to_a), Some(to_b)] = hops else {
                return None;
            };
            let is_new = to_a > 0 && to_b > 0 && !known.contains(&person.name.as_str());
            is_new.then_some((to_a + to_b, number))
        });
    let nearest = between
        .min()
        .and_then(|(_, number)| world.people.get(number));
    nearest
        .map(|person| person.name.clone())
        .into_iter()
        .collect()
}

/// Returns the text between the line `<data>` and the next line `</data>`, including its last line break. The text is
/// empty if there is no such block.
fn data_in(prompt: &str) -> &str {
    let begin = "<data>\n";
    let block = match prompt.strip_prefix(begin) {
        Some(block) => Some(block),
        None => prompt.split_once("\n<data>\n").map(|(_, block)| block),
    };
    let ended = block.and_then(|block| {
        let end = block.find("\n</data>")?;
        block.get(..=end)
    });
    ended.unwrap_or_default()
}

/// Parses the data block, which must be one JSON object with a table of candidates.
fn table_in(data: &str) -> Option<Value> {
    let table: Value = serde_json::from_str(data).ok()?;
    let has_rows = table.get("candidates").is_some_and(Value::is_array);
    has_rows.then_some(table)
}

fn choices(world: &World, table: &Value, prompt: &str) -> Vec<Choice> {
    let hops_to = |member: &str| {
        let name = table
            .get(member)
            .and_then(Value::as_str)
            .unwrap_or_default();
        let person = world.bearers(name).first().copied();
        person
            .map(|person| world.hops_from(person, None))
            .unwrap_or_default()
    };
    // For candidates on A's side, the distance from B counts, and vice versa.
    let (to_a, to_b) = (hops_to("personA"), hops_to("personB"));
    let rows = table.get("candidates").and_then(Value::as_array);
    rows.into_iter()
        .flatten()
        .filter_map(|row| {
            let name = row.get("name")?.as_str()?;
            let side = row.get("side").and_then(Value::as_str);
            let hops = if side == Some("b") { &to_a } else { &to_b };
            let near = world
                .bearers(name)
                .iter()
                .filter_map(|person| *hops.get(*person)?)
                .min();
            Some(Choice {
                name: name.to_owned(),
                hops: near.unwrap_or(usize::MAX),
                count: row.get("count").and_then(Value::as_u64).unwrap_or(0),
                order: hash(&["whim".into(), prompt.into(), name.into()]),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        let photos = r#"[["A","Near"],["A","Far"],["Near","B"],["Far","X"],["X","Y"],["Y","B"]]"#;
        let json = format!(r#"{{"name":"n","source":"s","license":"l","photos":{photos}}}"#);
        World::parse(&json).unwrap()
    }

    fn prompt(number: usize) -> String {
        let table = json!({"personA": "A", "personB": "B", "frontier": "A", "searchesLeft": number, "candidates": [
            {"number": 1, "name": "Far", "count": 5, "bestConfidence": 99.0, "side": "a"},
            {"number": 2, "name": "Near", "count": 1, "bestConfidence": 97.1, "side": "a"}]});
        format!("Choose {{well}}.\n<data>\n{table}\n</data>\nAnswer in JSON.")
    }

    #[test]
    fn it_mostly_chooses_who_is_nearer_but_is_no_oracle() {
        let world = world();
        let first = |number| plan(&world, &prompt(number))["nextCandidates"][0].clone();
        let near = (0..200).filter(|number| first(*number) == "Near").count();
        assert!((140..196).contains(&near), "{near} of 200");
        assert_eq!(first(7), first(7));
    }

    #[test]
    fn queries_name_the_frontier_and_the_choice() {
        let answer = plan(&world(), &prompt(1));
        let names = answer["nextCandidates"].as_array().unwrap();
        assert!((1..=2).contains(&names.len()));
        let query = format!("A {}", names[0].as_str().unwrap());
        assert_eq!(answer["searchQueries"][0], query);
        assert!(answer["narration"].as_str().unwrap().ends_with('.'));
    }

    #[test]
    fn without_a_table_it_chooses_nobody() {
        let table = r#"{"candidates": [{"name": "Near"}]}"#;
        for text in [
            "",
            "{",
            "<data>\n{\"candidates\": 3}\n</data>",
            "no table",
            table,
            &format!("<data>\n{table}"),
            &format!("<data>{table}</data>"),
            &format!("<data>\n{{}}\n</data>\n<data>\n{table}\n</data>"),
            &format!("<data>\n{table}\n{table}\n</data>"),
        ] {
            assert_eq!(plan(&world(), text)["nextCandidates"], json!([]));
        }
    }
}
