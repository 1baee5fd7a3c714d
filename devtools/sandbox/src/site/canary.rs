//! The canary records every request that hostile pages send to other origins. If a driver isolates the pages, nothing
//! is recorded.

use std::collections::VecDeque;

use http::Method;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply};

/// The most requests that are stored. Later ones are only counted, because the first ones show what went wrong.
const ROWS_MAX: usize = 1_000;
/// The most characters of each text that are stored.
const TEXT_CHARS_MAX: usize = 500;
/// The text recorded in place of the password.
const MASK: &str = "[password]";

/// The requests that have arrived at the canary.
#[derive(Clone, Debug)]
pub(super) struct Canary {
    password: String,
    rows: VecDeque<Value>,
    count: u64,
}

impl Canary {
    pub(super) fn new(password: &str) -> Self {
        Self {
            password: password.to_owned(),
            rows: VecDeque::new(),
            count: 0,
        }
    }

    /// Handles a request at the canary. A request below the canary's path (`is_below`), or one that writes, is
    /// recorded. Any other request reads the record, or clears it with `DELETE`.
    pub(super) fn answer(&mut self, request: &ParsedRequest, is_below: bool, now_ms: u64) -> Reply {
        match request.method {
            Method::GET | Method::HEAD if !is_below => Reply::json(200, &self.read()),
            Method::DELETE if !is_below => {
                *self = Self::new(&self.password);
                Reply::json(200, &self.read())
            }
            _ => {
                self.hear(request, now_ms);
                // The reply permits everything. Only the browser's driver can then prevent the request.
                let reply = Reply::html(
                    200,
                    "<!DOCTYPE html>\n<title>Elsewhere</title><form method=\"post\"><input name=\"password\" type=\"password\"><button id=\"continue\">Continue</button></form>\n",
                );
                let reply = reply.with_named("access-control-allow-origin", "*");
                let reply = reply.with_named("access-control-allow-headers", "*");
                reply.with_named("access-control-allow-methods", "*")
            }
        }
    }

    fn hear(&mut self, request: &ParsedRequest, now_ms: u64) {
        self.count += 1;
        if self.rows.len() == ROWS_MAX {
            return;
        }
        let body = String::from_utf8_lossy(&request.body);
        let header = |name: &str| request.header(name).map(|value| self.kept(value));
        let address = request.address();
        let has_password = [address.as_str(), &body]
            .iter()
            .any(|text| self.has_password(text));
        self.rows.push_back(json!({
            "n": self.count, "at_ms": now_ms, "method": request.method.as_str(),
            "host": self.kept(&request.host), "address": self.kept(&address),
            "origin": header("origin"), "referer": header("referer"),
            "body": self.kept(&body), "has_password": has_password,
        }));
    }

    /// Returns the record, `{"arrived": [...], "count": NUMBER}`. `count` includes the requests that are not stored.
    fn read(&self) -> Value {
        json!({"arrived": self.rows, "count": self.count})
    }

    fn has_password(&self, text: &str) -> bool {
        let decoded = percent_decode_str(text).decode_utf8_lossy();
        !self.password.is_empty() && decoded.contains(&self.password)
    }

    fn kept(&self, text: &str) -> String {
        let decoded = percent_decode_str(text).decode_utf8_lossy();
        let masked = if self.has_password(text) {
            decoded.replace(&self.password, MASK)
        } else {
            decoded.into_owned()
        };
        masked.chars().take(TEXT_CHARS_MAX).collect()
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn request(method: &str, path: &str, body: &str) -> ParsedRequest {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("host", "localhost:1");
        ParsedRequest::from(request.body(body.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn whatever_arrives_is_told_and_no_password_is() {
        let mut canary = Canary::new("pass word");
        for (method, path, body) in [
            ("GET", "/site/canary/3/image?typed=pass%20word", ""),
            ("POST", "/site/canary/3/beacon", "typed:pass word"),
            ("OPTIONS", "/site/canary/3/preflight", ""),
        ] {
            canary.answer(&request(method, path, body), true, 9);
        }
        canary.answer(&request("POST", "/site/canary", "x"), false, 9);
        let told = canary.read();
        assert_eq!(told["count"], 4);
        assert_eq!(
            told["arrived"][0],
            json!({
                "n": 1, "at_ms": 9, "method": "GET", "host": "localhost:1",
                "address": "/site/canary/3/image?typed=[password]",
                "origin": null, "referer": null, "body": "", "has_password": true,
            })
        );
        assert_eq!(told["arrived"][1]["has_password"], true);
        assert_eq!(told["arrived"][2]["has_password"], false);
        assert!(!told.to_string().contains("pass word"));
        let emptied = canary.answer(&request("DELETE", "/site/canary", ""), false, 9);
        assert_eq!(
            emptied.response.body().bytes(),
            br#"{"arrived":[],"count":0}"#
        );
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut canary = Canary::new("p");
        let long = "x".repeat(5_000);
        for _ in 0..ROWS_MAX + 4 {
            canary.answer(&request("POST", "/site/canary/0/x", &long), true, 1);
        }
        let told = canary.read();
        assert_eq!(told["count"], ROWS_MAX + 4);
        assert_eq!(told["arrived"].as_array().unwrap().len(), ROWS_MAX);
        let body = told["arrived"][0]["body"].as_str().unwrap();
        assert_eq!(body.len(), TEXT_CHARS_MAX);
    }
}
