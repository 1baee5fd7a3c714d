//! Tests of Commons as a client sees it.

mod chain;
mod files;
mod refusals;

use url::form_urlencoded;

use super::*;

const BASE: &str = "/commons/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrnamespace=6&prop=imageinfo&iiprop=url%7Csize%7Cmime%7Cextmetadata&iiurlwidth=960";

/// Searches Commons as a client should.
pub(super) fn search(sandbox: &mut Sandbox, text: &str) -> Reply {
    get(sandbox, &format!("{BASE}&gsrsearch={text}"))
}

fn found(sandbox: &mut Sandbox, rest: &str) -> Vec<Value> {
    let answer = body(&get(sandbox, &format!("{BASE}&{rest}")));
    let pages = answer["query"]["pages"].as_array().cloned();
    pages.unwrap_or_default()
}

/// Returns the number of the photo that a file's page describes.
fn photo_of(page: &Value) -> usize {
    let (_, name) = page["title"].as_str().unwrap().rsplit_once('(').unwrap();
    name.split_once(')').unwrap().0.parse().unwrap()
}

fn photos(sandbox: &mut Sandbox, query: &str) -> Vec<usize> {
    let query: String = form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let mut pages = found(sandbox, &format!("gsrlimit=500&gsrsearch={query}"));
    pages.sort_by_key(|page| page["index"].as_u64());
    pages.iter().map(photo_of).collect()
}

fn sorted(mut photos: Vec<usize>) -> Vec<usize> {
    photos.sort_unstable();
    photos
}

/// Returns somebody with a unique name in more than four photos: the index, the name and the Wikidata number.
fn somebody(sandbox: &Sandbox) -> (usize, String, String) {
    let world = sandbox.world();
    let person = (0..world.people.len())
        .find(|person| {
            let name = &world.people[*person].name;
            world.photos_of(*person).len() > 4 && world.bearers(name).len() == 1
        })
        .unwrap();
    let known = &world.people[person];
    (person, known.name.clone(), known.wikidata_number.clone())
}

#[test]
fn an_answer_is_in_no_order_but_has_the_rank_and_pages_on() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let whole = body(&search(&mut sandbox, &name));
    let pages = whole["query"]["pages"].as_array().unwrap();
    let ranks: Vec<u64> = pages
        .iter()
        .map(|page| page["index"].as_u64().unwrap())
        .collect();
    let mut in_order = ranks.clone();
    in_order.sort_unstable();
    assert_ne!(ranks, in_order);
    assert_eq!(in_order, (1..=ranks.len() as u64).collect::<Vec<_>>());
    assert_eq!(whole["batchcomplete"], true);
    let mut seen: Vec<usize> = Vec::new();
    let mut rest = String::new();
    for _ in 0..40 {
        let text = format!("{BASE}&gsrsearch={name}&gsrlimit=3{rest}");
        let answer = body(&get(&mut sandbox, &text));
        let mut pages = answer["query"]["pages"].as_array().unwrap().clone();
        pages.sort_by_key(|page| page["index"].as_u64());
        assert_eq!(pages[0]["index"], seen.len() + 1);
        seen.extend(pages.iter().map(photo_of));
        let Some(next) = answer["continue"]["gsroffset"].as_u64() else {
            break;
        };
        assert_eq!(answer["continue"]["continue"], "gsroffset||");
        rest = format!("&gsroffset={next}&continue=gsroffset%7C%7C");
    }
    assert_eq!(seen, photos(&mut sandbox, &name.replace('+', " ")));
    let none = body(&search(&mut sandbox, "nobody+anywhere"));
    assert_eq!(none, json!({"batchcomplete": true}));
}

#[test]
fn the_older_format_has_an_object_and_empty_texts() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let base = BASE.replace("formatversion=2", "formatversion=1");
    let old = body(&get(
        &mut sandbox,
        &format!("{base}&gsrsearch={name}&nonsense=1"),
    ));
    assert_eq!(old["batchcomplete"], "");
    let pages = old["query"]["pages"].as_object().unwrap();
    assert!(
        pages
            .iter()
            .all(|(id, page)| page["pageid"] == id.parse::<u64>().unwrap())
    );
    assert_eq!(
        old["warnings"]["main"]["*"],
        "Unrecognized parameter: nonsense."
    );
    let wrong = body(&get(&mut sandbox, &base));
    assert!(
        wrong["error"]["*"]
            .as_str()
            .unwrap()
            .starts_with("See https://commons")
    );
}

#[test]
fn every_photo_is_found_by_its_words_and_by_some_statements() {
    let mut sandbox = plain();
    let (person, name, number) = somebody(&sandbox);
    let all = sorted(photos(&mut sandbox, &format!("\"{name}\" filetype:bitmap")));
    assert_eq!(all, sandbox.world().photos_of(person));
    let stated = sorted(photos(
        &mut sandbox,
        &format!("haswbstatement:P180={number}"),
    ));
    assert!(
        !stated.is_empty() && stated.len() < all.len(),
        "{stated:?} of {all:?}"
    );
    assert!(stated.iter().all(|photo| all.contains(photo)));
    let rest = format!("\"{name}\" -haswbstatement:P180={number}");
    let rest = sorted(photos(&mut sandbox, &rest));
    assert_eq!(sorted([stated, rest].concat()), all);
    assert_eq!(photos(&mut sandbox, "haswbstatement:P180=Q1"), [0_usize; 0]);
    assert_eq!(
        photos(&mut sandbox, &format!("\"{name}\" filetype:video")),
        [0_usize; 0]
    );
    let named = photos(&mut sandbox, &format!("incategory:\"{name}\""));
    assert!(!named.is_empty() && named.len() < all.len());
}

#[test]
fn two_people_are_both_or_either() {
    let mut sandbox = plain();
    let photo = crowded(&sandbox);
    let pair: Vec<(String, String)> = sandbox.world().people_in(photo)[..2]
        .iter()
        .map(|person| {
            let person = &sandbox.world().people[*person];
            (person.name.clone(), person.wikidata_number.clone())
        })
        .collect();
    let [(a, q), (b, r)] = [&pair[0], &pair[1]];
    let both = sorted(photos(&mut sandbox, &format!("\"{a}\" \"{b}\"")));
    assert!(both.contains(&photo));
    let either = photos(&mut sandbox, &format!("\"{a}\" OR \"{b}\""));
    assert!(either.len() > both.len());
    assert_eq!(
        sorted(either[..both.len()].to_vec()),
        both,
        "both come first"
    );
    let stated = |sandbox: &mut Sandbox, query: &str| sorted(photos(sandbox, query));
    let one = format!("haswbstatement:P180={q}");
    let other = format!("haswbstatement:P180={r}");
    let (one_found, other_found) = (stated(&mut sandbox, &one), stated(&mut sandbox, &other));
    let common: Vec<usize> = one_found
        .iter()
        .copied()
        .filter(|photo| other_found.contains(photo))
        .collect();
    assert_eq!(stated(&mut sandbox, &format!("{one} {other}")), common);
    let mut union = [one_found, other_found].concat();
    union.sort_unstable();
    union.dedup();
    assert_eq!(stated(&mut sandbox, &format!("{one}|P180={r}")), union);
}

#[test]
fn some_statements_are_wrong_where_files_may_be_bad() {
    let mut sandbox = sandbox(SandboxOptions::default());
    let world = sandbox.world().clone();
    let mut wrong = 0;
    for (number, person) in world.people.iter().enumerate() {
        let stated = photos(
            &mut sandbox,
            &format!("haswbstatement:P180={}", person.wikidata_number),
        );
        let is_absent = |photo: &&usize| !world.people_in(**photo).contains(&number);
        wrong += stated.iter().filter(is_absent).count();
    }
    assert!((1..12).contains(&wrong), "{wrong} of 80 files");
}

/// Returns an address of the sandbox without its origin.
fn local(address: &Value) -> String {
    let address = address.as_str().unwrap();
    address
        .strip_prefix("http://127.0.0.1:8788")
        .unwrap()
        .to_owned()
}
