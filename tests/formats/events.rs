//! Every event as it is sent.

use domain::{
    Credit, DateSource, EvidenceRef, FaceBox, Limits, Portrait, Provider, RecognisedBy,
    RememberedFrom, Sha256Digest, Side, Taken,
};
use investigation::events::wire_event;
use investigation::machine::{
    CaptureReport, Captured, CertificateReport, EdgeReport, ErrorCode, ErrorReport, EvidenceReport,
    FaceReport, FailedProvider, FinalReport, GraphEdgeReport, GraphReport, NoPathReport,
    NodeReport, Notice, NoticeKind, OtherPathReport, PairReport, PersonRef, PhotoCounts, PhotoPage,
    PhotoReport, ProvenPhotoReport, ProvenReport, Reason, Spent, StateName, Status, YearsReport,
};
use kernel::Millis;
use platform::events::{WireEvent, frame};
use visual_degrees::engines::EngineName;

/// 2026-11-21T10:00:00Z.
const AT: Millis = Millis(1_795_255_200_000);

fn person(id: &str, name: &str) -> PersonRef {
    PersonRef {
        id: id.into(),
        name: name.into(),
    }
}

fn spent() -> Spent {
    Spent {
        search_calls: 2,
        recognition_calls: 9,
        planner_calls: 0,
        throttled_calls: 0,
        runtime_ms: 4_210,
        nano_usd: 19_000_000,
        photos: PhotoCounts {
            remembered: 4,
            looked: 9,
            unfetchable: 1,
            unreadable: 0,
            repeated: 3,
            copies: 2,
            left: 7,
            vetoed: 0,
            rejected: 3,
            found: 20,
        },
    }
}

const SPENT: &str = r#"{"searchCalls":2,"rekognitionCalls":9,"llmCalls":0,"runtimeMs":4210,"usd":0.019,"photos":{"looked":9,"unfetchable":1,"unreadable":0,"repeated":3,"copies":2,"remembered":4,"left":7,"vetoed":0,"rejected":3,"found":20}}"#;

fn edge() -> EdgeReport {
    EdgeReport {
        from: person("c17", "Jean Valjean"),
        to: person("c4", "Cosette"),
        confidence: 97.2,
        capture: None,
        evidence: vec![EvidenceReport {
            reference: EvidenceRef(3),
            image_url: "https://a.example/1.jpg".into(),
            is_thumbnail: false,
            thumbnail_url: Some("https://a.example/t.jpg".into()),
            context_url: None,
            title: "Both".into(),
            credit: Credit::default(),
            query: "Jean Valjean event".into(),
            digest: Sha256Digest::new([0xAB; 32]),
            remembered: Some(RememberedFrom {
                recogniser: "references".into(),
                at_ms: 1_795_255_200_000,
            }),
            recognised_by: Some(RecognisedBy {
                recogniser: "references".into(),
                model: Some("m 1".into()),
            }),
            doubt: None,
            taken: Taken::read("2009-05-17", DateSource::Camera),
            making: Some("a camera took it, as its file says".into()),
            image_score: 97.2,
            faces: vec![FaceReport {
                person: person("c17", "Jean Valjean"),
                confidence: 99.1,
                face_box: FaceBox {
                    left: 0.1,
                    top: 0.2,
                    width: 0.1,
                    height: 0.2,
                },
                urls: vec!["https://www.wikidata.org/wiki/Q1".into()],
                portrait: Some(Box::new(Portrait {
                    image_url: "https://a.example/p.jpg".into(),
                    context_url: Some("https://a.example/p".into()),
                    digest: Sha256Digest::new([0xCD; 32]),
                    face_box: None,
                    credit: Credit {
                        author: Some("Ann".into()),
                        license: Some("CC BY 4.0".into()),
                        license_url: Some("https://a.example/by".into()),
                    },
                })),
            }],
        }],
    }
}

fn edge_json() -> String {
    let sha = "ab".repeat(32);
    let portrait = format!(
        r#"{{"imageUrl":"https://a.example/p.jpg","contextUrl":"https://a.example/p","sha256":"{}","author":"Ann","license":"CC BY 4.0","licenseUrl":"https://a.example/by"}}"#,
        "cd".repeat(32)
    );
    format!(
        r#"{{"from":"c17","to":"c4","fromName":"Jean Valjean","toName":"Cosette","edgeConfidence":97.2,"evidence":[{{"ref":"ev3","imageUrl":"https://a.example/1.jpg","thumbnailUrl":"https://a.example/t.jpg","title":"Both","query":"Jean Valjean event","sha256":"{sha}","remembered":{{"recogniser":"references","at":"2026-11-21T10:00:00.000Z"}},"recognisedBy":{{"recogniser":"references","model":"m 1"}},"taken":{{"date":"2009-05-17","source":"camera"}},"making":"a camera took it, as its file says","imageScore":97.2,"faces":[{{"id":"c17","name":"Jean Valjean","confidence":99.1,"box":{{"left":0.1,"top":0.2,"width":0.1,"height":0.2}},"urls":["https://www.wikidata.org/wiki/Q1"],"portrait":{portrait}}}]}}]}}"#
    )
}

fn graph() -> GraphReport {
    GraphReport {
        nodes: vec![NodeReport {
            person: person("c17", "Jean Valjean"),
            urls: Vec::new(),
            side: Some(Side::A),
        }],
        edges: vec![GraphEdgeReport {
            from: "c17".into(),
            to: "c4".into(),
            confidence: 97.2,
            evidence: vec![EvidenceRef(3), EvidenceRef(12)],
        }],
        evidence: vec![PhotoReport {
            reference: EvidenceRef(3),
            image_url: "https://a.example/1.jpg".into(),
            thumbnail_url: None,
            context_url: Some("https://a.example/page".into()),
            credit: Credit {
                author: Some("Ann".into()),
                license: Some("CC BY 4.0".into()),
                license_url: None,
            },
        }],
    }
}

const CERTIFICATE: &str = r#""certificate":{"proven":[{"from":"c17","to":"c4","photos":2,"recognisedBy":{"recogniser":"rekognition"},"pixels":"passed","taken":{"date":"2009","source":"provider"},"message":"2 photos of Jean Valjean with Cosette"}],"excluded":[{"between":["c17","c9"],"photos":3,"message":"no photo of both"}],"open":[{"between":["c17","c9"],"photos":3,"message":"nobody searched"}],"years":{"since":1998,"until":2019,"message":"The photos were taken between 1998 and 2019, as far as is said."}},"otherPaths":[{"path":[{"id":"c17","name":"Jean Valjean"},{"id":"c4","name":"Cosette"}],"bottleneck":88.0,"cumulative":0.8}]"#;
const GRAPH: &str = r#"{"nodes":[{"id":"c17","name":"Jean Valjean","urls":[],"side":"a"}],"edges":[{"from":"c17","to":"c4","edgeConfidence":97.2,"evidenceRefs":["ev3","ev12"]}],"evidence":{"ev3":{"imageUrl":"https://a.example/1.jpg","contextUrl":"https://a.example/page","author":"Ann","license":"CC BY 4.0"}}}"#;

#[track_caller]
fn check(told: NoticeKind, kind: &str, is_last: bool, members: &str) {
    let event = wire_event("s1.k3", 7, &Notice { at: AT, kind: told }).unwrap();
    let expected = format!(
        r#"{{"type":"{kind}","runId":"s1.k3","timestamp":"2026-11-21T10:00:00.000Z",{members}}}"#
    );
    assert_eq!(event.json, expected);
    let kept = WireEvent::stored(
        EngineName::Investigation.event_kinds(),
        "s1.k3",
        7,
        kind,
        event.json.clone(),
    );
    assert_eq!(
        kept.as_ref(),
        Some(&event),
        "it is read back as it was kept"
    );
    assert_eq!(
        (event.kind, event.is_last, event.number),
        (kind, is_last, 7)
    );
}

#[test]
fn status_event_format_unchanged() {
    let status = Status {
        state: StateName::S2,
        message: "Looking through photos of Jean Valjean...".into(),
        hop: 1,
        frontier: Some(person("c17", "Jean Valjean")),
        side: Some(Side::A),
        spent: spent(),
        limits: Limits::default(),
        guess: Some("Cosette".into()),
        hinted: None,
    };
    let budget = r#"{"searchCalls":20,"rekognitionCalls":100,"llmCalls":12,"runtimeMs":120000}"#;
    check(
        NoticeKind::Status(status.clone()),
        "status",
        false,
        &format!(
            r#""state":"S2","message":"Looking through photos of Jean Valjean...","hop":1,"frontier":{{"id":"c17","name":"Jean Valjean"}},"side":"a","guess":"Cosette","spent":{SPENT},"budget":{budget}"#
        ),
    );
    let hinted = Status {
        hinted: Some(vec![[
            person("c17", "Jean Valjean"),
            person("name:cosette", "Cosette"),
        ]]),
        ..status.clone()
    };
    check(
        NoticeKind::Status(hinted),
        "status",
        false,
        &format!(
            r#""state":"S2","message":"Looking through photos of Jean Valjean...","hop":1,"frontier":{{"id":"c17","name":"Jean Valjean"}},"side":"a","guess":"Cosette","hinted":[[{{"id":"c17","name":"Jean Valjean"}},{{"id":"name:cosette","name":"Cosette"}}]],"spent":{SPENT},"budget":{budget}"#
        ),
    );
    let bare = Status {
        frontier: None,
        side: None,
        guess: None,
        message: "x\n\"é\"".into(),
        ..status
    };
    check(
        NoticeKind::Status(bare),
        "status",
        false,
        &format!(r#""state":"S2","message":"x\n\"é\"","hop":1,"spent":{SPENT},"budget":{budget}"#),
    );
}

#[test]
fn evidence_event_format_unchanged() {
    check(
        NoticeKind::Evidence(edge()),
        "evidence",
        false,
        &format!(r#""edge":{}"#, edge_json()),
    );
}

#[test]
fn path_update_event_format_unchanged() {
    check(
        NoticeKind::PathUpdate(vec![person("c17", "Jean Valjean"), person("c4", "Cosette")]),
        "path_update",
        false,
        r#""path":[{"id":"c17","name":"Jean Valjean"},{"id":"c4","name":"Cosette"}],"hop":1"#,
    );
}

fn captured() -> Captured {
    Captured {
        digest: Sha256Digest::new([0xCD; 32]),
        media_type: "image/jpeg".into(),
        size: Some((1_280, 800)),
        at: AT,
    }
}

#[test]
fn page_capture_event_format_unchanged() {
    let report = |url: Option<&str>, result| {
        NoticeKind::PageCapture(CaptureReport {
            page: PhotoPage {
                photos: vec![EvidenceRef(3), EvidenceRef(5)],
                url: url.map(str::to_owned),
            },
            result,
        })
    };
    let sha = "cd".repeat(32);
    check(
        report(Some("https://a.example/page"), Ok(captured())),
        "page_capture",
        false,
        &format!(
            r#""evidenceRefs":["ev3","ev5"],"url":"https://a.example/page","sha256":"{sha}","at":"2026-11-21T10:00:00.000Z","mediaType":"image/jpeg","width":1280,"height":800"#
        ),
    );
    check(
        report(None, Err("Why.".to_owned())),
        "page_capture",
        false,
        r#""evidenceRefs":["ev3","ev5"],"message":"Why.""#,
    );
}

#[test]
fn the_picture_of_a_page_stands_at_its_edge() {
    let with_page = EdgeReport {
        capture: Some(captured()),
        ..edge()
    };
    let sha = "cd".repeat(32);
    let capture = format!(
        r#""edgeConfidence":97.2,"capture":{{"ref":"ev3","sha256":"{sha}","at":"2026-11-21T10:00:00.000Z"}}"#
    );
    check(
        NoticeKind::Evidence(with_page),
        "evidence",
        false,
        &format!(
            r#""edge":{}"#,
            edge_json().replace(r#""edgeConfidence":97.2"#, &capture)
        ),
    );
}

fn certificate() -> CertificateReport {
    let pair = |message: &str| PairReport {
        between: ["c17".into(), "c9".into()],
        photos: 3,
        message: message.into(),
    };
    CertificateReport {
        proven: vec![ProvenReport {
            from: "c17".into(),
            to: "c4".into(),
            photos: 2,
            is_confirmed: None,
            best: Some(ProvenPhotoReport {
                recognised_by: Some(RecognisedBy {
                    recogniser: "rekognition".into(),
                    model: None,
                }),
                pixels: "passed",
                taken: Taken::read("2009", DateSource::Provider),
                making: None,
            }),
            message: "2 photos of Jean Valjean with Cosette".into(),
        }],
        excluded: vec![pair("no photo of both")],
        open: vec![pair("nobody searched")],
        years: Some(YearsReport {
            since: 1998,
            until: 2019,
            message: "The photos were taken between 1998 and 2019, as far as is said.".into(),
        }),
    }
}

#[test]
fn final_event_format_unchanged() {
    let report = FinalReport {
        path: vec![person("c17", "Jean Valjean"), person("c4", "Cosette")],
        edges: vec![edge()],
        bottleneck: 97.2,
        cumulative: 0.972,
        certificate: certificate(),
        other_paths: vec![OtherPathReport {
            path: vec![person("c17", "Jean Valjean"), person("c4", "Cosette")],
            bottleneck: 88.0,
            cumulative: 0.8,
        }],
        graph: graph(),
        spent: spent(),
    };
    check(
        NoticeKind::Final(Box::new(report)),
        "final",
        true,
        &format!(
            r#""path":[{{"id":"c17","name":"Jean Valjean"}},{{"id":"c4","name":"Cosette"}}],"edges":[{}],"confidenceMap":{{"edges":{{"c17|c4":97.2}},"bottleneck":97.2,"cumulative":0.972}},{CERTIFICATE},"graph":{GRAPH},"spent":{SPENT},"disclaimer":"This shows that these people were seen together in public photos, not that they know each other.""#,
            edge_json()
        ),
    );
}

#[test]
fn no_path_event_format_unchanged() {
    let report = NoPathReport {
        message: "No verified visual connection found within 6 degrees at ≥80% confidence.".into(),
        reason: Reason::UnknownPerson,
        explanation: "Why.".into(),
        hops_reached: 3,
        unknown: vec![Side::A],
        suggestions: vec!["Jean Valjean".into()],
        graph: GraphReport::default(),
        spent: spent(),
    };
    let empty = r#"{"nodes":[],"edges":[],"evidence":{}}"#;
    check(
        NoticeKind::NoPath(Box::new(report)),
        "no_path",
        true,
        &format!(
            r#""message":"No verified visual connection found within 6 degrees at ≥80% confidence.","reason":"unknown_person","explanation":"Why.","hopsReached":3,"unknown":["a"],"suggestions":["Jean Valjean"],"graph":{empty},"spent":{SPENT}"#
        ),
    );
}

#[test]
fn error_event_format_unchanged() {
    let report = ErrorReport {
        code: ErrorCode::ProviderThrottled,
        provider: Some(FailedProvider {
            role: Provider::Recogniser,
            id: None,
        }),
        message: "Slow down.".into(),
        spent: spent(),
    };
    check(
        NoticeKind::Error(report),
        "error",
        true,
        &format!(
            r#""code":"provider_throttled","provider":"rekognition","message":"Slow down.","retryable":true,"spent":{SPENT}"#
        ),
    );
}

#[test]
fn names_of_states_reasons_and_codes_are_unchanged() {
    assert_eq!(
        Reason::ALL.map(Reason::as_str).join(" "),
        "hop_limit search_budget recognition_budget runtime_budget usd_budget no_candidates unknown_person no_readable_photos stopped"
    );
    let codes = ErrorCode::ALL.map(|code| (code.as_str(), code.is_retryable()));
    assert_eq!(
        codes,
        [
            ("provider_throttled", true),
            ("provider_quota", true),
            ("provider_closed", false),
            ("provider_refused", false),
            ("provider_down", true),
            ("misconfigured", false),
            ("internal", true),
        ]
    );
}

#[test]
fn frame_format_unchanged() {
    let told = NoticeKind::PathUpdate(Vec::new());
    let event = wire_event("s1.k3", 1, &Notice { at: AT, kind: told }).unwrap();
    assert_eq!(
        frame(&event),
        "id: s1.k3.1\nevent: path_update\ndata: {\"type\":\"path_update\",\"runId\":\"s1.k3\",\
         \"timestamp\":\"2026-11-21T10:00:00.000Z\",\"path\":[],\"hop\":0}\n\n"
    );
}
