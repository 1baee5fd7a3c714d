//! Replays a sealed run without provider calls: `cargo run --bin replay -- FILE`.
//!
//! The exit code is 0 if the replay is identical, 1 if it differs, 2 if the file is not a sealed run. If the
//! environment has `SEAL_KEY`, the origin of the file is verified, too.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use domain::Secret;

use visual_degrees::sealed::{ReplayLimits, Report, Verdict, replay};

const USAGE: &str = "usage: cargo run --bin replay -- FILE   (- reads from standard input)";

fn main() -> ExitCode {
    match run() {
        Ok(report) => {
            let text = serde_json::to_string_pretty(&report).unwrap_or_default();
            // A failed write is ignored, because the exit code counts even if nobody reads the output.
            let _ = writeln!(io::stdout(), "{text}");
            match report.result {
                Verdict::Identical => ExitCode::SUCCESS,
                Verdict::Different => ExitCode::from(1),
            }
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<Report, String> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), None) = (arguments.next(), arguments.next()) else {
        return Err(USAGE.to_owned());
    };
    let text = read(&file).map_err(|error| format!("{file}: {error}"))?;
    let key = std::env::var("SEAL_KEY").ok().filter(|key| !key.is_empty());
    let key = key.map(Secret::from);
    replay(&text, key.as_ref(), ReplayLimits::PROGRAM).map_err(|error| error.to_string())
}

/// Reads a file, at most one byte beyond the size limit, which is enough to refuse it.
fn read(file: &str) -> io::Result<String> {
    let source: Box<dyn io::Read> = match file {
        "-" => Box::new(io::stdin()),
        _ => Box::new(File::open(file)?),
    };
    let mut text = String::new();
    let bytes_max = u64::try_from(ReplayLimits::PROGRAM.bytes_max).unwrap_or(u64::MAX);
    source
        .take(bytes_max.saturating_add(1))
        .read_to_string(&mut text)?;
    Ok(text)
}
