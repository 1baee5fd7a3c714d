//! What is sent to Wikimedia Commons.

use domain::{Failure, FailureKind, SearchQuestion, Wording};
use platform::WireResponse;
use providers::{ImageSearch as _, ReadList, commons};

use super::shared::{headers, known, named, query_pairs, search_for};

pub const REPLY: &str = include_str!("commons.json");
pub const FAILURES: &str = include_str!("mediawiki_failures.json");

pub fn commons_settings() -> commons::CommonsSettings {
    commons::CommonsSettings {
        base: commons::BASE_DEFAULT.into(),
        contact: "operator@host.example".into(),
    }
}

fn pair() -> SearchQuestion {
    search_for(&[named("Jane Eyre"), named("Helen Burns")], Wording::Names)
}

pub fn read(response: &WireResponse) -> Result<ReadList, Failure> {
    commons_settings().read(&pair(), response)
}

/// Checks the default pause for Wikimedia, and removes it: other providers have none.
pub fn without_pause<T>(response: &WireResponse, read: Result<T, Failure>) -> Result<T, Failure> {
    read.map_err(|failure| {
        let is_hinted = response.headers().contains_key("retry-after");
        if failure.kind == FailureKind::Throttled && !is_hinted {
            assert_eq!(failure.retry_after_ms(), Some(5_000));
            return failure.after(None);
        }
        failure
    })
}

#[test]
fn commons_is_asked_by_get_with_the_operators_contact() {
    let request = commons_settings().request(&pair(), 5, 0).unwrap();
    assert_eq!(request.method(), "GET");
    assert!(request.body().is_empty());
    let agent = format!(
        "VisualDegrees/{} (operator@host.example)",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(
        headers(&request),
        [("accept", "application/json"), ("user-agent", &agent)]
    );
    assert_eq!(commons::agent("operator@host.example"), agent);
    let address = request.uri().to_string();
    assert!(
        address.starts_with("https://commons.wikimedia.org/w/api.php?"),
        "{address}"
    );
    let expected = [
        ("format", "json"),
        ("formatversion", "2"),
        ("action", "query"),
        ("generator", "search"),
        ("gsrnamespace", "6"),
        ("gsrlimit", "5"),
        ("gsrsearch", "\"Jane Eyre\" \"Helen Burns\" filetype:bitmap"),
        ("prop", "imageinfo|templates"),
        ("iiprop", "url|size|mime|extmetadata"),
        ("iiurlwidth", "1280"),
        (
            "iiextmetadatafilter",
            "Artist|LicenseShortName|LicenseUrl|ImageDescription|Categories|DateTimeOriginal",
        ),
        ("tltemplates", "Template:PD-algorithm"),
        ("tllimit", "max"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(query_pairs(&request), expected);
}

#[test]
fn without_a_contact_commons_is_not_asked() {
    for contact in ["", "  ", "a\nb"] {
        let settings = commons::CommonsSettings {
            contact: contact.into(),
            ..commons_settings()
        };
        let failure = settings.request(&pair(), 5, 0).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Misconfigured, "{contact:?}");
    }
}

#[test]
fn each_question_becomes_the_query_that_finds_most() {
    use Wording::{Awards, Event, InCompany, Names, Together};
    let (a, b) = (named("Jane Eyre"), named("Helen Burns"));
    let (one, two) = (known("Jane Eyre", "Q1"), known("Helen Burns", "Q2"));
    let cases = [
        (
            vec![one.clone(), two.clone()],
            Names,
            "haswbstatement:P180=Q1 haswbstatement:P180=Q2",
        ),
        (
            vec![one.clone(), b.clone()],
            Names,
            "haswbstatement:P180=Q1 \"Helen Burns\"",
        ),
        (
            vec![a.clone(), two.clone()],
            Names,
            "\"Jane Eyre\" haswbstatement:P180=Q2",
        ),
        (
            vec![a.clone(), b.clone()],
            Names,
            "\"Jane Eyre\" \"Helen Burns\"",
        ),
        (
            vec![one.clone(), two.clone()],
            Together,
            "\"Jane Eyre\" \"Helen Burns\"",
        ),
        (
            vec![one.clone(), b.clone()],
            Together,
            "\"Jane Eyre\" \"Helen Burns\"",
        ),
        (
            vec![a.clone(), b.clone()],
            Together,
            "Jane Eyre Helen Burns",
        ),
        (
            vec![a.clone(), two.clone()],
            Event,
            "\"Jane Eyre\" \"Helen Burns\"",
        ),
        (vec![a.clone(), b.clone()], Event, "Jane Eyre Helen Burns"),
        (
            vec![one.clone(), two],
            InCompany,
            "\"Jane Eyre\" OR \"Helen Burns\"",
        ),
        (
            vec![a.clone(), b],
            InCompany,
            "\"Jane Eyre\" OR \"Helen Burns\"",
        ),
        (vec![one.clone()], InCompany, "haswbstatement:P180=Q1"),
        (vec![a.clone()], InCompany, "\"Jane Eyre\""),
        (vec![one.clone()], Event, "\"Jane Eyre\""),
        (vec![a.clone()], Event, "Jane Eyre"),
        (vec![one], Awards, "Jane Eyre award"),
        (vec![a], Awards, "Jane Eyre award"),
        (vec![known("", "Q3")], Names, "haswbstatement:P180=Q3"),
    ];
    for (people, wording, expected) in cases {
        let search = search_for(&people, wording);
        assert_eq!(
            query_of(&search),
            format!("{expected} filetype:bitmap"),
            "{search:?}"
        );
    }
}

fn query_of(search: &SearchQuestion) -> String {
    let request = commons_settings().request(search, 5, 0).unwrap();
    let pairs = query_pairs(&request);
    let query = pairs.into_iter().find(|(name, _)| name == "gsrsearch");
    query.unwrap().1
}

#[test]
fn a_name_stays_words_whatever_it_holds() {
    for (name, quoted) in [
        ("Foo\" haswbstatement:x", "\"Foo haswbstatement x\""),
        ("Foo OR Bar", "\"Foo or Bar\""),
        ("-Foo !Bar ~3 (baz*)", "\"Foo Bar 3 baz\""),
        (
            "incategory:Foo|Bar insource:/./",
            "\"incategory Foo Bar insource\"",
        ),
        ("Jean-Luc \\ O'Brien", "\"Jean-Luc O'Brien\""),
    ] {
        let names = search_for(&[named(name)], Wording::Names);
        assert_eq!(query_of(&names), format!("{quoted} filetype:bitmap"));
        let loose = search_for(&[named(name)], Wording::Event);
        let bare = quoted.replace('"', "");
        assert_eq!(query_of(&loose), format!("{bare} filetype:bitmap"));
    }
}

#[test]
fn a_question_without_a_word_is_refused_before_it_is_sent() {
    for wording in [
        Wording::Names,
        Wording::Together,
        Wording::InCompany,
        Wording::Awards,
    ] {
        for people in [vec![], vec![named("-- \"")], vec![named(""), named("??")]] {
            let search = search_for(&people, wording);
            let failure = commons_settings().request(&search, 5, 0).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Refused, "{search:?}");
        }
    }
}

#[test]
fn no_query_is_longer_than_cirrus_takes() {
    let endless = known(&"x ".repeat(400), "Q123456789012");
    let long = named(&"é".repeat(400));
    for people in [
        [endless.clone(), long.clone()],
        [long.clone(), long],
        [endless.clone(), endless],
    ] {
        for wording in [
            Wording::Names,
            Wording::Together,
            Wording::InCompany,
            Wording::Awards,
        ] {
            let query = query_of(&search_for(&people, wording));
            assert!(query.chars().count() <= 300, "{query}");
        }
    }
}
