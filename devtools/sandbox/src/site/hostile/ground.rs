//! The addresses that a hostile page uses: its own path, and the origins that it tries to reach.

use crate::providers::SITE;

/// The values of the placeholders in the texts of a hostile page, for one page and one host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ground {
    marks: [(&'static str, String); 5],
}

impl Ground {
    /// Makes the addresses for a page that is requested at this host, which may include a port.
    ///
    /// The foreign origin is the same server under its other name, so that the server's canary records whatever leaves
    /// the page.
    pub(super) fn of(number: usize, host: &str) -> Self {
        let port = host
            .rsplit_once(':')
            .map(|(_, port)| port)
            .filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let other = if host.starts_with("localhost") {
            "127.0.0.1"
        } else {
            "localhost"
        };
        let canary = format!("{SITE}/canary/{number}");
        let marks = [
            ("@HERE@", format!("{SITE}/hostile/{number}")),
            ("@FOREIGN@", format!("http://{other}{port}{canary}")),
            (
                "@THIRD@",
                format!("http://elsewhere.localhost{port}{canary}"),
            ),
            ("@SOCKET@", format!("ws://{other}{port}{canary}")),
            ("@HOST@", format!("{other}{port}")),
        ];
        Self { marks }
    }

    /// Returns a text with its placeholders filled in.
    pub(super) fn filled(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (mark, value) in &self.marks {
            filled = filled.replace(mark, value);
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_origin_is_the_other_name_of_this_machine() {
        for (host, foreign) in [
            ("127.0.0.1:80", "http://localhost:80/site/canary/7/x"),
            ("localhost:80", "http://127.0.0.1:80/site/canary/7/x"),
            ("127.0.0.1", "http://localhost/site/canary/7/x"),
        ] {
            assert_eq!(Ground::of(7, host).filled("@FOREIGN@/x"), foreign);
        }
        let ground = Ground::of(7, "127.0.0.1:80");
        assert_eq!(
            ground.filled("@HERE@ @SOCKET@ @HOST@ @THIRD@"),
            "/site/hostile/7 ws://localhost:80/site/canary/7 localhost:80 http://elsewhere.localhost:80/site/canary/7"
        );
    }
}
