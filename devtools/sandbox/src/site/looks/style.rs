//! The style sheets of the original and of the redesign. A variant may rename the original's classes.

/// The rules of the original, by class.
const ORIGINAL: [(&str, &str); 25] = [
    (
        "shop",
        "margin:0;font:16px/1.5 sans-serif;color:#26221c;background:#fffdf8",
    ),
    (
        "site-header",
        "display:flex;flex-wrap:wrap;gap:12px;align-items:center;padding:12px 24px;background:#f3e6c8",
    ),
    (
        "shop-name",
        "font-size:22px;font-weight:bold;color:#7a4a00;text-decoration:none",
    ),
    (
        "nav-list",
        "display:flex;flex-wrap:wrap;gap:12px;margin:0;padding:0;list-style:none",
    ),
    ("nav-link", "color:#5c3b00"),
    ("search-form", "display:flex;gap:6px;align-items:center"),
    ("visitor", "display:flex;gap:8px;align-items:center"),
    ("visitor-name", "margin:0"),
    ("content", "padding:12px 24px;min-height:320px"),
    ("page-title", "font-size:28px;margin:8px 0"),
    (
        "product-list",
        "padding:0;list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:8px",
    ),
    (
        "product",
        "display:flex;justify-content:space-between;padding:6px 10px;border:1px solid #ddceaa",
    ),
    ("basket-lines", "padding:0;list-style:none"),
    (
        "basket-line",
        "display:flex;gap:16px;align-items:center;padding:4px 0",
    ),
    ("field-label", "margin-right:6px"),
    (
        "field",
        "padding:6px;margin-right:10px;border:1px solid #a88b52",
    ),
    (
        "button",
        "padding:8px 14px;border:0;background:#7a4a00;color:#fff;font:inherit;cursor:pointer",
    ),
    ("button-small", "padding:2px 8px;background:#8c8069"),
    ("message", "padding:8px;background:#ffe1dc"),
    ("sale-form", "height:80px"),
    ("moving", "position:relative;left:0"),
    ("covered", "position:relative;width:240px;height:60px"),
    (
        "covering",
        "position:absolute;inset:0;width:240px;height:60px;opacity:.01;border:0",
    ),
    (
        "cookie-wall",
        "position:fixed;inset:0;display:flex;align-items:center;justify-content:center;background:rgba(38,34,28,.6)",
    ),
    ("cookie-box", "padding:24px;max-width:420px;background:#fff"),
];

/// The rules of the redesign, by its own classes.
const REDESIGN: [(&str, &str); 17] = [
    (
        "app",
        "margin:0;font:17px/1.6 serif;color:#eee;background:#1d2733",
    ),
    (
        "hero",
        "padding:16px 32px;background:#12202e;border-top:4px solid #46b29d",
    ),
    (
        "brand",
        "display:block;font-size:30px;color:#46b29d;text-decoration:none",
    ),
    ("menu", "display:block;margin:8px 0"),
    ("menu-entry", "display:inline-block;margin-right:18px"),
    ("menu-link", "color:#cfe8e3"),
    ("stage", "padding:24px 32px;min-height:320px"),
    ("headline", "font-size:24px;border-bottom:1px solid #46b29d"),
    ("cards", "display:block"),
    (
        "card",
        "display:block;padding:6px 0;border-bottom:1px dotted #47586a",
    ),
    ("card-link", "color:#8fd8ca;margin-right:16px"),
    (
        "entry",
        "padding:8px;background:#fff;border:2px solid #46b29d;border-radius:6px",
    ),
    (
        "act",
        "padding:10px 20px;border:0;border-radius:20px;background:#46b29d;color:#10202c;font:inherit",
    ),
    (
        "veil",
        "position:fixed;left:0;right:0;top:0;bottom:0;padding:15% 25%;background:rgba(0,0,0,.75)",
    ),
    ("moving", "position:relative;left:0"),
    ("covered", "position:relative;width:300px;height:60px"),
    (
        "covering",
        "position:absolute;inset:0;width:300px;height:60px;opacity:.01;border:0",
    ),
];

/// Returns the style sheet of the original. `renamed` returns the name that a class has in the variant.
pub(super) fn original(renamed: impl Fn(&str) -> String) -> String {
    sheet(&ORIGINAL, renamed)
}

/// Returns the style sheet of the redesign.
pub(super) fn redesign() -> String {
    sheet(&REDESIGN, str::to_owned)
}

fn sheet(rules: &[(&str, &str)], renamed: impl Fn(&str) -> String) -> String {
    let mut sheet = String::new();
    for (class, says) in rules {
        for part in [".", &renamed(class), "{", says, "}"] {
            sheet.push_str(part);
        }
    }
    sheet
}
