//! What the image searches of a scene find.

use domain::{FoundHits, Hit, ListPage, SearchSource};

use super::scene::Scene;

impl Scene {
    /// Adds an image search: its id and name, the hits per request, the pages per list and the price. Photos that only
    /// it finds are added with `finds("id: Ann Bob", "p1")`.
    pub fn source(mut self, names: [&str; 2], extent: [u32; 2], nano_usd: u64) -> Self {
        let [id, name] = names.map(str::to_owned);
        let [hits_max, pages_max] = extent;
        self.request.sources.push(SearchSource {
            id,
            name,
            hits_max,
            pages_max,
            nano_usd,
        });
        self
    }

    /// Returns a page of a query's results. Without explicit image searches a scene has one, whose lists are complete.
    pub fn found(&self, query: &str, count: u32, part: &ListPage) -> FoundHits {
        let Some(source) = &part.source else {
            return self.hits(query).into();
        };
        let hits = self.hits(&format!("{source}: {query}"));
        let start = (part.page * count) as usize;
        let page = hits.iter().skip(start).take(count as usize);
        FoundHits {
            hits: page.cloned().collect(),
            part: part.clone(),
            has_more: hits.len() > start + count as usize,
        }
    }

    fn hits(&self, query: &str) -> Vec<Hit> {
        let photos = self.queries.get(query).map(Vec::as_slice);
        let hit = |photo: &&str| Hit {
            image_url: (*photo).to_owned(),
            title: self.titles.get(photo).map_or("", |title| title).to_owned(),
            context_url: self.pages.get(photo).map(|page| (*page).to_owned()),
            ..Hit::default()
        };
        photos.unwrap_or_default().iter().map(hit).collect()
    }
}

/// Returns the image search and the page of a query, if stated.
pub fn part_words(part: &ListPage) -> String {
    let Some(source) = &part.source else {
        return String::new();
    };
    match part.page {
        0 => format!(" of {source}"),
        page => format!(" of {source}, page {}", page + 1),
    }
}
