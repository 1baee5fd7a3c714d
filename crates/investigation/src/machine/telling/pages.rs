//! The pages that show the photos of a chain.

use domain::Chain;

use crate::machine::facts::Facts;
use crate::machine::interface::PhotoPage;

use super::report::edge_report;

/// Returns the pages that show the best photo of each edge, each page once, in path order. A photo whose page
/// has no address of the web is there by itself.
fn photo_pages(facts: &Facts, chain: &Chain) -> Vec<PhotoPage> {
    let mut pages: Vec<PhotoPage> = Vec::new();
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    for ((from, to), edge) in neighbours.zip(&chain.edges) {
        let report = edge_report(facts, *from, *to, edge);
        let Some(best) = report.evidence.into_iter().next() else {
            continue;
        };
        let url = best.context_url.filter(|url| is_of_the_web(url));
        let is_same = |page: &&mut PhotoPage| {
            (url.is_some() && page.url == url) || page.photos.contains(&best.reference)
        };
        match pages.iter_mut().find(is_same) {
            Some(page) if page.photos.contains(&best.reference) => {}
            Some(page) => page.photos.push(best.reference),
            None => pages.push(PhotoPage {
                photos: vec![best.reference],
                url,
            }),
        }
    }
    pages
}

/// Returns the addresses of the pages that show the best photo of each edge.
pub fn page_urls(facts: &Facts, chain: &Chain) -> Vec<String> {
    let pages = photo_pages(facts, chain).into_iter();
    pages.filter_map(|page| page.url).collect()
}

/// Returns the first page of a chain of which nobody knows yet what came of it.
pub fn next_page(facts: &Facts, chain: &Chain) -> Option<PhotoPage> {
    let mut pages = photo_pages(facts, chain).into_iter();
    pages.find(|page| !facts.captures().is_settled(page))
}

fn is_of_the_web(url: &str) -> bool {
    let begins = |scheme: &str| {
        let beginning = url.get(..scheme.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(scheme))
    };
    begins("https://") || begins("http://")
}
