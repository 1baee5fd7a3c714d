//! The ledger of engine behaviour by version, and the rule for new lines.

use std::collections::BTreeSet;

use super::version::Version;

/// The file with the lines.
pub const FILE: &str = "tests/versions/behaviour.txt";

const COMMAND: &str = "UPDATE_VERSIONS=1 cargo test --test all versions::";

/// The lines, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The text above the lines.
    head: Vec<String>,
    lines: Vec<Line>,
}

/// From this version on, an engine's behaviour has this digest.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    version: Version,
    engine: String,
    digest: String,
}

impl Line {
    fn read(text: &str) -> Option<Self> {
        let [version, engine, digest] = text.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        let is_hex = digest
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digest.len() == 64 && is_hex).then_some(())?;
        Some(Self {
            version: Version::parse(version)?,
            engine: engine.to_owned(),
            digest: digest.to_owned(),
        })
    }
}

impl Ledger {
    /// Parses the lines. Fails if one is no `VERSION ENGINE SHA-256`, or its version is not later than its engine's
    /// previous one.
    pub fn read(text: &str) -> Result<Self, String> {
        let (head, lines): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('#'));
        let mut ledger = Self {
            head: head.into_iter().map(str::to_owned).collect(),
            lines: Vec::new(),
        };
        for text in lines {
            let line = Line::read(text);
            let line = line.ok_or_else(|| format!("{FILE}: '{text}' is no line of it."))?;
            if let Some(before) = ledger.newest(&line.engine)
                && before.version >= line.version
            {
                return Err(format!(
                    "{FILE}: the {} engine's version {} stands after {}.",
                    line.engine, line.version, before.version
                ));
            }
            ledger.lines.push(line);
        }
        Ok(ledger)
    }

    pub fn to_text(&self) -> String {
        let lines = self.lines.iter();
        let lines = lines.map(|line| format!("{} {} {}", line.version, line.engine, line.digest));
        let all = self.head.iter().cloned().chain(lines);
        all.map(|line| line + "\n").collect()
    }

    pub fn versions(&self) -> BTreeSet<Version> {
        self.lines.iter().map(|line| line.version).collect()
    }

    fn newest(&self, engine: &str) -> Option<&Line> {
        self.lines.iter().rfind(|line| line.engine == engine)
    }

    /// Compares the digest of an engine's records and the program's version with the newest line. Fails with
    /// instructions.
    pub fn check(&self, engine: &str, program: Version, digest: &str) -> Result<(), String> {
        if self.has_line(engine, program, digest)? {
            return Ok(());
        }
        Err(format!(
            "What is recorded of the {engine} engine is new in {program}, and {FILE} has no line of it. \
             Run {COMMAND}, which adds one."
        ))
    }

    /// Adds the missing line, if one is missing. Fails, and adds none, if the version is not new.
    pub fn add(&mut self, engine: &str, program: Version, digest: &str) -> Result<(), String> {
        if !self.has_line(engine, program, digest)? {
            self.lines.push(Line {
                version: program,
                engine: engine.to_owned(),
                digest: digest.to_owned(),
            });
        }
        Ok(())
    }

    /// Returns whether the newest line has this digest. Fails if it does not and no line may follow.
    fn has_line(&self, engine: &str, program: Version, digest: &str) -> Result<bool, String> {
        let Some(newest) = self.newest(engine) else {
            return Ok(false);
        };
        let version = newest.version;
        if program < version {
            return Err(format!(
                "Cargo.toml says {program}, but the {engine} engine has done what it does since {version}. \
                 A version never falls."
            ));
        }
        if newest.digest != digest && program == version {
            return Err(format!(
                "What is recorded of the {engine} engine is not what it was in {version}, and Cargo.toml \
                 still says {version}. Raise the version in Cargo.toml and where else it stands, say in \
                 CHANGELOG.md what changed, and run {COMMAND}, which adds a line to {FILE}."
            ));
        }
        Ok(newest.digest == digest)
    }
}
