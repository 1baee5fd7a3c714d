//! Tests of what is fetched for a photo, and of what counts as a photo.

use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
fn a_small_copy_has_300_pixels_on_its_longer_side() {
    let check = |width, height, copy| form_of(&png(width, height), copy, false);
    assert_eq!(
        check(300, 100, PhotoCopy::Thumbnail),
        Ok(PhotoForm::AsItCame)
    );
    assert_eq!(
        check(100, 300, PhotoCopy::Thumbnail),
        Ok(PhotoForm::AsItCame)
    );
    assert!(check(299, 299, PhotoCopy::Thumbnail).is_err());
    assert_eq!(check(299, 299, PhotoCopy::Image), Ok(PhotoForm::AsItCame));
    assert_eq!(
        check(299, 299, PhotoCopy::Original),
        Ok(PhotoForm::AsItCame)
    );
}

#[test]
fn what_the_recogniser_does_not_take_is_converted_where_that_is_allowed() {
    let mut large = png(4_000, 3_000);
    large.resize(IMAGE_BYTES_MAX + 1, 0);
    let mut tiny = png(79, 79);
    tiny.resize(IMAGE_BYTES_MAX + 1, 0);
    let avif = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miafMA1B";
    let form = |photo: &[u8], may_convert| form_of(photo, PhotoCopy::Image, may_convert);
    assert_eq!(form(&large, true), Ok(PhotoForm::ToConvert));
    assert_eq!(form(avif, true), Ok(PhotoForm::ToConvert));
    assert!(form(&tiny, true).is_err(), "refused before it is converted");
    assert!(form(avif, false).is_err());
    assert_eq!(form(&png(640, 480), true), Ok(PhotoForm::AsItCame));
}

#[test]
fn what_was_converted_is_no_more_believed_than_what_came() {
    assert_eq!(check_converted(&png(640, 480)), Ok(()));
    let mut large = png(4_000, 3_000);
    large.resize(IMAGE_BYTES_MAX + 1, 0);
    assert!(check_converted(&large).is_err());
    assert!(check_converted(b"\0\0\0\x1cftypavif\0\0\0\0avif").is_err());
    assert!(check_converted(b"RIFF\0\0\0\0WEBPVP8 ").is_err());
    assert!(check_converted(&png(79, 640)).is_err());
}

#[test]
fn each_address_is_tried_once() {
    let order = |original, thumbnail| {
        let addresses = PhotoAddresses {
            image: "a",
            original,
            thumbnail,
        };
        let order = addresses.in_order();
        order
            .map(|(url, copy)| format!("{url} {copy:?}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(order(None, None), ["a Image"]);
    let all = ["a Image", "b Original", "c Thumbnail"];
    assert_eq!(order(Some("b"), Some("c")), all);
    assert_eq!(order(None, Some("a")), ["a Thumbnail"]);
}

#[test]
fn photos_are_known_by_their_first_bytes() {
    assert_eq!(check_photo(&png(80, 80)), Ok(()));
    assert_eq!(check_photo(&png(640, 480)), Ok(()));
    for unreadable in [
        &png(79, 640)[..],
        &png(640, 79),
        b"",
        b"<html>",
        b"GIF89a",
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"\0\0\0 ftypavif",
        b"\xFF\xD8\xFF",
        b"\x89PNG\r\n\x1A\n",
    ] {
        assert!(matches!(
            check_photo(unreadable),
            Err(PhotoFailure::Unreadable(_))
        ));
    }
}

mod heif {
    use super::super::*;

    #[track_caller]
    fn check(file: &[u8], expected: bool) {
        assert_eq!(is_heif(file), expected, "{}", file.escape_ascii());
    }

    #[test]
    fn a_file_is_told_by_its_brands() {
        check(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miafMA1B", true);
        check(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", true);
        check(b"\0\0\0\x18ftypmif1\0\0\0\0miafheic", true);
        check(b"\0\0\0\x18ftypmiaf\0\0\0\0heixmiaf", true);
    }

    #[test]
    fn films_and_what_is_cut_are_none() {
        check(b"\0\0\0\x18ftypisom\0\0\0\0isommp42", false);
        check(b"\0\0\0\x10ftypisomavif", false);
        check(b"\0\0\0\x10ftypisom\0\0\0\0avif", false);
        check(b"\xff\xd8\xff\xe0", false);
        check(b"\0\0\0\x1cftyp", false);
        check(b"\0\0\0\x02ftypavif", false);
        check(b"", false);
    }
}

/// Tests of what a host sends in place of a photo. Only the status 404 or 410, or a complete body, says anything about
/// the photo.
mod instead {
    use std::cell::RefCell;
    use std::future::pending;

    use futures::FutureExt as _;
    use http::header::LOCATION;

    use platform::isolate::{IMAGE_BYTES_MAX, Paces, PhotoPool};
    use platform::{Network, TransportError, WireRequest, WireResponse};
    use providers::calls::{Attempts, CallCost, Gate, Notices};
    use settings::AddressPolicy;

    use super::super::{Instead, PhotoAddresses, PhotoFetcher, PhotoTransport};
    use super::png;

    const PHOTO: &str = "https://photos.example.org/1.jpg";
    const MOVED: &str = "https://photos.example.org/moved.jpg";

    /// The behaviour of a host.
    #[derive(Clone)]
    enum Host {
        Answers(u16, Vec<u8>),
        /// The host redirects to this address, which answers with this status.
        Leads(&'static str, u16),
        Breaks,
        /// The host never answers.
        Hangs,
    }

    struct Hosts {
        host: Host,
        sent: RefCell<usize>,
    }

    impl Network for Hosts {
        type Body = Vec<u8>;

        fn now_ms(&self) -> u64 {
            0
        }

        fn jitter(&self) -> f64 {
            0.5
        }

        async fn sleep(&self, _ms: u64) {
            if !matches!(self.host, Host::Hangs) {
                pending::<()>().await;
            }
        }

        async fn open(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
            *self.sent.borrow_mut() += 1;
            let response = http::Response::builder();
            let (response, body) = match &self.host {
                Host::Answers(status, body) => (response.status(*status), body.clone()),
                Host::Leads(_, status) if request.uri() == MOVED => {
                    (response.status(*status), Vec::new())
                }
                Host::Leads(location, _) => {
                    (response.status(302).header(LOCATION, *location), Vec::new())
                }
                Host::Breaks => return Err(TransportError::Broken),
                Host::Hangs => pending().await,
            };
            Ok(response.body(body).unwrap())
        }
    }

    /// Returns what a failed fetch says about the photo: "nothing", "gone" or the bytes that arrived.
    fn instead(host: Host, address: &str, may_convert: bool) -> String {
        let (policy, hosts) = (
            AddressPolicy::default(),
            Hosts {
                host,
                sent: RefCell::default(),
            },
        );
        let (paces, pool) = (Paces::default(), PhotoPool::default());
        let fetcher = PhotoFetcher {
            paces: &paces,
            transport: PhotoTransport {
                network: &hosts,
                pool: &pool,
                addresses: &policy,
                agent: "agent",
                may_convert,
            },
        };
        let (cost, gate, notices) = (CallCost::default(), Gate::default(), Notices::default());
        let attempts = Attempts::new(&cost, &gate, &notices, &|_, _| Ok(()), &|_| Ok(()));
        let photo = fetcher.fetch(PhotoAddresses::only(address), 60_000, attempts);
        match photo.now_or_never().unwrap() {
            Ok(_) => "a photo".to_owned(),
            Err(stop) => match stop.failure().unwrap().instead {
                Instead::Nothing => "nothing".to_owned(),
                Instead::Gone => "gone".to_owned(),
                Instead::Bytes(held) => format!("{} bytes", held.bytes().len()),
            },
        }
    }

    #[test]
    fn only_404_410_and_whole_bytes_say_anything_about_a_photo() {
        let answers = |status| Host::Answers(status, b"no photo".to_vec());
        for status in [404, 410] {
            assert_eq!(instead(answers(status), PHOTO, false), "gone", "{status}");
            let moved = Host::Leads(MOVED, status);
            assert_eq!(instead(moved, PHOTO, false), "gone", "{status}");
        }
        for status in [
            201, 204, 206, 400, 401, 402, 403, 405, 406, 408, 409, 418, 421, 423, 425, 451, 500,
            501, 502, 503, 504, 520, 530,
        ] {
            assert_eq!(
                instead(answers(status), PHOTO, false),
                "nothing",
                "{status}"
            );
        }
        let large = vec![0xFF; IMAGE_BYTES_MAX + 1];
        for (host, address) in [
            (Host::Answers(200, large), PHOTO),
            (Host::Breaks, PHOTO),
            (Host::Hangs, PHOTO),
            (Host::Leads(PHOTO, 200), PHOTO),
            (Host::Leads("https://127.0.0.1/", 200), PHOTO),
            (Host::Leads("ftp://photos.example.org/1.jpg", 200), PHOTO),
            (Host::Answers(200, png(640, 480)), "https://127.0.0.1/1.jpg"),
        ] {
            assert_eq!(instead(host, address, false), "nothing");
        }
        let avif = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miafMA1B";
        for bytes in [
            &b""[..],
            b"<html>Not here</html>",
            b"GIF89a",
            b"RIFF\0\0\0\0WEBPVP8 ",
            avif,
            &png(79, 640),
        ] {
            let host = Host::Answers(200, bytes.to_vec());
            let came = format!("{} bytes", bytes.len());
            assert_eq!(instead(host, PHOTO, false), came);
        }
        assert_eq!(
            instead(Host::Answers(200, png(640, 480)), PHOTO, false),
            "a photo"
        );
        assert_eq!(
            instead(Host::Answers(200, avif.to_vec()), PHOTO, true),
            "a photo"
        );
    }
}

/// Photo addresses that must never be fetched, neither from a search nor by a good host's redirect.
mod hostile_addresses {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::future::pending;

    use futures::FutureExt as _;
    use http::header::LOCATION;

    use domain::PhotoFailure;
    use platform::isolate::{Paces, PhotoPool};
    use platform::{Network, TransportError, WireRequest, WireResponse};
    use providers::calls::{Attempts, CallCost, Gate, Notices};
    use settings::{AddressPolicy, OwnHost};

    use super::super::REDIRECTS_MAX;
    use super::super::{PhotoAddresses, PhotoFetcher, PhotoTransport};

    const GOOD: &str = "https://photos.example.org/start.jpg";

    /// The addresses of private, local and metadata hosts in every spelling that some program accepts.
    const NUMBERS: [&str; 44] = [
        "https://127.0.0.1/",
        "http://127.0.0.1/",
        "https://127.1/",
        "https://127.0.1/",
        "https://2130706433/",
        "http://2130706433/",
        "https://017700000001/",
        "https://0x7f000001/",
        "https://0x7f.1/",
        "https://0x7f.0x0.0x0.0x1/",
        "https://0177.0.0.01/",
        "https://0177.0.0x0.1/",
        "https://0/",
        "https://0.0.0.0/",
        "https://127.0.0.1./",
        "https://127%2e0%2e0%2e1/",
        "https://%31%32%37.0.0.1/",
        "https://%32130706433/",
        "https://10.0.0.1/",
        "https://172.16.0.1/",
        "https://192.168.0.1/",
        "https://192.168.257/",
        "https://169.254.169.254/latest/meta-data/",
        "http://169.254.169.254/latest/meta-data/",
        "https://2852039166/latest/meta-data/",
        "https://0xA9FEA9FE/",
        "https://0251.0376.0251.0376/",
        "https://169.254.43518/",
        "https://100.100.100.200/latest/meta-data/",
        "https://168.63.129.16/",
        "https://8.8.8.8/",
        "https://255.255.255.255/",
        "https://256.0.0.1/",
        "https://127.0.0.1.1/",
        "https://4294967296/",
        "https://0x/",
        "https://1.2.3.09/",
        "https://\u{ff11}\u{ff12}\u{ff17}.0.0.1/",
        "https://127\u{3002}0\u{3002}0\u{3002}1/",
        "https://127\u{ff0e}0\u{ff0e}0\u{ff0e}1/",
        "https://\u{2460}\u{2461}\u{2466}.\u{24ea}.\u{24ea}.\u{2460}/",
        "https://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/",
        "https://127.0.0.1%00.example.com/",
        "https://0000:0000/",
    ];

    /// IPv6 addresses in every form.
    const IPV6: [&str; 20] = [
        "https://[::]/",
        "https://[::1]/",
        "http://[::1]/",
        "https://[0:0:0:0:0:0:0:1]/",
        "https://[0000:0000:0000:0000:0000:0000:0000:0001]/",
        "https://[::127.0.0.1]/",
        "https://[::7f00:1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[0:0:0:0:0:ffff:169.254.169.254]/",
        "https://[::ffff:a9fe:a9fe]/",
        "https://[64:ff9b::10.0.0.1]/",
        "https://[2002:7f00:1::]/",
        "https://[fe80::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[fc00::1]/",
        "https://[fd00:ec2::254]/latest/meta-data/",
        "https://[ff02::1]/",
        "https://[2606:4700:4700::1111]/",
    ];

    /// Names of private networks, reserved names, and names of hosts that hand out credentials.
    const NAMES: [&str; 31] = [
        "https://localhost/",
        "http://localhost/",
        "https://LOCALHOST/",
        "https://localhost./",
        "https://localhost../",
        "https://a.localhost/",
        "https://loc%61lhost/",
        "https://\u{24db}ocalhost/",
        "https://\u{ff4c}ocalhost/",
        "https://local\u{ad}host/",
        "https://lo\u{200b}calhost/",
        "https://localhost.localdomain/",
        "https://printer.local/",
        "https://nas.lan/",
        "https://router.home/",
        "https://router.home.arpa/",
        "https://wiki.corp/",
        "https://wiki.intranet/",
        "https://db.internal/",
        "https://host.docker.internal/",
        "https://kubernetes.default.svc.cluster.local/",
        "https://metadata/computeMetadata/v1/",
        "https://metadata.google.internal/computeMetadata/v1/",
        "https://METADATA.google.internal./computeMetadata/v1/",
        "https://metadata.azure.internal/",
        "https://instance-data.ec2.internal/latest/meta-data/",
        "https://kubernetes/",
        "https://hidden.onion/",
        "https://a.test/",
        "https://a.invalid/",
        "https://a.alt/",
    ];

    /// Addresses with other schemes, ports or user names, and addresses that only look like a good host's.
    const FORMS: [&str; 34] = [
        "file:///etc/passwd",
        "ftp://photos.example.org/a.jpg",
        "gopher://photos.example.org:70/_",
        "data:image/png;base64,AAAA",
        "javascript:alert(1)",
        "blob:https://photos.example.org/1",
        "about:blank",
        "ws://photos.example.org/",
        "wss://photos.example.org/",
        "x-raw-image:///abc",
        "view-source:https://photos.example.org/",
        "jar:https://photos.example.org/a!/b",
        "https://user@photos.example.org/",
        "https://user:password@photos.example.org/",
        "https://:password@photos.example.org/",
        "https://photos.example.org@169.254.169.254/",
        "https://photos.example.org%40169.254.169.254/",
        "https://photos.example.org:80@127.0.0.1/",
        "https://127.0.0.1#@photos.example.org/",
        "https://127.0.0.1\\@photos.example.org/",
        "https:\\\\127.0.0.1\\a.jpg",
        "https:/\\/127.0.0.1/a.jpg",
        "https:////127.0.0.1/",
        "https://photos.example.org:22/",
        "https://photos.example.org:80/",
        "https://photos.example.org:8443/",
        "http://photos.example.org:443/",
        "http://photos.example.org:8080/",
        "https://photos.example.org:99999/",
        "https://photos.example.org:-1/",
        "https://photos example.org/",
        "https://photos.example.org\u{ff0f}a/",
        "https://photos<>.example.org/",
        "https://[photos.example.org]/",
    ];

    /// Addresses of this server, as configured and as it was reached when the run was created.
    const OWN: [&str; 21] = [
        "https://degrees.example.org/",
        "http://degrees.example.org/",
        "https://degrees.example.org/runs/s1.k1/stop",
        "https://degrees.example.org/investigate?a=A&b=B",
        "https://DEGREES.Example.ORG/",
        "https://degrees.example.org./",
        "https://degrees.example.org:443/",
        "https://degrees.example.org:8443/",
        "http://degrees.example.org:8787/",
        "https://degrees%2Eexample.org/",
        "https://%64egrees.example.org/",
        "https:\\\\degrees.example.org\\runs",
        "HTTPS://degrees.example.org/",
        "https://user@degrees.example.org/",
        "https://\u{ff44}egrees.example.org/",
        "https://degrees\u{3002}example.org/",
        "https://degrees.me.workers.dev/",
        "https://Degrees.Me.Workers.Dev./",
        "http://degrees.me.workers.dev/",
        "https://0a1b2c3d-degrees.me.workers.dev/",
        "ftp://degrees.me.workers.dev/",
    ];

    /// Addresses with spaces and line breaks, which the parser drops. Most of them fit into no header.
    const BREAKS: [&str; 8] = [
        " https://127.0.0.1/ ",
        "https://127.0.\t0.1/",
        "https://local\nhost/",
        "ht\ntps://localhost/",
        "\u{1}https://localhost/",
        "https://degrees\t.example.org/",
        "https://degrees.exam\r\nple.org/",
        "https://photos.example.org\r\nHost: localhost/",
    ];

    /// Texts that a redirect resolves to a path of the good host.
    const WHOLE: [&str; 2] = ["https:127.0.0.1", "https:/degrees.example.org/"];

    /// Addresses that are hostile only as a redirect, since they are resolved against the good host's address.
    const RELATIVE: [&str; 8] = [
        "//127.0.0.1/",
        "//localhost/",
        "//degrees.example.org/",
        "\\\\127.0.0.1\\",
        "/\\127.0.0.1/",
        "//user@photos.example.org/",
        "//photos.example.org:8443/",
        "//[::1]/",
    ];

    /// A network that redirects from one address, and serves a photo at all others.
    struct Hosts<'table> {
        location: Option<&'table str>,
        sent: RefCell<Vec<String>>,
    }

    impl Network for Hosts<'_> {
        type Body = Vec<u8>;

        fn now_ms(&self) -> u64 {
            0
        }

        fn jitter(&self) -> f64 {
            0.5
        }

        async fn sleep(&self, _ms: u64) {
            pending::<()>().await;
        }

        async fn open(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
            let address = request.uri().to_string();
            let response = http::Response::builder();
            let response = match self.location {
                Some(location) if address == GOOD => {
                    response.status(302).header(LOCATION, location)
                }
                _ => response.status(200),
            };
            self.sent.borrow_mut().push(address);
            Ok(response.body(super::png(640, 480)).unwrap())
        }
    }

    /// Fetches an address. Returns the failure, if there is one, and the requested addresses.
    fn fetch(address: &str, location: Option<&str>) -> (Option<PhotoFailure>, Vec<String>) {
        let sandbox = Some("http://127.0.0.1:8788".to_owned());
        let operators = OwnHost::parse("degrees.example.org").into_iter().collect();
        let policy = AddressPolicy::new(sandbox, operators).at_host(Some("degrees.me.workers.dev"));
        let hosts = Hosts {
            location,
            sent: RefCell::default(),
        };
        let (paces, pool) = (Paces::default(), PhotoPool::default());
        let transport = PhotoTransport {
            network: &hosts,
            pool: &pool,
            addresses: &policy,
            agent: "agent",
            may_convert: false,
        };
        let fetcher = PhotoFetcher {
            paces: &paces,
            transport,
        };
        let addresses = PhotoAddresses::only(address);
        let (cost, gate, notices) = (CallCost::default(), Gate::default(), Notices::default());
        let attempts = Attempts::new(&cost, &gate, &notices, &|_, _| Ok(()), &|_| Ok(()));
        let photo = fetcher.fetch(addresses, 1_000, attempts).now_or_never();
        let failure = photo.unwrap().err().map(|stop| stop.failure().unwrap());
        (failure.map(|one| one.failure), hosts.sent.into_inner())
    }

    #[test]
    fn no_hostile_address_is_fetched() {
        let long = format!("https://photos.example.org/{}", "a".repeat(2_048));
        let mut fetched = Vec::new();
        let mut refusals = BTreeMap::new();
        let (mut found, mut redirected) = (0, 0);
        let mut check = |address: &str, location: Option<&str>, expected: &[&str]| {
            let (failure, sent) = fetch(address, location);
            let Some(PhotoFailure::Unfetchable(why)) = failure else {
                panic!("{address:?} to {location:?}: {failure:?}");
            };
            *refusals.entry(why).or_insert(0) += 1;
            if sent != expected {
                fetched.push((address.to_owned(), location.map(str::to_owned), sent));
            }
        };
        let tables = [&NUMBERS[..], &IPV6, &NAMES, &FORMS, &OWN, &BREAKS, &[&long]];
        for address in [&tables.concat()[..], &WHOLE].concat() {
            check(address, None, &[]);
            found += 1;
        }
        for location in [&tables.concat()[..], &RELATIVE].concat() {
            if http::HeaderValue::from_str(location).is_ok() {
                check(GOOD, Some(location), &[GOOD]);
                redirected += 1;
            }
        }
        for (why, count) in &refusals {
            println!("{count:4} {why}");
        }
        println!(
            "{found} hostile addresses and {redirected} redirects to them, {} fetched",
            fetched.len()
        );
        assert!(fetched.is_empty(), "{fetched:#?}");
        assert!(found >= 100 && redirected >= 100);
    }

    #[test]
    fn good_addresses_are_fetched_and_http_as_https() {
        let good = "https://photos.example.org/other.jpg";
        for (address, location, expected) in [
            (GOOD, None, &[GOOD][..]),
            ("http://photos.example.org/other.jpg", None, &[good]),
            (GOOD, Some("/other.jpg"), &[GOOD, good]),
            (
                GOOD,
                Some("http://photos.example.org/other.jpg"),
                &[GOOD, good],
            ),
            (
                "http://127.0.0.1:8788/1.png",
                None,
                &["http://127.0.0.1:8788/1.png"],
            ),
        ] {
            let (failure, sent) = fetch(address, location);
            assert_eq!(
                (failure, sent.iter().map(String::as_str).collect()),
                (None, expected.to_vec())
            );
        }
    }

    #[test]
    fn a_host_that_speaks_plain_http_only_is_asked_once() {
        let (failure, sent) = fetch(GOOD, Some("http://photos.example.org/start.jpg"));
        let why = PhotoFailure::Unfetchable("its address is not https".into());
        assert_eq!((failure, sent), (Some(why), vec![GOOD.to_owned()]));
        // A redirect loop on https ends at the limit, too.
        let (_, sent) = fetch(GOOD, Some(GOOD));
        assert_eq!(sent.len(), REDIRECTS_MAX + 1);
    }
}
