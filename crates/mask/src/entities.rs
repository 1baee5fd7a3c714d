//! The named entities of HTML, as far as signs of ASCII and letters have one.

/// Returns the character of a named entity: a sign of ASCII, or a letter without its accent.
///
/// Source: <https://html.spec.whatwg.org/multipage/named-characters.html>
pub(crate) fn named(name: &str) -> Option<char> {
    const NAMES: [(&str, char); 60] = [
        ("amp", '&'),
        ("AMP", '&'),
        ("lt", '<'),
        ("LT", '<'),
        ("gt", '>'),
        ("GT", '>'),
        ("quot", '"'),
        ("QUOT", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("Tab", ' '),
        ("NewLine", ' '),
        ("excl", '!'),
        ("num", '#'),
        ("dollar", '$'),
        ("percnt", '%'),
        ("lpar", '('),
        ("rpar", ')'),
        ("ast", '*'),
        ("midast", '*'),
        ("plus", '+'),
        ("comma", ','),
        ("period", '.'),
        ("sol", '/'),
        ("colon", ':'),
        ("semi", ';'),
        ("equals", '='),
        ("quest", '?'),
        ("commat", '@'),
        ("lsqb", '['),
        ("lbrack", '['),
        ("bsol", '\\'),
        ("rsqb", ']'),
        ("rbrack", ']'),
        ("Hat", '^'),
        ("lowbar", '_'),
        ("UnderBar", '_'),
        ("grave", '`'),
        ("lcub", '{'),
        ("lbrace", '{'),
        ("verbar", '|'),
        ("vert", '|'),
        ("rcub", '}'),
        ("rbrace", '}'),
        ("shy", '\u{AD}'),
        ("zwj", '\u{200D}'),
        ("zwnj", '\u{200C}'),
        ("szlig", 'ß'),
        ("aelig", 'æ'),
        ("AElig", 'Æ'),
        ("oelig", 'œ'),
        ("OElig", 'Œ'),
        ("oslash", 'ø'),
        ("Oslash", 'Ø'),
        ("eth", 'ð'),
        ("ETH", 'Ð'),
        ("thorn", 'þ'),
        ("THORN", 'Þ'),
        ("euro", '€'),
        ("pound", '£'),
    ];
    const ACCENTS: [&str; 8] = [
        "acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "caron",
    ];
    let known = NAMES.iter().find(|(known, _)| *known == name);
    if let Some((_, character)) = known {
        return Some(*character);
    }
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let accent = name.get(1..)?;
    ACCENTS.contains(&accent).then_some(letter)
}
