//! The shortest chain of what is known: of minimal length, and with the highest confidence of its weakest edge.

use std::collections::BTreeMap;

use visual_degrees::memory::{KnownPath, Parameter, PathSearch};

use super::next;

type Graph = BTreeMap<String, BTreeMap<String, f64>>;

fn graph(seed: u64, people: u64, links: u64) -> Graph {
    let mut state = seed;
    let mut graph = Graph::new();
    for _ in 0..links {
        let [one, other] = [0, 1].map(|_| format!("p{}", next(&mut state, people)));
        let score = (50 + next(&mut state, 50)) as f64;
        if one != other {
            graph
                .entry(one.clone())
                .or_default()
                .insert(other.clone(), score);
            graph.entry(other).or_default().insert(one, score);
        }
    }
    graph
}

/// Answers like the database, the best others first.
fn search(graph: &Graph, a: &str, b: &str, threshold: u32) -> (KnownPath, usize) {
    let mut search = PathSearch::new([a, b], threshold);
    let mut questions = 0;
    while let Some(asked) = search.next_question() {
        questions += 1;
        let lists = asked
            .parameters
            .iter()
            .filter_map(|parameter| match parameter {
                Parameter::Text(list) => Some(serde_json::from_str(list).unwrap()),
                Parameter::Number(least) => {
                    assert_eq!(*least, u64::from(threshold));
                    None
                }
            });
        let [people, toward]: [Vec<String>; 2] = lists.collect::<Vec<_>>().try_into().unwrap();
        let mut rows = Vec::new();
        for (place, person) in people.iter().enumerate() {
            let others = graph.get(person).into_iter().flatten();
            let others = others.filter(|(_, score)| **score >= f64::from(threshold));
            let others = others.enumerate();
            let others = others.filter(|(at, (other, _))| *at < 60 || toward.contains(other));
            rows.extend(others.map(|(_, (other, score))| (place, other, score)));
        }
        search.take(&serde_json::to_string(&rows).unwrap());
    }
    (search.found(), questions)
}

/// Returns the fewest edges from `a` to each person, and the highest weakest edge among such chains.
fn ways(graph: &Graph, a: &str, threshold: u32) -> BTreeMap<String, (usize, f64)> {
    let mut ways = BTreeMap::from([(a.to_owned(), (0, 100.0))]);
    for hops in 0..graph.len() {
        let at: Vec<(String, f64)> = ways
            .iter()
            .filter(|(_, way)| way.0 == hops)
            .map(|(id, way)| (id.clone(), way.1))
            .collect();
        for (id, weakest) in at {
            let others = graph.get(&id).into_iter().flatten();
            for (other, score) in others.filter(|(_, score)| **score >= f64::from(threshold)) {
                let found = (hops + 1, weakest.min(*score));
                let known = ways.entry(other.clone()).or_insert(found);
                if known.0 == found.0 && known.1 < found.1 {
                    *known = found;
                }
            }
        }
    }
    ways
}

#[test]
fn a_chain_is_the_shortest_and_of_these_the_surest() {
    let mut found_some = 0;
    for seed in 0..300 {
        let graph = graph(seed, 30, 20 + seed % 40);
        let threshold = if seed % 2 == 0 { 62 } else { 80 };
        let ways = ways(&graph, "p0", threshold);
        for other in ["p1", "p2", "p29"] {
            let (found, _) = search(&graph, "p0", other, threshold);
            let Some((hops, weakest)) = ways.get(other) else {
                assert!(found.people.is_empty(), "{seed} {other}");
                continue;
            };
            if found.people.is_empty() {
                // Each query goes one edge further.
                assert!(!found.is_whole && *hops > 6, "{seed} {other}");
                continue;
            }
            assert!(found.is_whole);
            assert_eq!(found.people.len(), hops + 1, "{seed} {other}");
            let links = found.people.windows(2).map(|two| graph[&two[0]][&two[1]]);
            let surest = links.fold(100.0, f64::min);
            assert!((surest - weakest).abs() < 1e-9, "{seed} {other}");
            assert_eq!(
                (
                    found.people.first().unwrap().as_str(),
                    found.people.last().unwrap().as_str()
                ),
                ("p0", other)
            );
            found_some += 1;
        }
    }
    assert!(found_some > 250, "{found_some}");
}

#[test]
fn a_face_that_no_run_took_for_somebody_is_no_link() {
    let mut graph = Graph::new();
    for (one, other, score) in [("a", "b", 62.0), ("a", "x", 91.0), ("x", "b", 88.0)] {
        for (one, other) in [(one, other), (other, one)] {
            let others = graph.entry(one.to_owned()).or_default();
            others.insert(other.to_owned(), score);
        }
    }
    let people = |threshold| search(&graph, "a", "b", threshold).0.people;
    assert_eq!(people(80), ["a", "x", "b"]);
    assert_eq!(people(62), ["a", "b"]);
    assert!(people(90).is_empty());
}

#[test]
fn a_search_that_is_cut_off_says_so() {
    // Everybody is seen with more people than are read.
    let wide = graph(3, 4_000, 400_000);
    let (found, questions) = search(&wide, "p0", "p9999", 50);
    // Somebody seen with nobody is connected with nobody, however many others there are.
    assert!(found.is_whole && found.people.is_empty());
    assert_eq!(questions, 2);
    let mut lonely = wide.clone();
    let last = ("p1".to_owned(), 90.0);
    lonely.insert("p9999".to_owned(), BTreeMap::from([last]));
    let (found, questions) = search(&lonely, "p0", "p9999", 50);
    assert!(questions <= 8 && !found.is_whole, "{questions} {found:?}");
    assert!(found.people.len() < 6);
}

#[test]
fn a_line_between_two_who_were_seen_with_hundreds_is_found() {
    let mut graph = Graph::new();
    let mut link = |one: &str, other: String, score: f64| {
        graph
            .entry(one.to_owned())
            .or_default()
            .insert(other.clone(), score);
        graph
            .entry(other)
            .or_default()
            .insert(one.to_owned(), score);
    };
    for other in 0..300 {
        link("x", format!("a{other}"), 90.0);
        link("y", format!("b{other}"), 90.0);
    }
    link("x", "y".to_owned(), 70.0);
    let (found, questions) = search(&graph, "x", "y", 50);
    assert_eq!(
        (found.people.as_slice(), questions),
        (&["x".to_owned(), "y".to_owned()][..], 1)
    );
}

#[test]
fn answers_that_nobody_could_have_given_end_nothing() {
    let mut search = PathSearch::new(["a", "b"], 80);
    search.take("[[0,\"x\",90]]");
    assert!(search.next_question().is_some());
    for broken in ["", "{}", "[[7,\"x\",90.0],[0,\"x\"]]", "[[7,\"x\",90.0]]"] {
        search.take(broken);
    }
    assert!(search.found().people.is_empty());
}
