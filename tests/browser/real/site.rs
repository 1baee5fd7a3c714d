//! A simulated site: a server on its own port, which records requests.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A response of the site.
pub struct Page {
    status: u16,
    headers: Vec<String>,
    body: Vec<u8>,
    pause: Duration,
}

/// A site, served until dropped.
pub struct Site {
    origin: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Page {
    pub fn html(body: &str) -> Self {
        Self::of("text/html; charset=utf-8", body)
    }

    pub fn script(body: &str) -> Self {
        Self::of("text/javascript", body)
    }

    pub fn of(mime_type: &str, body: &str) -> Self {
        Self {
            status: 200,
            headers: vec![
                format!("content-type: {mime_type}"),
                "access-control-allow-origin: *".to_owned(),
            ],
            body: body.as_bytes().to_vec(),
            pause: Duration::ZERO,
        }
    }

    pub fn redirect(to: &str) -> Self {
        let mut page = Self::html("");
        page.status = 302;
        page.with(&format!("location: {to}"))
    }

    pub fn missing() -> Self {
        let mut page = Self::html("not found");
        page.status = 404;
        page
    }

    pub fn unauthorised() -> Self {
        let mut page = Self::html("who are you");
        page.status = 401;
        page.with("www-authenticate: Basic realm=x")
    }

    pub fn with(mut self, header: &str) -> Self {
        self.headers.push(header.to_owned());
        self
    }

    pub fn after(mut self, ms: u64) -> Self {
        self.pause = Duration::from_millis(ms);
        self
    }
}

impl Site {
    /// A site whose pages are computed from the requested path and query.
    pub fn new(pages: impl Fn(&str) -> Page + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let pages = Arc::new(pages);
        let log = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, log) = (pages.clone(), log.clone());
                thread::spawn(move || answer(stream, &*pages, &log));
            }
        });
        Self { origin, asked }
    }

    /// A site of one page.
    pub fn of(html: &str) -> Self {
        let html = html.to_owned();
        Self::new(move |_| Page::html(&html))
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Returns the requests, without those that browsers make by themselves.
    pub fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap().clone();
        asked
            .into_iter()
            .filter(|path| path != "/favicon.ico")
            .collect()
    }
}

fn answer(mut stream: TcpStream, pages: &dyn Fn(&str) -> Page, log: &Mutex<Vec<String>>) {
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let is_socket = head.to_ascii_lowercase().contains("upgrade: websocket");
    let line = if is_socket {
        format!("WebSocket {path}")
    } else {
        path.clone()
    };
    log.lock().unwrap().push(line);
    let page = pages(&path);
    thread::sleep(page.pause);
    let mut answer = format!("HTTP/1.1 {} x\r\nconnection: close\r\n", page.status);
    for header in &page.headers {
        answer.push_str(header);
        answer.push_str("\r\n");
    }
    answer.push_str("content-length: ");
    answer.push_str(&page.body.len().to_string());
    answer.push_str("\r\n\r\n");
    // The browser may have disconnected.
    let _ = stream.write_all(answer.as_bytes());
    let _ = stream.write_all(&page.body);
}
