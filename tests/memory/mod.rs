//! The memory's statements, with the answers of its model: `tests/page/memory.test.mjs` executes them on a real
//! database.

mod path;
mod script;

use std::cmp::Reverse;

use devtools::in_memory::InMemoryPhotos;
use domain::{
    Candidate, Confidence, Credit, DateSource, Face, FaceBox, Hit, MemoryNews, PeopleToRecall,
    PersonToRecall, PhotoToRemember, Portrait, RecognisedBy, RememberedAnswer, RememberedSearch,
    SearchToRemember, Sha256Digest, Taken, WikidataNumber,
};
use platform::WantedAnswers;
use serde_json::json;
use visual_degrees::memory::{
    self, KnownPath, Parameter, PathSearch, answer_of, find_people, forgetting, lines_of,
    most_seen, person, photos_of, read_answer, read_recalled, read_search, search_answer,
    size as size_of, told_path,
};

use crate::kept;
use script::Script;

const PEOPLE: u64 = 70;
const PHOTOS: u64 = 60;

/// Returns the next number of a simple sequence, below a bound.
fn next(state: &mut u64, bound: u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    (*state >> 33) % bound
}

fn face(person: u64, confidence: u64) -> Face {
    Face {
        id: format!("p{person}"),
        // Some people share a name.
        name: format!("Person {}", person % 40),
        confidence: Confidence::clamped(confidence as f64),
        face_box: FaceBox::default(),
        urls: person
            .is_multiple_of(5)
            .then(|| format!("www.wikidata.org/wiki/Q{person}"))
            .into_iter()
            .collect(),
        portrait: None,
    }
}

/// Photos mostly of the first person, who thus has more others than are recalled.
fn photos() -> Vec<PhotoToRemember> {
    let mut state = 7;
    let photo = |number: u64| {
        let mut faces = vec![face(0, 60 + next(&mut state, 40))];
        for _ in 0..next(&mut state, 4) {
            faces.push(face(next(&mut state, PEOPLE), 40 + next(&mut state, 60)));
        }
        let is_by_portraits = number % 9 == 7;
        if is_by_portraits {
            faces[0].portrait = Some(Box::new(Portrait {
                image_url: "https://photos.example/p.jpg".to_owned(),
                context_url: None,
                digest: Sha256Digest::of(&[1]),
                face_box: None,
                credit: Credit::default(),
            }));
        }
        PhotoToRemember {
            digest: Sha256Digest::of(&number.to_le_bytes()),
            hit: Hit {
                image_url: format!("https://photos.example/{number}.jpg"),
                ..Hit::default()
            },
            // A third has a date of the camera's, another third one of the page's, which a run is told.
            taken: match number % 3 {
                0 => None,
                1 => Taken::read("2009-05-17", DateSource::Camera),
                _ => Taken::read("1998", DateSource::Provider),
            },
            answer: RememberedAnswer {
                faces,
                by: RecognisedBy {
                    recogniser: match number % 9 {
                        8 => "other",
                        7 => "portraits",
                        _ => "own",
                    }
                    .to_owned(),
                    model: is_by_portraits.then(|| "m 1".to_owned()),
                },
                candidates: is_by_portraits.then(|| {
                    vec![Candidate {
                        name: "Ann".to_owned(),
                        number: WikidataNumber::parse("Q1"),
                    }]
                }),
                at_ms: 1_000 + number,
                body: None,
            },
            is_vetoed: number % 7 == 6,
        }
    };
    (0..PHOTOS).map(photo).collect()
}

/// Returns the addresses of recalled photos, in order.
fn addresses(photos: &[domain::RecalledPhoto]) -> Vec<&str> {
    let addresses = photos.iter().map(|photo| photo.hit.image_url.as_str());
    addresses.collect()
}

fn questions() -> Vec<PeopleToRecall> {
    let known = |person: u64| PersonToRecall {
        id: Some(format!("p{person}")),
        name: String::new(),
        wikidata: None,
    };
    let named = |name: &str, wikidata: Option<&str>| PersonToRecall {
        id: None,
        name: name.to_owned(),
        wikidata: wikidata.map(str::to_owned),
    };
    let asked = |people: Vec<PersonToRecall>, toward: &[&str]| PeopleToRecall {
        people,
        toward: toward.iter().map(|id| (*id).to_owned()).collect(),
    };
    vec![
        asked(vec![known(0)], &[]),
        asked(vec![known(0), known(3)], &["p9", "p11", "p69"]),
        asked(vec![known(1), known(2)], &[]),
        asked(vec![named("PERSON 5", None)], &[]),
        asked(vec![named("Anybody", Some("Q10"))], &["p1"]),
        asked(vec![named("Nobody at all", None), known(4)], &["p0"]),
    ]
}

fn wanted() -> WantedAnswers {
    WantedAnswers {
        recognisers: ["own", "portraits"].map(str::to_owned).into(),
        since_ms: 1_005,
        searches_since_ms: 1_040,
        before_ms: 1_055,
    }
}

/// Adds the queries of runs.
fn ask_for_runs(script: &mut Script, model: &InMemoryPhotos) {
    let wanted = wanted();
    for asked in questions() {
        let found = model.recall(&asked, &wanted);
        script.ask(
            "recalled",
            &memory::recall(&asked, &wanted),
            json!(addresses(&found)),
        );
    }
    for question in ["a", "b", "c"] {
        let question = Sha256Digest::of(question.as_bytes());
        let found = model.search(&question, &wanted);
        let found = found.map(|answer| json!([answer.at_ms, answer.body]));
        script.ask("search", &search_answer(&question, &wanted), json!(found));
    }
    for photo in photos().iter().step_by(7) {
        let found = model.answer(&photo.digest, &wanted);
        let faces = found.map(|answer| answer.faces.len());
        script.ask("faces", &answer_of(&photo.digest, &wanted), json!(faces));
    }
}

/// Adds the queries of the atlas.
fn ask_for_atlas(script: &mut Script, model: &InMemoryPhotos) {
    let ids: Vec<&String> = model.people().map(|(id, _)| id).collect();
    let pairs: usize = ids.iter().map(|id| model.lines_of(id, 50).len()).sum();
    let size = json!([ids.len(), model.len(), pairs / 2]);
    script.ask("size", &size_of(), size);
    for (id, offset, threshold) in [
        ("p0", 0, 50),
        ("p0", 24, 50),
        ("p0", 0, 80),
        ("p3", 0, 62),
        ("p3", 0, 80),
        ("nobody", 0, 80),
    ] {
        let lines = model.lines_of(id, threshold);
        let next = (lines.len() > offset + 24).then_some(offset + 24);
        let page = lines.iter().skip(offset).take(24);
        let page = page.map(|line| json!([line.other, line.photos, line.score, line.image_url]));
        let lines: Vec<_> = page.collect();
        let page = json!({"lines": lines, "next": next, "threshold": threshold});
        script.ask("lines", &lines_of(id, offset as u64, threshold), page);
    }
    for threshold in [50, 80] {
        ask_for_others(script, model, threshold);
    }
    let first = model.lines_of("p3", 80);
    let line = first.first().unwrap();
    let people = vec!["p3".to_owned(), line.other.clone()];
    let path = KnownPath {
        people: people.clone(),
        is_whole: true,
    };
    let told = json!({"path": people, "lines": [people], "weakest": people, "isWhole": true, "threshold": 80});
    script.ask("path", &told_path(["p3", &line.other], &path, 80), told);
    let none = KnownPath {
        people: Vec::new(),
        is_whole: false,
    };
    let told = json!({"path": [], "lines": [], "weakest": null, "isWhole": false, "threshold": 62});
    script.ask("path", &told_path(["p3", "p4"], &none, 62), told);
}

/// Adds queries for those seen with two people, as in the search for a chain.
fn ask_for_others(script: &mut Script, model: &InMemoryPhotos, threshold: u32) {
    let mut others = Vec::new();
    for (place, id) in ["p3", "p4"].into_iter().enumerate() {
        let lines = model.lines_of(id, threshold);
        others.extend(
            lines
                .into_iter()
                .map(|line| (place, line.other, line.score)),
        );
    }
    others.sort_by(|one, other| one.partial_cmp(other).unwrap());
    let mut search = PathSearch::new(["p3", "p4"], threshold);
    let mut asked = search.next_question().unwrap();
    let list = |ids: &str| Parameter::Text(ids.to_owned());
    let least = asked.parameters.pop().unwrap();
    asked.parameters = vec![list(r#"["p3","p4"]"#), list(r#"["p0","nobody"]"#), least];
    script.ask("others", &asked, json!(others));
}

/// Adds queries for people by name.
fn ask_for_people(script: &mut Script, model: &InMemoryPhotos) {
    let photos = |id: &str| {
        model
            .people()
            .find(|(known, _)| *known == id)
            .map(|(_, photos)| *photos)
    };
    for (asked, id) in [
        ("p7", Some("p7")),
        ("PERSON 39", Some("p39")),
        ("nobody", None),
    ] {
        let id = id.filter(|id| photos(id).is_some());
        let expected = id.map(|id| json!([id, photos(id)]));
        script.ask("person", &person(asked), json!(expected));
    }
    let mut most: Vec<_> = model
        .people()
        .map(|(id, photos)| (Reverse(*photos), id))
        .collect();
    most.sort();
    let most: Vec<&String> = most.into_iter().take(10).map(|(_, id)| id).collect();
    script.ask("people", &most_seen(), json!(most));
    script.ask("people", &find_people("Perso"), json!(most));
    // A later word of the name finds the person, too.
    let mut named: Vec<_> = model
        .people()
        .filter(|(id, _)| ["p39"].contains(&id.as_str()))
        .collect();
    named.sort_by_key(|(id, photos)| (Reverse(**photos), *id));
    let named: Vec<&String> = named.into_iter().map(|(id, _)| id).collect();
    script.ask("people", &find_people("39"), json!(named));
}

#[test]
fn the_statements_are_those_that_a_real_database_is_asked() {
    let mut script = Script::default();
    let mut model = InMemoryPhotos::default();
    let photos = photos();
    // What is stored twice counts once.
    for _ in 0..2 {
        for batch in photos.chunks(20) {
            let news = MemoryNews {
                photos: batch.to_vec(),
                ..MemoryNews::default()
            };
            script.change(&memory::keeping(&news));
            model.take(news);
        }
    }
    ask_for_runs(&mut script, &model);
    ask_for_atlas(&mut script, &model);
    ask_for_people(&mut script, &model);
    for news in later_news(&photos) {
        script.change(&memory::keeping(&news));
        model.take(news);
        ask_for_runs(&mut script, &model);
        ask_for_atlas(&mut script, &model);
        ask_for_people(&mut script, &model);
    }
    let others = model.people().filter(|(id, _)| *id != "p0");
    let (id, _) = others.max_by_key(|(_, photos)| **photos).unwrap();
    let id = id.clone();
    let of_one = model.photos_of(&id);
    assert!(of_one.len() > 1);
    script.ask(
        "digests",
        &photos_of(&id, 100),
        json!(of_one.iter().map(Sha256Digest::as_str).collect::<Vec<_>>()),
    );
    script.change(&forgetting(&of_one, Some(&id)));
    model.forget_for_good(&of_one, Some(&id));
    // Neither they nor other photos of this person come back.
    let again = MemoryNews {
        photos,
        ..MemoryNews::default()
    };
    script.change(&memory::keeping(&again));
    model.take(again);
    assert!(model.photos_of(&id).is_empty());
    ask_for_runs(&mut script, &model);
    ask_for_atlas(&mut script, &model);
    ask_for_people(&mut script, &model);
    kept::check(&script.text(), "tests/memory/statements.json");
}

/// Later runs' reports: younger answers, photos that failed on three days, one that succeeded in between, vetoes.
fn later_news(photos: &[PhotoToRemember]) -> Vec<MemoryNews> {
    let digest = |place: usize| photos[place].digest.clone();
    let failed = |day, places: &[usize]| MemoryNews {
        failed: places.iter().map(|place| digest(*place)).collect(),
        saved_recognitions: 2,
        saved_nano_usd: 2_000_000,
        day,
        ..MemoryNews::default()
    };
    let lesser = much_younger(photos, 5, 62);
    let sure = much_younger(photos, 5, 81);
    let mut younger = photos[3].clone();
    younger.answer.at_ms = 1_054;
    younger.answer.faces.truncate(1);
    younger.answer.faces.push(face(41, 90));
    vec![
        searched("a", 1_039),
        searched("b", 1_041),
        searched("b", 1_042),
        // A late, older answer changes nothing, and an expired one is deleted.
        searched("b", 1_040),
        searched("c", 1_143),
        MemoryNews {
            photos: vec![younger, photos[4].clone()],
            // Named twice, a photo is removed once.
            vetoed: vec![digest(0), digest(6), digest(9), digest(0)],
            ..MemoryNews::default()
        },
        failed(7, &[1, 2, 10, 11]),
        failed(7, &[1, 2, 10, 11]),
        MemoryNews {
            came: vec![digest(2)],
            ..failed(9, &[1, 10, 11])
        },
        failed(12, &[1, 2, 10, 11, 1]),
        lesser,
        sure,
    ]
}

/// A photo of another one's first two people, three months later, with this confidence for both.
fn much_younger(photos: &[PhotoToRemember], place: usize, confidence: u64) -> MemoryNews {
    let mut photo = photos[place].clone();
    photo.digest = Sha256Digest::of(&confidence.to_le_bytes());
    photo.hit.image_url = format!("https://photos.example/younger-{confidence}.jpg");
    photo.answer.at_ms += 90 * 24 * 60 * 60 * 1_000 + confidence;
    photo.answer.faces = vec![face(0, confidence), face(3, confidence)];
    MemoryNews {
        photos: vec![photo],
        ..MemoryNews::default()
    }
}

/// Returns a run's report of an image search that was answered at this time.
fn searched(question: &str, at_ms: u64) -> MemoryNews {
    MemoryNews {
        search: Some(SearchToRemember {
            question: Sha256Digest::of(question.as_bytes()),
            answer: RememberedSearch {
                at_ms,
                body: format!("{{\"{question}\": \"{at_ms}\"}}"),
            },
            until_ms: at_ms + 100,
        }),
        ..MemoryNews::default()
    }
}

#[test]
fn what_was_kept_is_read_back() {
    let faces = r#"[["c1","Ann",99.5,[0.1,0.2,0.3,0.4],["www.wikidata.org/wiki/Q1"]]]"#;
    let plain = format!(
        r#"{{"recogniser":"own","model":null,"candidates":null,"at":5,"body":null,"faces":{faces}}}"#
    );
    let answer = read_answer(&plain).unwrap();
    assert_eq!((answer.at_ms, answer.faces.len()), (5, 1));
    assert_eq!(answer.faces[0].urls, ["www.wikidata.org/wiki/Q1"]);
    assert_eq!((answer.by.model, answer.candidates), (None, None));
    let search = read_search(r#"[5,"{\"a\": 1}"]"#).unwrap();
    assert_eq!((search.at_ms, search.body.as_str()), (5, r#"{"a": 1}"#));
    let digest = "ab".repeat(32);
    let photo = format!(
        r#"["{digest}",{{"imageUrl":"https://a.example/1.jpg","title":"T"}},[["c1","Ann",99.5,"ann",null]]]"#
    );
    // A photo of two requested people is there twice.
    let photos = read_recalled(&format!("[{photo},{photo}]"));
    assert_eq!(addresses(&photos), ["https://a.example/1.jpg"]);
    assert_eq!(photos[0].people[0].name, "Ann");
    for broken in ["", "{}", r#"[["d1"]]"#] {
        assert!(read_recalled(broken).is_empty(), "{broken}");
        assert_eq!(read_answer(broken), None, "{broken}");
        assert_eq!(read_search(broken), None, "{broken}");
    }
}
