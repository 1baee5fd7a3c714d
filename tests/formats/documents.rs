//! Every stored document of a small run.

use std::collections::BTreeMap;

use devtools::rehearsal::conduct_in_memory;
use domain::{Limits, Name};
use investigation::machine::Request;
use sandbox::{SandboxOptions, World};

const WORLD: &str = r#"{"name":"n","source":"s","license":"l","photos":[["Ann","Xia"],["Xia","Yan"],["Yan","Zoe"],["Zoe","Bob"]]}"#;

/// Every document of a small run, the newest of each key.
#[test]
fn document_formats_unchanged() {
    let mut options = SandboxOptions {
        bad_images: false,
        ..SandboxOptions::default()
    };
    options.rules.miss = 0.0;
    let request = Request {
        person_a: Name::parse("Ann").unwrap().into(),
        person_b: Name::parse("Bob").unwrap().into(),
        avoid: Vec::new(),
        limits: Limits::default(),
        sources: Vec::new(),
    };
    let world = World::parse(WORLD).unwrap();
    let settings = [("PLANNER", "none")];
    let run = conduct_in_memory(world, options, &settings, &request, Vec::new()).unwrap();
    let mut lines: Vec<String> = Vec::new();
    let newest: BTreeMap<String, String> = run
        .puts
        .into_iter()
        .map(|put| (put.key, put.document))
        .collect();
    for (key, document) in newest {
        let suffix = key.splitn(4, ':').nth(3).unwrap().to_owned();
        lines.push(format!("{suffix} {document}"));
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats/documents.txt");
    // The pictures' own bytes are not our format.
    let found = without_digests(&(lines.join("\n") + "\n"));
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats")).unwrap();
        std::fs::write(file, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(file).unwrap_or_default());
}

fn without_digests(text: &str) -> String {
    let mut parts = text.split(r#""sha256":""#);
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        clean.push_str(r#""sha256":"..."#);
        clean.push_str(part.get(64..).unwrap_or_default());
    }
    clean
}
