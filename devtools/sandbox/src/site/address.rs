//! Parses the site's paths.

use crate::providers::SITE;

use super::variant::Variant;

/// The first segment in the addresses of the published variant.
const PUBLISHED: &str = "shop";

/// The part of the site that an address denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SiteAddress {
    /// The site's root, which redirects to the shop.
    Door,
    /// The log of actions.
    Log,
    /// The setting of the published variant.
    Published,
    /// The list of the hostile pages.
    HostileList,
    /// The letter, or its frame. The string is the path below that of the letter.
    Letter(String),
    /// A hostile page or a part of it. The string is its path relative to that of the list.
    Hostile(String),
    /// The canary, or an address below it.
    Canary {
        is_below: bool,
    },
    Shop {
        /// The first segment of the path, which the links of the page must keep.
        segment: String,
        /// The variant; `None` for the published one.
        variant: Option<Variant>,
        /// The path below that of the shop, without a leading slash.
        page: String,
    },
    Unknown,
}

impl SiteAddress {
    /// Parses a path that is [`SITE`] or below it.
    pub(super) fn read(path: &str) -> Self {
        let Some(rest) = path.strip_prefix(SITE) else {
            return Self::Unknown;
        };
        match rest {
            "" | "/" => return Self::Door,
            "/log" => return Self::Log,
            "/published" => return Self::Published,
            "/hostile" => return Self::HostileList,
            "/canary" => return Self::Canary { is_below: false },
            _ => {}
        }
        if rest.starts_with("/canary/") {
            return Self::Canary { is_below: true };
        }
        if let Some(part) = rest.strip_prefix("/letter/") {
            return Self::Letter(part.to_owned());
        }
        if let Some(part) = rest.strip_prefix("/hostile/") {
            return Self::Hostile(part.to_owned());
        }
        let Some((segment, page)) = rest.strip_prefix('/').and_then(|rest| rest.split_once('/'))
        else {
            return Self::Unknown;
        };
        let variant = Variant::named(segment);
        if variant.is_none() && segment != PUBLISHED {
            return Self::Unknown;
        }
        Self::Shop {
            segment: segment.to_owned(),
            variant,
            page: page.to_owned(),
        }
    }
}

/// Returns the path of the shop whose links begin with this segment, for example `/site/v0/`.
pub(super) fn shop_path(segment: &str) -> String {
    format!("{SITE}/{segment}/")
}

/// Returns the path to which the root redirects.
pub(super) fn front_path() -> String {
    shop_path(PUBLISHED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_site_has_its_address() {
        let shop = |segment: &str, variant, page: &str| SiteAddress::Shop {
            segment: segment.to_owned(),
            variant,
            page: page.to_owned(),
        };
        for (path, expect) in [
            ("/site", SiteAddress::Door),
            ("/site/", SiteAddress::Door),
            ("/site/log", SiteAddress::Log),
            ("/site/published", SiteAddress::Published),
            ("/site/v0/", shop("v0", Some(Variant::Original), "")),
            (
                "/site/v4/products/tea-cup",
                shop("v4", Some(Variant::German), "products/tea-cup"),
            ),
            ("/site/shop/basket", shop("shop", None, "basket")),
            ("/site/hostile", SiteAddress::HostileList),
            ("/site/hostile/7/x", SiteAddress::Hostile("7/x".to_owned())),
            ("/site/letter/", SiteAddress::Letter(String::new())),
            (
                "/site/letter/stamp",
                SiteAddress::Letter("stamp".to_owned()),
            ),
            ("/site/canary", SiteAddress::Canary { is_below: false }),
            ("/site/canary/", SiteAddress::Canary { is_below: true }),
            ("/site/canary/7/x", SiteAddress::Canary { is_below: true }),
            ("/site/v9/", SiteAddress::Unknown),
            ("/site/v0", SiteAddress::Unknown),
            ("/site/shops/basket", SiteAddress::Unknown),
            ("/sites/v0/", SiteAddress::Unknown),
        ] {
            assert_eq!(SiteAddress::read(path), expect, "{path}");
        }
    }
}
