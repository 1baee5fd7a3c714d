//! Asks Wikidata which person is meant by what a user types. The first request finds people whose pages contain the
//! words, the second returns their names.
//!
//! Sources: mediawiki.org `API:Search`, `Help:CirrusSearch`, `Help:Extension:WikibaseCirrusSearch`;
//! wikidata.org `Special:ApiHelp/wbgetentities`, `Help:Default_values_for_labels_and_aliases`.

use serde_json::Value;

use domain::{Failure, Life, WikidataNumber, fold};
use platform::{WireRequest, WireResponse};

use crate::image_search::{nothing_to_search, words};
use crate::mediawiki;
use crate::response::{line_at, list_at, text_at};

/// The address at which Wikidata serves the API.
pub const BASE_DEFAULT: &str = "https://www.wikidata.org";
/// The most people that are suggested for one text.
pub const PEOPLE_MAX: usize = 10;
/// The longest text of a search, in characters.
const TEXT_CHARS_MAX: usize = 100;
/// The longest stored name or description, in characters.
const LABEL_CHARS_MAX: usize = 200;
/// The shortest incomplete word that is searched as a prefix, in characters.
const PREFIX_CHARS_MIN: usize = 2;
/// The preferred languages of names, in order. Many names are stored once for all languages (`mul`).
const LANGUAGES: [&str; 2] = ["en", "mul"];

/// The settings of Wikidata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WikidataSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The operator's contact for the user agent: an e-mail address or a page's address.
    pub contact: String,
}

/// A person whom the user may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonSuggestion {
    /// The person's number in Wikidata.
    pub number: WikidataNumber,
    /// The person's name.
    pub label: String,
    /// A description of the person in a few words; may be empty.
    pub description: String,
    /// The alias that matches what was typed, if the name does not.
    pub alias: Option<String>,
}

/// Builds a search for humans whose page contains these words. The last word may be incomplete, unless a space follows
/// it.
pub fn search_request(settings: &WikidataSettings, text: &str) -> Result<WireRequest, Failure> {
    let query = query(text).ok_or_else(nothing_to_search)?;
    let mut url = mediawiki::api(&settings.base, "WIKIDATA_BASE")?;
    url.query_pairs_mut()
        .append_pair("action", "query")
        .append_pair("list", "search")
        .append_pair("srnamespace", "0")
        .append_pair("srlimit", &PEOPLE_MAX.to_string())
        .append_pair("srsearch", &format!("{query} haswbstatement:P31=Q5"));
    mediawiki::get(&url, &settings.contact)
}

/// Returns the query. Cirrus matches prefixes only of single words, and a hyphen ends a word. Only whole words, not
/// prefixes, are searched in names and descriptions and affect the ranking. A last word that has just begun is omitted,
/// since it is too short for a prefix and not whole yet.
fn query(text: &str) -> Option<String> {
    let words = words(&text.replace('-', " "), TEXT_CHARS_MAX);
    let is_finished = text.ends_with(char::is_whitespace);
    let query = match words.rsplit_once(' ') {
        _ if is_finished => words,
        Some((before, last)) if is_too_short(last) => before.to_owned(),
        None if is_too_short(&words) => words,
        _ => format!("{words}*"),
    };
    (!query.is_empty()).then_some(query)
}

fn is_too_short(beginning: &str) -> bool {
    beginning.chars().count() < PREFIX_CHARS_MIN
}

/// Reads the numbers of the people found, best first, at most [`PEOPLE_MAX`].
pub fn read_numbers(response: &WireResponse) -> Result<Vec<WikidataNumber>, Failure> {
    let body = mediawiki::answer(response)?;
    let mut numbers = Vec::new();
    for found in list_at(&body, "/query/search") {
        if numbers.len() == PEOPLE_MAX {
            break;
        }
        let number = WikidataNumber::parse(text_at(found, "/title"));
        numbers.extend(number.filter(|number| !numbers.contains(number)));
    }
    Ok(numbers)
}

/// Builds the request for the names of these people, of whom there may be at most [`PEOPLE_MAX`].
pub fn entities_request(
    settings: &WikidataSettings,
    numbers: &[WikidataNumber],
) -> Result<WireRequest, Failure> {
    let numbers: Vec<&str> = numbers
        .iter()
        .take(PEOPLE_MAX)
        .map(WikidataNumber::as_str)
        .collect();
    if numbers.is_empty() {
        return Err(nothing_to_search());
    }
    let mut url = mediawiki::api(&settings.base, "WIKIDATA_BASE")?;
    url.query_pairs_mut()
        .append_pair("action", "wbgetentities")
        .append_pair("ids", &numbers.join("|"))
        .append_pair("props", "labels|descriptions|aliases")
        .append_pair("languages", &LANGUAGES.join("|"));
    mediawiki::get(&url, &settings.contact)
}

/// Reads the names of these people, in the order of `numbers`. People without a name are omitted.
pub fn read_people(
    text: &str,
    numbers: &[WikidataNumber],
    response: &WireResponse,
) -> Result<Vec<PersonSuggestion>, Failure> {
    let body = mediawiki::answer(response)?;
    let typed = fold(text);
    let person = |number: &WikidataNumber| {
        let entity = body.pointer(&format!("/entities/{number}"))?;
        let label = in_language(entity, "labels")?;
        let is_named = fits(&typed, &label);
        Some(PersonSuggestion {
            alias: if is_named {
                None
            } else {
                alias(&typed, entity)
            },
            label,
            description: in_language(entity, "descriptions").unwrap_or_default(),
            number: number.clone(),
        })
    };
    let numbers = numbers.iter().take(PEOPLE_MAX);
    Ok(numbers.filter_map(person).collect())
}

fn in_language(entity: &Value, property: &str) -> Option<String> {
    LANGUAGES.into_iter().find_map(|language| {
        let place = format!("/{property}/{language}/value");
        line_at(entity, &place, LABEL_CHARS_MAX)
    })
}

/// The properties for the dates of somebody's birth and death.
const BORN: &str = "P569";
const DIED: &str = "P570";
/// The least precision of a date that counts, which is a year. Lower ones are decades and centuries.
const PRECISION_MIN: u64 = 9;
/// The most statements of a property that are read.
const STATEMENTS_MAX: usize = 20;

/// Builds the requests for the dates of somebody's birth and death. All statements about a person may be a megabyte, so
/// each property is requested alone (wikidata.org `Special:ApiHelp/wbgetclaims`).
pub fn life_requests(
    settings: &WikidataSettings,
    number: &WikidataNumber,
) -> [Result<WireRequest, Failure>; 2] {
    [BORN, DIED].map(|property| {
        let mut url = mediawiki::api(&settings.base, "WIKIDATA_BASE")?;
        url.query_pairs_mut()
            .append_pair("action", "wbgetclaims")
            .append_pair("entity", number.as_str())
            .append_pair("property", property)
            .append_pair("props", "");
        mediawiki::get(&url, &settings.contact)
    })
}

/// Reads the two answers to [`life_requests`]. If statements of equal rank contradict each other, the longest life that
/// they allow counts.
pub fn read_life(
    number: &WikidataNumber,
    [born, died]: [&WireResponse; 2],
) -> Result<Life, Failure> {
    Ok(Life {
        wikidata: number.clone(),
        born: years(&mediawiki::answer(born)?, BORN).into_iter().min(),
        died: years(&mediawiki::answer(died)?, DIED).into_iter().max(),
    })
}

/// Returns the years in a property's statements of the highest rank.
fn years(body: &Value, property: &str) -> Vec<u16> {
    let statements = list_at(body, &format!("/claims/{property}")).iter();
    let statements = statements.take(STATEMENTS_MAX);
    let of_rank = |rank: &str| {
        let ranked = statements
            .clone()
            .filter(|one| text_at(one, "/rank") == rank);
        ranked.filter_map(year).collect::<Vec<_>>()
    };
    let preferred = of_rank("preferred");
    if preferred.is_empty() {
        of_rank("normal")
    } else {
        preferred
    }
}

/// Returns the year of a statement such as `+1952-03-11T00:00:00Z`; `None` if it is unknown, vague or before Christ.
fn year(statement: &Value) -> Option<u16> {
    let value = statement.pointer("/mainsnak/datavalue/value")?;
    let precision = value.get("precision")?.as_u64()?;
    let (year, _) = text_at(value, "/time").strip_prefix('+')?.split_once('-')?;
    year.parse().ok().filter(|_| precision >= PRECISION_MIN)
}

/// Returns the first alias that matches the typed text; `None` if none does.
fn alias(typed: &str, entity: &Value) -> Option<String> {
    LANGUAGES.into_iter().find_map(|language| {
        let aliases = list_at(entity, &format!("/aliases/{language}")).iter();
        let mut names = aliases.filter_map(|alias| line_at(alias, "/value", LABEL_CHARS_MAX));
        names.find(|name| fits(typed, name))
    })
}

/// Returns whether each typed word is the beginning of a word of the name.
fn fits(typed: &str, name: &str) -> bool {
    let name = fold(name);
    let begins = |word: &str| name.split(' ').any(|part| part.starts_with(word));
    typed.split(' ').all(begins)
}
