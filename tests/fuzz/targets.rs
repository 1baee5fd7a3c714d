//! Every parser of external bytes except for the providers' answers.

use domain::FaceBox;
use domain::{EventId, RunToken};
use engine::journal::{Entry, rebuild};
use investigation::effects::{check_photo, jpeg_of_webp};
use investigation::requests::{BODY_BYTES_MAX, CreateRequest, RunRequest};
use investigation::wire::InvestigationEngine;
use pixels::SmallPicture;
use platform::isolate::IMAGE_BYTES_MAX;
use settings::{AddressPolicy, Binding, Bindings, Caps, OwnHost, Settings};
use url::Url;
use visual_degrees::engines::EngineName;
use visual_degrees::people::people_text;
use visual_degrees::routes::{PageWords, Route, with_head};
use visual_degrees::sealed::{ReplayLimits, replay};

use super::corpus::{entries, sealed, texts};
use super::pictures::{jpegs, pngs, webps, with_metadata};
use super::runner::Target;

const OWN_HOST: &str = "degrees.example.org";
/// The platform's limit for an address, and for all headers together.
const ADDRESS_BYTES_MAX: usize = 16_384;
/// Photo addresses have at most 2,048 bytes; percent-encoded, each may take three.
const PHOTO_ADDRESS_BYTES_MAX: usize = 3 * 2_048;
/// The platform's limit for a row of an object's store.
const ROW_BYTES_MAX: usize = 2_000_000;
/// The most memory of decoders: the coefficients of a progressive JPEG, the tables of a PNG.
const JPEG_BYTES_MAX: usize = 24_000_000;
const PNG_BYTES_MAX: usize = 16_000_000;
/// Half of what reading the metadata of a photo of any size may take.
const METADATA_BYTES_MAX: usize = 500_000;
/// The platform allows 128 settings of 5 kB.
const SETTINGS_BYTES_MAX: usize = 128 * SETTING_BYTES_MAX;
const SETTING_BYTES_MAX: usize = 5_120;

const JOURNAL_WORDS: [&str; 12] = [
    "\"answer\":",
    "\"input\":",
    "\"intent\":",
    "\"given\":",
    "\"start\"",
    "\"lost\":",
    "\"failed\":",
    "\"ok\":",
    "\"recognised\":",
    "\"fetched\":",
    "\"now\":",
    "\"interrupted\":{\"now\":7}",
];
const OPTION_WORDS: [&str; 20] = [
    "personA",
    "personB",
    "sessionId",
    "options",
    "fork",
    "run",
    "plan",
    "pace",
    "hops",
    "threshold",
    "images",
    "budgetUsd",
    "avoid",
    "wikidataA",
    "both-ends",
    "quick",
    "&a=",
    "&b=",
    "%00",
    "+",
];
const ADDRESS_WORDS: [&str; 20] = [
    "https://",
    "http:",
    "\\",
    "/",
    "@",
    ":",
    "[::1]",
    "%2e",
    "..",
    "127.0.0.1",
    "xn--",
    "\u{3002}",
    "\u{ff0e}",
    "0x",
    "localhost",
    "#",
    "?",
    "\t",
    "\n",
    ".workers.dev",
];
const PICTURE_WORDS: [&str; 6] = ["IHDR", "IDAT", "IEND", "PLTE", "Exif\0\0", "JFIF"];
const WEBP_WORDS: [&str; 6] = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANMF", "EXIF"];
const METADATA_WORDS: [&str; 20] = [
    "AIGC",
    "Job ID: ",
    "JP\u{2}\u{11}",
    "8BIM\u{4}\u{4}",
    "XML:com.adobe.xmp",
    "c2ma",
    "c2pa.actions",
    "c2pa.claim",
    "caBX",
    "cbor",
    "digitalSourceType",
    "iTXt",
    "jumb",
    "jumd",
    "<rdf:li>",
    "<?x?>",
    "rdf:resource='",
    "softwareAgent",
    "tEXtparameters",
    "xmlns:a='b'",
];
const SETTING_WORDS: [&str; 16] = [
    "IMAGE_SEARCH=",
    "PLANNER=",
    "CAP_USD=",
    "RUN_TTL_SECONDS=",
    "SEAL_KEY=",
    "OWN_HOSTS=",
    "AWS_REGION=",
    "CONTACT=",
    "PRICE_BRAVE_USD_PER_1000=",
    "OPENAI_BASE=",
    "PEOPLE=",
    "PUBLIC=",
    ",",
    "brave",
    "gemini",
    "\n",
];

pub fn all() -> Vec<Target> {
    let mut targets = vec![sealed_file(), journal_entry()];
    targets.extend(photos());
    targets.push(metadata());
    targets.extend([photo_address(), query(), body(), identifiers(), settings()]);
    targets
}

fn target(name: &'static str, bound_bytes: usize, read: impl Fn(&[u8]) + 'static) -> Target {
    Target {
        name,
        bound_bytes,
        bulky_bytes: bound_bytes,
        seeds: Vec::new(),
        dictionary: &[],
        read: Box::new(move |bytes| read(&bytes)),
    }
}

/// Returns bytes as text, as the Worker reads them; borrowed, so that it does not count.
pub fn text(bytes: &[u8]) -> &str {
    let valid = std::str::from_utf8(bytes);
    valid.unwrap_or_else(|error| {
        std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("so far it is text")
    })
}

fn sealed_file() -> Target {
    let limits = ReplayLimits::SERVER;
    Target {
        seeds: sealed(),
        dictionary: &JOURNAL_WORDS,
        ..target("sealed-file", limits.bytes_max, move |bytes| {
            drop(replay(text(bytes), None, limits));
        })
    }
}

fn journal_entry() -> Target {
    let entries = entries();
    let opened = entries.last().expect("the last one opens a run");
    let opened = Entry::<InvestigationEngine>::from_json(text(opened)).expect("it is an entry");
    Target {
        seeds: entries,
        dictionary: &JOURNAL_WORDS,
        ..target("journal-entry", ROW_BYTES_MAX, move |bytes| {
            if let Ok(entry) = Entry::<InvestigationEngine>::from_json(text(bytes)) {
                let start = Entry::<InvestigationEngine>::from_json(
                    r#"{"input":{"now":1,"given":"start"}}"#,
                );
                let start = start.expect("it is an entry");
                let is_kept = entry.is_plausible();
                drop(rebuild(vec![opened.clone(), start, entry]).map(|run| (run, is_kept)));
            }
        })
    }
}

/// Judges a photo with two faces, so that all of it is analysed.
fn judge(photo: &[u8]) {
    let face_box = |left| FaceBox {
        left,
        top: 0.2,
        width: 0.3,
        height: 0.4,
    };
    let _ = check_photo(photo);
    let faces = [face_box(0.1), face_box(0.6)];
    let _ = SmallPicture::read(photo).map(|picture| picture.check(&faces));
}

fn photos() -> [Target; 4] {
    let both = [jpegs(), pngs()].concat();
    [
        Target {
            seeds: both,
            dictionary: &PICTURE_WORDS,
            ..target("photo-head", IMAGE_BYTES_MAX, |bytes| {
                drop(check_photo(bytes));
            })
        },
        Target {
            seeds: webps(),
            dictionary: &WEBP_WORDS,
            ..target("webp", JPEG_BYTES_MAX, |bytes| {
                drop(jpeg_of_webp(bytes));
            })
        },
        Target {
            seeds: jpegs(),
            dictionary: &PICTURE_WORDS,
            bulky_bytes: 262_144,
            ..target("jpeg", JPEG_BYTES_MAX, judge)
        },
        Target {
            seeds: pngs(),
            dictionary: &PICTURE_WORDS,
            bulky_bytes: 262_144,
            ..target("png", PNG_BYTES_MAX, judge)
        },
    ]
}

fn metadata() -> Target {
    Target {
        seeds: with_metadata(),
        dictionary: &METADATA_WORDS,
        bulky_bytes: IMAGE_BYTES_MAX,
        ..target("metadata", METADATA_BYTES_MAX, |bytes| {
            let provenance = metadata::read(bytes);
            let json = serde_json::to_string(&provenance).expect("it can be stored");
            let stored: domain::Provenance = serde_json::from_str(&json).expect("it was stored");
            assert_eq!(stored, provenance);
        })
    }
}

fn photo_address() -> Target {
    let own = OwnHost::parse(OWN_HOST).into_iter().collect();
    let policy = AddressPolicy::new(Some("http://127.0.0.1:8788".into()), own);
    let from = Url::parse("https://photos.example.org/a/b.jpg").expect("it is an address");
    Target {
        seeds: texts(&[
            "https://upload.wikimedia.org/wikipedia/commons/a/ab/Second.PNG?x=1#y",
            "http://127.0.0.1:8788/photos/1.png",
            "//[::ffff:127.0.0.1]:80/",
            "https://user:password@0x7f.1/",
        ]),
        dictionary: &ADDRESS_WORDS,
        bulky_bytes: ADDRESS_BYTES_MAX,
        ..target("photo-address", PHOTO_ADDRESS_BYTES_MAX, move |bytes| {
            let address = text(bytes);
            for permitted in [policy.check(address), policy.check_redirect(&from, address)] {
                let Ok(url) = permitted else { continue };
                let host = url.host_str().unwrap_or_default().trim_end_matches('.');
                let is_name = matches!(url.host(), Some(url::Host::Domain(_)));
                let is_public = url.scheme() == "https" && is_name && host.contains('.');
                let is_sandbox = url.as_str().starts_with("http://127.0.0.1:8788/");
                assert!(is_sandbox || is_public && host != OWN_HOST, "{url}");
            }
        })
    }
}

fn query() -> Target {
    Target {
        seeds: texts(&[
            "a=Jean+Valjean&b=Cosette&hops=3&threshold=90&images=5&searches=9&plan=one-sided",
            "a=A%20B&b=%C3%89ponine&avoid=X&avoid=Y&budgetUsd=0.5&wikidataA=Q42&lastEventId=1",
        ]),
        dictionary: &OPTION_WORDS,
        ..target("query", ADDRESS_BYTES_MAX, |bytes| {
            // As in an address, where other bytes are percent-encoded.
            let ascii = bytes.iter().position(|byte| !byte.is_ascii());
            let bytes = &bytes[..ascii.unwrap_or(bytes.len())];
            drop(RunRequest::from_query(text(bytes), &Caps::default()));
            drop(people_text("q", Some(text(bytes))));
            let words = PageWords::of_question(text(bytes));
            drop(words.map(|words| with_head("<head></head>", &words, "https://x.example/")));
        })
    }
}

fn body() -> Target {
    Target {
        seeds: texts(&[
            r#"{"personA":"Jean Valjean","personB":"Cosette","sessionId":"s1","options":{"hops":3,"avoid":["X"],"budgetUsd":0.5,"plan":"both-ends"}}"#,
            r#"{"fork":{"run":"s1.AAAAAAAAAAAAAAAAAAAAAA","options":{"searches":9}},"wikidataA":"Q42"}"#,
        ]),
        dictionary: &OPTION_WORDS,
        ..target("body", BODY_BYTES_MAX, |bytes| {
            drop(CreateRequest::from_body(bytes, &Caps::default()));
        })
    }
}

fn identifiers() -> Target {
    Target {
        seeds: texts(&[
            "s1.AAAAAAAAAAAAAAAAAAAAAA.12",
            "/runs/s1.AAAAAAAAAAAAAAAAAAAAAA/events",
        ]),
        dictionary: &[
            "/runs/",
            "/sealed",
            "/stop",
            "AAAAAAAAAAAAAAAAAAAAAA",
            ".",
            "%2F",
            "?after=",
        ],
        ..target("identifiers", ADDRESS_BYTES_MAX, |bytes| {
            let text = text(bytes);
            drop((RunToken::parse(text), EventId::parse(text)));
            let paths = EngineName::paths();
            drop((
                Route::of("GET", text, &paths),
                Route::of("POST", text, &paths),
            ));
        })
    }
}

fn settings() -> Target {
    Target {
        seeds: texts(&[
            "AWS_ACCESS_KEY_ID=id\nAWS_SECRET_ACCESS_KEY=key\nIMAGE_SEARCH=brave,commons\nBRAVE_API_KEY=b\nCONTACT=a@b.example\nPLANNER=gemini,openai\nGEMINI_API_KEY=g\nOPENAI_MODEL=m\nOPENAI_BASE=http://127.0.0.1:8000/v1",
            "CAP_USD=0.5\nRUN_TTL_SECONDS=60\nSEAL_KEY=0123456789abcdef0123456789abcdef\nPUBLIC=1\nOWN_HOSTS=a.example,b.example\nPEOPLE=wikidata\nPRICE_BRAVE_USD_PER_1000=5\nALLOWED_ORIGINS=*",
        ]),
        dictionary: &SETTING_WORDS,
        ..target("settings", SETTINGS_BYTES_MAX, |bytes| {
            let text = text(bytes);
            let lookup = |name: &str| {
                let mut lines = text.lines().filter_map(|line| line.split_once('='));
                lines
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| value.get(..SETTING_BYTES_MAX).unwrap_or(value).to_owned())
            };
            let settings = Settings::read(
                lookup,
                Bindings::among([
                    (Binding::Ai, text.len().is_multiple_of(2)),
                    (Binding::Browser, text.len().is_multiple_of(3)),
                    (Binding::Images, text.len().is_multiple_of(5)),
                    (Binding::Database, text.len().is_multiple_of(7)),
                ]),
                &EngineName::variables(),
            );
            drop(settings.missing());
        })
    }
}
