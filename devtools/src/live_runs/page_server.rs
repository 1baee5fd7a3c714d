//! A site of small pages on a free local port, which records requests.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The host name under which the site is another origin, which no run may access.
const OTHER_HOST: &str = "localhost";

/// The address under which the site is a third origin, which runs may be allowed to access.
const SECOND_HOST: &str = "127.0.0.2";

/// The pages by name. Any other path is a page with the path as its text, except `/to?ADDRESS`, which redirects, and
/// `/attached?NAME`, a file of that name.
type Pages = BTreeMap<String, String>;

/// A site of small pages, served as long as the program runs.
#[derive(Debug)]
pub(super) struct PageServer {
    port: u16,
    asked_elsewhere: Arc<Mutex<Vec<String>>>,
}

impl PageServer {
    /// Serves these pages; `$ORIGIN`, `$SECOND` and `$OTHER` in them become the site's own origin, another one that a
    /// run may be allowed to access, and the forbidden one.
    pub(super) fn start(pages: &Pages) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?;
        let server = Self {
            port: port.port(),
            asked_elsewhere: Arc::default(),
        };
        let second = TcpListener::bind((SECOND_HOST, server.port));
        let second = second.map_err(|error| error.to_string())?;
        let filled = |(name, page): (&String, &String)| (name.clone(), server.fill(page));
        let pages: Arc<Pages> = Arc::new(pages.iter().map(filled).collect());
        let asked = server.asked_elsewhere.clone();
        for listener in [listener, second] {
            let (pages, asked) = (pages.clone(), asked.clone());
            thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (pages, asked) = (pages.clone(), asked.clone());
                    // Each connection has its own thread, because a browser also opens connections without sending a
                    // request.
                    thread::spawn(move || answer(stream, &pages, &asked));
                }
            });
        }
        Ok(server)
    }

    /// Returns the site's origin.
    pub(super) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns a text with `$ORIGIN`, `$SECOND` and `$OTHER` filled in.
    pub(super) fn fill(&self, text: &str) -> String {
        let other = format!("http://{OTHER_HOST}:{}", self.port);
        text.replace("$ORIGIN", &self.origin())
            .replace("$SECOND", &format!("http://{SECOND_HOST}:{}", self.port))
            .replace("$OTHER", &other)
    }

    /// Returns the recorded requests to the forbidden origin, and forgets them.
    pub(super) fn take_asked_elsewhere(&self) -> Vec<String> {
        let asked = self.asked_elsewhere.lock();
        std::mem::take(&mut asked.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Handles one request. A broken connection is ignored, because the browser notices it as well.
fn answer(mut stream: TcpStream, pages: &Pages, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    let path = first.split(' ').nth(1)?;
    for line in lines {
        let line = line.ok()?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("host") && value.trim().starts_with(OTHER_HOST) {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.push(path.to_owned());
        }
    }
    stream.write_all(reply(path, pages).as_bytes()).ok()
}

fn reply(path: &str, pages: &Pages) -> String {
    if let Some(to) = path.strip_prefix("/to?") {
        return format!(
            "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
    }
    if let Some(name) = path.strip_prefix("/attached?") {
        return format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\
             Content-Length: 1\r\nConnection: close\r\n\r\nx"
        );
    }
    let name = path.trim_start_matches('/');
    let name = name.split('?').next().unwrap_or_default();
    let other = || format!("<!DOCTYPE html><title>{name}</title><p>{name}</p>");
    let page = pages.get(name).cloned().unwrap_or_else(other);
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{page}",
        page.len()
    )
}
