//! What came in place of a photo: only what its host says of it, and its whole bytes, say anything about it.

use std::cell::RefCell;
use std::future::pending;

use futures::FutureExt as _;
use http::header::LOCATION;

use platform::isolate::{IMAGE_BYTES_MAX, Paces, PhotoPool};
use platform::{Network, TransportError, WireRequest, WireResponse};
use providers::calls::{Attempts, CallCost, Gate, Notices};
use settings::AddressPolicy;

use super::tests::png;
use super::{Instead, PhotoAddresses, PhotoFetcher, PhotoTransport};

const PHOTO: &str = "https://photos.example.org/1.jpg";
const MOVED: &str = "https://photos.example.org/moved.jpg";

/// What a host does.
#[derive(Clone)]
enum Host {
    Answers(u16, Vec<u8>),
    /// It leads to this address, which answers with this status.
    Leads(&'static str, u16),
    Breaks,
    /// It never answers.
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

/// What a failed fetch says: "nothing", "gone" or the bytes that came.
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
    match photo.now_or_never().unwrap().unwrap() {
        Ok(_) => "a photo".to_owned(),
        Err(no_photo) => match no_photo.instead {
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
        201, 204, 206, 400, 401, 402, 403, 405, 406, 408, 409, 418, 421, 423, 425, 451, 500, 501,
        502, 503, 504, 520, 530,
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
