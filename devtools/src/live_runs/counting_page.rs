//! A page with buttons, whose server counts the presses of each.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Counts = Arc<Mutex<Vec<u32>>>;

/// A page with buttons. Its server counts the presses, and runs as long as the program.
#[derive(Debug)]
pub(super) struct CountingPage {
    address: String,
    counts: Counts,
}

impl CountingPage {
    /// Serves a page with this many buttons.
    pub(super) fn start(buttons: u32) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let counts: Counts = Arc::new(Mutex::new((0..buttons).map(|_| 0).collect()));
        let counted = counts.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counted = counted.clone();
                // Each connection has its own thread, because a browser also opens connections without sending a
                // request.
                thread::spawn(move || answer(stream, &counted));
            }
        });
        Ok(Self {
            address: format!("http://{address}"),
            counts,
        })
    }

    /// Returns the page's address, without a trailing slash.
    pub(super) fn address(&self) -> String {
        self.address.clone()
    }

    /// Returns the number of presses of each button.
    pub(super) fn counts(&self) -> Vec<u32> {
        let counts = self.counts.lock();
        counts.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Handles one request. A broken connection is ignored, because the browser notices it as well.
fn answer(mut stream: TcpStream, counts: &Counts) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    for line in lines {
        if line.ok()?.is_empty() {
            break;
        }
    }
    let reply = {
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        reply(&first, &mut counts)
    };
    stream.write_all(reply.as_bytes()).ok()
}

fn reply(request: &str, counts: &mut [u32]) -> String {
    let rest = request.strip_prefix("POST /do/");
    let button = rest.and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    if let Some(count) = button.and_then(|button| counts.get_mut(button.checked_sub(1)?)) {
        *count += 1;
        return "HTTP/1.1 303 See Other\r\nLocation: /\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            .to_owned();
    }
    if request.starts_with("GET /framed ") {
        let page = "<!DOCTYPE html><title>Framed</title><iframe src=\"/\" width=\"700\" height=\"400\"></iframe>";
        return html(page);
    }
    if !request.starts_with("GET / ") {
        return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            .to_owned();
    }
    let done = counts.iter().filter(|count| **count > 0).count();
    let title = if done == counts.len() {
        "All is done".to_owned()
    } else {
        format!("Step {}", done + 1)
    };
    let forms: Vec<String> = (1..=counts.len())
        .map(|button| {
            format!("<form method=\"post\" action=\"/do/{button}\"><button id=\"do-{button}\">Do {button}</button></form>")
        })
        .collect();
    let page = format!(
        "<!DOCTYPE html><title>{title}</title><style>form {{ display: inline }}</style><h1>{title}</h1>{}",
        forms.concat()
    );
    html(&page)
}

fn html(page: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-store\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
        page.len()
    )
}
