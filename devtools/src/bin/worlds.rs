//! Counts how many chains the search finds in a world: `cargo run --release -p devtools --bin worlds -- --help`.
//!
//! The program ends with 0, with 1 where an edge was found that no photo bears out (other than by a
//! face that was taken for somebody else's), and with 2 where the arguments or a world file cannot
//! be read.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io;
    use std::io::Write as _;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use devtools::rehearsal::bench::{BenchTask, HELP, measure, parse};

    /// Does what the arguments say. Every failure is one sentence.
    pub(super) fn main() -> ExitCode {
        match parse(std::env::args().skip(1)).and_then(run) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::from(1),
            Err(sentence) => {
                eprintln!("worlds: {sentence}");
                ExitCode::from(2)
            }
        }
    }

    /// Measures one world after the other, and returns how many false edges there were.
    fn run(task: BenchTask) -> Result<usize, String> {
        let BenchTask::Measure {
            worlds,
            settings,
            json,
            skipped,
        } = task
        else {
            say(HELP);
            return Ok(0);
        };
        if let Some(skipped) = skipped {
            eprintln!("worlds: {skipped}");
        }
        let stopwatch = stopwatch();
        let mut false_edges = 0;
        for choice in worlds {
            let world = choice.load()?;
            let figures = measure(&choice.label(), &world, &settings, &stopwatch);
            say(&figures.to_string());
            if json {
                say(&format!("{}\n", figures.to_json()));
            }
            // No photo can show that somebody is taken for somebody else: such edges are a figure of
            // their own.
            false_edges += figures.false_edges - figures.false_edges_of_lookalikes;
        }
        Ok(false_edges)
    }

    fn say(text: &str) {
        // Nobody may read any more: the exit code still tells.
        let _ = io::stdout().write_all(text.as_bytes());
    }

    /// Returns the time since now.
    #[expect(
        clippy::disallowed_methods,
        reason = "a native program that measures how long the machine takes; no figure of the \
                  search depends on it"
    )]
    fn stopwatch() -> impl Fn() -> Duration {
        let begin = Instant::now();
        move || begin.elapsed()
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// The benchmark is native; the program only has to compile there.
#[cfg(target_arch = "wasm32")]
fn main() {}
