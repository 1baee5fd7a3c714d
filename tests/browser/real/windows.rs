//! No packet bypasses the guard: pages, frames and new windows start without the APIs that send packets directly.

use std::cell::RefCell;
use std::net::UdpSocket;
use std::time::Duration;

use cdp::Sharing;

use super::site::{Page, Site};
use super::support::{Bench, in_chromium, started_with, terms};

/// The number of attempts: a guard installed too late is often in time by luck.
const ATTEMPTS: u32 = 4;
/// Lets a browser of these tests send packets, like one started by somebody else.
const UNCHECKED: &str = "--force-webrtc-ip-handling-policy=default";

/// A server that counts incoming packets.
struct Packets(UdpSocket);

impl Packets {
    fn new() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket
            .set_read_timeout(Some(Duration::from_millis(1)))
            .unwrap();
        Self(socket)
    }

    /// Returns a page's function that sends packets from a window.
    fn calling(&self) -> String {
        let port = self.0.local_addr().unwrap().port();
        format!(
            "((of) => {{ let call;
            try {{ call = new of.RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{port}' }}] }}) }}
            catch (error) {{ document.title += ' ' + error.name; return }}
            document.title += ' made';
            call.createDataChannel('x'); call.createOffer().then((offer) => call.setLocalDescription(offer));
            (self.calls ??= []).push(call); }})"
        )
    }

    fn count(&self) -> usize {
        let mut packet = [0; 100];
        std::iter::from_fn(|| self.0.recv(&mut packet).ok()).count()
    }
}

/// What a page does when clicked. `CALL` is the function that sends packets from a window, `OWN` a document that does
/// so itself.
const CLICKS: [&str; 16] = [
    "CALL(window.open('about:blank'))",
    "CALL(window.open())",
    "for (let n = 0; n < 6; n++) try { CALL(window.open('')) } catch {}",
    "const w = window.open('/x'); let n = 0; setInterval(() => { if (n++ < 200) CALL(w) }, 1)",
    "window.open('/own')",
    "window.open('/own', '_blank', 'noopener')",
    "window.open('/own', '_blank', 'popup,width=200,height=200')",
    "window.open(URL.createObjectURL(new Blob([OWN], { type: 'text/html' })))",
    "const a = document.createElement('a'); a.target = '_blank'; a.href = '/own'; a.click()",
    "const f = document.createElement('form'); f.target = '_blank'; f.action = '/own'; document.body.append(f); f.submit()",
    "window.open('javascript:' + encodeURIComponent('(CALL)(window)'))",
    "const w = window.open(); w.document.write(OWN + '<iframe srcdoc=\"' + OWN.replaceAll('\"', '&quot;') + '\"></iframe>')",
    "const w = window.open(); const f = w.document.createElement('iframe'); w.document.body.append(f); CALL(f.contentWindow)",
    "const f = document.createElement('iframe'); document.body.append(f); CALL(f.contentWindow)",
    "const f = document.createElement('iframe'); f.srcdoc = 'x'; document.body.append(f); CALL(f.contentWindow.open())",
    "for (const src of ['data:text/html,' + encodeURIComponent(OWN), '/own']) {
        const f = document.createElement('iframe'); f.src = src; document.body.append(f); }",
];

fn site_that(does: &str, packets: &Packets) -> Site {
    let calling = packets.calling();
    let own = format!("<script>{calling}(self)</script>");
    let string = own.replace('\n', " ").replace('`', "");
    let string = string.replace("</script>", "<\\/script>");
    let calls = does.replace(
        "'(CALL)(window)'",
        &format!("`({})(window)`", calling.replace('\n', " ")),
    );
    let calls = calls.replace("CALL", &calling);
    let page = format!(
        "<body style='height:500px'>x<script>const OWN = `{string}`; onclick = () => {{ {calls} }}</script>"
    );
    Site::new(move |path| match path {
        "/" => Page::html(&page),
        "/own" => Page::html(&own),
        _ => Page::html("other"),
    })
}

#[test]
fn no_packet_leaves_a_page_its_frames_and_its_windows() {
    for sharing in [Sharing::Own, Sharing::Shared] {
        let Some(chromium) = started_with(&[UNCHECKED]) else {
            return;
        };
        let mut sent = Vec::new();
        let had = RefCell::new(Vec::new());
        for does in CLICKS {
            let packets = Packets::new();
            let site = site_that(does, &packets);
            for _ in 0..ATTEMPTS {
                in_chromium(
                    chromium.clone(),
                    &terms(&[site.origin()]),
                    sharing,
                    None,
                    async |bench| {
                        bench.open(&site.url("/")).await;
                        bench.click("body").await.unwrap();
                        bench.pause(150).await;
                        if bench.run("document.title").await.contains("made") {
                            had.borrow_mut().push(does);
                        }
                    },
                );
            }
            let count = packets.count();
            if count > 0 {
                sent.push((count, does));
            }
        }
        let had = had.take();
        assert!(
            sent.is_empty() && had.is_empty(),
            "{sharing:?}: {sent:#?} {had:#?}"
        );
    }
}

#[test]
fn no_packet_leaves_where_another_run_has_the_same_browser() {
    let Some(chromium) = started_with(&[UNCHECKED]) else {
        return;
    };
    // A window that its opener cannot use is resumed by other runs, too.
    let with_apart = format!("window.open('/own', '_blank', 'noopener'); {}", CLICKS[2]);
    for does in [CLICKS[2], &with_apart] {
        let packets = Packets::new();
        let site = site_that(does, &packets);
        let terms = terms(&[site.origin()]);
        let both = async |bench: &Bench| {
            let other = bench.begin_another(&terms).await;
            bench.open(&site.url("/")).await;
            for _ in 0..ATTEMPTS {
                bench.click("body").await.unwrap();
                bench.pause(100).await;
            }
            bench.wait_for_remark("A new window was closed.").await;
            let title = bench.run("document.title").await;
            assert!(!title.contains("made"), "{title}");
            drop(other);
        };
        in_chromium(chromium.clone(), &terms, Sharing::Shared, None, both);
        assert_eq!(packets.count(), 0);
    }
}

#[test]
fn a_page_of_nobody_waits_a_moment_alone() {
    let site = Site::of("<title>loaded</title>");
    let Some(chromium) = started_with(&[]) else {
        return;
    };
    in_chromium(
        chromium,
        &terms(&[]),
        Sharing::Shared,
        None,
        async |bench| {
            let load = format!("location = '{}'", site.url("/"));
            bench.run_unguarded(&load).await;
            bench.pause(2_000).await;
            assert_eq!(site.asked(), ["/"]);
        },
    );
}

#[test]
fn a_browser_of_this_machine_sends_no_packets_whoever_asks() {
    let packets = Packets::new();
    let call = format!(
        "{}(self); new Promise((done) => setTimeout(done, 300))",
        packets.calling()
    );
    for (arguments, are_sent) in [(vec![UNCHECKED], true), (vec![], false)] {
        let Some(chromium) = started_with(&arguments) else {
            return;
        };
        in_chromium(
            chromium,
            &terms(&[]),
            Sharing::Shared,
            None,
            async |bench| {
                bench.run_unguarded(&call).await;
                bench.pause(400).await;
                assert_eq!(packets.count() > 0, are_sent, "{arguments:?}");
            },
        );
    }
}
