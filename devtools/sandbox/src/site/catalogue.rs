//! The products of the shop.

/// A product of the shop. Addresses and the log contain its `slug`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) slug: &'static str,
    pub(super) name: &'static str,
    pub(super) price_cents: u32,
    /// Whether the product is new, so that the slow page lists it.
    pub(super) is_new: bool,
}

const fn product(slug: &'static str, name: &'static str, price_cents: u32) -> Product {
    Product {
        slug,
        name,
        price_cents,
        is_new: false,
    }
}

const fn new(slug: &'static str, name: &'static str, price_cents: u32) -> Product {
    Product {
        slug,
        name,
        price_cents,
        is_new: true,
    }
}

/// All products, in the order in which the shop lists them.
pub(super) const PRODUCTS: [Product; 16] = [
    product("brass-lamp", "Brass lamp", 4_900),
    product("reading-lamp", "Reading lamp", 3_450),
    product("wool-blanket", "Wool blanket", 5_980),
    product("tea-pot", "Tea pot", 2_750),
    new("tea-cup", "Tea cup", 690),
    product("oak-tray", "Oak tray", 2_100),
    product("wall-clock", "Wall clock", 3_990),
    product("door-mat", "Door mat", 1_850),
    new("bread-board", "Bread board", 1_620),
    product("linen-towel", "Linen towel", 1_275),
    product("paper-kite", "Paper kite", 980),
    product("chess-set", "Chess set", 4_440),
    new("glass-vase", "Glass vase", 2_330),
    product("bird-house", "Bird house", 2_890),
    product("rain-coat", "Rain coat", 6_750),
    product("garden-chair", "Garden chair", 7_900),
];

/// Returns the product with this slug, if it exists.
pub(super) fn product_of(slug: &str) -> Option<&'static Product> {
    PRODUCTS.iter().find(|product| product.slug == slug)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_product_is_found_by_its_own_slug() {
        let slugs: BTreeSet<_> = PRODUCTS.iter().map(|product| product.slug).collect();
        assert_eq!(slugs.len(), PRODUCTS.len());
        for product in &PRODUCTS {
            assert_eq!(product_of(product.slug), Some(product));
            assert_eq!(
                product.slug,
                product.name.to_lowercase().replace(' ', "-"),
                "a search by the slug's words finds the name"
            );
        }
        assert_eq!(product_of("boat"), None);
    }
}
