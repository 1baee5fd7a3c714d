//! Finds the best chain in a graph of verified edges, and the distance of people from a start.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::face::Confidence;
use crate::graph::{Edge, EdgeStrength, EvidenceGraph};
use crate::people::PersonIndex;

/// A chain of people in which every two neighbours share a verified edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// The people from the first person of the run's request to the second, at least two.
    pub people: Vec<PersonIndex>,
    /// The edges between neighbouring people, in the order of the chain; one fewer than the people.
    pub edges: Vec<Edge>,
}

impl Chain {
    /// Returns the number of edges of the chain.
    #[must_use]
    pub fn hops(&self) -> usize {
        self.edges.len()
    }

    /// Returns the lowest confidence among the chain's edges.
    //= spec S6 "path bottleneck"
    #[must_use]
    pub fn bottleneck(&self) -> Confidence {
        self.edges
            .iter()
            .map(Edge::confidence)
            .min()
            .unwrap_or(Confidence::ZERO)
    }

    /// Returns the product of the confidences of the chain's edges, from 0 to 1.
    //= spec S6 "path cumulative"
    #[must_use]
    pub fn cumulative(&self) -> f64 {
        self.edges
            .iter()
            .map(|edge| edge.confidence().fraction())
            .product()
    }
}

/// The distances of people from a start, found by a breadth-first search.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// For each person's index, the distance from the start and the neighbour that is nearer to the start; `None` if
    /// unreachable.
    found: Vec<Option<(u32, PersonIndex)>>,
    order: Vec<PersonIndex>,
}

impl Reach {
    /// Returns the number of edges from the start to this person; `None` if unreachable.
    #[must_use]
    pub fn distance(&self, person: PersonIndex) -> Option<u32> {
        self.found(person).map(|(distance, _)| distance)
    }

    /// Returns the person's neighbour that is nearer to the start; `None` for the start itself and for unreachable
    /// people.
    #[must_use]
    pub fn parent(&self, person: PersonIndex) -> Option<PersonIndex> {
        let (distance, parent) = self.found(person)?;
        (distance > 0).then_some(parent)
    }

    /// Returns all reached people, nearest first, including the start.
    #[must_use]
    pub fn order(&self) -> &[PersonIndex] {
        &self.order
    }

    /// Returns the people on a shortest path from the start to this person, both included.
    #[must_use]
    pub fn path_to(&self, person: PersonIndex) -> Vec<PersonIndex> {
        let mut path = vec![person];
        let mut at = person;
        while let Some(parent) = self.parent(at) {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    fn found(&self, person: PersonIndex) -> Option<(u32, PersonIndex)> {
        *self.found.get(usize::try_from(person.0).ok()?)?
    }

    fn note(&mut self, person: PersonIndex, distance: u32, parent: PersonIndex) {
        let Ok(position) = usize::try_from(person.0) else {
            return;
        };
        if self.found.len() <= position {
            self.found.resize(position + 1, None);
        }
        if let Some(found) = self.found.get_mut(position) {
            *found = Some((distance, parent));
            self.order.push(person);
        }
    }
}

/// Searches breadth first from `start`, and skips everyone else for whom `may_pass` returns false.
pub fn reach(
    graph: &EvidenceGraph,
    start: PersonIndex,
    may_pass: impl Fn(PersonIndex) -> bool,
) -> Reach {
    let mut reached = Reach::default();
    reached.note(start, 0, start);
    let mut next = 0;
    while let Some(person) = reached.order.get(next).copied() {
        next += 1;
        let distance = reached.distance(person).unwrap_or(0) + 1;
        for neighbour in graph.neighbours(person) {
            if reached.found(neighbour).is_none() && may_pass(neighbour) {
                reached.note(neighbour, distance, person);
            }
        }
    }
    reached
}

/// Returns the best chain from `from` to `to` of at most `hops_max` edges. The best chain has the fewest hops; among
/// equals it has the strongest weakest edge, then the fewest edges that no judged photo proves, then the highest
/// cumulative confidence, then the names that come first in sorting order.
//= spec S6
pub fn best_chain<'name>(
    graph: &EvidenceGraph,
    from: PersonIndex,
    to: PersonIndex,
    hops_max: u32,
    may_pass: impl Fn(PersonIndex) -> bool,
    name: impl Fn(PersonIndex) -> &'name str,
) -> Option<Chain> {
    let to_end = reach(graph, to, &may_pass);
    let hops = to_end.distance(from)?;
    if hops == 0 || hops > hops_max {
        return None;
    }
    let toward_end = |person: PersonIndex| {
        let next_distance = to_end
            .distance(person)
            .and_then(|distance| distance.checked_sub(1));
        graph
            .neighbours(person)
            .filter(|next| next_distance.is_some() && to_end.distance(*next) == next_distance)
            .filter_map(|next| Some((next, graph.edge(person, next)?.strength())))
            .collect::<Vec<_>>()
    };
    // A shortest path contains nobody farther from the end than `from`, so the search stops there.
    let is_near = |person: &&PersonIndex| to_end.distance(**person) <= Some(hops);
    let near = || to_end.order().iter().skip(1).take_while(is_near).copied();
    let floor = *widest(near(), to, &toward_end).get(&from)?;
    let paths = strongest(near(), to, floor, &toward_end);
    let mut people = vec![from];
    let mut at = from;
    while at != to {
        let next = toward_end(at)
            .into_iter()
            .filter(|(_, edge)| *edge >= floor)
            .filter_map(|(next, edge)| Some((paths.get(&next)?.after(edge), next)))
            .max_by(|(left, left_person), (right, right_person)| {
                left.compare(right)
                    .then_with(|| name(*right_person).cmp(name(*left_person)))
                    .then_with(|| right_person.cmp(left_person))
            })?
            .1;
        people.push(next);
        at = next;
    }
    let edges = people
        .iter()
        .zip(people.iter().skip(1))
        .map(|(one, other)| graph.edge(*one, *other).cloned())
        .collect::<Option<Vec<_>>>()?;
    Some(Chain { people, edges })
}

/// How sure the edges of a path are together.
#[derive(Debug, Clone, Copy)]
struct PathStrength {
    /// The number of edges that no judged photo proves.
    unjudged: u32,
    /// The product of the edges' confidences, 0 to 1.
    product: f64,
}

impl PathStrength {
    const WITHOUT_EDGES: Self = Self {
        unjudged: 0,
        product: 1.0,
    };

    /// Returns the strength of this path behind one more edge.
    fn after(self, edge: EdgeStrength) -> Self {
        Self {
            unjudged: self.unjudged + u32::from(!edge.is_judged),
            product: edge.confidence.fraction() * self.product,
        }
    }

    /// Compares two paths; the stronger one is greater.
    fn compare(&self, other: &Self) -> Ordering {
        let by_judgement = other.unjudged.cmp(&self.unjudged);
        by_judgement.then(self.product.total_cmp(&other.product))
    }
}

/// Returns, for each person in `near`, which is sorted nearest first, the strongest weakest edge of a shortest path to
/// the end.
fn widest(
    near: impl Iterator<Item = PersonIndex>,
    to: PersonIndex,
    toward_end: &impl Fn(PersonIndex) -> Vec<(PersonIndex, EdgeStrength)>,
) -> BTreeMap<PersonIndex, EdgeStrength> {
    let certain = EdgeStrength {
        is_judged: true,
        confidence: Confidence::clamped(100.0),
    };
    let mut best = BTreeMap::from([(to, certain)]);
    for person in near {
        let widest = toward_end(person)
            .into_iter()
            .filter_map(|(next, edge)| Some(edge.min(*best.get(&next)?)))
            .max();
        if let Some(widest) = widest {
            best.insert(person, widest);
        }
    }
    best
}

/// Returns, for each person in `near`, which is sorted nearest first, the strength of the strongest shortest path to the
/// end. Only paths whose edges all reach `floor` count.
fn strongest(
    near: impl Iterator<Item = PersonIndex>,
    to: PersonIndex,
    floor: EdgeStrength,
    toward_end: &impl Fn(PersonIndex) -> Vec<(PersonIndex, EdgeStrength)>,
) -> BTreeMap<PersonIndex, PathStrength> {
    let mut best = BTreeMap::from([(to, PathStrength::WITHOUT_EDGES)]);
    for person in near {
        let strongest = toward_end(person)
            .into_iter()
            .filter(|(_, edge)| *edge >= floor)
            .filter_map(|(next, edge)| Some(best.get(&next)?.after(edge)))
            .max_by(PathStrength::compare);
        if let Some(strongest) = strongest {
            best.insert(person, strongest);
        }
    }
    best
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, clippy::float_cmp)]
mod tests {
    use super::*;
    use crate::collage::{CollageCheck, Unjudged};
    use crate::graph::Pair;
    use crate::graph::tests::sighting;

    const NAMES: [&str; 8] = ["Ada", "Bea", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal"];

    fn name(person: PersonIndex) -> &'static str {
        NAMES[person.0 as usize]
    }

    fn graph(edges: &[(u32, u32, f64)]) -> EvidenceGraph {
        let judged = edges
            .iter()
            .map(|(one, other, percent)| (*one, *other, *percent, true));
        graph_of(&judged.collect::<Vec<_>>())
    }

    /// Makes a graph of edges, of which the last part says whether the photo's pixels were judged.
    fn graph_of(edges: &[(u32, u32, f64, bool)]) -> EvidenceGraph {
        let mut graph = EvidenceGraph::default();
        for (number, (one, other, percent, is_judged)) in (1..).zip(edges) {
            let mut photo = sighting(number, &[(*one, *percent), (*other, 99.9)]);
            if !is_judged {
                photo.collage_check = CollageCheck::NotJudged(Unjudged::Cut);
            }
            let pair = Pair::new(PersonIndex(*one), PersonIndex(*other)).unwrap();
            let threshold = Confidence::clamped(50.0);
            graph.add(Edge::from_sighting(&photo, pair, threshold).unwrap());
        }
        graph
    }

    #[track_caller]
    fn check(edges: &[(u32, u32, f64)], hops_max: u32, expected: Option<&[u32]>) {
        let graph = graph(edges);
        let chain = best_chain(
            &graph,
            PersonIndex(0),
            PersonIndex(1),
            hops_max,
            |_| true,
            name,
        );
        let people = chain.map(|chain| chain.people.iter().map(|p| p.0).collect::<Vec<_>>());
        assert_eq!(people.as_deref(), expected);
    }

    #[test]
    fn fewest_hops_first() {
        check(
            &[(0, 2, 99.0), (2, 1, 99.0), (0, 1, 80.0)],
            6,
            Some(&[0, 1]),
        );
    }

    #[test]
    fn then_the_widest_bottleneck() {
        check(
            &[(0, 2, 99.0), (2, 1, 81.0), (0, 3, 82.0), (3, 1, 82.0)],
            6,
            Some(&[0, 3, 1]),
        );
    }

    #[test]
    fn then_the_highest_product() {
        check(
            &[(0, 2, 82.0), (2, 1, 99.0), (0, 3, 82.0), (3, 1, 98.0)],
            6,
            Some(&[0, 2, 1]),
        );
    }

    #[test]
    fn then_the_names() {
        check(
            &[(0, 3, 90.0), (3, 1, 90.0), (0, 2, 90.0), (2, 1, 90.0)],
            6,
            Some(&[0, 2, 1]),
        );
    }

    #[track_caller]
    fn check_judged(edges: &[(u32, u32, f64, bool)], expected: &[u32]) {
        let graph = graph_of(edges);
        let chain = best_chain(&graph, PersonIndex(0), PersonIndex(1), 6, |_| true, name);
        let people: Vec<u32> = chain.unwrap().people.iter().map(|p| p.0).collect();
        assert_eq!(people, expected);
    }

    #[test]
    fn a_chain_of_judged_photos_beats_a_more_certain_one() {
        check_judged(
            &[
                (0, 2, 99.0, true),
                (2, 1, 99.0, false),
                (0, 3, 81.0, true),
                (3, 1, 80.0, true),
            ],
            &[0, 3, 1],
        );
        // Of chains whose weakest edge is not judged, the one with fewer such edges is better.
        check_judged(
            &[
                (0, 2, 99.0, false),
                (2, 1, 85.0, false),
                (0, 3, 86.0, true),
                (3, 1, 85.0, false),
            ],
            &[0, 3, 1],
        );
        // Fewer hops still come first.
        check_judged(
            &[(0, 2, 99.0, true), (2, 1, 99.0, true), (0, 1, 80.0, false)],
            &[0, 1],
        );
    }

    #[test]
    fn a_judged_photo_makes_an_edge_judged() {
        let both = [(0, 1, 99.0, false), (0, 1, 80.0, true)];
        let graph = graph_of(&both);
        let strength = graph
            .edge(PersonIndex(0), PersonIndex(1))
            .unwrap()
            .strength();
        assert!(strength.is_judged);
        let graph = graph_of(&both[..1]);
        let strength = graph
            .edge(PersonIndex(0), PersonIndex(1))
            .unwrap()
            .strength();
        assert!(!strength.is_judged);
    }

    #[test]
    fn never_longer_than_the_limit() {
        let long = [(0, 2, 90.0), (2, 3, 90.0), (3, 1, 90.0)];
        check(&long, 2, None);
        check(&long, 3, Some(&[0, 2, 3, 1]));
        check(&[(0, 2, 90.0)], 6, None);
    }

    #[test]
    fn confidences_of_a_chain() {
        let graph = graph(&[(0, 2, 90.0), (2, 1, 80.0)]);
        let chain = best_chain(&graph, PersonIndex(0), PersonIndex(1), 6, |_| true, name).unwrap();
        assert_eq!(chain.hops(), 2);
        assert_eq!(chain.bottleneck().percent(), 80.0);
        assert!((chain.cumulative() - 0.72).abs() < 1e-12);
    }

    /// Adds every chain without a repeated person to `found`, by brute force.
    fn all_chains(graph: &EvidenceGraph, at: Vec<PersonIndex>, found: &mut Vec<Vec<PersonIndex>>) {
        let last = *at.last().unwrap();
        if last == PersonIndex(1) {
            found.push(at);
            return;
        }
        for next in graph.neighbours(last).filter(|next| !at.contains(next)) {
            all_chains(graph, [at.clone(), vec![next]].concat(), found);
        }
    }

    #[test]
    fn the_same_as_looking_at_every_chain() {
        let mut state = 7u64;
        let mut next = move |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888);
            (state >> 33) % bound
        };
        for _ in 0..500 {
            let edges: Vec<(u32, u32, f64, bool)> = (0..next(18))
                .map(|_| {
                    let two = (next(8) as u32, next(8) as u32);
                    (two.0, two.1, 80.0 + next(5) as f64, next(3) > 0)
                })
                .filter(|(one, other, ..)| one != other)
                .collect();
            let avoided = PersonIndex(2 + next(6) as u32);
            let graph = graph_of(&edges);
            let mut chains = Vec::new();
            all_chains(&graph, vec![PersonIndex(0)], &mut chains);
            let rank = |chain: &Vec<PersonIndex>| {
                let edges: Vec<EdgeStrength> = chain
                    .windows(2)
                    .map(|two| graph.edge(two[0], two[1]).unwrap().strength())
                    .collect();
                let fractions = edges.iter().rev().map(|edge| edge.confidence.fraction());
                (
                    edges.len(),
                    edges.iter().min().copied(),
                    edges.iter().filter(|edge| !edge.is_judged).count(),
                    fractions.fold(1.0, |all, edge| edge * all),
                )
            };
            let best = chains
                .iter()
                .filter(|chain| chain.len() <= 5 && !chain.contains(&avoided))
                .map(rank)
                .min_by(|left, right| {
                    left.0
                        .cmp(&right.0)
                        .then(right.1.cmp(&left.1))
                        .then(left.2.cmp(&right.2))
                        .then(right.3.total_cmp(&left.3))
                });
            let found = best_chain(
                &graph,
                PersonIndex(0),
                PersonIndex(1),
                4,
                |p| p != avoided,
                name,
            );
            assert_eq!(found.map(|chain| rank(&chain.people)), best, "{edges:?}");
        }
    }
}
