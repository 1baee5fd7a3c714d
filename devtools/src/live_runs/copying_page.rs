//! Generates pages that copy typed text, each from a number.

use fastrand::Rng;

/// How a page transforms typed text, as functions of its script: first formatting, then encoding.
const DRESSES: [(&str, &str); 8] = [
    ("as it is", "text"),
    ("upper", "text.toUpperCase()"),
    ("lower", "text.toLowerCase()"),
    ("by fours", "text.replace(/(.{4})/g, '$1 ')"),
    ("by dashes", "text.replace(/(.{3})/g, '$1-')"),
    ("zero width", "[...text].join('\\u200b')"),
    ("soft hyphens", "text.replace(/(.{2})/g, '$1\\u00ad')"),
    (
        "full width",
        "text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))",
    ),
];
const ENCODINGS: [(&str, &str); 8] = [
    ("plain", "text"),
    ("plain", "text"),
    ("percent", "percent(text)"),
    ("percent twice", "percent(percent(text))"),
    (
        "entities",
        "[...text].map((one) => `&#${one.codePointAt(0)};`).join('')",
    ),
    (
        "json",
        "[...text].map((one) => '\\\\u' + one.charCodeAt(0).toString(16).padStart(4, '0')).join('')",
    ),
    (
        "base64",
        "btoa(String.fromCharCode(...new TextEncoder().encode(typed())))",
    ),
    (
        "hex",
        "[...new TextEncoder().encode(typed())].map((one) => one.toString(16).padStart(2, '0')).join('')",
    ),
];
/// Where a page puts the transformed text, as statements of its script.
const SINKS: [(&str, &str); 24] = [
    ("text", "add('p').textContent = copy"),
    (
        "text behind words",
        "add('p').textContent = 'x'.repeat(93) + ' ' + copy",
    ),
    (
        "boxes",
        "for (const one of copy) add('b').textContent = one",
    ),
    ("title", "document.title = copy"),
    ("long title", "document.title = 'y'.repeat(190) + copy"),
    ("alert", "setTimeout(() => alert(copy))"),
    (
        "alert behind words",
        "setTimeout(() => alert('z '.repeat(47) + copy))",
    ),
    ("confirm", "setTimeout(() => confirm(copy))"),
    (
        "id",
        "add('p').id = copy; document.body.lastChild.textContent = 'x'",
    ),
    (
        "class",
        "add('button').className = copy.replace(/\\s/g, '_'); document.body.lastChild.textContent = 'x'",
    ),
    ("label", "add('button').setAttribute('aria-label', copy)"),
    ("placeholder", "add('input').placeholder = copy"),
    ("field", "add('input').value = copy"),
    ("short field", "add('input').value = copy.slice(0, 8)"),
    (
        "link",
        "const link = add('a'); link.href = '/l?' + copy; link.textContent = 'go'",
    ),
    ("hash", "location.hash = copy"),
    (
        "path",
        "history.pushState(null, '', '/p/' + encodeURIComponent(copy))",
    ),
    ("query", "history.pushState(null, '', '?q=' + copy)"),
    (
        "host",
        "fetch('http://' + copy.toLowerCase().replace(/[\\s&\"/%#;\\\\]/g, '-') + '.example/').catch(() => 0)",
    ),
    ("window", "window.open('/w?' + copy)"),
    (
        "overlay",
        "Object.assign(add('div').style, { position: 'fixed', inset: 0 }); document.body.lastChild.textContent = copy",
    ),
    (
        "shadow",
        "add('div').attachShadow({ mode: 'closed' }).textContent = copy",
    ),
    (
        "pseudo element",
        "add('style').textContent = `#go::after { content: ${JSON.stringify(copy)} }`",
    ),
    (
        "canvas",
        "const draw = add('canvas').getContext('2d'); draw.font = '20px sans-serif'; draw.fillText(copy, 0, 20)",
    ),
];
/// The characters in the middle of some secrets.
const SIGNS: [&str; 8] = ["", "", "", " ", "&", "\"", "/", "\u{e9}"];

/// A page that copies typed text.
pub(super) struct CopyingPage {
    pub(super) html: String,
    /// The secret that the run types.
    pub(super) secret: String,
    /// In which ways the page copies the secret, in words.
    pub(super) ways: String,
    /// Whether the run asks models about the page.
    pub(super) asks_models: bool,
}

impl CopyingPage {
    /// Generates the page with this number, which is always the same.
    pub(super) fn of(seed: u32) -> Self {
        let mut random = Rng::with_seed(u64::from(seed));
        let mut letters = |count: usize| -> String {
            std::iter::repeat_with(|| random.alphanumeric())
                .take(count)
                .collect()
        };
        let (before, behind) = (letters(7), letters(7));
        let sign = random.choice(SIGNS).unwrap_or_default();
        let secret = format!("{before}{sign}{behind}");
        let mut ways = Vec::new();
        let mut statements = Vec::new();
        for _ in 0..random.usize(1..=3) {
            let (dress, dressed) = random.choice(DRESSES).unwrap_or_default();
            let (encoding, encoded) = random.choice(ENCODINGS).unwrap_or_default();
            let (sink, put) = random.choice(SINKS).unwrap_or_default();
            ways.push(format!("{dress}, {encoding}: {sink}"));
            statements.push(format!(
                "{{ const copy = ((text) => {encoded})(((text) => {dressed})(typed())); {put}; }}\n"
            ));
        }
        let event = random
            .choice(["input", "change", "click"])
            .unwrap_or_default();
        Self {
            html: format!(
                "<!DOCTYPE html><title>Copies</title><input name=word><button id=go>Go</button>\n<script>\n\
                 const typed = () => document.querySelector('[name=word]').value;\n\
                 const percent = (text) => [...new TextEncoder().encode(text)]\n\
                 .map((one) => '%' + one.toString(16).padStart(2, '0').toUpperCase()).join('');\n\
                 const add = (tag) => document.body.appendChild(document.createElement(tag));\n\
                 let isDone = false;\n\
                 addEventListener('{event}', () => {{\nif (isDone || typed().length < {}) return;\nisDone = true;\n\
                 {}}});\n</script>",
                secret.chars().count(),
                statements.concat(),
            ),
            secret,
            ways: ways.join("; "),
            asks_models: random.bool(),
        }
    }
}
