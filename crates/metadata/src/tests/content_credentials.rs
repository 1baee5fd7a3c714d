//! Manifests of the C2PA in all their forms.

use domain::{Making, Statement};

use super::builders::{
    CAPTURED, GENERATED, action_store, assertion, content_box, jpeg, jumbf_jpeg, jumbf_segments,
    list, manifest, map, png, store, superbox, text,
};
use super::{is_captured, is_generated, says_nothing};

const NONE: &[u8] = b"\xA0";

/// Makes a PNG whose only manifest has this assertion and this claim, with a signature.
fn png_with(label: &str, cbor: &[u8], claim: &[u8]) -> Vec<u8> {
    let boxes = store(&[manifest(&[assertion(label, cbor)], claim, true)]);
    png(&[(b"caBX", boxes)])
}

fn named(name: &str) -> Vec<u8> {
    map(&[("version", text("1.0")), ("name", text(name))])
}

#[test]
fn the_source_type_is_read_in_every_form_of_actions() {
    let action = map(&[
        ("action", text("c2pa.created")),
        ("when", text("2026-11-01T10:00:00Z")),
        ("digitalSourceType", text(GENERATED)),
        (
            "parameters",
            map(&[("description", list(&[text("a"), NONE.to_vec()]))]),
        ),
    ]);
    let other = map(&[("action", text("c2pa.opened"))]);
    let actions = map(&[
        ("metadata", map(&[("dateTime", text("2026"))])),
        ("actions", list(&[other, action.clone()])),
    ]);
    for label in [
        "c2pa.actions",
        "c2pa.actions__1",
        "c2pa.actions.v2",
        "c2pa.actions.v2__7",
    ] {
        let file = png_with(label, &actions, NONE);
        is_generated(&file, Statement::ContentCredentials, None);
    }
    let templates = map(&[("templates", list(&[action]))]);
    let file = png_with("c2pa.actions.v2", &templates, NONE);
    is_generated(&file, Statement::ContentCredentials, None);
    says_nothing(&png_with("org.example.actions", &actions, NONE));
}

#[test]
fn the_program_is_named_by_the_action_or_else_by_the_claim() {
    #[track_caller]
    fn check(entries: &[(&str, Vec<u8>)], claim: &[(&str, Vec<u8>)], by: &str) {
        let mut action = entries.to_vec();
        action.push(("digitalSourceType", text(GENERATED)));
        let agents = list(&[named("First"), text("Second")]);
        let actions = map(&[
            ("actions", list(&[map(&action)])),
            ("softwareAgents", agents),
        ]);
        let file = png_with("c2pa.actions.v2", &actions, &map(claim));
        is_generated(&file, Statement::ContentCredentials, Some(by));
    }
    let information = ("claim_generator_info", named("An App"));
    let listed = (
        "claim_generator_info",
        list(&[named("An App"), named("Other")]),
    );
    let old = ("claim_generator", text("an_app/1.0 c2pa-rs/0.5"));
    check(
        &[("softwareAgent", text("GPT-4o"))],
        std::slice::from_ref(&information),
        "GPT-4o",
    );
    check(&[("softwareAgent", named("GPT-4o"))], &[], "GPT-4o");
    check(&[("softwareAgentIndex", vec![1])], &[], "Second");
    check(
        &[("softwareAgentIndex", vec![9])],
        std::slice::from_ref(&information),
        "An App",
    );
    check(
        &[("softwareAgent", vec![0xF6])],
        std::slice::from_ref(&information),
        "An App",
    );
    check(&[], &[old.clone(), information], "An App");
    check(&[], &[listed, old.clone()], "An App");
    check(&[], &[old], "an_app/1.0 c2pa-rs/0.5");
}

#[test]
fn a_generators_name_is_enough_without_a_source_type() {
    let opened = map(&[("actions", list(&[map(&[("action", text("c2pa.opened"))])]))]);
    let claim = map(&[("claim_generator", text("Dreamina/1.2"))]);
    let file = png_with("c2pa.actions", &opened, &claim);
    is_generated(&file, Statement::ContentCredentials, Some("Dreamina"));
    let action = action_store(&[("softwareAgent", text("Adobe_Firefly/1.0 adobe_c2pa/0.7.6"))]);
    is_generated(
        &png(&[(b"caBX", action)]),
        Statement::ContentCredentials,
        Some("Adobe Firefly"),
    );
    let editor = action_store(&[("softwareAgent", text("Adobe Photoshop 25.0"))]);
    says_nothing(&png(&[(b"caBX", editor)]));
}

#[test]
fn what_any_manifest_says_counts() {
    let with = |uri: &str| {
        let actions = map(&[("actions", list(&[map(&[("digitalSourceType", text(uri))])]))]);
        manifest(&[assertion("c2pa.actions.v2", &actions)], NONE, true)
    };
    let of = |uris: &[&str]| {
        let manifests: Vec<_> = uris.iter().map(|uri| with(uri)).collect();
        png(&[(b"caBX", store(&manifests))])
    };
    let file = of(&[GENERATED, CAPTURED]);
    is_generated(&file, Statement::ContentCredentials, None);
    let file = of(&[CAPTURED, GENERATED]);
    is_generated(&file, Statement::ContentCredentials, None);
    let composed = Making::Composed {
        by: None,
        statement: Statement::ContentCredentials,
    };
    let file = of(&[CAPTURED, "composite", CAPTURED]);
    assert_eq!(crate::read(&file).making, Some(composed));
    is_captured(&of(&[CAPTURED, CAPTURED]), None, true);
}

#[test]
fn only_the_manifest_with_the_capture_counts_as_its_signature() {
    let actions = map(&[(
        "actions",
        list(&[map(&[("digitalSourceType", text(CAPTURED))])]),
    )]);
    let capture = |is_signed| manifest(&[assertion("c2pa.actions", &actions)], NONE, is_signed);
    let other = manifest(&[], NONE, true);
    let file = |manifests: &[Vec<u8>]| png(&[(b"caBX", store(manifests))]);
    is_captured(&file(&[capture(true), other.clone()]), None, true);
    is_captured(&file(&[capture(false), other.clone()]), None, false);
    is_captured(&file(&[other, capture(false)]), None, false);
}

#[test]
fn the_metadata_of_the_iptc_in_a_manifest_are_read() {
    for label in [
        "stds.iptc",
        "stds.iptc.photo-metadata",
        "c2pa.metadata",
        "cawg.metadata",
    ] {
        for value in [format!("\"{GENERATED}\""), format!("[\"{GENERATED}\"]")] {
            let json =
                format!(r#"{{"@context":{{"dc":["x"]}},"Iptc4xmpExt:DigitalSourceType":{value}}}"#);
            let content = content_box(b"json", json.as_bytes());
            let boxes = store(&[manifest(
                &[superbox(b"json", label, &[content])],
                NONE,
                true,
            )]);
            let file = png(&[(b"caBX", boxes)]);
            is_generated(&file, Statement::ContentCredentials, None);
        }
    }
}

#[test]
fn boxes_are_joined_from_packets_by_their_numbers() {
    let thumbnail = superbox(
        b"\x40\xCB\x0C\x32",
        "c2pa.thumbnail",
        &[
            content_box(b"bfdb", b"image/jpeg"),
            content_box(b"bidb", &vec![0xFF; 150_000]),
        ],
    );
    let actions = map(&[(
        "actions",
        list(&[map(&[("digitalSourceType", text(GENERATED))])]),
    )]);
    let assertions = [thumbnail, assertion("c2pa.actions", &actions)];
    let boxes = store(&[manifest(&assertions, NONE, true)]);
    for packet_bytes in [500, 60_000] {
        let file = jumbf_jpeg(&boxes, packet_bytes);
        is_generated(&file, Statement::ContentCredentials, None);
    }
    // In another order, and with a box of another number between them.
    let mut segments = jumbf_segments(&boxes, 60_000);
    segments.reverse();
    let mut other = jumbf_segments(&store(&[]), 60_000);
    other[0].1[3] = 0x12;
    segments.insert(1, other.remove(0));
    is_generated(&jpeg(&segments), Statement::ContentCredentials, None);
    // Without its last packet, there are no actions.
    let segments = jumbf_segments(&boxes, 60_000);
    says_nothing(&jpeg(&segments[..segments.len() - 1]));
}

#[test]
fn every_single_byte_may_be_a_packet() {
    let boxes = action_store(&[("digitalSourceType", text(GENERATED))]);
    assert!(boxes.len() < 1_000);
    is_generated(
        &jumbf_jpeg(&boxes, 1),
        Statement::ContentCredentials,
        Some("A Program"),
    );
}

#[test]
fn lengths_of_boxes_have_three_forms() {
    let actions = map(&[(
        "actions",
        list(&[map(&[("digitalSourceType", text(GENERATED))])]),
    )]);
    let short = assertion("c2pa.actions", &actions);
    // The last box may extend to the end, with the length 0.
    let mut to_the_end = short.clone();
    let at = to_the_end.len() - actions.len() - 8;
    to_the_end[at..at + 4].fill(0);
    is_generated(
        &png(&[(b"caBX", to_the_end)]),
        Statement::ContentCredentials,
        None,
    );
    // A length of 1 is followed by one of eight bytes.
    let mut long = short[..short.len() - actions.len() - 8].to_vec();
    long.extend(b"\0\0\0\x01cbor");
    long.extend(u64::try_from(actions.len() + 16).unwrap().to_be_bytes());
    long.extend(&actions);
    is_generated(
        &png(&[(b"caBX", long)]),
        Statement::ContentCredentials,
        None,
    );
}

#[test]
fn maps_and_lists_without_a_length_are_read() {
    let action = [
        b"\xBF",
        &text("digitalSourceType")[..],
        &text(GENERATED),
        b"\xFF",
    ]
    .concat();
    let actions = [
        b"\xBF",
        &text("actions")[..],
        b"\x9F\xA0",
        &action,
        b"\xFF\xFF",
    ]
    .concat();
    let file = png_with("c2pa.actions.v2", &actions, NONE);
    is_generated(&file, Statement::ContentCredentials, None);
}
