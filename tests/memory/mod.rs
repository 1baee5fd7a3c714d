//! The memory's statements, and what its model answers to the same questions: `tests/page/memory.test.mjs` asks a real
//! database.

use serde_json::{Value, json};
use visual_degrees::domain::{
    Confidence, Face, FaceBox, Hit, PeopleToRecall, PersonToRecall, PhotoToRemember,
    RememberedAnswer, Sha256Digest,
};
use visual_degrees::effects::WantedAnswers;
use visual_degrees::memory::{
    InMemoryPhotos, Parameter, Statement, answer_of, keeping, read_answer, read_recalled, recall,
};

use crate::kept;

const PEOPLE: u64 = 70;
const PHOTOS: u64 = 60;

/// The next number of a simple sequence, below a bound.
fn next(state: &mut u64, bound: u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    (*state >> 33) % bound
}

fn face(person: u64, confidence: u64) -> Face {
    Face {
        id: format!("p{person}"),
        // Some people have the name of another.
        name: format!("Person {}", person % 40),
        confidence: Confidence::clamped(confidence as f64),
        face_box: FaceBox::default(),
        urls: person
            .is_multiple_of(5)
            .then(|| format!("www.wikidata.org/wiki/Q{person}"))
            .into_iter()
            .collect(),
    }
}

/// Photos of whom most show the first person, so that they have more others than are recalled.
fn photos() -> Vec<PhotoToRemember> {
    let mut state = 7;
    let photo = |number: u64| {
        let mut faces = vec![face(0, 60 + next(&mut state, 40))];
        for _ in 0..next(&mut state, 4) {
            faces.push(face(next(&mut state, PEOPLE), 40 + next(&mut state, 60)));
        }
        PhotoToRemember {
            digest: Sha256Digest::of(&number.to_le_bytes()),
            hit: Hit {
                image_url: format!("https://photos.example/{number}.jpg"),
                ..Hit::default()
            },
            answer: RememberedAnswer {
                faces,
                recogniser: if number % 9 == 8 { "other" } else { "own" }.to_owned(),
                at_ms: 1_000 + number,
                body: None,
            },
            is_vetoed: number % 7 == 6,
        }
    };
    (0..PHOTOS).map(photo).collect()
}

fn statement(statement: &Statement) -> Value {
    let parameters = statement.parameters.iter().map(|one| match one {
        Parameter::Text(text) => json!(text),
        Parameter::Millis(millis) => json!(millis),
    });
    json!({"sql": statement.sql, "parameters": parameters.collect::<Vec<_>>()})
}

/// The addresses of recalled photos, in order.
fn addresses(photos: &[visual_degrees::domain::RecalledPhoto]) -> Vec<&str> {
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

#[test]
fn the_statements_are_those_that_a_real_database_is_asked() {
    let wanted = WantedAnswers {
        recogniser: "own".to_owned(),
        since_ms: 1_005,
        before_ms: 1_055,
    };
    let mut model = InMemoryPhotos::default();
    let mut keep = Vec::new();
    let photos = photos();
    for batch in photos.chunks(20) {
        let statements = keeping(batch);
        keep.push(statements.iter().map(statement).collect::<Vec<_>>());
        model.remember(batch.to_vec());
    }
    let recalls = questions().into_iter().map(|asked| {
        let found = model.recall(&asked, &wanted);
        json!({"asked": statement(&recall(&asked, &wanted)), "found": addresses(&found)})
    });
    let answers = photos.iter().step_by(7).map(|photo| {
        let found = model.answer(&photo.digest, &wanted);
        let asked = answer_of(&photo.digest, &wanted);
        json!({"asked": statement(&asked), "faces": found.map(|answer| answer.faces.len())})
    });
    let all = json!({
        "keep": keep,
        "recalls": recalls.collect::<Vec<_>>(),
        "answers": answers.collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&all).unwrap();
    kept::check(&format!("{text}\n"), "tests/memory/statements.json");
}

#[test]
fn what_was_kept_is_read_back() {
    let json = r#"[5,null,[["c1","Ann",99.5,[0.1,0.2,0.3,0.4],["www.wikidata.org/wiki/Q1"]]]]"#;
    let answer = read_answer(json, "own").unwrap();
    assert_eq!((answer.at_ms, answer.faces.len()), (5, 1));
    assert_eq!(answer.faces[0].urls, ["www.wikidata.org/wiki/Q1"]);
    let digest = "ab".repeat(32);
    let photo = format!(
        r#"["{digest}",{{"imageUrl":"https://a.example/1.jpg","title":"T"}},[["c1","Ann",99.5,"ann",null]]]"#
    );
    // A photo of two who were asked for is there twice.
    let photos = read_recalled(&format!("[{photo},{photo}]"));
    assert_eq!(addresses(&photos), ["https://a.example/1.jpg"]);
    assert_eq!(photos[0].people[0].name, "Ann");
    for broken in ["", "{}", r#"[["d1"]]"#] {
        assert!(read_recalled(broken).is_empty(), "{broken}");
        assert_eq!(read_answer(broken, "own"), None, "{broken}");
    }
}
